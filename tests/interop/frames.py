"""Writes files in frames of rows with our program, and reads them with Python's asdf: the values are the same.

usage: frames.py FOLDER_OF_PROGRAMS
"""

import io
import pathlib
import subprocess
import sys
import tempfile

import asdf
import numpy as np


def arrays():
    """Returns arrays that compress well and badly, with one axis and more."""
    rng = np.random.default_rng(11)
    return {
        "image": (rng.normal(100, 5, (300, 400)) + np.sin(np.arange(400) / 50)).astype("f4"),
        "cube": np.round(rng.normal(100, 5, (90, 20, 30)), 1).astype(">f8"),
        "counts": rng.poisson(5, (700, 100)).astype("u2"),
        "zeros": np.zeros((200, 100)),
        "ramp": np.arange(60_000, dtype="i8").reshape(600, 100),
        "line": np.cumsum(rng.integers(0, 5, 30_000)).astype("i4"),
        "flags": rng.random((500, 400)) < 0.001,
        "noise": rng.integers(0, 256, (100, 5_000), dtype="u1"),
        "large": rng.poisson(3, (20, 200_000)).astype("i4"),
        "table": np.array([(i, i / 7, b"M%d" % i) for i in range(5_000)], [("a", "i4"), ("b", "f8"), ("c", "S5")]),
        "one": np.arange(100.0).reshape(1, 100),
        "empty": np.zeros((0, 5)),
        "turned": np.asfortranarray(rng.normal(size=(50, 30))),
    }


def main(programs):
    program = pathlib.Path(programs) / "asdf"
    good = total = 0
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/source.asdf", f"{folder}/target.asdf"
        expected = arrays()
        asdf.AsdfFile(expected).write_to(source)
        for codec in ("lz4", "zstd", "zstd:1", "zstd:9", "zstd:19"):
            for rows in (7, 64, 100_000):
                arguments = ["convert", "--force", "--compression", codec, "--frame-rows", str(rows), source, target]
                subprocess.run([program, *arguments], check=True, capture_output=True)
                for lazy, mapped in ((True, False), (False, False), (True, True)):
                    with asdf.open(target, lazy_load=lazy, memmap=mapped) as file:
                        for name, array in expected.items():
                            total += 1
                            found = file[name]
                            same = found.dtype == array.dtype and np.array_equal(found, array)
                            good += same
                            if not same:
                                print(f"{name}, {codec}, frames of {rows} rows: other values")
                arguments = ["export", target, "/image", "--slice", "13:17", "--to", "npy"]
                part = subprocess.run([program, *arguments], check=True, capture_output=True)
                total += 1
                good += np.array_equal(np.load(io.BytesIO(part.stdout)), expected["image"][13:17])
    print(f"Python's asdf reads our frames of rows: {good} of {total}")
    return good < total or total < 500


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
