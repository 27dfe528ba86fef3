"""Runs the program from the path of the library, without the package, when the program starts itself."""

from __future__ import annotations

import signal
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location


def main() -> int:
    """Run the program. The first argument is the library."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    loader = ExtensionFileLoader("asdfast._asdfast", sys.argv[1])
    spec = spec_from_file_location("asdfast._asdfast", sys.argv[1], loader=loader)
    assert spec is not None
    library = module_from_spec(spec)
    loader.exec_module(library)
    code: int = library._run_program(sys.argv[2:], [], "")
    return code


if __name__ == "__main__":
    sys.exit(main())
