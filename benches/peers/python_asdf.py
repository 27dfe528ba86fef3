"""The peer for opening files: Python's asdf, with its defaults or with `lazy_tree`.

`python_asdf.py open FILE [lazy_tree]` serves rounds as `benches/src/rounds.rs` says; `open-once` opens the
file once.
"""

import sys
import time
import warnings

import asdf

warnings.simplefilter("ignore")
command, path, *settings = sys.argv[1:]
options = {setting: True for setting in settings}


def entries():
    with asdf.open(path, **options) as file:
        return len(file.tree)


found = entries()
if command == "open-once":
    print(found)
    sys.exit()
print(f"ready {found} entries", flush=True)
for _ in sys.stdin:
    wall, processor = time.perf_counter(), time.thread_time()
    file = asdf.open(path, **options)
    file.tree
    processor, wall = time.thread_time() - processor, time.perf_counter() - wall
    file.close()
    print(f"{processor:.9f} {wall:.9f}", flush=True)
