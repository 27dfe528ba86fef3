"""Runs every command on every file of a folder. Checks exit codes, that messages have no Rust terms, and that rewritten
files equal the original for `asdf diff` and Python's asdf.

usage: commands.py FOLDER_OF_PROGRAMS FOLDER_OF_FILES
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

import asdf

import both  # noqa: F401  adds the codecs that Python's asdf lacks

# Words of Rust or of the operating system that must not be in messages.
FOREIGN = re.compile(r"panicked|Tagged<|OpenOptions|os error|unwrap|RUST_BACKTRACE|`Node`")

# Commands that only read. `{}` is the file, and `{out}` is a new folder.
READING = [
    "info {}", "info --arrays {}", "info --blocks {}", "ls {}", "search --key data {}", "tags {}", "extensions {}",
    "history {}", "stats {}", "dump {}", "dump --values {}", "query . {}", "get {} /asdf_library", "diff {} {}",
    "validate {}", "preview {} -o {out}/picture.png", "head {}", "catalog {}", "catalog {} -o {out}/catalog.parquet",
]
# Commands that write the same contents in another form.
REWRITING = {
    "zlib": "convert -c zlib {} {out}/zlib.asdf",
    "lz4": "convert -c lz4 {} {out}/lz4.asdf",
    "none": "convert -c none {} {out}/none.asdf",
    "defragmented": "defragment {} -o {out}/defragmented.asdf",
    "exploded": "explode {} -o {out}/exploded.asdf",
    "imploded": "implode {} -o {out}/imploded.asdf",
}


class File:
    def __init__(self, program, path, root):
        self.program, self.path, self.name = program, path, str(path.relative_to(root))
        self.faults, self.runs, self.rewritten = [], 0, 0

    def run(self, command, out):
        words = [str(self.path) if word == "{}" else word.replace("{out}", str(out)) for word in command.split()]
        done = subprocess.run(
            [self.program, *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=120,
            env=os.environ | {"EDITOR": "true"},
        )
        self.runs += 1
        text = done.stderr.decode(errors="replace")
        if done.returncode not in (0, 1, 2) or FOREIGN.search(text):
            self.faults.append(f"{self.name}: asdf {command}: exit {done.returncode}: {text.strip()[:300]}")
        return done.returncode, text

    def check(self):
        with tempfile.TemporaryDirectory() as out:
            out = pathlib.Path(out)
            for command in READING:
                self.run(command, out)
            # Every file that can be read can be written in every form.
            readable = self.run("dump --digest {}", out)[0] == 0
            for name, command in REWRITING.items():
                code, text = self.run(command, out)
                made = out / f"{name}.asdf"
                if code == 0:
                    self.same(made, command)
                elif readable and "checksum" not in text:
                    self.faults.append(f"{self.name}: asdf {command}: exit {code}: {text.strip()[:300]}")
            shutil.copy(self.path, out / "copy.asdf")
            before = (out / "copy.asdf").read_bytes()
            copy = File(self.program, out / "copy.asdf", out)
            if copy.run("set --no-validate {} /new_key 5", out)[0] == 0:
                code, _ = copy.run("unset --no-validate {} /new_key", out)
                if code != 0 or copy.run("diff {} " + str(self.path), out)[0] != 0:
                    self.faults.append(f"{self.name}: a key that was set and unset leaves a difference")
            (out / "copy.asdf").write_bytes(before)
            code, text = copy.run("repair {} -o {out}/repaired.asdf", out)
            if code == 0 and (out / "repaired.asdf").exists():
                self.same(out / "repaired.asdf", "repair")
            self.faults.extend(copy.faults)
            self.runs += copy.runs
        return self

    def same(self, made, command):
        self.rewritten += 1
        words = [self.program, "diff", str(self.path), str(made)]
        done = subprocess.run(words, capture_output=True, text=True)
        self.runs += 1
        if done.returncode != 0:
            text = (done.stdout + done.stderr).strip()[:300]
            self.faults.append(f"{self.name}: asdf {command}: the result is different: {text}")
        before, after = opened_as(self.path), opened_as(made)
        if before and before != after:
            self.faults.append(f"{self.name}: asdf {command}: Python's asdf opens the result as {after}, not {before}")


def opened_as(path):
    """Returns the type of the tree that Python's asdf reads from a file, if it can open the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with asdf.open(path) as file:
                return type(file.tree).__name__
        except Exception:
            return None


def main(programs, folder):
    program = str(pathlib.Path(programs).resolve() / "asdf")
    root = pathlib.Path(folder)
    files = [File(program, path, root) for path in sorted(root.rglob("*.asdf"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(File.check, files))
    faults = [fault for file in done for fault in file.faults]
    print(*faults[:40], sep="\n", end="\n" * bool(faults))
    print(
        f"every command on {len(done)} files: {sum(file.runs for file in done)} runs, "
        f"{sum(file.rewritten for file in done)} rewritten files compared, {len(faults)} faults"
    )
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
