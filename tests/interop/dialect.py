"""Converts files with our program and reads the results with Python's asdf: the files in pre-release formats in
tests/data, which no other program reads, and current files for every version of the standard.

usage: dialect.py FOLDER_OF_PROGRAMS FOLDER_OF_TESTS
"""

import json
import pathlib
import shutil
import sys
import tempfile

import both
import make_drafts

STANDARDS = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0"]


def converted(folder, path, out, standard):
    """Compares the converted file as Python reads it, as we read it, and the expected contents."""
    new = out / f"{path.stem}_{standard}.asdf"
    # External data stays in its files, so write the new file into the same folder.
    both.program(folder, "asdf", "convert", shutil.copy(path, out), new, "--standard", standard, "--compression", "zlib")
    first = new.read_bytes().splitlines()[:2]
    if first != [b"#ASDF 1.0.0", b"#ASDF_STANDARD " + standard.encode()]:
        return [f"the file begins with {first}"]
    found = both.compare(folder, new)
    arrays = both.python(new)[1]
    for at, expected in json.loads(path.with_suffix(".json").read_text()).items():
        # Python's masked arrays hide their mask.
        if at in arrays:
            found += both.differences(arrays[at], expected, at)
        elif not at.endswith("/mask"):
            found.append(f"{at}: Python reads no array there")
    return found


def drifted(tests):
    """Returns the files that differ from those that make_drafts.py writes."""
    with tempfile.TemporaryDirectory() as fresh:
        fresh = pathlib.Path(fresh)
        for folder in ("data", "validate"):
            (fresh / folder).mkdir()
        make_drafts.main(fresh)
        files = [path for path in fresh.rglob("draft_*") if path.is_file()]
        return [path.name for path in files if path.read_bytes() != (tests / path.relative_to(fresh)).read_bytes()]


def main(folder, tests):
    tests = pathlib.Path(tests)
    drift = drifted(tests)
    for name in drift:
        print(f"{name} differs from the output of make_drafts.py")
    good = total = 0
    with tempfile.TemporaryDirectory() as out:
        out = pathlib.Path(out)
        for external in (tests / "data").glob("*exploded0000.asdf"):
            shutil.copy(external, out)
        for path in sorted((tests / "data").glob("*.json")):
            path = path.with_suffix(".asdf")
            if path.stem == "draft_exploded":
                # The data stays in a file that Python cannot read.
                continue
            # Versions before 1.6.0 do not have float16. Pre-release files become files of 1.6.0.
            newest = path.stem.startswith(("draft_", "datatypes"))
            for standard in STANDARDS[-1:] if newest else STANDARDS:
                total += 1
                try:
                    found = converted(folder, path, out, standard)
                except Exception as error:
                    found = [f"{type(error).__name__}: {error}"]
                for difference in found[:5]:
                    print(f"{path.name} for {standard}: {difference}")
                good += not found
    print(f"Python reads {good} of {total} files that we converted like us")
    return bool(drift) or good < total or total == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
