"""Writes files with Python's asdf and checks that this project reads, validates and rewrites them.

usage: write_for_us.py FOLDER_OF_PROGRAMS FOLDER

The files stay in FOLDER, so that other programs can read them too.
"""

import collections
import datetime
import pathlib
import shutil
import sys
import tempfile

import asdf
import numpy as np

import both

DTYPES = "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 ?".split()


def trees():
    """Yields the name, the tree and the keyword arguments of `write_to`."""
    values = np.array([0, 1, 2, 100])
    arrays = {f"{order}{d}": values.astype(d).astype(np.dtype(d).newbyteorder(order)) for d in DTYPES for order in "<>"}
    yield "datatypes", arrays, {}
    for codec in ("zlib", "bzp2", "lz4"):
        yield f"datatypes_{codec}", arrays, {"all_array_compression": codec}
    steps = np.arange(240) // 50
    compressible = {"ramp": np.arange(400, dtype="i4").reshape(10, 40), "steps": steps.astype(">f8"), "few": steps[:3]}
    for codec in ("lz4f", "zstd", "blsc", "bls2", "xz"):
        yield f"codec_{codec}", compressible, {"all_array_compression": codec}
    inline = {k: v for k, v in arrays.items() if "f2" not in k}
    yield "inline", inline, {"all_array_storage": "inline"}
    yield "strings", {"s": np.array(["a", "bcd", ""]), "b": np.array([b"a", b"xyz"]), "u": np.array(["é😀"])}, {}
    record = np.dtype([("i", ">i4"), ("f", "<f8"), ("s", "S3"), ("m", "<f4", (2, 2)), ("n", [("x", "i2"), ("y", "u1")])])
    yield "structured", {"t": np.array([(1, 2.5, b"ab", [[1, 2], [3, 4]], (5, 6))] * 3, record)}, {}
    base = np.arange(24, dtype="i4").reshape(4, 6)
    views = {"base": base, "slice": base[1:3, ::2], "t": base.T, "neg": base[::-1, ::-1], "f": np.asfortranarray(base)}
    yield "views", views, {}
    yield "shapes", {"zero": np.zeros((0, 3)), "one": np.ones((1, 1, 1)), "single": np.array(5.0)}, {}
    masked = {"m": np.ma.masked_array([1, 2, 3], [0, 1, 0]), "f": np.ma.masked_array([1.0, 2.0], [1, 0])}
    yield "masked", masked, {}
    yield "large", {"x": np.arange(2_000_000, dtype="f4")}, {"all_array_compression": "lz4"}
    shared = [1, 2, {"a": 3}]
    yield "scalars", {
        "strings": ["", "yes", "5", "a: b", "é😀", "line\nbreak\n", " x ", "tab\t", "\x00\x07", "word " * 40],
        "numbers": [0, -1, 2**62, 1.0, 0.1, 1e-5, 1e22, float("inf"), float("nan"), 1 + 2j],
        "other": [True, False, None, datetime.datetime(2026, 11, 20, 12, 30), b"\x00\xff"],
        "keys": {1: "one", -2: "two", "a/b~": "c"},
        "shared": [shared, shared],
        "big": asdf.IntegerType(12345678901234567890123),
        "empty": [[], {}],
        "set": {"b", "a", "yes"},
        "ordered": collections.OrderedDict([("z", 1), ("a", [2, {"n": 3}])]),
    }, {}


def write(folder):
    for version in ("1.2.0", "1.5.0", "1.6.0"):
        for name, tree, options in trees():
            if version < "1.6.0" and any("f2" in key for key in tree):
                tree = {key: value for key, value in tree.items() if "f2" not in key}
            if version < "1.3.0":
                tree.pop("big", None)
            path = folder / f"{name}_{version}.asdf"
            file = asdf.AsdfFile(tree, version=version)
            file.add_history_entry("made by a test")
            with asdf.config_context() as config:
                # Write views as views of one block, with strides and offsets.
                config.default_array_save_base = name == "views"
                file.write_to(path, **options)
            yield path


def main(programs, folder):
    good = total = 0
    shutil.rmtree(folder, ignore_errors=True)
    pathlib.Path(folder).mkdir()
    with tempfile.TemporaryDirectory() as out:
        out = pathlib.Path(out)
        for path in write(pathlib.Path(folder)):
            total += 1
            try:
                both.program(programs, "asdf", "validate", "--quiet", path)
                found = both.compare(programs, path)
                # Write the file with one more value. For Python nothing else must change.
                again = out / "again.asdf"
                both.program(programs, "rewrite", path, again)
                before, arrays_before = both.python(path)
                after, arrays_after = both.python(again)
                assert after.pop("rewritten") is True
                for tree in (before, after):
                    tree.pop("asdf_library")
                    tree["history"].pop("extensions", None)
                found += both.differences(before, after) + both.differences(arrays_before, arrays_after)
                text, again_text = (p.read_bytes().split(b"\n...")[0] for p in (path, again))
                if sorted(tags(text)) != sorted(tags(again_text)):
                    found.append("the tags are not the same after rewriting")
            except Exception as error:
                found = [f"{type(error).__name__}: {error}"]
            for difference in found[:5]:
                print(f"{path.name}: {difference}")
            good += not found
    print(f"we read {good} of {total} files that Python wrote like Python, and rewrite them unchanged")
    return good < total or total == 0


def tags(text):
    """Returns every tag of a tree, except in the part that describes the writer."""
    body = text.decode().split("\nhistory:")[-1].split("\n")
    body = [line for line in body if not line.startswith((" ", "-")) or "software" not in line]
    return [word for line in body for word in line.split() if word.startswith("!") and "core/" in word
            and "software" not in word and "extension_metadata" not in word]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
