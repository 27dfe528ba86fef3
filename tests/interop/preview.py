"""Compares the display range of `asdf preview` with astropy's, at several sizes of the picture.

usage: preview.py FOLDER_OF_PROGRAMS
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import asdf
import numpy as np
from astropy.visualization import ManualInterval, MinMaxInterval, ZScaleInterval

SIZES = ("full", "50", "7x31")


def images(random):
    """Makes images of many kinds, with elements that are not numbers."""
    for number in range(40):
        height, width = random.integers(1, 300, 2)
        image = random.normal(random.uniform(-100, 100), random.uniform(0.1, 50), (height, width))
        for _ in range(random.integers(0, 6)):
            y, x = random.integers(0, height), random.integers(0, width)
            image[y : y + 9, x : x + 9] += random.uniform(0, 1e5)
        bad = random.random((height, width)) < random.choice([0, 0.01, 0.4])
        image[bad] = random.choice([np.nan, np.inf, -np.inf])
        image[:, random.integers(0, width)] = np.nan
        yield f"noise{number}", image.astype(random.choice(["f4", "f8", ">f4", ">f8"]))
    yield "integers", random.poisson(50, (211, 97)).astype("u2")
    yield "gradient", np.arange(50_000, dtype="i4").reshape(200, 250)
    yield "zeros", np.zeros((64, 64), "f4")
    yield "dots", np.where(random.random((128, 128)) < 0.02, 1000.0, 0.0)
    yield "few", np.array([[1.0, np.nan, 3.0]])


def expected(limits, image):
    finite = image[np.isfinite(image)].astype("f8")
    if limits == "zscale":
        return ZScaleInterval().get_limits(image)
    if limits == "minmax":
        return MinMaxInterval().get_limits(finite)
    return ManualInterval(*np.percentile(finite, [1, 99])).get_limits(finite)


def main(programs):
    program = pathlib.Path(programs).resolve() / "asdf"
    random = np.random.default_rng(14)
    found, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, image in images(random):
            path = folder / f"{name}.asdf"
            asdf.AsdfFile({"data": image}).write_to(path)
            if not np.isfinite(image).any():
                continue
            for limits in ("zscale", "minmax", "1%,99%"):
                low, high = expected(limits, image)
                for size in SIZES:
                    command = [program, "preview", path, "--json", "--force", "-o", folder / "picture.png"]
                    done = subprocess.run([*command, "--limits", limits, "--size", size], capture_output=True, text=True)
                    count += 1
                    if done.returncode:
                        found.append(f"{name} {limits} {size}: {done.stderr.strip()}")
                        continue
                    report = json.loads(done.stdout)
                    # astropy's median of float32 is also a float32.
                    near = 1e-6 * max(abs(low), abs(high), 1e-30)
                    if abs(report["low"] - low) > near or abs(report["high"] - high) > near:
                        found.append(f"{name} {limits} {size}: {report['low']} to {report['high']}, astropy: {low} to {high}")
    for one in found[:40]:
        print(one)
    print(f"{count} display ranges compared with astropy: {len(found)} differences")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
