"""ASDF files: open in milliseconds, lazy trees and arrays."""

import collections.abc

from ._accelerate import Acceleration, accelerate
from ._asdfast import (
    Array,
    Cutout,
    File,
    Footprint,
    Frame,
    Mapping,
    Sequence,
    Table,
    Validator,
    Wcs,
    __version__,
    cutout,
    footprint,
    open,
    table,
    validate,
    wcs,
)
from ._compressors import compressors
from ._copies import plain
from ._report import Report, Violation
from ._tagged import TaggedString
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
    "Acceleration",
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
    "Table",
    "TaggedString",
    "UnsupportedError",
    "UsageError",
    "ValidationError",
    "Validator",
    "Violation",
    "Wcs",
    "accelerate",
    "compressors",
    "cutout",
    "footprint",
    "open",
    "plain",
    "table",
    "validate",
    "wcs",
]
