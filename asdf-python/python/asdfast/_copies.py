"""Copies of views, and views in other processes."""

from ._asdfast import Array, Mapping, Sequence, open

__all__ = ["file", "node", "plain"]


def file(source, options):
    """Opens a file again."""
    return open(source, **options)


def node(file, path, fields):
    """Returns the node at a path, a JSON Pointer, or a field of its array."""
    found = file.at(path)
    for name in fields:
        found = found[name]
    return found


def plain(view, memo=None):
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
