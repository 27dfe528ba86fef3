"""Counts the requests and bytes of Python's asdf with fsspec for files on nginx, and prints tables for Markdown.

Run it with `tests/remote/run target/remote/venv/bin/python tests/remote/python_asdf.py`.
"""
import importlib.metadata
import itertools
import json
import os
import pathlib
import time
import warnings

import asdf
import fsspec

DATA = pathlib.Path(os.environ["ASDF_TEST_DATA"])
LOG = pathlib.Path(os.environ["ASDF_TEST_NGINX_LOG"])
EXPECTED = json.loads((DATA / "expected.json").read_text())
CACHES = {
    "default (readahead, 5 MiB)": {},
    "none": {"cache_type": "none"},
    "first 64 KiB": {"cache_type": "first", "block_size": 65536},
    "blocks of 1 MiB": {"cache_type": "blockcache", "block_size": 1 << 20},
}
numbers = itertools.count()


class Reader:
    """A file opened by address, whose requests are counted by the path that only they use."""

    def __init__(self, name, cache, server="ASDF_TEST_NGINX"):
        self.path = f"/as/python-{next(numbers)}/{name}"
        self.counted = (0, 0)
        files = fsspec.filesystem("http", skip_instance_cache=True)
        self.remote = files.open(os.environ[server] + self.path, **cache)
        self.file = asdf.open(self.remote, lazy_tree=True)

    def count(self):
        """Returns requests and bytes since the last call."""
        # nginx writes the line of a request after the client has the response.
        time.sleep(0.1)
        lines = [line.split("\t") for line in LOG.read_text().splitlines()]
        sent = [int(size) for _, path, _, _, size, _ in lines if path == self.path]
        before, self.counted = self.counted, (len(sent), sum(sent))
        return self.counted[0] - before[0], self.counted[1] - before[1]

    def close(self):
        self.file.close()
        self.remote.close()


def measure(name, cache, step):
    """Returns what is counted for opening a file, and for a step after that."""
    reader = Reader(name, cache)
    opened = reader.count()
    step(reader.file)
    counted = reader.count()
    reader.close()
    return opened, counted


def read_cutout(file):
    expected = EXPECTED["l2"]
    cutout = file["roman"]["data"][slice(*expected["rows"]), slice(*expected["columns"])]
    assert abs(float(cutout.sum(dtype="f8")) - expected["cutout_sum"]) < 1e-6


def read_headers(file):
    # asdf has no public function that does only this.
    assert sum(block.header["used_size"] > 0 for block in file._blocks.blocks) == 20


def read_all(file):
    for name, expected in EXPECTED["l2"]["arrays"].items():
        assert float(file["roman"][name][:].sum(dtype="f8")) == expected["sum"]


def read_last(file):
    expected = EXPECTED["arrays_10000"]
    name = expected["last"].rsplit("/", 1)[1]
    assert float(file["arrays"][name][:].sum()) == expected["last_sum"]


def text(requests, size):
    for unit, factor in (("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{requests:,}, {size / factor:.3g} {unit}"
    return f"{requests:,}, {size} bytes"


def table(names, steps):
    columns = ["file", "cache", "open", *(title for title, _ in steps)]
    print("|", " | ".join(columns), "|")
    print("|" + "---|" * len(columns))
    for name, (title, cache) in itertools.product(names, CACHES.items()):
        counts = [measure(name, cache, step) for _, step in steps]
        cells = [name, title, text(*counts[0][0]), *(text(*counted) for _, counted in counts)]
        print("|", " | ".join(cells), "|", flush=True)
    print()


def times():
    """Prints the time until the pixels are there, if each request takes 50 ms more, for caches with few requests."""
    print("| file | cache | open and 64x64 cutout, 50 ms a request |")
    print("|---|---|---|")
    for name, title in itertools.product(["l2_plain.asdf", "l2_lz4.asdf"], list(CACHES)[::3]):
        start = time.monotonic()
        reader = Reader(name, CACHES[title], "ASDF_TEST_SLOW")
        read_cutout(reader.file)
        print(f"| {name} | {title} | {time.monotonic() - start:.2f} s |", flush=True)
        reader.close()


# This Python has no classes for the tags of Roman's and gwcs's nodes.
warnings.simplefilter("ignore", asdf.exceptions.AsdfConversionWarning)
warnings.simplefilter("ignore", asdf.exceptions.AsdfPackageVersionWarning)
versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("asdf", "fsspec", "aiohttp"))
print(f"Requests and bytes of {versions}:\n")
cutout, headers, whole = ("64x64 cutout", read_cutout), ("headers of all blocks", read_headers), ("all arrays", read_all)
table(["l2_plain.asdf", "l2_lz4.asdf"], [cutout, headers, whole])
table(["arrays_10000.asdf"], [("last array", read_last)])
times()
