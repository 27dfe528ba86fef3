"""Differences between files."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._asdfast import _diff
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
    """

    path: str
    change: str
    left: object
    right: object
    column: str | None
    text: str

    def __str__(self) -> str:
        return self.text


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
        lines = [difference.text for difference in self]
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
) -> Differences:
    r"""Compare two files, node by node and element by element.

    The storage of arrays does not matter: compression, byte order, strides, inline or external. If shapes differ, the common
    part is compared. Tables are compared by the names of their columns.

    Parameters
    ----------
    a, b : File, str or os.PathLike
        Open files, or paths or URLs.
    rtol, atol : float
        Numbers are equal if ``|a - b| <= rtol * max(|a|, |b|)`` or ``|a - b| <= atol``.
    ignore : iterable of str
        Paths to ignore with everything below. ``*`` matches any characters except ``/``, and ``**`` any characters.
    values : bool
        Compare values only, not datatypes or the order of columns.
    ignore_versions : bool
        Ignore the versions of tags. They are ignored anyway if the files are written for different standards.
    all : bool
        Compare the writing software and all versions of tags too.
    max_differences : int
        Stop after this number of differences.

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
    for path in ignore:
        if not path.startswith(("/", "*")):
            raise UsageError(f"found ignore={path!r}, expected a path that begins with / or *")
    if not (rtol >= 0 and atol >= 0) or math.isinf(rtol):
        raise UsageError(f"found rtol={rtol} and atol={atol}, expected numbers of at least 0")
    found, is_complete, ignored = _diff(
        a, b, (rtol, atol), ignore, values, ignore_versions, all, max_differences
    )
    return Differences((Difference(*difference) for difference in found), is_complete=is_complete, ignored=ignored)
