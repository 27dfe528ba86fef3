"""Functions of many files."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from ._asdfast import File, _catalog, _manifest

if TYPE_CHECKING:
    from ._asdfast import Catalog, _Source


def _listed(files: _Source | Iterable[_Source]) -> list[_Source]:
    """Returns a list of files: those of a folder, one file, or many."""
    if isinstance(files, (str, os.PathLike)):
        folder = Path(files)
        return [*sorted(folder.rglob("*.asdf"))] if folder.is_dir() else [files]
    if isinstance(files, (File, bytes, bytearray, memoryview)) or hasattr(files, "read"):
        return [files]  # type: ignore[list-item]
    return list(files)


def _stem(file: _Source) -> str | None:
    name = file if isinstance(file, (str, os.PathLike)) else None
    return None if name is None else PurePath(str(name).split("?")[0]).name.removesuffix(".asdf")


def manifest(files: _Source | Iterable[_Source] | dict[str, _Source], *, stack: bool = False) -> dict[str, Any]:
    """List where the bytes of arrays are, for programs that read zarr.

    zarr, xarray and dask open the references and read the arrays straight from the ASDF files. Reads the trees and the headers
    of blocks, but no data. A warning says which arrays zarr cannot read, and why.

    Parameters
    ----------
    files : File, str, os.PathLike, a list of these, or dict
        Open files, paths or URLs, or a folder. Of several files, each is a group with its name. The keys of a dict are the
        names of groups.
    stack : bool
        Stack arrays with the same path on a new first axis instead.

    Returns
    -------
    dict
        References of kerchunk, version 1.

    Raises
    ------
    MismatchError
        If zarr can read no array.

    Examples
    --------
    >>> references = asdfast.manifest("image.asdf")  # doctest: +SKIP
    >>> fs = fsspec.filesystem("reference", fo=references)  # doctest: +SKIP
    >>> zarr.open(fs.get_mapper(""))  # doctest: +SKIP
    """
    named: list[tuple[str | None, _Source]]
    if isinstance(files, dict):
        named = [(name, file) for name, file in files.items()]
    else:
        named = [(_stem(file), file) for file in _listed(files)]
    text, left_out = _manifest(named, stack)
    for message in left_out:
        warnings.warn(message, stacklevel=2)
    references: dict[str, Any] = json.loads(text)
    return references


def catalog(
    files: _Source | Iterable[_Source],
    fields: str | Iterable[str] | dict[str, str] | None = None,
    *,
    threads: int | None = None,
) -> Catalog:
    """Make a table with one row for each file, from the values of their trees.

    Reads trees, and no arrays. A value that does not exist is null. So is one that does not fit its column, and `problems` of
    the result says so. A file that is not valid ASDF has a row too.

    Parameters
    ----------
    files : str, os.PathLike, or a list of these and of File
        A folder with files below it, or paths, URLs and open files.
    fields : list of str, or dict of str to str, optional
        The columns: ``"PATH"``, ``"PATH:TYPE"`` or ``"NAME=PATH:TYPE"``. The keys of a dict are the names. By default these
        are the values that the first 100 files have. Types are boolean, uint8, int16, int32, int64, float32, float64, string,
        timestamp, json, ``list<TYPE>`` and ``struct<NAME: TYPE, ...>``.
    threads : int, optional
        The number of files to open at once. The default is the number of processors, and 32 for URLs.

    Returns
    -------
    Catalog
        An Arrow stream, which polars, pyarrow, pandas and duckdb accept. The other columns are _file, _size, _modified,
        _standard and _problems.

    Raises
    ------
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> night = asdfast.catalog("night/", {"time": "/roman/meta/exposure/exposure_time:float64"})  # doctest: +SKIP
    >>> polars.DataFrame(night)  # doctest: +SKIP
    """
    if isinstance(fields, dict):
        fields = [f"{name}={place}" for name, place in fields.items()]
    elif isinstance(fields, str):
        fields = [fields]
    return _catalog(_listed(files), None if fields is None else list(fields), threads)
