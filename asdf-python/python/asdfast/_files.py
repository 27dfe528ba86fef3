"""Functions of many files."""

from __future__ import annotations

import glob
import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from ._asdfast import File, _catalog, _manifest
from .errors import UsageError

if TYPE_CHECKING:
    from ._asdfast import Catalog, _Output, _Schemas, _Source


def _listed(files: _Source | Iterable[_Source]) -> list[_Source]:
    """Returns a list of files: those of folders and patterns, and others as they are."""
    if isinstance(files, (str, os.PathLike)):
        return _found(os.fspath(files))
    if isinstance(files, (File, bytes, bytearray, memoryview)) or hasattr(files, "read"):
        return [files]  # type: ignore[list-item]
    found: list[_Source] = []
    for file in files:
        found += _found(os.fspath(file)) if isinstance(file, (str, os.PathLike)) else [file]
    return found


def _local(path: str) -> str:
    """Returns the path of a ``file://`` URL, and others as they are."""
    if not path.startswith("file://"):
        return path
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    return url2pathname(urlsplit(path).path)


def _found(path: str) -> list[_Source]:
    """Returns the files of a folder, those that match a pattern, or the path itself. URLs are listed later."""
    path = _local(path)
    if "://" in path:
        return [path]
    if os.path.isdir(path):
        inside = sorted(file for file in Path(path).rglob("*.asdf") if file.is_file())
        if not inside:
            raise UsageError(f"{path}: found no *.asdf file in this folder\n  hint: name files with another extension")
        return [*inside]
    if any(character in path for character in "*?[") and not os.path.lexists(path):
        matches = sorted(glob.glob(path, recursive=True))
        if not matches:
            raise UsageError(f"{path}: no file matches this pattern")
        return [file for match in matches for file in (_found(match) if os.path.isdir(match) else [match])]
    return [path]


