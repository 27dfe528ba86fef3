"""The tree of a file as an outline, in the look of Python's asdf."""

from __future__ import annotations

from collections import deque
from typing import Any

from ._asdfast import Array, File, Mapping, Sequence

__all__ = ["outline"]


class _Line:
    """A node of the outline. `shown` says whether there is room for it."""

    def __init__(self, name: str, value: Any) -> None:
        self.name = name
        self.value = value
        self.children: list[_Line] = []
        self.shown = False


def outline(root: Any, max_rows: int | None, max_cols: int | None, show_values: bool) -> str:
    """Returns an outline. If it has too many rows, those that are deepest in the tree are left out."""
    top = _Line("root", root)
    waiting = deque([top])
    rows, seen = 0, set()
    while waiting and (max_rows is None or rows < max_rows):
        line = waiting.popleft()
        line.shown = True
        rows += 1
        if id(line.value) in seen:
            continue
        if isinstance(line.value, (Mapping, Sequence)):
            seen.add(id(line.value))
        line.children = [_Line(name, value) for name, value in _children(line.value)]
        waiting.extend(line.children)
    texts: list[str] = []
    _write(top, "", "", show_values, texts)
    if max_cols is not None:
        texts = [text if len(text) <= max_cols else text[: max(max_cols - 12, 0)] + " (truncated)" for text in texts]
    return "\n".join(texts)


def _children(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, (Mapping, dict)):
        return [(str(key), value[key]) for key in value]
    if isinstance(value, (Sequence, list, tuple)):
        return [(f"[{number}]", item) for number, item in enumerate(value)]
    return []


def _write(line: _Line, first: str, rest: str, show_values: bool, texts: list[str]) -> None:
    texts.append(first + line.name + _label(line.value, show_values))
    shown = [child for child in line.children if child.shown]
    hidden = len(line.children) - len(shown)
    for number, child in enumerate(shown):
        is_last = number + 1 == len(shown) and not hidden
        _write(child, rest + ("└─" if is_last else "├─"), rest + ("  " if is_last else "│ "), show_values, texts)
    if hidden:
        texts.append(f"{rest}└─... {hidden} not shown")


def _label(value: Any, show_values: bool) -> str:
    if isinstance(value, Array):
        return f" (Array): shape={value.shape}, dtype={value.dtype}"
    if isinstance(value, (Mapping, Sequence)):
        return f" ({type(value).__name__})" if isinstance(value, File) or not value.tag else f" ({value.tag})"
    kind = f" ({type(value).__name__})"
    if not show_values or isinstance(value, (dict, list, tuple)):
        return kind
    return f"{kind}: {str(value).splitlines()[0] if str(value) else ''}"
