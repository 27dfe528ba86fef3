"""Trees and arrays as HTML, for notebooks. No elements of arrays are read."""

import html as _escape
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from ._asdfast import Array, File, Mapping, Sequence

DEPTH, ENTRIES, CHARACTERS = 4, 50, 120
STYLE = "margin-left:1.2em"


def html(node: File | Mapping | Sequence | Array, *, depth: int = DEPTH, entries: int = ENTRIES) -> str:
    r"""Describe a file, a node or an array as HTML.

    Arrays are shown by shape and datatype, and no elements are read. Texts of the file are escaped.

    Parameters
    ----------
    node : File, Mapping, Sequence or Array
        What to describe.
    depth : int
        The number of levels that are shown.
    entries : int
        The number of entries of a mapping or sequence that are shown.

    Returns
    -------
    str

    Examples
    --------
    >>> import asdfast
    >>> "<b>target</b>: M31" in asdfast.html(asdfast.open(b"#ASDF 1.0.0\n%YAML 1.1\n--- {target: M31}\n...\n"))
    True
    """
    return f'<div style="font-family:monospace">{_described(node, None, depth, entries)}</div>'


def _described(node: object, name: object, depth: int, entries: int) -> str:
    title = "" if name is None else f"<b>{_text(name)}</b>: "
    if isinstance(node, Array):
        return f"<div>{title}{_array(node)}</div>"
    if isinstance(node, (Mapping, dict)):
        return _nested(title, node, "entry", "entries", lambda: node.items(), depth, entries, name is None)
    if isinstance(node, (Sequence, list, tuple)):
        return _nested(title, node, "item", "items", lambda: enumerate(node), depth, entries, name is None)
    return f"<div>{title}{_text(node if isinstance(node, str) else repr(node))}</div>"


def _nested(
    title: str,
    node: Any,
    one: str,
    many: str,
    pairs: Callable[[], Iterable[tuple[object, object]]],
    depth: int,
    entries: int,
    is_open: bool,
) -> str:
    count = len(node)
    tag = getattr(node, "tag", None) if isinstance(node, (Mapping, Sequence)) and not isinstance(node, File) else None
    kind = f" <i>{_text(tag)}</i>" if tag else ""
    summary = f"{title}{count} {one if count == 1 else many}{kind}"
    if depth == 0 or count == 0:
        return f"<div>{summary}</div>"
    parts = [_described(value, key, depth - 1, entries) for key, value in islice(pairs(), entries)]
    if count > entries:
        parts.append(f"<div>... and {count - entries} more</div>")
    opened = " open" if is_open else ""
    return f'<details{opened}><summary>{summary}</summary><div style="{STYLE}">{"".join(parts)}</div></details>'


def _array(array: Array) -> str:
    shape = " x ".join(map(str, array.shape)) or "one element"
    try:
        datatype = str(array.dtype)
    except Exception as error:  # A datatype that numpy does not have.
        datatype = str(error)
    return f"array {_text(shape)}, {_text(datatype)}"


def _text(value: object) -> str:
    text = str(value)
    if len(text) > CHARACTERS:
        text = text[:CHARACTERS] + "..."
    return _escape.escape(text)
