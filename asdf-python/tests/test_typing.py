"""The stubs say what the library has, and type checkers accept programs that use it."""

import pathlib
import subprocess
import sys
import textwrap

PROGRAM = """
    import asdfast
    import numpy as np

    with asdfast.open("image.asdf", limits={"tree_depth": 100}, storage_options={"anon": True}) as file:
        exposure: float = file["roman"]["meta"]["exposure"]
        same: float = file.roman.meta.exposure
        array: asdfast.Array = file["roman"]["data"]
        part: np.ndarray = array[2000:2064, ::2]
        shape: tuple[int, ...] = array.shape
        names: list[str] = list(file.keys())
    try:
        asdfast.open(b"")
    except asdfast.AsdfError as error:
        line: int | None = error.line
"""


def run(*arguments, **options):
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_are_those_of_the_library(tmp_path):
    here = pathlib.Path(__file__).parent
    options = ["--mypy-config-file", here / "mypy.ini", "--allowlist", here / "stubtest.txt", "--ignore-disjoint-bases"]
    run("mypy.stubtest", "asdfast", *options, cwd=tmp_path)


def test_mypy_accepts_a_program(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM))
    run("mypy", "--strict", "program.py", cwd=tmp_path)


def test_pyright_accepts_a_program(tmp_path):
    (tmp_path / "program.py").write_text("# pyright: strict, reportMissingTypeArgument=false, reportUnknownVariableType=false\n" + textwrap.dedent(PROGRAM))
    run("pyright", "--pythonpath", sys.executable, "program.py", cwd=tmp_path)
