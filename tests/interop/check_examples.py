"""Check the examples in the schemas of this repository with Python `asdf`.

    python tests/interop/check_examples.py schemas

Each example becomes part of an ASDF file, whose tree is then validated against
the schema of the example. The schemas and manifests in `schemas` replace those
that Python `asdf` installs. Prints each invalid example, and the number of
valid ones. Exits with 1 unless all examples are valid, and every tagged type
has one, or two if it is a type of the standard itself. Each schema is checked
against its metaschema.
"""

import functools
import sys
import textwrap
from pathlib import Path

import asdf
import asdf.schema
import yaml
from asdf.extension import ManifestExtension
from asdf.testing.helpers import yaml_to_asdf
from asdf.util import load_yaml

# PyYAML's parser in C, if it is installed, is ten times as fast.
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# All tags with these prefixes must be known.
TAG_PREFIXES = ("tag:stsci.edu:asdf/", "tag:stsci.edu:gwcs/", "tag:astropy.org:astropy/coordinates/")
STANDARD_PREFIX = "asdf-standard-"
# Manifests of the standard itself. The others are separate packages.
STANDARD_MANIFESTS = ("/core/manifests/", "/astronomy/manifests/")
# The latest version of the standard that has been released.
LATEST = "1.6.0"
MANIFEST_SCHEMA = "asdf://asdf-format.org/core/schemas/extension_manifest-1.0.0"


def is_manifest(document):
    return "extension_uri" in document


class AnyStandard(ManifestExtension):
    """Returns the tags of a manifest, for every version of the standard."""

    asdf_standard_requirement = None


class Manifests:
    """The manifests of this repository, by version of the ASDF Standard."""

    def __init__(self, documents):
        self.documents = documents
        wanted = (d.get("asdf_standard_requirement") for d in documents)
        self.versions = sorted(v for v in wanted if isinstance(v, str))

    def all(self):
        return self.documents

    @functools.cache
    def of(self, version):
        return [d for d in self.documents if admits(d.get("asdf_standard_requirement"), version)]

    @functools.cache
    def tags(self, version):
        """Map the tags that exist in a version of the standard to schema URIs."""
        return {t["tag_uri"]: t["schema_uri"] for m in self.of(version) for t in m["tags"]}

    def latest_with(self, schema_uri):
        """Latest version of the standard in which a tag has the schema."""
        versions = [v for v in self.versions if schema_uri in self.tags(v).values()]
        return max(versions, key=lambda v: (v <= LATEST, v), default=LATEST)

    def tagged_schemas(self, part=""):
        """Schemas that have a tag in the manifests whose ids have a part."""
        return {t["schema_uri"] for m in self.documents if part in m["id"] for t in m["tags"]}


def admits(requirement, version):
    """Returns whether a manifest is made for a version of the standard."""
    if isinstance(requirement, dict):
        least, beyond = requirement.get("gte", "0"), requirement.get("lt", "9")
        return least <= version < beyond
    return requirement in (None, version)


def example_tags(node):
    """Yield the tags in a tagged tree that must be known."""
    tag = getattr(node, "_tag", "")
    if tag.startswith(TAG_PREFIXES):
        yield tag
    children = node.values() if isinstance(node, dict) else node
    if isinstance(node, (dict, list)):
        for child in children:
            yield from example_tags(child)


def check(text, version, schema, manifests):
    """Raise an exception unless the example is valid."""
    # Python asdf cannot write files of a version that is still a draft.
    file_version = min(version, LATEST)
    content = yaml_to_asdf("example:\n" + textwrap.indent(text.strip(), "  "), version=file_version)
    node = load_yaml(content, tagged=True)["example"]
    known = manifests.tags(version)
    unknown = set(example_tags(node)) - known.keys()
    if unknown:
        raise ValueError(f"no such tags in version {version}: {', '.join(sorted(unknown))}")
    if schema["id"] in known.values() and known.get(node._tag) != schema["id"]:
        raise ValueError(f"an example of another type, {node._tag}")
    extensions = [AnyStandard(manifest) for manifest in manifests.of(version)]
    context = asdf.AsdfFile(version=file_version, extensions=extensions)
    asdf.schema.validate(node, ctx=context, schema=schema)


def problems(uri, document, manifests):
    """Yield the faults of a schema, and `None` for each valid example."""
    schema = asdf.schema.load_schema(uri)
    try:
        asdf.schema.check_schema(schema, validate_default=False)
    except Exception as error:
        yield f"not a valid schema: {first_line(error)}"
    examples = document.get("examples", [])
    own = any(uri in manifests.tagged_schemas(part) for part in STANDARD_MANIFESTS)
    needed = 2 if own else 1 if uri in manifests.tagged_schemas() else 0
    if len(examples) < needed:
        yield f"{len(examples)} examples, not {needed}"
    for title, *standard, text in examples:
        named = "".join(standard).removeprefix(STANDARD_PREFIX)
        version = named or manifests.latest_with(uri)
        try:
            check(text, version, schema, manifests)
            yield None
        except Exception as error:
            yield f"{title}: {first_line(error)}"


def first_line(error):
    return str(error).partition("\n")[0]


def main(root):
    texts = [path.read_bytes() for path in sorted(root.rglob("*.yaml"))]
    documents = [(yaml.load(text, Loader), text) for text in texts]
    manifests = Manifests([d for d, _ in documents if is_manifest(d)])
    # Version maps have no id.
    schemas = {d["id"]: (d, text) for d, text in documents if "id" in d and not is_manifest(d)}
    total = sum(len(d.get("examples", [])) for d, _ in schemas.values())
    valid = failures = 0
    with asdf.config_context() as config:
        config.add_resource_mapping({uri: text for uri, (_, text) in schemas.items()})
        for manifest in manifests.all():
            asdf.schema.validate(manifest, schema=asdf.schema.load_schema(MANIFEST_SCHEMA))
        for uri, (document, _) in schemas.items():
            for problem in problems(uri, document, manifests):
                if problem is None:
                    valid += 1
                else:
                    failures += 1
                    print(f"{uri}: {problem}")
    print(f"{valid} of {total} examples valid")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
