"""ASDF files: open in milliseconds, lazy trees and arrays."""

from __future__ import annotations

import collections.abc
import importlib

from ._asdfast import (
    Array,
    Catalog,
    Cutout,
    File,
    Footprint,
    Frame,
    Mapping,
    Sequence,
    Step,
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

# Importing `typing` would take longer than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._accelerate import Acceleration, accelerate
    from ._compressors import compressors
    from ._copies import plain
    from ._diff import Difference, Differences, diff
    from ._files import CatalogFile, catalog, manifest
    from ._footprints import Footprints, footprints
    from ._html import html
    from ._preview import Preview, preview
    from ._report import Report, Violation
    from ._search import SearchResult

collections.abc.MutableMapping.register(File)
collections.abc.MutableMapping.register(Mapping)
collections.abc.MutableSequence.register(Sequence)

# The modules of names that are imported when they are first used, so that opening a file in a new process is fast.
_LATER = {
    "Acceleration": "._accelerate",
    "accelerate": "._accelerate",
    "compressors": "._compressors",
    "plain": "._copies",
    "Difference": "._diff",
    "Differences": "._diff",
    "diff": "._diff",
    "CatalogFile": "._files",
    "catalog": "._files",
    "manifest": "._files",
    "Footprints": "._footprints",
    "footprints": "._footprints",
    "html": "._html",
    "Preview": "._preview",
    "preview": "._preview",
    "Report": "._report",
    "Violation": "._report",
    "SearchResult": "._search",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'asdfast' has no attribute '{name}'")
    found = getattr(importlib.import_module(_LATER[name], __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "Acceleration",
    "Array",
    "AsdfError",
    "Catalog",
    "CatalogFile",
    "Cutout",
    "Difference",
    "Differences",
    "File",
    "Footprint",
    "Footprints",
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
    "Step",
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
    "footprints",
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
