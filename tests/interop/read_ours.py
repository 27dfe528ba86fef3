"""Reads files of this project with Python's asdf, with checksums and validation.

usage: read_ours.py FOLDER_OF_PROGRAMS
"""

import pathlib
import sys
import tempfile

import both


def main(folder):
    good = total = 0
    with tempfile.TemporaryDirectory() as out:
        both.program(folder, "write_samples", out)
        for path in sorted(pathlib.Path(out).glob("*.asdf")):
            total += 1
            try:
                both.program(folder, "asdf", "validate", "--quiet", path)
                found = both.compare(folder, path)
            except Exception as error:
                found = [f"{type(error).__name__}: {error}"]
            for difference in found[:5]:
                print(f"{path.name}: {difference}")
            good += not found
    print(f"Python reads {good} of {total} files that we wrote like us")
    return good < total or total == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