@overload
def manifest(
    files: _Source | Iterable[_Source] | dict[str, _Source],
    *,
    stack: bool = False,
    base_url: str | None = None,
    output: None = None,
    threads: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> dict[str, Any]: ...
@overload
def manifest(
    files: _Source | Iterable[_Source] | dict[str, _Source],
    *,
    stack: bool = False,
    base_url: str | None = None,
    output: _Output,
    format: Literal["kerchunk", "kerchunk-parquet"] | None = None,
    overwrite: bool = False,
    threads: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> None: ...
def manifest(
    files: _Source | Iterable[_Source] | dict[str, _Source],
    *,
    stack: bool = False,
    base_url: str | None = None,
    output: _Output | None = None,
    format: Literal["kerchunk", "kerchunk-parquet"] | None = None,
    overwrite: bool = False,
    threads: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> dict[str, Any] | None:
    """List where the bytes of arrays are, for programs that read zarr.

    zarr, xarray and dask open the references and read the arrays straight from the ASDF files. Reads the trees and the headers
    of blocks, but no data. A warning says which arrays zarr cannot read, and why.

    Parameters
    ----------
    files : File, str, os.PathLike, a list of these, or dict
        Open files, folders, paths, patterns and URLs. A URL of a folder ends with ``/``. Of several files, each is a group
        with its name. The keys of a dict are the names of groups.
    stack : bool
        Stack arrays with the same path on a new first axis instead.
    base_url : str, optional
        A URL that replaces the folder of each file, for files that are copied to a server.
    output : str, os.PathLike or file object, optional
        Write the references to this file or folder, instead of returning them.
    format : {"kerchunk", "kerchunk-parquet"}, optional
        JSON, or a folder of Parquet files. The default is JSON if `output` ends with .json, and Parquet if it ends with
        .parquet or ``/``. Otherwise, it is Parquet for more than 100,000 chunks.
    overwrite : bool
        Replace a JSON file that exists. A folder is never replaced.
    threads : int, optional
        The number of files to open at once. The default is the number of processors, and 32 for URLs.
    storage_options : dict, optional
        Options for URLs, as for `open`.

    Returns
    -------
    dict or None
        References of kerchunk, version 1; None if `output` is given.

    Raises
    ------
    MismatchError
        If zarr can read no array.

    Examples
    --------
    >>> import asdfast, fsspec
    >>> references = asdfast.manifest("night/1.asdf")
    >>> file_system = fsspec.filesystem("reference", fo=references)
    >>> len(file_system.cat("data/0"))
    48
    >>> stacked = asdfast.manifest("night/", stack=True, base_url="s3://bucket/night")
    >>> stacked["refs"]["data/1.0"][0]
    's3://bucket/night/2.asdf'
    """
    named: list[tuple[str | None, _Source]]
    if isinstance(files, dict):
        named = [(name, file) for name, file in files.items()]
    else:
        named = [(None, file) for file in _listed(files)]
    options = {
        "stack": stack,
        "base_url": base_url,
        "output": output,
        "format": format,
        "overwrite": overwrite,
        "threads": threads,
        "storage_options": None if storage_options is None else dict(storage_options),
    }
    text, left_out = _manifest(named, options)
    for message in left_out:
        warnings.warn(message, stacklevel=2)
    return None if text is None else json.loads(text)


@dataclass(frozen=True)
class CatalogFile:
    """What `catalog` wrote to a file.

    Attributes
    ----------
    output : str, os.PathLike or file object
        The file.
    read : int
        The number of files that were read.
    kept, removed : int
        The numbers of rows of the earlier catalogue that were kept, and that were replaced or removed, by an update.
    problems : list of str
        Why values are null although the file has one, or could not be read.
    left_out : list of str
        The values of the schemas that have no column, and why.
    """

    output: _Output
    read: int
    kept: int
    removed: int
    problems: list[str]
    left_out: list[str]


@overload
def catalog(
    files: _Source | Iterable[_Source],
    fields: str | Iterable[str] | dict[str, str] | None = None,
    *,
    schema: str | None = None,
    table: str | None = None,
    package: str | Sequence[str] | None = None,
    schemas: _Schemas | Sequence[_Schemas] = (),
    replace_built_in: bool = False,
    validate: bool = False,
    blocks: bool = True,
    output: None = None,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Catalog: ...
@overload
def catalog(
    files: _Source | Iterable[_Source],
    fields: str | Iterable[str] | dict[str, str] | None = None,
    *,
    schema: str | None = None,
    table: str | None = None,
    package: str | Sequence[str] | None = None,
    schemas: _Schemas | Sequence[_Schemas] = (),
    replace_built_in: bool = False,
    validate: bool = False,
    blocks: bool = True,
    output: _Output,
    format: Literal["parquet", "arrow", "csv"] | None = None,
    update: bool = False,
    overwrite: bool = False,
    csv_safe: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> CatalogFile: ...
def catalog(
    files: _Source | Iterable[_Source],
    fields: str | Iterable[str] | dict[str, str] | None = None,
    *,
    schema: str | None = None,
    table: str | None = None,
    package: str | Sequence[str] | None = None,
    schemas: _Schemas | Sequence[_Schemas] = (),
    replace_built_in: bool = False,
    validate: bool = False,
    blocks: bool = True,
    output: _Output | None = None,
    format: Literal["parquet", "arrow", "csv"] | None = None,
    update: bool = False,
    overwrite: bool = False,
    csv_safe: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Catalog | CatalogFile:
    """Make a table with one row for each file, from the values of their trees.

    Reads trees, and no arrays. A value that does not exist is null. So is one that does not fit its column, and `problems` of
    the result says so. A file that is not valid ASDF has a row too.

    Parameters
    ----------
    files : str, os.PathLike, or a list of these and of File
        Folders with files below them, paths, patterns, URLs and open files. A URL of a folder ends with ``/``.
    fields : list of str, or dict of str to str, optional
        The columns: ``"PATH"``, ``"PATH:TYPE"`` or ``"NAME=PATH:TYPE"``. The keys of a dict are the names. Without fields,
        schema and table these are the values that the first 100 files have. Types are boolean, uint8, int16, int32, int64,
        float32, float64, string, timestamp, json, ``list<TYPE>`` and ``struct<NAME: TYPE, ...>``.
    schema : str, optional
        Add a column for each value that the schema of a tag describes. It can be the end of a tag, such as ``"wfi_image"``.
    table : str, optional
        Add the columns that schemas assign to a table with the keyword archive_catalog, such as ``"WFIExposure"``.
    package, schemas, replace_built_in : optional
        The schemas of `schema`, `table` and `validate`, as for `validate`.
    validate : bool
        Validate each file, and add the column _valid.
    blocks : bool
        Whether to read blocks to validate.
    output : str, os.PathLike or file object, optional
        Write the table to this file, instead of making it in memory.
    format : {"parquet", "arrow", "csv"}, optional
        The format of `output`. The default is that of its extension.
    update : bool
        Keep the rows in `output` of files whose size and time have not changed. It must be a catalogue in Parquet, and is
        created if it does not exist. Rows of files that no longer exist are removed. Other columns need all files to be read.
    overwrite : bool
        Replace `output` if it exists.
    csv_safe : bool
        Put ' before texts in CSV that spreadsheets would calculate.
    threads : int, optional
        The number of files to open at once. The default is the number of processors, and 32 for URLs.
    progress : callable, optional
        Is called with the number of files that are done and the number of all files, after each file.
    storage_options : dict, optional
        Options for URLs, as for `open`.

    Returns
    -------
    Catalog or CatalogFile
        An Arrow stream, which polars, pyarrow, pandas and duckdb accept. The other columns are _file, _size, _modified,
        _standard and _problems. With `output`, the numbers of rows that were written.

    Raises
    ------
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> import asdfast, pyarrow
    >>> night = asdfast.catalog("night/", {"time": "/meta/exposure_time:float64"})
    >>> pyarrow.table(night)["time"].to_pylist()
    [1.5, 3.0]
    >>> asdfast.catalog("night/", {"time": "/meta/exposure_time:float64"}, output="night.parquet").read
    2
    >>> asdfast.catalog("night/", output="night.parquet", update=True).kept
    2
    """
    if isinstance(fields, dict):
        fields = [f"{name}={place}" for name, place in fields.items()]
    elif isinstance(fields, str):
        fields = [fields]
    validation = {"package": package, "schemas": schemas, "replace_built_in": replace_built_in, "blocks": blocks}
    options = {
        "fields": None if fields is None else list(fields),
        "schema": schema,
        "table": table,
        "validate": validate,
        "validation": validation,
        "output": output,
        "format": format,
        "update": update,
        "overwrite": overwrite,
        "csv_safe": csv_safe,
        "threads": threads,
        "progress": progress,
        "storage_options": None if storage_options is None else dict(storage_options),
    }
    made = _catalog(_listed(files), options)
    return CatalogFile(output, *made) if isinstance(made, tuple) else made  # type: ignore[arg-type]
