"""Reads two values of each of many files with Python's asdf, on several processes, for comparison with `asdf catalog`.

`python_catalog.py FOLDER COUNT PROCESSES /PATH /PATH` reads the first COUNT files, and prints how many it read.
"""

import multiprocessing
import pathlib
import sys
import warnings

import asdf

warnings.simplefilter("ignore")
folder, count, processes, *pointers = sys.argv[1:]


def row(path):
    with asdf.open(path, lazy_tree=True) as file:
        values = []
        for pointer in pointers:
            node = file.tree
            for step in pointer.split("/")[1:]:
                node = node[step]
            values.append(node)
        return values


if __name__ == "__main__":
    # Trees are not validated, which is the default since asdf 6.0.
    asdf.get_config().validate_on_read = False
    paths = sorted(pathlib.Path(folder).rglob("*.asdf"))[: int(count)]
    with multiprocessing.Pool(int(processes)) as pool:
        rows = pool.map(row, paths, chunksize=32)
        pool.close()
        # The times of processes that have ended are counted.
        pool.join()
    print(len(rows))
