"""Searches of a tree by key, type and value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ._asdfast import Array, File, Mapping, Sequence

__all__ = ["SearchResult", "search"]

_ANY: Any = object()


class SearchResult:
    """What a search found, in the order of the file.

    Attributes
    ----------
    paths : list of str
        The paths of the nodes, JSON Pointers for ``File.at``.
    nodes : list
        The nodes.
    path, node
        Those of the only result; None if nothing was found. More than one is a ValueError.
    """

    def __init__(self, found: list[tuple[str, Any]]) -> None:
        self.paths = [path for path, _ in found]
        self.nodes = [node for _, node in found]

    @property
    def path(self) -> str | None:
        return self._only(self.paths)

    @property
    def node(self) -> Any:
        return self._only(self.nodes)

    def _only(self, found: list[Any]) -> Any:
        if len(found) > 1:
            raise ValueError(f"the search found {len(found)} nodes, such as {self.paths[0]} and {self.paths[1]}")
        return found[0] if found else None

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(list(zip(self.paths, self.nodes)))

    def __repr__(self) -> str:
        return "\n".join(f"{path}: {_short(node)}" for path, node in self) or "nothing was found"


def search(
    root: Any,
    key: Any = _ANY,
    type_: Any = _ANY,
    value: Any = _ANY,
    filter_: Callable[..., bool] | None = None,
) -> SearchResult:
    """Finds nodes; see ``File.search``."""
    tests: list[Callable[[Any, Any], bool]] = []
    if key is not _ANY:
        tests.append(_test_of_key(key))
    if type_ is not _ANY:
        tests.append(_test_of_type(type_))
    if value is not _ANY:
        tests.append(_test_of_value(value))
    if filter_ is not None:
        tests.append(_test_of_filter(filter_))
    return SearchResult([(path, node) for path, name, node in _walk(root) if all(test(name, node) for test in tests)])


def _walk(root: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yields the path, the key and the node of each node below the root; a node with several paths once."""
    seen: dict[int, Any] = {id(root): root}
    open_: list[Iterator[tuple[str, Any, Any]]] = [_children("", root)]
    while open_:
        found = next(open_[-1], None)
        if found is None:
            open_.pop()
            continue
        path, _, node = found
        if isinstance(node, (Mapping, Sequence, Array)):
            if id(node) in seen:
                continue
            # The view stays in use, so that its id is not used again meanwhile.
            seen[id(node)] = node
        yield found
        open_.append(_children(path, node))


def _children(path: str, node: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(node, (Mapping, dict)):
        for key in node:
            token = str(key).replace("~", "~0").replace("/", "~1")
            yield f"{path}/{token}", key, node[key]
    elif isinstance(node, (Sequence, list)):
        for number, item in enumerate(node):
            yield f"{path}/{number}", number, item


def _test_of_key(key: Any) -> Callable[[Any, Any], bool]:
    if isinstance(key, (str, re.Pattern)):
        pattern = re.compile(key)
        return lambda name, node: pattern.search(str(name)) is not None
    return lambda name, node: bool(name == key)


def _test_of_type(type_: Any) -> Callable[[Any, Any], bool]:
    if isinstance(type_, type):
        return lambda name, node: isinstance(node, type_)
    if not isinstance(type_, (str, re.Pattern)):
        raise TypeError(f"found {type_!r} as type_, expected a class, or a regular expression of its name or of a tag")
    pattern = re.compile(type_)

    def test(name: Any, node: Any) -> bool:
        kind = type(node)
        names = [f"{kind.__module__}.{kind.__qualname__}", getattr(node, "tag", None) or ""]
        return any(pattern.search(text) for text in names)

    return test


def _test_of_value(value: Any) -> Callable[[Any, Any], bool]:
    if isinstance(value, (str, re.Pattern)):
        pattern = re.compile(value)
        return lambda name, node: not isinstance(node, _VIEWS) and pattern.search(str(node)) is not None
    return lambda name, node: not isinstance(node, Array) and type(node == value) is bool and node == value


_VIEWS = (Array, File, Mapping, Sequence)


def _test_of_filter(filter_: Callable[..., bool]) -> Callable[[Any, Any], bool]:
    import inspect

    if len(inspect.signature(filter_).parameters) > 1:
        return lambda name, node: bool(filter_(node, name))
    return lambda name, node: bool(filter_(node))


def _short(node: Any) -> str:
    text = repr(node).splitlines()[0]
    return text if len(text) <= 100 else text[:97] + "..."
