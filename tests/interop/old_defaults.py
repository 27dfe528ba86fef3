"""Compares the defaults that files older than standard 1.6.0 leave out with those that Python's asdf fills in.

usage: old_defaults.py FOLDER_OF_PROGRAMS

The files are the examples of the published schemas (asdf-standard, transforms, GWCS, coordinates) without the properties
that have a default. For each file, `asdf validate` must have the verdict of Python's asdf after filling in the defaults, and
`asdf convert` to 1.6.0 must write Python's tree. A file of 1.6.0 gets no defaults.
"""

import io
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

import asdf
import asdf.schema
import both
import mutants
import verdicts
from yaml import MappingNode, ScalarNode

# Tags of packages whose schemas the program does not include.
FOREIGN = re.compile("astropy.org|datamodels")
# A file whose meaning depends on a default.
ROTATION = "t: !transform/rotate3d-1.2.0 {phi: 1.0, psi: 2.0, theta: 3.0}"
HEAD = "#ASDF 1.0.0\n#ASDF_STANDARD %s\n%%YAML 1.1\n%%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n%s\n...\n"


def defaults(schema):
    """Returns the names of properties with a default."""
    if isinstance(schema, dict):
        for name, part in schema.get("properties", {}).items():
            if isinstance(part, dict) and "default" in part:
                yield name
        for part in schema.get("allOf", []):
            yield from defaults(part)


def strip(node, tags):
    """Removes properties with defaults from a node and the nodes below it."""
    if isinstance(node, ScalarNode):
        return
    schema = tags.get(node.tag)
    names = set(defaults(verdicts.LOAD(schema))) if schema else set()
    if isinstance(node, MappingNode):
        node.value = [(key, value) for key, value in node.value if key.value not in names]
    for item in node.value:
        strip(item[1] if isinstance(item, tuple) else item, tags)


def cases():
    """Yields `(schema, node)`: each example, and each example without properties that have defaults."""
    schemas, tags = verdicts.resources()
    for uri in schemas:
        document = verdicts.LOAD(uri)
        for _, *_, text in document.get("examples", []) if isinstance(document, dict) else []:
            node = mutants.parsed(text)
            if node is None or FOREIGN.search(text) or FOREIGN.search(uri) or "$ref" in text:
                continue
            yield uri, node
            stripped = mutants.copy(node)
            strip(stripped, tags)
            yield uri, stripped


def said(tree, context):
    """Returns Python's errors for a tree after filling in the defaults."""
    asdf.schema.fill_defaults(tree, context, reading=True)
    try:
        asdf.schema.validate(tree, ctx=context)
    except Exception as error:
        return verdicts.said(error)
    return ""


def tree_of(path):
    return asdf.util.load_yaml(io.BytesIO(path.read_bytes().split(b"\n...")[0] + b"\n..."), tagged=True)


def is_faulty(key, value):
    """Returns whether a value is a default that the published schemas do not allow: text instead of a quantity."""
    return key == "wrap_angle" and value == "360 deg"


def example(tree):
    """Returns the values of a tree, independent of the versions of its tags."""

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items() if not is_faulty(key, item)}
        if isinstance(value, list):
            return [plain(item) for item in value]
        return str(value) if isinstance(value, str) else value

    return plain({key: value for key, value in tree.items() if key not in ("asdf_library", "history")})


def same(a, b):
    """Returns whether values are equal. NaN equals NaN."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (a != a and b != b)


def main(programs):
    warnings.simplefilter("ignore")
    _, tags = verdicts.resources()
    context = asdf.AsdfFile(version="1.6.0", extensions=[verdicts.extension(tags)])
    wrong, filled, valid, compared = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        old, new = folder / "old", folder / "new"
        old.mkdir()
        names = {}
        for number, (uri, node) in enumerate(cases()):
            root = mutants.mapping([(mutants.scalar("example"), node)], "tag:stsci.edu:asdf/core/asdf-1.1.0")
            text = mutants.file(root).replace("#ASDF_STANDARD 1.6.0", "#ASDF_STANDARD 1.5.0")
            (old / f"{number}.asdf").write_text(text)
            names[f"{number}.asdf"] = uri
        ours = verdicts.ours_says(programs, old, [], "--no-blocks")
        shutil.copytree(old, new)
        convert = [f"{programs}/asdf", "convert", "--force", str(new), str(new)]
        done = subprocess.run(convert, capture_output=True, text=True)
        # Examples whose arrays have no blocks are not converted.
        assert done.returncode in (0, 1, 2), done.stderr
        for name, uri in names.items():
            tree = tree_of(old / name)
            before = example(tree)
            theirs = said(tree, context)
            if "'360 deg'" in theirs:
                continue
            own = [one for one in ours[str(old / name)] if not one[0].startswith(("A", "B"))]
            filled += not same(before, example(tree))
            valid += not theirs
            if bool(own) != bool(theirs) and not verdicts.reason(uri, own, theirs):
                wrong.append(f"{uri} ({name}):\n  ours: {own}\n  Python: {theirs or 'valid'}")
            if b"#ASDF_STANDARD 1.6.0" in (new / name).read_bytes()[:100]:
                compared += 1
                written = example(tree_of(new / name))
                if not same(written, example(tree)):
                    wrong.append(f"{uri} ({name}):\n  ours: {written}\n  Python: {example(tree)}")
        # Check with the real client that the file has the same meaning after the conversion.
        rotation = folder / "rotation.asdf"
        for standard, expected in [("1.5.0", 0), ("1.6.0", 1)]:
            rotation.write_text(HEAD % (standard, ROTATION))
            run = subprocess.run([f"{programs}/asdf", "validate", str(rotation)], capture_output=True, text=True)
            if run.returncode != expected:
                wrong.append(f"rotate3d without direction in {standard}: {run.stdout}")
        rotation.write_text(HEAD % ("1.5.0", ROTATION))
        both.program(programs, "asdf", "convert", rotation, folder / "converted.asdf")
        with asdf.open(rotation) as before, asdf.open(folder / "converted.asdf") as after:
            kinds = {type(before["t"]).__name__, type(after["t"]).__name__}
            if kinds != {"RotateNative2Celestial"}:
                wrong.append(f"a rotation without direction becomes {kinds}")
    if wrong or not filled or not compared:
        print("\n".join(wrong))
        sys.exit(f"defaults of old files: {len(wrong)} differences, {filled} filled in, {compared} compared")
    print(
        f"defaults of old files: {len(names)} trees judged as by Python's asdf ({valid} valid, {filled} with defaults "
        f"filled in), {compared} of them converted to 1.6.0 with the same values"
    )


main(*sys.argv[1:])
