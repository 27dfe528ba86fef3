"""Compare the schemas of this repository with the published ones.

    python tests/interop/compare_schemas.py schemas

The schemas of the standard are in the package `asdf-standard`. Transforms,
world coordinate systems and celestial coordinates have separate packages.

The constraints must be exactly the published ones. The texts (`title`,
`description` and `examples`) must be our own. Prints each deviation, and the
number of files without one. Exits with 1 unless no file deviates.
"""

import difflib
import functools
import re
import sys
from importlib import resources
from pathlib import Path

import yaml

# PyYAML's parser in C, if it is installed, is ten times as fast.
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

PACKAGES = (
    "asdf_standard",
    "asdf_transform_schemas",
    "asdf_wcs_schemas",
    "asdf_coordinates_schemas",
)

# Annotations, and the keywords that hold one schema, a list of them, or a
# mapping from names to them.
TEXTS = ("title", "description", "examples")
ONE = ("not", "items", "additionalItems", "additionalProperties")
MANY = ("allOf", "anyOf", "oneOf", "items")
NAMED = ("properties", "patternProperties", "definitions", "dependencies")


DICTATED = re.compile(r"!<[^>]*>|![\w/.-]+|\b\w+:(?= |$)|[{}\[\],-](?= |$)|(?<= )[{\[]+")


def resource_path(uri):
    """Path below `schemas/` of the file that holds the resource `uri`."""
    scheme, path = uri.split("://", 1)
    if scheme == "http":
        path = path.replace("/schemas/", "/", 1)
    return path + ".yaml"


def published(package):
    """Yield the path and the content of each schema, manifest and version map of a package."""
    for path in sorted(Path(str(resources.files(package))).rglob("resources/**/*.yaml")):
        document = yaml.load(path.read_text("utf-8"), Loader)
        # Version maps have no id, but are in the same folder as schemas.
        own = resource_path(document["id"]) if "id" in document else f"stsci.edu/asdf/{path.name}"
        yield own, document


def nodes(node, path="", is_schema=True):
    """Yield `(path, value, is_text)` for everything in a schema or manifest.

    The keys `title` and the like are texts in a schema, but not among the names
    of its properties, nor inside of a value such as a default. Where a value is
    a list or a mapping, what is yielded for it is its kind, length or keys.
    """
    if isinstance(node, dict) and not is_schema:
        yield path, dict, False
        for key, value in node.items():
            yield from nodes(value, f"{path}/{key}", is_schema=False)
    elif isinstance(node, dict):
        yield path, dict, False
        for key, value in node.items():
            where = f"{path}/{key}"
            if key in TEXTS:
                yield where, value, True
            elif key in NAMED and isinstance(value, dict):
                yield where, list(value), False
                for name, schema in value.items():
                    yield from nodes(schema, f"{where}/{name}", isinstance(schema, dict))
            elif key in ONE and isinstance(value, dict):
                yield from nodes(value, where)
            elif key in MANY and isinstance(value, list):
                yield where, len(value), False
                for i, schema in enumerate(value):
                    yield from nodes(schema, f"{where}/{i}", isinstance(schema, dict))
            elif key == "tags" and "extension_uri" in node:
                yield where, len(value), False
                for i, tag in enumerate(value):
                    yield from nodes(tag, f"{where}/{i}")
            elif isinstance(value, dict) and isinstance(value.get("description"), str):
                # Validators ignore this misplaced property.
                yield from nodes(value, where)
            else:
                yield from nodes(value, where, is_schema=False)
    elif isinstance(node, list):
        yield path, list, False
        for i, value in enumerate(node):
            yield from nodes(value, f"{path}/{i}", is_schema=False)
    else:
        yield path, (type(node), node), False


def paragraphs(value):
    """Yield the paragraphs of the strings in an annotation, blanks normalised."""
    if isinstance(value, str):
        for paragraph in value.split("\n\n"):
            # The names of standard versions among the examples are not prose.
            if paragraph.strip() and not paragraph.startswith("asdf-standard-"):
                yield " ".join(paragraph.split())
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from paragraphs(item)
    elif isinstance(value, dict):
        yield from paragraphs(list(value.values()))


def own_words(path, text):
    """Remove the parts of a text that the schema dictates: tags and keys in examples."""
    return " ".join(DICTATED.sub(" ", text).split()) if path.endswith("/examples") else text


def texts(document):
    return {
        path: [own_words(path, text) for text in paragraphs(value)]
        for path, value, is_text in nodes(document)
        if is_text
    }


def constraints(document):
    return {path: value for path, value, is_text in nodes(document) if not is_text}


def structure_deviations(ours, theirs):
    ours_is, theirs_is = constraints(ours), constraints(theirs)
    for path in sorted(ours_is.keys() | theirs_is.keys()):
        if path not in ours_is:
            yield f"{path}: missing, published as {theirs_is[path]}"
        elif path not in theirs_is:
            yield f"{path}: not in the published schema"
        elif ours_is[path] != theirs_is[path]:
            yield f"{path}: {ours_is[path]}, published as {theirs_is[path]}"


@functools.cache
def similar(text, corpus):
    """Return a published text that `text` repeats or varies, if any."""
    if len(text) > 30 and text in corpus:
        return text
    if len(text) <= 60:
        return None
    matcher = difflib.SequenceMatcher(b=text, autojunk=False)
    for other in corpus:
        matcher.set_seq1(other)
        # The first two are cheap upper bounds of the third.
        ratios = matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio
        if all(ratio() > 0.8 for ratio in ratios):
            return other
    return None


def text_deviations(ours, theirs, corpus):
    """Yield missing texts, and texts that resemble a published one.

    The `corpus` has the texts of all published files.
    """
    our_texts, their_texts = texts(ours), texts(theirs)
    for path, published_text in their_texts.items():
        if published_text and not our_texts.get(path):
            yield f"{path}: no text here"
    for path, own in our_texts.items():
        if path == "/title" and own and not own[0].endswith("."):
            yield f"{path}: no full stop"
        for text in own:
            other = similar(text, corpus)
            if other == text:
                yield f"{path}: copied text: {text[:70]}"
            elif other:
                yield f"{path}: {text[:70]}: too close to the published text: {other[:70]}"


def main(root):
    packages = {package: list(published(package)) for package in PACKAGES}
    documents = [document for package in packages.values() for _, document in package]
    corpus = frozenset(text for d in documents for own in texts(d).values() for text in own)
    known, same = set(), set()
    for package, files in packages.items():
        as_published = 0
        for name, theirs in files:
            path = root / name
            known.add(path)
            if not path.exists():
                print(f"{path}: missing")
                continue
            ours = yaml.load(path.read_text("utf-8"), Loader)
            deviations = [*structure_deviations(ours, theirs), *text_deviations(ours, theirs, corpus)]
            for deviation in deviations:
                print(f"{path}: {deviation}")
            if not deviations:
                as_published += 1
                same.add(path)
        print(f"{package}: {as_published} of {len(files)} equal the published ones")
    for path in sorted(set(root.rglob("*.yaml")) - known):
        print(f"{path}: note: not published by these packages")
    # Two are in both of the first packages.
    print(f"{len(same)} of {len(known)} equal the published ones")
    return 0 if same == known else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
