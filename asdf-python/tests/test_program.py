"""The program of the command line behaves as `asdf` does."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import sysconfig
import time

import asdfast
import numpy as np
import pytest

PROGRAM = [sys.executable, "-m", "asdfast"]
LARGE = 2 << 30

# Commands run in other folders, and Python imports nothing from these.
ENVIRONMENT = os.environ | {"PYTHONPATH": str(pathlib.Path(asdfast.__file__).parents[1].resolve()), "PYTHONSAFEPATH": "1"}


def run(*arguments, **options):
    options = {"capture_output": True, "stdin": subprocess.DEVNULL, "timeout": 60, "env": ENVIRONMENT} | options
    if isinstance(options.get("input"), bytes):
        del options["stdin"]
    return subprocess.run([*PROGRAM, *arguments], **options)


@pytest.fixture
def image(tmp_path):
    path = tmp_path / "image.asdf"
    asdfast.File({"target": "M31", "data": np.arange(12).reshape(3, 4)}).write(path)
    return path


@pytest.fixture
def large(tmp_path):
    """A file with an array that takes long to write. It is a hole, so it takes no space on the disk."""
    path = tmp_path / "in.asdf"
    head = (
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        f"large: !core/ndarray-1.1.0 {{source: 0, datatype: uint8, byteorder: big, shape: [{LARGE}]}}\n...\n"
    ).encode()
    block = b"\xd3BLK\x00\x30" + bytes(8) + LARGE.to_bytes(8, "big") * 3 + bytes(16)
    path.write_bytes(head + block)
    os.truncate(path, len(head + block) + LARGE)
    return path


def test_version_and_help_have_its_name():
    assert run("--version").stdout.decode() == f"asdfast {asdfast.__version__}\n"
    done = run("--help")
    assert done.returncode == 0 and b"Usage: asdfast [OPTIONS] <COMMAND>" in done.stdout
    assert run("help", "info").stdout == run("info", "--help").stdout
    help = run("query", "--help").stdout.decode()
    assert "Usage: asdfast query [OPTIONS] <PATH>... <FILTER>" in help
    assert "\n  asdfast query image.asdf .roman.meta.exposure\n" in help
    assert "`asdfast get --json`" in help
    assert not re.search(r"(^|[\s`])asdf [a-z]+", help)


def test_help_fits_the_terminal():
    lines = run("info", "--help", env=ENVIRONMENT | {"COLUMNS": "60"}).stdout.decode().splitlines()
    text = lines[: lines.index("Examples:")]
    assert 50 < max(map(len, text)) <= 60


def test_info_and_exit_codes(image):
    done = run("info", image)
    assert (done.returncode, done.stderr) == (0, b"") and b"M31" in done.stdout
    other = image.with_name("other.asdf")
    asdfast.File({"target": "M33"}).write(other)
    assert run("diff", image, other).returncode == 1
    done = run("info", "missing.asdf", cwd=image.parent)
    assert (done.returncode, done.stdout) == (2, b"") and b"missing.asdf: " in done.stderr
    done = run("infos")
    assert done.returncode == 2 and b"unrecognized subcommand 'infos'" in done.stderr
    assert b"Usage: asdfast [OPTIONS] <COMMAND>" in done.stderr
    assert b"Traceback" not in done.stderr


def test_hints_have_its_name(image):
    done = run("query", image, cwd=image.parent)
    assert done.returncode == 2 and b"hint: run `asdfast query FILE FILTER`" in done.stderr


def test_colours(image):
    assert b"\x1b[" in run("info", "--color", "always", image).stdout
    assert b"\x1b[" not in run("info", image).stdout


def test_standard_streams(image):
    assert run("get", "-", "/target", input=image.read_bytes()).stdout == b"M31\n"
    done = run("convert", "-", "-", input=image.read_bytes())
    assert done.returncode == 0
    assert asdfast.open(done.stdout)["target"] == "M31"


def test_a_file_whose_name_is_not_utf8(image):
    name = b"\xff\xfe.asdf"
    os.rename(image, os.path.join(os.fsencode(image.parent), name))
    done = run("get", name, "/target", cwd=image.parent)
    assert (done.returncode, done.stdout) == (0, b"M31\n"), done.stderr
    # Messages have another character for the bytes.
    done = run("get", b"\xff.asdf", "/target", cwd=image.parent)
    assert done.returncode == 2 and "\ufffd.asdf".encode() in done.stderr


def test_the_reader_of_the_output_can_go(tmp_path):
    path = tmp_path / "long.asdf"
    asdfast.File({"numbers": [{"number": number} for number in range(20_000)]}).write(path)
    command = [*PROGRAM, "info", "--all", path]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
    assert program.stdout.readline()
    program.stdout.close()
    assert (program.wait(60), program.stderr.read()) == (0, b"")
    program.stderr.close()


@pytest.mark.skipif(os.name != "posix", reason="the signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_the_old_file(large, number):
    folder, target = large.parent, large.with_name("out.asdf")
    target.write_text("OLD")
    program = subprocess.Popen(
        [*PROGRAM, "convert", "--force", large.name, target.name],
        cwd=folder,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        # The tests can run with signals that are ignored.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    end = time.monotonic() + 60
    while not any(path.stat().st_size > 100_000 for path in folder.iterdir() if path != large):
        assert program.poll() is None and time.monotonic() < end
        time.sleep(0.002)
    program.send_signal(number)
    assert (program.wait(60), program.stderr.read()) == (-number, b"")
    program.stderr.close()
    assert sorted(path.name for path in folder.iterdir()) == ["in.asdf", "out.asdf"]
    assert target.read_text() == "OLD"


def test_filters_have_a_process(image):
    # A package in the folder of the user is not imported by the process of the filter.
    (image.parent / "signal.py").write_text("raise SystemExit('imported')")
    done = run("query", "-c", image, "{target, twice: (.target + .target)}", cwd=image.parent)
    assert (done.returncode, done.stdout) == (0, b'{"target":"M31","twice":"M31M31"}\n'), done.stderr
    done = run("query", image, "def deep: 1 + deep; deep")
    assert done.returncode == 1 and b"nested too deeply" in done.stderr
    done = run("query", image, "]")
    assert done.returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="a shell")
def test_closed_streams_are_no_files(image):
    # An opened file would get the number of a stream, and messages would be written into it.
    code = (
        "import os, sys\nfrom asdfast import _program\n_program._open_standard_streams()\n"
        "sys.exit(os.open(os.devnull, os.O_RDONLY) < 3)"
    )
    for command in [sys.executable, "-c", code], [*PROGRAM, "convert", "image.asdf", "out.asdf"]:
        done = subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh", *command], cwd=image.parent, env=ENVIRONMENT, timeout=60)
        assert done.returncode == 0
    assert asdfast.open(image.with_name("out.asdf"))["target"] == "M31"


def test_completions_are_for_its_name(image):
    scripts = {shell: run("completions", shell).stdout.decode() for shell in ("bash", "zsh", "fish")}
    assert scripts["bash"].endswith("complete -F _asdfast_places -o bashdefault -o default asdfast\n")
    assert scripts["zsh"].startswith("#compdef asdfast\n") and "\n_asdfast_words() {" in scripts["zsh"]
    assert "complete -c asdfast -f -n '__asdfast_places" in scripts["fish"]
    assert not any(re.search(r"_asdf\b|_asdf_|-c asdf\b", script) for script in scripts.values())
    found = run("complete-path", "--", "get", image, "/ta")
    assert found.stdout == b"/target\n"


def test_manual_pages_have_its_name(tmp_path):
    assert run("man", "--dir", tmp_path).returncode == 0
    assert (tmp_path / "asdfast.1").exists() and (tmp_path / "asdfast-info.1").exists()
    assert f'"asdfast {asdfast.__version__}"' in (tmp_path / "asdfast-info.1").read_text()


@pytest.mark.skipif(os.name != "posix", reason="a script")
def test_sql_starts_the_program_beside(image, tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "asdfast"
    script.write_text(f"#!{sys.executable}\nimport sys\nfrom asdfast._program import main\nsys.exit(main())\n")
    other = folder / "asdf-sql"
    other.write_text('#!/bin/sh\necho "$@"; exit 3\n')
    script.chmod(0o755)
    other.chmod(0o755)
    done = subprocess.run([script, "sql", "select 1", "--format", "csv"], capture_output=True, env=ENVIRONMENT, timeout=60)
    assert (done.returncode, done.stdout) == (3, b"select 1 --format csv\n")


def test_the_console_script_is_installed():
    # In a development build, the package is on the path and not installed.
    if pathlib.Path(asdfast.__file__).is_relative_to(sysconfig.get_path("purelib")):
        script = pathlib.Path(sysconfig.get_path("scripts"), "asdfast")
        assert subprocess.check_output([script, "--version"]) == run("--version").stdout
