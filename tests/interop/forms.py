"""Reads files in every form that this project writes with Python's asdf, with checksums and validation.

usage: forms.py FOLDER_OF_PROGRAMS
"""

import pathlib
import re
import sys
import tempfile

import asdf
import both
import numpy as np


def python_forms(folder, out):
    """Checks that values stay when Python explodes and implodes our files, and when we do so with Python's files."""
    found = []
    original = pathlib.Path(out) / "plain.asdf"
    for name, storage in (("by_python_out", "external"), ("by_python_in", "internal")):
        path = pathlib.Path(out) / f"{name}.asdf"
        with asdf.open(original) as file:
            asdf.AsdfFile(file.tree).write_to(path, all_array_storage=storage)
        found += both.compare(folder, path)
    ours = pathlib.Path(out) / "back.asdf"
    both.program(folder, "asdf", "implode", pathlib.Path(out) / "by_python_out.asdf", "-o", ours)
    found += both.compare(folder, ours)
    return found


def shared(out):
    """Checks that arrays that are views of one block are also views in Python."""
    with asdf.open(pathlib.Path(out) / "plain.asdf", lazy_load=False) as file:
        table, column = np.asanyarray(file["table"]), np.asanyarray(file["column"])
        return [] if np.shares_memory(table, column) else ["plain.asdf: table and column share no memory"]


def main(folder):
    good = total = 0
    with tempfile.TemporaryDirectory() as out:
        both.program(folder, "write_forms", out)
        # The external files of exploded files are read through the main files.
        paths = [path for path in sorted(pathlib.Path(out).glob("*.asdf")) if not re.search(r"[a-z]\d{4}\.asdf$", path.name)]
        checks = [(path.name, lambda path=path: checked(folder, path)) for path in paths]
        checks += [("Python's forms", lambda: python_forms(folder, out)), ("views", lambda: shared(out))]
        for name, check in checks:
            total += 1
            try:
                found = check()
            except Exception as error:
                found = [f"{type(error).__name__}: {error}"]
            for difference in found[:5]:
                print(f"{name}: {difference}")
            good += not found
    print(f"Python reads {good} of {total} forms that we write")
    return good < total or total < 20


def checked(folder, path):
    both.program(folder, "asdf", "validate", "--quiet", path)
    return both.compare(folder, path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
