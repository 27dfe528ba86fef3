"""Reads random trees that this project writes with PyYAML, as asdf does.

usage: read_trees.py FOLDER_OF_PROGRAMS [COUNT [SEED]]
"""

import json
import pathlib
import sys
import tempfile

import both
import loaders
import typed


def main(programs, count="2000", seed="1"):
    good = total = 0
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "trees"
        both.program(programs, "write_trees", count, seed, out)
        for line in out.open():
            case = json.loads(line)
            total += 1
            expected = typed.normal(case["value"])
            found = []
            for name, load in loaders.ALL.items():
                try:
                    different = typed.difference(typed.normal(typed.typed(load(case["yaml"]))), expected)
                except Exception as error:
                    different = f"{type(error).__name__}: {error}"
                found += [f"seed {case['seed']}, {name}: {different}"] if different else []
            if found:
                print(*found, sep="\n")
            good += not found
    print(f"PyYAML reads {good} of {total} random trees that we wrote with the right contents")
    return good < total or total == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
