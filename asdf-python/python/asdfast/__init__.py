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
    StreamWriter,
    Validator,
    Wcs,
    __version__,
    cutout,
    footprint,
    open,
    stream,
    validate,
    wcs,
)
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

collections.abc.MutableMapping.register(File)
collections.abc.MutableMapping.register(Mapping)
collections.abc.MutableSequence.register(Sequence)

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
    "StreamWriter",
    "TaggedString",
    "UnsupportedError",
    "UsageError",
    "ValidationError",
    "Validator",
    "Violation",
    "Wcs",
    "accelerate",
    "cutout",
    "footprint",
    "open",
    "plain",
    "stream",
    "validate",
    "wcs",
]
