"""Evaluates a wcs with Python's gwcs, for comparison.

Each command serves rounds as described in benches/src/rounds.rs. A round answers with seconds of CPU time.

`python_gwcs.py forward FILE PATH SIZE`    the world coordinates of SIZE x SIZE pixels
`python_gwcs.py inverse FILE PATH SIZE`    their pixels again, by the stored inverse
`python_gwcs.py exact FILE PATH SIZE`      their pixels again, by the numerical inverse
`python_gwcs.py point FILE PATH`           the world coordinates of one pixel
`python_gwcs.py footprint FILE PATH`       opens the file and computes the footprint
"""

import sys
import time
import warnings

import asdf
import numpy as np

warnings.simplefilter("ignore")
command, path, node, *rest = sys.argv[1:]


def read(file):
    tree = file
    for part in node.strip("/").split("/"):
        tree = tree[part]
    return tree


with asdf.open(path, memmap=False, lazy_load=False) as file:
    wcs = read(file)
if rest:
    size = int(rest[0])
    edge = np.arange(size) * (4088 / size)
    x, y = (axis.ravel() for axis in np.meshgrid(edge, edge))
    sky = wcs(x, y) if command != "forward" else None

if command == "forward":
    def work():
        return wcs(x, y)[0][size]
elif command == "inverse":
    def work():
        return wcs.invert(*sky)[0][size]
elif command == "exact":
    def work():
        return wcs.numerical_inverse(*sky, quiet=True)[0][size]
elif command == "point":
    def work():
        return wcs(2000.0, 1000.0)
else:
    def work():
        with asdf.open(path) as file:
            return read(file).footprint()


print("ready", flush=True)
for _ in sys.stdin:
    begin = time.process_time()
    work()
    print(f"{time.process_time() - begin:.9f}", flush=True)
