"""ASDF files: open in milliseconds, lazy trees and arrays."""

import collections.abc

from ._accelerate import Acceleration, accelerate
from ._asdfast import Array, File, Mapping, Sequence, __version__, open
from .errors import (
    AsdfError,
    LimitError,
    MalformedError,
    MismatchError,
    MissingError,
    UnsupportedError,
    UsageError,
)

collections.abc.Mapping.register(File)
collections.abc.Mapping.register(Mapping)
collections.abc.Sequence.register(Sequence)

__all__ = [
    "Acceleration",
    "Array",
    "AsdfError",
    "File",
    "LimitError",
    "MalformedError",
    "Mapping",
    "MismatchError",
    "MissingError",
    "Sequence",
    "UnsupportedError",
    "UsageError",
    "accelerate",
    "open",
]
