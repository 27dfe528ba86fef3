"""The exceptions of asdfast.

Each has the place of the fault: ``file``, ``path`` (a JSON Pointer in the tree), ``line``, ``column``, ``offset`` (in bytes) and
``code``, a stable name of the cause. What is not known is None. A file that cannot be read or written is an OSError with
the same attributes.
"""

from __future__ import annotations

# Importing `typing` takes long.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._report import Report

__all__ = [
    "AsdfError",
    "LimitError",
    "MalformedError",
    "MismatchError",
    "MissingError",
    "UnsupportedError",
    "UsageError",
    "ValidationError",
]


class AsdfError(Exception):
    """The base of all exceptions of asdfast except OSError.

    Attributes
    ----------
    file : str or None
        The path or URL of the file.
    path : str or None
        The place in the tree, a JSON Pointer.
    line, column : int or None
        The place in the text of the file, from 1.
    offset : int or None
        The place in the file in bytes, from 0.
    code : str or None
        A stable name of the cause.
    """

    file: str | None = None
    path: str | None = None
    line: int | None = None
    column: int | None = None
    offset: int | None = None
    code: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, self.__dict__


class MalformedError(AsdfError, ValueError):
    """The bytes are not what the ASDF or YAML format requires."""


class MismatchError(AsdfError, ValueError):
    """A value does not have the type or shape that is needed."""


class MissingError(AsdfError, KeyError):
    """The path or the target of a reference does not exist."""

    __str__ = Exception.__str__


class UnsupportedError(AsdfError, NotImplementedError):
    """The file needs something that this version does not have."""


class LimitError(AsdfError, ValueError):
    """A limit on size, depth or memory was reached."""


class UsageError(AsdfError, ValueError):
    """The arguments make no sense."""


class ValidationError(AsdfError, ValueError):
    """A file is not valid. The place is that of the first violation, and ``report`` has all."""

    report: "Report"
