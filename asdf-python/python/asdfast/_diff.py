"""Differences between files."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from ._asdfast import _diff, _list_url, open
from ._files import _local
from .errors import UsageError

if TYPE_CHECKING:
    from ._asdfast import _Source


@dataclass(frozen=True)
class Difference:
    """A difference between two files.

    Attributes
    ----------
    path : str
        The path in both trees, or in the tree that has the node.
    change : str
        What differs: ``"missing"`` or ``"added"`` in the second file, ``"kind"``, ``"tag"``, ``"value"``, ``"order"`` of keys,
        ``"datatype"``, ``"shape"``, ``"rows"`` or ``"elements"``.
    left, right : object
        Both values. Those of arrays are the first elements that differ, as texts, or the shapes or datatypes.
    column : str or None
        The column of a table.
    text : str
        The difference in one line.
    file : str or None
        The name of the file in both folders, if folders were compared. A file that is only in one of them has the change
        ``"missing"`` or ``"added"`` at the path ``""``, and its path in the folder as value.
    """

    path: str
    change: str
    left: object
    right: object
    column: str | None
    text: str
    file: str | None = None

    def __str__(self) -> str:
        return self.text if self.file is None else f"{self.file}: {self.text}"


class Differences(list[Difference]):
    """A list of differences. As a text, one line for each.

    Attributes
    ----------
    is_complete : bool
        False if the comparison ended early at a limit.
    ignored : list of str
        The paths of the writing software that differ.
    """

    def __init__(
        self, differences: Iterable[Difference] = (), *, is_complete: bool = True, ignored: Iterable[str] = ()
    ) -> None:
        super().__init__(differences)
        self.is_complete, self.ignored = is_complete, list(ignored)

    def __str__(self) -> str:
        lines = [str(difference) for difference in self]
        if not self.is_complete:
            lines.append("the rest was not compared: a limit was reached")
        return "\n".join(lines)


def diff(
    a: _Source,
    b: _Source,
    *,
    rtol: float = 0.0,
    atol: float = 0.0,
    ignore: str | Iterable[str] = (),
    values: bool = False,
    ignore_versions: bool = False,
    all: bool = False,
    max_differences: int = 10_000,
    storage_options: Mapping[str, Any] | None = None,
) -> Differences:
    r"""Compare two files or folders, node by node and element by element.

    The storage of arrays does not matter: compression, byte order, strides, inline or external. If shapes differ, the common
    part is compared. Tables are compared by the names of their columns.

    Parameters
    ----------
    a, b : File, str, os.PathLike, bytes-like object or binary file object
        Open files, or what `open` takes, such as paths, URLs and the bytes of files. Or two folders, whose files are paired by
        their names; a URL of a folder ends with ``/``.
    rtol, atol : float
        Numbers are equal if ``|a - b| <= rtol * max(|a|, |b|)`` or ``|a - b| <= atol``.
    ignore : iterable of str
        Paths to ignore with everything below. ``*`` matches any characters except ``/``, and ``**`` any characters. A path
        with dots, such as ``"a.b[0]"``, works too.
    values : bool
        Compare values only, not datatypes or the order of columns.
    ignore_versions : bool
        Ignore the versions of tags. They are ignored anyway if the files are written for different standards.
    all : bool
        Compare the writing software and all versions of tags too.
    max_differences : int
        Stop after this number of differences of a pair of files.
    storage_options : dict, optional
        Options for URLs, as for `open`.

    Returns
    -------
    Differences
        A list of `Difference`, which is empty if the files are equal. ``print`` shows one line for each.

    Examples
    --------
    >>> import asdfast
    >>> start = b"#ASDF 1.0.0\n%YAML 1.1\n"
    >>> found = asdfast.diff(start + b"--- {mode: fast}\n...\n", start + b"--- {mode: slow}\n...\n")
    >>> print(found)
    /mode: changed: the string 'fast' -> the string 'slow'
    >>> found[0].path, found[0].left, found[0].right
    ('/mode', 'fast', 'slow')
    """
    ignore = [ignore] if isinstance(ignore, str) else list(ignore)
    if not (rtol >= 0 and atol >= 0) or math.isinf(rtol):
        raise UsageError(f"found rtol={rtol} and atol={atol}, expected numbers of at least 0")
    def compare(left: _Source, right: _Source, name: str | None) -> Differences:
        left, right = _opened(left, storage_options), _opened(right, storage_options)
        found, is_complete, ignored = _diff(
            left, right, (rtol, atol), ignore, values, ignore_versions, all, max_differences
        )
        differences = (Difference(*difference, name) for difference in found)
        return Differences(differences, is_complete=is_complete, ignored=ignored)

    folders = [_is_folder(side) for side in (a, b)]
    if not any(folders):
        return compare(a, b, None)
    if folders[0] != folders[1]:
        folder, file = (a, b) if folders[0] else (b, a)
        message = f"{_named(folder)}: found a folder, but {_named(file)} is a file"
        raise UsageError(f"{message}\n  hint: compare two files, or two folders")
    left, right = (_files_of(os.fspath(side), storage_options) for side in (a, b))  # type: ignore[arg-type]
    result = Differences()
    for name in sorted({*left, *right}, key=PurePath):
        if name not in right:
            only = Difference("", "missing", left[name], None, None, "only in the first folder", name)
        elif name not in left:
            only = Difference("", "added", None, right[name], None, "only in the second folder", name)
        else:
            found = compare(left[name], right[name], name)
            result += found
            result.is_complete &= found.is_complete
            result.ignored += (path for path in found.ignored if path not in result.ignored)
            continue
        result.append(only)
    return result


def _named(source: _Source) -> str:
    return str(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else repr(source)


def _is_folder(source: _Source) -> bool:
    if not isinstance(source, (str, os.PathLike)):
        return False
    path = _local(os.fspath(source))
    return path.endswith("/") if "://" in path else os.path.isdir(path)


def _files_of(folder: str, storage_options: Mapping[str, Any] | None) -> dict[str, str]:
    """Returns the files ``*.asdf`` in a folder and below, by their names in it."""
    folder = _local(folder)
    if "://" in folder:
        options = None if storage_options is None else dict(storage_options)
        return {url.removeprefix(folder): url for url in _list_url(folder, options)}
    files = (file for file in Path(folder).rglob("*.asdf") if file.is_file())
    return {file.relative_to(folder).as_posix(): str(file) for file in files}


def _opened(source: _Source, storage_options: Mapping[str, Any] | None) -> _Source:
    if isinstance(source, str) and "://" in source and storage_options:
        return open(source, storage_options=storage_options)
    return source
