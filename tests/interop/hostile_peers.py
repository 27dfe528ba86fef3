"""Counts how readers of ASDF end on hostile files: crashes, hangs, memory, and wrong verdicts.

    hostile_peers.py FOLDER NAME='COMMAND {file}; COMMAND {file}; COMMAND {file}' ...

FOLDER has a `manifest.json` with a list `cases`; each has `name`, the path in FOLDER, and `accept`, the right verdicts.
Each NAME is a reader with two or three commands. The first checks a file, the second shows what is in it, and the third
does anything else, for example reads all arrays. A verdict is `ok` if the first two succeed, `partial` if only the second
does, and `invalid` if the first fails. The name `python` needs no commands: it is the `asdf` of this Python.

For each reader the script prints the number of files with

- verdicts: a right verdict, and none of the faults below
- crashes: a signal, an abort or a panic
- hangs: more than 10 seconds
- memory: more than 500 MB
- outside: contents of a file outside of the folder in the output
"""

import collections
import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

SECONDS, MEGABYTES = 10, 500
FAULTS = ["crashes", "hangs", "memory", "outside"]


def validate(path):
    from asdf._commands import main as tool

    return tool.main_from_args(["validate", path])


def info(path):
    from asdf._commands import main as tool

    return tool.main_from_args(["info", path])


def read_arrays(path):
    import asdf
    import numpy

    with asdf.open(path) as file:
        for node in asdf.treeutil.iter_tree(file.tree):
            if isinstance(node, asdf.tags.core.NDArrayType):
                print(numpy.array(node))


def start(command, path, out):
    """Starts a command, or a function in a copy of this process. Returns its number."""
    child = os.fork()
    if child:
        return child
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        for stream in (1, 2):
            os.dup2(out.fileno(), stream)
        if callable(command):
            code = command(str(path))
            sys.stdout.flush()
            os._exit(int(code or 0))
        words = [word.replace("{file}", str(path)) for word in shlex.split(command)]
        os.execvp(words[0], words)
    except BaseException as error:
        os.write(1, str(error).encode(errors="replace"))
        code = error.code if isinstance(error, SystemExit) else 1
        os._exit(code if isinstance(code, int) else 1)


def run(command, path):
    """Returns whether the command succeeded, its output, and its fault or None."""
    with tempfile.TemporaryFile() as out:
        child, hang = start(command, path, out), threading.Event()

        def stop():
            hang.set()
            os.kill(child, signal.SIGKILL)

        timer = threading.Timer(SECONDS, stop)
        timer.start()
        _, status, usage = os.wait4(child, 0)
        timer.cancel()
        out.seek(0)
        text = out.read(16 << 20)
    code = os.waitstatus_to_exitcode(status)
    if hang.is_set():
        fault = "hangs"
    elif code < 0 or code in (101, 134, 139) or b"panicked at" in text:
        fault = "crashes"
    elif usage.ru_maxrss > MEGABYTES * 1000:
        fault = "memory"
    else:
        fault = None
    return code == 0, text, fault


def verdict(checked, shown):
    if checked:
        return {"ok"} if shown else set()
    return {"invalid", "partial"} if shown else {"invalid"}


def main():
    folder = Path(sys.argv[1])
    manifest = json.loads((folder / "manifest.json").read_text())
    cases, canary = manifest["cases"], manifest["canary"].encode()
    print(f"{'reader':<14}{'files':>7}{'verdicts':>10}" + "".join(f"{fault:>9}" for fault in FAULTS))
    for reader in sys.argv[2:]:
        name, _, commands = reader.partition("=")
        commands = [command.strip() for command in commands.split(";")]
        if name == "python":
            import asdf
            import asdf._commands.main
            import numpy

            name, commands = f"asdf {asdf.__version__}", [validate, info, read_arrays]
        counts, right = collections.Counter(), 0
        for case in cases:
            results = [run(command, folder / case["name"]) for command in commands]
            faults = {fault for _, _, fault in results if fault}
            if any(canary in text for _, text, _ in results):
                faults.add("outside")
            counts.update(faults)
            right += not faults and bool(verdict(results[0][0], results[1][0]) & set(case["accept"]))
            for fault in sorted(faults):
                print(f"  {name}: {fault}: {case['name']}", file=sys.stderr)
        print(f"{name:<14}{len(cases):>7}{right:>10}" + "".join(f"{counts[fault]:>9}" for fault in FAULTS), flush=True)


main()
