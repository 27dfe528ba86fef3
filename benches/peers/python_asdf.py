"""Opens and writes whole files with Python's asdf, for comparison, with its defaults or with `lazy_tree`.

`python_asdf.py open FILE [lazy_tree]` serves rounds as described in `benches/src/rounds.rs`; `open-once` opens the file
once. `validate` opens a file and validates its tree, `arrays` reads and sums all its arrays, and `check` reads it and
verifies checksums. `write FILE N` writes one array of N float64, `write-many FILE N SIZE` writes N blocks of SIZE bytes.
"""

import sys
import time
import warnings

import asdf

warnings.simplefilter("ignore")
command, path, *settings = sys.argv[1:]
options = {setting: True for setting in settings if setting == "lazy_tree"}


def entries():
    with asdf.open(path, **options) as file:
        return len(file.tree)


def serve(ready, work, close=lambda result: None):
    print(f"ready {ready}", flush=True)
    for _ in sys.stdin:
        wall, processor = time.perf_counter(), time.thread_time()
        result = work()
        processor, wall = time.thread_time() - processor, time.perf_counter() - wall
        close(result)
        print(f"{processor:.9f} {wall:.9f}", flush=True)


def opened():
    file = asdf.open(path, **options)
    file.tree
    return file


def arrays():
    with asdf.open(path) as file:
        return sum(float(value.sum()) for value in file.tree.values() if hasattr(value, "shape"))


def check():
    with asdf.open(path, validate_checksums=True, lazy_load=False, memmap=False) as file:
        return len(file.tree)


if command == "validate":
    # Validation is off by default since asdf 6.0.
    asdf.get_config().validate_on_read = True
    serve(f"{entries()} entries", opened, lambda file: file.close())
elif command == "arrays":
    serve(f"{arrays():.0f}", arrays)
elif command == "check":
    serve(check(), check)
elif command.startswith("write"):
    import numpy

    count, *size = map(int, settings)
    made = numpy.random.default_rng(1)
    if size:
        data = {f"block_{n:06}": made.integers(0, 256, size[0], "uint8") for n in range(count)}
    else:
        data = {"data": made.random(count)}
    serve("written", lambda: asdf.AsdfFile(data).write_to(path))
elif command == "open-once":
    print(entries())
else:
    serve(f"{entries()} entries", opened, lambda file: file.close())
