"""Measures Python's asdf with and without ``asdfast.accelerate()``, and prints a table.

usage: python accelerate.py [--rounds N]

Needs asdf 6.0, roman_datamodels and gwcs. Each number is the CPU time of this process in seconds, and the best of
several rounds; a cold open is the whole CPU time of a new process.
"""

import argparse
import contextlib
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import asdf
import asdfast
import numpy as np
import roman_datamodels.datamodels


def make_files(folder):
    """Write the files that are opened."""
    arrays = {f"a{number:05}": {"data": np.arange(4) + number, "unit": "ct"} for number in range(10_000)}
    asdf.AsdfFile(arrays).write_to(folder / "arrays.asdf")
    image = roman_datamodels.datamodels.ImageModel.create_fake_data(shape=(64, 64))
    image.save(folder / "roman.asdf")
    noise = np.random.default_rng(1).integers(0, 1000, 64 << 20, dtype=np.uint32)
    asdf.AsdfFile({"data": noise}).write_to(folder / "lz4.asdf", all_array_compression="lz4")


def best(rounds, work):
    """Return the least CPU time and the least time of some work."""
    cpu, wall = [], []
    for _ in range(rounds):
        start = time.process_time(), time.perf_counter()
        work()
        cpu.append(time.process_time() - start[0])
        wall.append(time.perf_counter() - start[1])
    return min(cpu), min(wall)


def opened(path, validate=False, **options):
    with asdf.config_context() as config:
        config.validate_on_read = validate
        with asdf.open(path, **options) as file:
            file.tree


def read(path):
    with asdf.open(path) as file:
        np.asarray(file["data"])


def cold(rounds, path, accelerated):
    """Return the CPU time of a process that opens a file."""
    lines = [f"with asdf.open({str(path)!r}) as file:", "    file.tree"]
    imports = ["import asdf"]
    if accelerated:
        imports += ["import asdfast", "asdfast.accelerate()"]
    times = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", "\n".join(imports + lines)], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times), min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder)
        arrays, roman, lz4 = (folder / f"{name}.asdf" for name in ("arrays", "roman", "lz4"))
        works = {
            "10,000 arrays, lazy_tree": lambda: opened(arrays, lazy_tree=True),
            "10,000 arrays": lambda: opened(arrays),
            "10,000 arrays, lazy_tree, validate_on_read": lambda: opened(arrays, validate=True, lazy_tree=True),
            "Roman L2, warm": lambda: opened(roman),
            "Roman L2, warm, lazy_tree": lambda: opened(roman, lazy_tree=True),
            "Roman L2, warm, validate_on_read": lambda: opened(roman, validate=True),
        }
        rows = {}
        for accelerated in (False, True):
            with asdfast.accelerate() if accelerated else contextlib.nullcontext():
                for name, work in works.items():
                    work()
                    rows.setdefault(name, []).append(best(rounds, work)[0])
                # Several cores share the work, so the time counts.
                rows.setdefault("256 MB of lz4, elapsed", []).append(best(rounds, lambda: read(lz4))[1])
            rows.setdefault("Roman L2, cold process", []).append(cold(rounds, roman, accelerated)[0])
    print(f"| seconds | asdf {asdf.__version__} | accelerated | times |")
    print("|---|---|---|---|")
    for name, (without, accelerated) in rows.items():
        print(f"| {name} | {without:.3f} | {accelerated:.3f} | {without / accelerated:.1f} |")


if __name__ == "__main__":
    main()
