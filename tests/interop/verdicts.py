"""Validates thousands of trees with Python's asdf and with `asdf validate`. The verdicts must be the same.

usage: verdicts.py FOLDER_OF_PROGRAMS [COUNT [SEED]]

The trees are the examples of the published schemas (asdf-standard, transforms, GWCS, coordinates, astropy), trees made
from the schemas of rad, which has no examples, and COUNT mutants of both. Each tree is validated by its schema, and every
tagged node by the schema of its tag. The files of the corpus, if it exists, are validated too. If the verdicts differ, it
must be for one of the REASONS below.
"""

import functools
import io
import json
import multiprocessing
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter

import asdf
import asdf.schema
import asdf_astropy
import both
import mutants
import rad
import yaml
from asdf.extension import Extension, TagDefinition

# Known differences between our verdict and Python's: patterns of our codes, of the name of the tree with our messages, and
# of Python's message, and the reason why ours is right. The first match counts.
REASONS = [
    ("Y003", "", "^$", "YAML forbids a repeated key; Python's asdf silently uses the last one"),
    ("", "", "^AttributeError: '(dict|list|str)' object", "Python's asdf cannot lay out containers without a tag"),
    ("", "", "does not match given checksum", "a checksum of decoded bytes, as Python's asdf wrote it before 5.3, is a warning"),
    ("", "retagged", "^ValidationError: Expected datatype", "the unknown tag of a field does not change its datatype"),
    ("", "retagged", r"^ValidationError: Can not safely cast from '\['ucs4'", "an element with an unknown tag is still a number"),
    ("S006", r"found the string '[^']*\\n'", "^$", "$ in ECMA 262 matches the end of a text, not before its last newline"),
    ("", "", "^OverflowError", "Python's asdf stops on infinity under multipleOf"),
    ("", "", "unhandled object type", "null has the tag tag:yaml.org,2002:null"),
    ("S.*", "retagged.*found a mapping of 1 entry tagged", "^$", "Python's asdf loses the tags of an !!omap's entries"),
    (".*Y004.*", "", "^$", "Python's asdf does not check for integers beyond 64 bits at this place"),
]


def load_once():
    """Caches parsed schemas, because Python's asdf parses a schema again for each reference."""
    load = functools.cache(asdf.schema._make_schema_loader())
    asdf.schema._make_schema_loader = lambda: load
    return lambda uri: load(uri)[0]


LOAD = load_once()
WRAPPED = "asdf://example.org/verdicts/"


def resources():
    """Returns the ids of all schemas of the packages, and the schema of each tag in their manifests."""
    manager = asdf.get_config().resource_manager
    schemas, tags = [], {}
    for uri in sorted(manager):
        if "/manifests/" in uri:
            for tag in LOAD(uri)["tags"]:
                schema = tag.get("schema_uri")
                if schema:
                    tags.setdefault(tag["tag_uri"], schema)
        elif not uri.startswith(("http://json-schema.org", "http://stsci.edu/schemas/yaml-schema")):
            schemas.append(uri)
    return schemas, tags


def seeds(rng, schemas, tags):
    """Yields `(name, schema, node)`."""
    maker = mutants.Maker(rng, LOAD, tags)
    for uri in schemas:
        document = LOAD(uri)
        for title, *_, text in document.get("examples", []) if isinstance(document, dict) else []:
            yield f"{uri}: {title.strip()[:40]}", uri, mutants.parsed(text)
    for tag, schema in tags.items():
        if "stsci.edu/datamodels" in tag:
            yield f"{tag}: made", schema, maker.tagged(tag)


def wrapped(number, schema):
    """Makes a schema and a tag for a mapping whose `example` is validated by another schema."""
    uri = f"{WRAPPED}schemas/{number}-1.0.0"
    text = f"%YAML 1.1\n---\nid: {uri}\nproperties:\n  example:\n    $ref: {schema}\n"
    return uri, text


def cases(count, seed):
    """Returns a list of `(name, file)`, the wrapping schemas by id, and all tags with their schemas."""
    rng = random.Random(seed)
    schemas, tags = resources()
    own = list(tags)
    wrapping, numbers, found = {}, {}, []

    def add(name, schema, node):
        number = numbers.setdefault(schema, len(numbers))
        uri, text = wrapped(number, schema)
        wrapping[uri] = text
        tag = uri.replace("/schemas/", "/tags/")
        tags[tag] = uri
        found.append((name, mutants.file(mutants.mapping([(mutants.scalar("example"), node)], tag))))

    all_seeds = list(seeds(rng, schemas, tags))
    for name, schema, node in all_seeds:
        add(name, schema, node)
    for i in range(count):
        name, schema, node = all_seeds[i % len(all_seeds)]
        kind, changed = mutants.mutant(rng, node, own)
        add(f"{name}, {kind} ({i})", schema, changed)
    return found, wrapping, tags


def extension(tags):
    """Provides the tags of all versions of the standard at once."""

    class All(Extension):
        extension_uri = WRAPPED + "extensions/all-1.0.0"

    All.tags = [TagDefinition(tag, schema_uris=[schema]) for tag, schema in tags.items()]
    return All()


CONTEXT = None


