"""Validates values of our generated types with Python's asdf. The values are made from random bytes or by examples/, and
all must be valid.

usage: generated_types.py FOLDER_OF_PROGRAMS
"""

import pathlib
import sys
import tempfile
import warnings

import asdf
import asdf.schema
import both


def verdict(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with asdf.open(path, _force_raw_types=True, lazy_load=False):
                return ""
        except Exception as error:
            return f"{type(error).__name__}: {getattr(error, 'message', error)}"


def main(programs):
    with tempfile.TemporaryDirectory() as out:
        both.program(programs, "write_types", out)
        both.program(programs, "refused", "write", pathlib.Path(out) / "examples.asdf")
        paths = sorted(pathlib.Path(out).glob("*.asdf"))
        refused = [(path.stem, said) for path in paths if (said := verdict(path))]
    for name, said in refused:
        print(f"{name}: {said[:300]}")
    assert len(paths) > 200, len(paths)
    assert not refused, f"{len(refused)} of {len(paths)} values are refused"
    print(f"Python's asdf accepts {len(paths)} values of generated types")


main(sys.argv[1])
