"""Reads the standard's reference files and compares each with its `.yaml` file, which has the same contents with every
array written as a list.

usage: reference.py FOLDER_OF_PROGRAMS FOLDER_OF_REFERENCE_FILES
"""

import pathlib
import sys

import both


def compare(programs, path):
    tree, arrays = both.ours(programs, path)
    partner = path.with_suffix(".yaml")
    if not partner.exists():
        # The external file of an exploded file has only a block, and is read through the main file.
        return both.differences((contents(tree, arrays), arrays), ({}, {}))
    listed, listed_arrays = both.ours(programs, partner)
    found = both.differences(values(listed_arrays), values(arrays))
    return found + both.differences(contents(listed, listed_arrays), contents(tree, arrays))


def values(arrays):
    return {at: {"shape": array["shape"], "data": array["data"]} for at, array in arrays.items()}


def contents(tree, arrays):
    """Returns the tree without arrays and without the information about the writer."""
    tree = both.without_arrays(tree, arrays)
    return {key: value for key, value in tree.items() if key not in ("asdf_library", "history")}


def main(programs, folder):
    good = total = compared = 0
    for path in sorted(pathlib.Path(folder).glob("*/*.asdf")):
        total += 1
        compared += path.with_suffix(".yaml").exists()
        try:
            found = compare(programs, path)
        except Exception as error:
            found = [f"{type(error).__name__}: {error}"]
        for difference in found[:5]:
            print(f"{path.parent.name}/{path.name}: {difference}")
        good += not found
    print(f"{good} of {total} reference files are right, {compared} of them compared with their `.yaml` files")
    return good < total or total < 112


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
