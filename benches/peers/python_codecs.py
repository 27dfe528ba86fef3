"""Runs codecs of Python's asdf, for comparison, with the package asdf-compression for codecs that it lacks.

`python_codecs.py write FILE CODEC OUT` and `python_codecs.py read FILE` serve rounds as described in
benches/src/rounds.rs. `python_codecs.py write-once FILE CODEC OUT` writes once.
"""

import os
import sys
import time
import warnings

import asdf
import numpy as np

warnings.simplefilter("ignore")
command, path, *rest = sys.argv[1:]

if command == "read":
    def work():
        with asdf.open(path) as file:
            # A user gets a view of the decoded block.
            return np.asarray(file["data"])[1, 1]
else:
    codec, out = rest
    with asdf.open(path, memmap=False, lazy_load=False) as file:
        data = np.array(file["data"])

    def work():
        asdf.AsdfFile({"data": data}).write_to(out, all_array_compression=codec)


if command == "write-once":
    work()
    sys.exit()
print(f"ready {os.path.getsize(path)} bytes", flush=True)
for _ in sys.stdin:
    begin = time.perf_counter()
    work()
    print(f"{time.perf_counter() - begin:.9f}", flush=True)
