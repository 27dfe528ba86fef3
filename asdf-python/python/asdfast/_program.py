"""The program of the command line, which `asdfast` and `python -m asdfast` run."""

from __future__ import annotations

import os
import signal
import sys

from . import _asdfast, _worker


def main() -> int:
    """Run the program with the arguments of this process.

    Returns
    -------
    int
        The exit code.
    """
    _open_standard_streams()
    # The program handles signals itself. Python's handler would raise KeyboardInterrupt after an editor has ended.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # The filter of `asdfast query` has a process of its own. It imports nothing from the folder of the user.
    again = [sys.executable, "-I", "-S", _worker.__file__, _asdfast.__file__]
    return _asdfast._run_program(sys.argv[1:], again, os.path.dirname(os.path.abspath(sys.argv[0])))


def _open_standard_streams() -> None:
    """Open closed standard streams, as Rust does for programs: a file of the user would become the output otherwise."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # The system takes the lowest number that is free.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
