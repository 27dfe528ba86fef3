"""ASDF files: open in milliseconds, lazy trees and arrays."""

import collections.abc

from ._copies import plain
from ._tagged import TaggedString
from ._asdfast import Array, File, Mapping, Sequence, Validator, __version__, open, validate
from ._report import Report, Violation
from ._asdfast import Cutout, Footprint, Frame, Wcs, cutout, footprint, wcs
from .errors import (
    AsdfError,
    LimitError,
    MalformedError,
    MismatchError,
    MissingError,
    UnsupportedError,
    UsageError,
    ValidationError,
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
    "Report",
    "Sequence",
    "TaggedString",
    "UnsupportedError",
    "UsageError",
    "ValidationError",
    "Validator",
    "Violation",
    "Wcs",
    "cutout",
    "footprint",
    "open",
    "plain",
    "validate",
    "wcs",
]
