"""Measures asdfast beside Python's asdf in one run, and prints a table.

usage: python compare.py [--rounds N]

Needs what `tests/requirements.txt` lists. Both packages take turns, and each number is the median of the elapsed times
in seconds. The files are made here. They are in the cache of the system, since the first round is not counted.
"""

import argparse
import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import asdf
import asdfast
import numpy as np
import roman_datamodels.datamodels

# What is measured, with the times as fast that are wanted.
TARGETS = {
    "a cold process: import, open a Roman L2 file, read one value": 50,
    "open 10,000 arrays": 100,
    "a slice of 64 x 64 of 256 MB of lz4": 50,
    "all arrays of a Roman L2 file in lz4": 3,
    "validate 1,000 small files": 50,
    "open 10,000 arrays with `lazy_tree` under `accelerate`": 8,
}


def make_files(folder):
    """Writes the files that are read."""
    rng = np.random.default_rng(20261129)
    arrays = {f"a{number:05}": {"data": np.arange(4) + number, "unit": "ct"} for number in range(10_000)}
    asdf.AsdfFile(arrays).write_to(folder / "arrays.asdf")
    # Roman writes frames of 4 MiB.
    image = rng.normal(100, 10, (8192, 8192)).astype("f4")
    asdf.AsdfFile({"data": image}).write_to(folder / "slice.asdf", all_array_compression="lz4")
    model = roman_datamodels.datamodels.ImageModel.create_fake_data(shape=(4088, 4088))
    for name in ("data", "err"):
        model[name] = rng.normal(1, 0.1, (4088, 4088)).astype(model[name].dtype)
    model["dq"] = rng.integers(0, 8, (4088, 4088)).astype(model["dq"].dtype)
    model.to_asdf(folder / "roman.asdf", all_array_compression="lz4")
    (folder / "small").mkdir()
    for number in range(1_000):
        tree = {"meta": {"number": number, "list": [1, 2, 3]}, "data": np.arange(16.0)}
        asdf.AsdfFile(tree).write_to(folder / "small" / f"{number}.asdf")


def process(code):
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def arrays_of(node):
    """Returns the arrays below a node of asdfast."""
    if isinstance(node, asdfast.Array):
        return [node]
    if isinstance(node, asdfast.Mapping):
        return [array for value in node.values() for array in arrays_of(value)]
    return []


def arrays_of_peer(node):
    """Returns the arrays below a node of Python's asdf without converters."""
    if isinstance(node, asdf.tags.core.NDArrayType):
        return [node]
    if isinstance(node, dict) or hasattr(node, "items"):
        return [array for _, value in node.items() for array in arrays_of_peer(value)]
    return []


def works(folder):
    """Returns for each measure the work of asdf and that of asdfast."""
    arrays, slice_, roman = (folder / f"{name}.asdf" for name in ("arrays", "slice", "roman"))
    small = sorted((folder / "small").iterdir())
    part = (slice(4000, 4064), slice(4000, 4064))

    def opened(package, path, **options):
        with package.open(path, **options) as file:
            file.tree

    def sliced(package):
        with package.open(slice_) as file:
            assert file["data"][part].shape == (64, 64)

    def read():
        with asdfast.open(roman) as file:
            for array in arrays_of(file["roman"]):
                np.asarray(array)

    def read_by_peer():
        with asdf.open(roman) as file:
            for array in arrays_of_peer(file["roman"]):
                np.asarray(array)

    def validate_by_peer():
        for path in small:
            with asdf.open(path) as file:
                file.validate()

    with_asdf = f"import asdf\nwith asdf.open({str(roman)!r}) as f: print(f['roman']['meta']['exposure']['type'])"
    with_ours = f"import asdfast\nwith asdfast.open({str(roman)!r}) as f: print(f['roman']['meta']['exposure']['type'])"
    measures = [
        (lambda: process(with_asdf), lambda: process(with_ours)),
        (lambda: opened(asdf, arrays), lambda: opened(asdfast, arrays)),
        (lambda: sliced(asdf), lambda: sliced(asdfast)),
        (read_by_peer, read),
        (validate_by_peer, lambda: asdfast.Validator().validate_many(small)),
        (lambda: opened(asdf, arrays, lazy_tree=True),) * 2,
    ]
    return dict(zip(TARGETS, measures, strict=True))


def elapsed(work, context=contextlib.nullcontext):
    with context():
        start = time.perf_counter()
        work()
        return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder)
        print(f"| what | asdf {asdf.__version__} | asdfast {asdfast.__version__} | times as fast | target |")
        print("|---|---|---|---|---|")
        for name, (theirs, ours) in works(folder).items():
            context = asdfast.accelerate if theirs is ours else contextlib.nullcontext
            times = [(elapsed(theirs), elapsed(ours, context)) for _ in range(rounds + 1)][1:]
            peer, own = (statistics.median(column) for column in zip(*times))
            print(f"| {name} | {peer:.4f} s | {own:.4f} s | {peer / own:.1f} | {TARGETS[name]} |", flush=True)


if __name__ == "__main__":
    main()