def said(error):
    """Formats an error without the schema and the value, whose printing takes a fifth of the time."""
    return f"{type(error).__name__}: {getattr(error, 'message', error)}"[:400]


def python_says(text):
    """Returns the errors of Python's asdf for a file; empty if it is valid."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = asdf.util.load_yaml(io.BytesIO(text.encode()), tagged=True)
            asdf.schema.validate(tree, ctx=CONTEXT)
    except Exception as error:
        return said(error)
    return ""


def python_opens(path):
    """Returns the errors of Python's asdf for a file with its blocks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if b"\n%YAML" in pathlib.Path(path).read_bytes()[:200]:
                asdf.schema.validate(asdf.util.load_yaml(path, tagged=True), ctx=CONTEXT)
            with asdf.open(path, validate_checksums=True, lazy_load=False, _force_raw_types=True):
                pass
    except Exception as error:
        return said(error)
    return ""


def ours_says(programs, folder, packages, *more):
    """Returns the codes and messages of `asdf validate` for each file of a folder, by name."""
    command = [str(pathlib.Path(programs) / "asdf"), "validate", "--format", "jsonl", "--verbose"]
    command += [word for package in packages for word in ("--schemas", str(package))]
    done = subprocess.run([*command, *more, str(folder)], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    found = {}
    for line in done.stdout.splitlines():
        judged = json.loads(line)
        broken = judged["violations"] + [w for w in judged["warnings"] if w["code"] == "ASDF-S026"]
        found[judged["file"]] = [(one["code"][5:], f"{one['path']}: {one['message']}") for one in broken]
    return found


def reason(name, ours, theirs):
    """Returns the reason for a disagreement; `None` if there is none."""
    codes = ",".join(sorted({code for code, _ in ours}))
    said = "; ".join([name, *(message for _, message in ours)])
    for codes_like, message_like, theirs_like, why in REASONS:
        if re.fullmatch(codes_like, codes) and re.search(message_like, said) and re.search(theirs_like, theirs, re.S):
            return why
    return None


def compared(what, judged):
    """Compares `(name, ours, theirs, text)`. Returns the number of disagreements without a reason."""
    agree, listed, wrong, total, valid = 0, Counter(), [], 0, 0
    for name, ours, theirs, text in judged:
        total += 1
        if bool(ours) == bool(theirs):
            agree += 1
            valid += not ours
        elif why := reason(name, ours, theirs):
            listed[why] += 1
        else:
            wrong.append((name, ours, theirs, text))
    for i, (name, ours, theirs, text) in enumerate(wrong):
        print(f"{name}\n  ours:   {ours or 'valid'}\n  Python: {theirs or 'valid'}")
        if i < 10:
            print("  " + text[:1500].replace("\n", "\n  "))
    for why, count in listed.most_common():
        print(f"  {count} known differences: {why}")
    print(
        f"verdicts on {what}: {agree} of {total} agree ({valid} valid), "
        f"{listed.total()} listed differences, {len(wrong)} others"
    )
    return len(wrong) + (total == 0)


def main(programs, count="6000", seed="1"):
    global CONTEXT
    found, wrapping, tags = cases(int(count), int(seed))
    asdf.get_config().add_resource_mapping({uri: text.encode() for uri, text in wrapping.items()})
    # Made before the processes fork, since it takes a while.
    CONTEXT = asdf.AsdfFile(version="1.6.0", extensions=[extension(tags)])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        schemas, files = folder / "schemas", folder / "files"
        schemas.mkdir(), files.mkdir()
        for i, text in enumerate(wrapping.values()):
            (schemas / f"{i}.yaml").write_text(text)
        listed = [{"tag_uri": t, "schema_uri": s} for t, s in tags.items() if t.startswith(WRAPPED)]
        (schemas / "manifest.yaml").write_text(yaml.safe_dump({"id": WRAPPED + "manifest-1.0.0", "tags": listed}))
        for i, (_, text) in enumerate(found):
            (files / f"{i}.asdf").write_text(text)
        packages = [*(pathlib.Path(package.__file__).parent / "resources" for package in (rad, asdf_astropy)), schemas]
        # One of twenty mutants equals another one.
        texts = list(dict.fromkeys(text for _, text in found))
        with multiprocessing.get_context("fork").Pool() as pool:
            theirs = pool.map_async(python_says, texts, chunksize=50)
            ours = ours_says(programs, files, packages, "--no-blocks", "--max-errors", "20")
            theirs = dict(zip(texts, theirs.get()))
        judged = []
        for i, (name, text) in enumerate(found):
            # These files have no blocks.
            own = [one for one in ours[str(files / f"{i}.asdf")] if one[0][0] != "A"]
            judged.append((name, own, theirs[text], text))
        wrong = compared("examples and mutants", judged)
        corpus = pathlib.Path(__file__).resolve().parents[3] / "shared/corpus/files"
        if corpus.is_dir():
            with multiprocessing.get_context("fork").Pool() as pool:
                paths = sorted(map(str, corpus.rglob("*.asdf")))
                theirs = pool.map_async(python_opens, paths, chunksize=10)
                ours = ours_says(programs, corpus, packages)
                theirs = theirs.get()
            judged = [(path, ours[path], said, "") for path, said in zip(paths, theirs)]
            wrong += compared("files of the corpus", judged)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
