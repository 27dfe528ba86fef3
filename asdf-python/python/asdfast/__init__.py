"""ASDF files: open in milliseconds, lazy trees and arrays."""

import collections.abc

from ._accelerate import Acceleration, accelerate
from ._asdfast import (
    Array,
    Catalog,
    Cutout,
    File,
    Footprint,
    Frame,
    Mapping,
    Sequence,
    StreamWriter,
    Table,
    Validator,
    Wcs,
    __version__,
    cutout,
    footprint,
    open,
    stream,
    table,
    validate,
    wcs,
)
from ._compressors import compressors
from ._copies import plain
from ._diff import Difference, Differences, diff
from ._files import catalog, manifest
from ._html import html
from ._preview import Preview, preview
from ._report import Report, Violation
from ._search import SearchResult
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
    "Catalog",
    "Cutout",
    "Difference",
    "Differences",
    "File",
    "Footprint",
    "Frame",
    "LimitError",
    "MalformedError",
    "Mapping",
    "MismatchError",
    "MissingError",
    "Preview",
    "Report",
    "SearchResult",
    "Sequence",
    "StreamWriter",
    "Table",
    "TaggedString",
    "UnsupportedError",
    "UsageError",
    "ValidationError",
    "Validator",
    "Violation",
    "Wcs",
    "accelerate",
    "catalog",
    "compressors",
    "cutout",
    "diff",
    "footprint",
    "html",
    "manifest",
    "open",
    "plain",
    "preview",
    "stream",
    "table",
    "validate",
    "wcs",
]
