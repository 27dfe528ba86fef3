"""Copies of views, and views in other processes."""

from typing import Any

from ._asdfast import Array, File, Mapping, Sequence, open

__all__ = ["file", "node", "plain"]


def file(source: Any, options: dict[str, Any]) -> File:
    """Opens a file again."""
    return open(source, **options)


def node(file: File, path: str, fields: tuple[str, ...]) -> Any:
    """Returns the node at a path, a JSON Pointer, or a field of its array."""
    found = file.at(path)
    for name in fields:
        found = found[name]
    return found


def plain(view: Any, memo: dict[int, Any] | None = None) -> Any:
    """Returns the content of a view as plain objects.

    Parameters
    ----------
    view : object
        A mapping, a sequence or an array of a file. Anything else is returned as it is.
    memo : dict, optional
        The copies by the id of their views, as for ``copy.deepcopy``.

    Returns
    -------
    object
        A dict, a list or an array of numpy. It needs no file, and has no tags.

    Examples
    --------
    >>> import asdfast
    >>> asdfast.plain(asdfast.File({"list": [1, {"two": 2}]}))
    {'list': [1, {'two': 2}]}
    """
    memo = {} if memo is None else memo
    if id(view) in memo:
        return memo[id(view)]
    copy: Any
    if isinstance(view, Mapping):
        copy = memo[id(view)] = {}
        # The view stays in the memo, so that its id is not used again meanwhile.
        memo.setdefault(id(memo), []).append(view)
        for key in view:
            copy[key] = plain(view[key], memo)
    elif isinstance(view, Sequence):
        copy = memo[id(view)] = []
        memo.setdefault(id(memo), []).append(view)
        copy.extend(plain(item, memo) for item in view)
    elif isinstance(view, Array):
        copy = memo[id(view)] = view.read_all()
        memo.setdefault(id(memo), []).append(view)
    else:
        return view
    return copy
