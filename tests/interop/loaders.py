"""PyYAML as in Python's asdf: its loader, and the same loader with PyYAML's own parser instead of libyaml."""

import io

import asdf
import yaml
from asdf.yamlutil import AsdfLoader


class PurePythonLoader(yaml.SafeLoader):
    """asdf's loader if libyaml is not installed."""

    construct_undefined = AsdfLoader.construct_undefined
    construct_yaml_omap = AsdfLoader.construct_yaml_omap
    _construct_tagged_mapping = AsdfLoader._construct_tagged_mapping
    _construct_tagged_sequence = AsdfLoader._construct_tagged_sequence
    _construct_tagged_scalar = AsdfLoader._construct_tagged_scalar


PurePythonLoader.add_constructor(None, PurePythonLoader.construct_undefined)
PurePythonLoader.add_constructor("tag:yaml.org,2002:omap", PurePythonLoader.construct_yaml_omap)


def through_asdf(text):
    """Reads the tree of a whole file with asdf itself."""
    head = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n"
    return asdf.util.load_yaml(io.BytesIO(head + text.encode()), tagged=True)


# The name and function of each loader.
ALL = {
    "asdf": through_asdf,
    "libyaml": lambda text: yaml.load(text.encode(), Loader=AsdfLoader),
    "pure Python": lambda text: yaml.load(text, Loader=PurePythonLoader),
}
assert issubclass(AsdfLoader, yaml.CSafeLoader), "PyYAML was installed without libyaml"
