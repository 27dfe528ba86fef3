"""Runs the program for `python -m asdfast`."""

import sys

from ._program import main

if __name__ == "__main__":
    sys.exit(main())
