"""ASDF files: open in milliseconds, lazy trees and arrays."""

import collections.abc

from ._asdfast import Array, File, Mapping, Sequence, __version__, open
from ._asdfast import Cutout, Footprint, Frame, Wcs, cutout, footprint, wcs
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
    "Array",
    "AsdfError",
    "Cutout",
    "File",
    "Footprint",
    "Frame",
    "LimitError",
    "MalformedError",
    "Mapping",
    "MismatchError",
    "MissingError",
    "Sequence",
    "UnsupportedError",
    "UsageError",
    "Wcs",
    "cutout",
    "footprint",
    "open",
    "wcs",
]
