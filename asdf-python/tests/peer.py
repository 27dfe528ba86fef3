"""Compares asdfast with Python's asdf: both read the same file, and all values, datatypes and masks must be equal.

usage: peer.py FOLDER...

Reads every .asdf file below the folders, without converters, so that the trees themselves are compared. Prints the
differences, and fails if there are any. What only asdfast can read, such as other codecs, is not a difference.
"""

import datetime
import pathlib
import sys
import warnings

import asdf
import asdfast
import numpy as np


def differences(ours, theirs, path="", seen=None):
    """Yields what differs between two values, as texts."""
    seen = set() if seen is None else seen
    if isinstance(ours, (asdfast.Mapping, asdfast.Sequence)):
        if (id(ours), id(theirs)) in seen:
            return
        seen.add((id(ours), id(theirs)))
    theirs = plain(theirs)
    tag = None if isinstance(theirs, asdf.tags.core.NDArrayType) else getattr(theirs, "_tag", None)
    if tag is not None and tag != getattr(ours, "tag", None) and tag != "tag:yaml.org,2002:value":
        yield f"{path}: the tag {ours.tag}, expected {tag}"
    if isinstance(ours, asdfast.Mapping):
        if set(ours) != set(theirs):
            yield f"{path}: the keys {list(ours)}, expected {list(theirs)}"
        else:
            for key in ours:
                yield from both(lambda: ours[key], lambda: theirs[key], f"{path}/{key}", seen)
    elif isinstance(ours, asdfast.Sequence):
        if len(ours) != len(theirs):
            yield f"{path}: {len(ours)} items, expected {len(theirs)}"
        else:
            for number in range(len(ours)):
                yield from both(lambda: ours[number], lambda: theirs[number], f"{path}/{number}", seen)
    elif isinstance(ours, asdfast.Array):
        yield from array_differences(ours, theirs, path)
    elif isinstance(ours, dict) and isinstance(theirs, dict):
        if list(ours) != list(theirs):
            yield f"{path}: the keys {list(ours)}, expected {list(theirs)}"
        else:
            for key in ours:
                yield from both(lambda: ours[key], lambda: theirs[key], f"{path}/{key}", seen)
    elif isinstance(theirs, float) and np.isnan(theirs):
        if not (isinstance(ours, float) and np.isnan(ours)):
            yield f"{path}: {ours!r}, expected {theirs!r}"
    elif isinstance(theirs, complex):
        if not np.array_equal(np.array(ours), np.array(theirs), equal_nan=True):
            yield f"{path}: {ours!r}, expected {theirs!r}"
    elif isinstance(theirs, asdf.IntegerType):
        if ours != int(theirs):
            yield f"{path}: {ours!r}, expected {theirs!r}"
    elif not same_type(ours, theirs) or ours != theirs:
        yield f"{path}: {type(ours).__name__} {ours!r}, expected {type(theirs).__name__} {theirs!r}"


def both(ours, theirs, path, seen):
    """Yields what differs between the results of two functions."""
    try:
        expected = theirs()
    except Exception:  # noqa: BLE001 - any refusal is an answer
        return
    try:
        found = ours()
    except asdfast.AsdfError as error:
        if readable(expected):
            yield f"{path}: asdfast refuses it: {error}"
        return
    yield from differences(found, expected, path, seen)


def readable(value):
    """Returns whether Python's asdf can read all elements of an array."""
    try:
        return not isinstance(value, asdf.tags.core.NDArrayType) or value[...] is not None
    except Exception:  # noqa: BLE001 - any refusal is an answer
        return False


def plain(value):
    """Returns the node from which Python's asdf made an object of its own."""
    if isinstance(value, asdf.tags.core.Constant):
        return value.value
    if isinstance(value, asdf.ExternalArrayReference):
        shape = list(value.shape)
        return {"datatype": value.dtype, "fileuri": value.fileuri, "shape": shape, "target": value.target}
    return value


def same_type(ours, theirs):
    """Returns whether two plain values have the same type of Python."""
    kinds = (bool, int, float, str, bytes, datetime.datetime, datetime.date, set, dict, list, type(None))
    return next((k for k in kinds if isinstance(theirs, k)), None) is next((k for k in kinds if isinstance(ours, k)), None)


def array_differences(ours, theirs, path):
    """Yields what differs between an array and that of Python's asdf."""
    if not readable(theirs):
        return
    theirs = theirs[...] if isinstance(theirs, asdf.tags.core.NDArrayType) else theirs
    if not isinstance(theirs, np.ndarray):
        yield f"{path}: {ours!r}, expected {theirs!r}"
        return
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        yield f"{path}: {ours.shape} {ours.dtype}, expected {theirs.shape} {theirs.dtype}"
        return
    try:
        read = ours[...]
    except asdfast.AsdfError as error:
        yield f"{path}: asdfast refuses it: {error}"
        return
    if not np.array_equal(np.ma.getmaskarray(read), np.ma.getmaskarray(theirs)):
        yield f"{path}: another mask"
    if not same_elements(read, theirs):
        yield f"{path}: other elements"
    if read.ndim and len(read) and not same_elements(ours[::-2], theirs[::-2]):
        yield f"{path}: other elements in a slice"


def same_elements(ours, theirs):
    """Returns whether two arrays have the same bytes. Python's asdf sets the sign of a NaN that it reads from text."""
    ours, theirs = np.ma.getdata(ours), np.ma.getdata(theirs)
    if ours.tobytes() == theirs.tobytes():
        return True
    return ours.dtype.kind in "fc" and np.array_equal(ours, theirs, equal_nan=True)


def compare(path):
    """Yields the differences between what both packages read from a file."""
    with warnings.catch_warnings(), asdf.config_context() as config:
        warnings.simplefilter("ignore")
        # The schemas of old standards have default values, which Python's asdf adds to the tree.
        config.legacy_fill_schema_defaults = False
        for extension in list(config.extensions):
            if extension.package_name not in ("asdf", "asdf_compression"):
                config.remove_extension(extension)
        try:
            peer = asdf.open(path)
        except Exception as error:  # noqa: BLE001 - any refusal is an answer
            peer = error
        try:
            file = asdfast.open(path)
        except asdfast.AsdfError as error:
            if not isinstance(peer, Exception):
                yield f"asdfast refuses it: {error}"
            return
        if isinstance(peer, Exception):
            return
        with peer:
            yield from differences(file, peer.tree)


def main(folders):
    paths = sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.asdf"))
    bad = 0
    for path in paths:
        for difference in compare(path):
            print(f"{path}: {difference}")
            bad += 1
    print(f"{len(paths)} files, {bad} differences")
    return 1 if bad or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
