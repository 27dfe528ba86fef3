"""Compares `asdf export` and `asdf import` of ECSV, VOTable, Parquet, Arrow and JSON rows with astropy and pyarrow."""

import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import asdf
import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
from astropy.table import MaskedColumn, Table

PROGRAM = sys.argv[1] + "/asdf"
COUNT = 0


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True)
    if done.returncode:
        sys.exit(f"asdf {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def same(found, expected, what):
    """Returns whether shapes, elements and missing elements are equal. NaN equals NaN."""
    global COUNT
    COUNT += 1
    masks = [np.ma.getmaskarray(np.ma.asanyarray(column)) for column in (found, expected)]
    found, expected = (np.asarray(np.ma.getdata(np.ma.asanyarray(column))) for column in (found, expected))
    ok = found.shape == expected.shape and np.array_equal(*masks)
    if ok:
        there = ~masks[0]
        ok = np.array_equal(found[there], expected[there], equal_nan=expected.dtype.kind in "fc")
    if not ok:
        sys.exit(f"{what}: found {found.dtype} {found!r} {masks[0]}, expected {expected.dtype} {expected!r} {masks[1]}")


def check(found, expected, what):
    if not found:
        sys.exit(f"{what}: expected {expected}")


def sample(complete):
    """Makes a table with a column of every type that both sides support; if `complete`, also of types only in ECSV."""
    table = Table(meta={"survey": "a: b", "n": [1, 2.5], "deep": {"x": True}})
    table["flag"] = MaskedColumn([True, False, True], mask=[False, False, True])
    types = ["u1", "i2", "i4", "i8", "f4", "f8", "c8", "c16"]
    types += ["i1", "u2", "u4", "u8", "f2"] if complete else []
    for dtype in types:
        kind = np.dtype(dtype).kind
        values = np.array([1, 0, 2]).astype(dtype)
        if kind in "iu":
            values[1] = np.iinfo(dtype).max
            table[dtype] = MaskedColumn(values, mask=[False, False, True])
        else:
            values[:] = [1.1, np.nan, -2.5e3] if kind == "f" else [1.5 - 2j, 0.25j, -3]
            table[dtype] = values
    table["f8"].unit = "mJy"
    table["f8"].description = 'a "flux" < 3 & more'
    table["text"] = ["a b", "x,y", "naïve"]
    table["pair"] = np.arange(6, dtype="f4").reshape(3, 2) / 3
    table["cube"] = np.arange(18, dtype="i4").reshape(3, 2, 3)
    return table


def equal(found, expected, what):
    check(found.colnames == expected.colnames, expected.colnames, f"{what}: {found.colnames}")
    for name in expected.colnames:
        same(found[name], expected[name], f"{what}: {name}")
        for part in ("unit", "description"):
            ours, theirs = (str(getattr(table[name], part) or "") for table in (found, expected))
            check(ours == theirs, theirs, f"{what}: {part} of {name}: {ours}")


def columns_of(path):
    """Reads the columns of the table at /data of a file with Python's asdf."""
    with asdf.open(path, memmap=False) as file:
        data = file["data"]
        # asdf-astropy converts it to an astropy table.
        return data.copy() if isinstance(data, Table) else Table(data)


def ecsv(folder):
    for delimiter in (",", " "):
        table = sample(complete=True)
        table.write(folder / "theirs.ecsv", format="ascii.ecsv", delimiter=delimiter, overwrite=True)
        run("import", "-f", folder / "theirs.ecsv", folder / "in.asdf")
        run("validate", folder / "in.asdf")
        found = columns_of(folder / "in.asdf")
        equal(found, table, f"import of ECSV with {delimiter!r}")
        check(dict(found.meta) == dict(table.meta), table.meta, f"meta: {found.meta}")
        run("export", "-f", folder / "in.asdf", "/data", "-o", folder / "ours.ecsv")
        again = Table.read(folder / "ours.ecsv", format="ascii.ecsv")
        equal(again, table, "export of ECSV")
        check(dict(again.meta) == dict(table.meta), table.meta, f"meta: {again.meta}")


def votable(folder):
    table = sample(complete=False)
    for form in ("tabledata", "binary", "binary2"):
        own = table.copy()
        if form == "binary":
            # The format does not support missing integers and booleans.
            own = own.filled(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            own.write(folder / "theirs.vot", format="votable", tabledata_format=form, overwrite=True)
            expected = Table.read(folder / "theirs.vot", format="votable")
        run("import", "-f", folder / "theirs.vot", folder / "in.asdf")
        run("validate", folder / "in.asdf")
        found = columns_of(folder / "in.asdf")
        for name in expected.colnames:
            # astropy masks NaN in these columns. ASDF does not need a mask for them.
            theirs = expected[name]
            ours = found[name]
            if theirs.dtype.kind in "fc":
                theirs, ours = (np.ma.filled(np.ma.asanyarray(column), np.nan) for column in (theirs, ours))
            same(ours, theirs, f"import of VOTable {form}: {name}")
        run("export", "-f", folder / "in.asdf", "/data", "-o", folder / "ours.vot")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            again = Table.read(folder / "ours.vot", format="votable")
        for name in expected.colnames:
            theirs, ours = expected[name], again[name]
            if theirs.dtype.kind in "fc":
                theirs, ours = (np.ma.filled(np.ma.asanyarray(column), np.nan) for column in (theirs, ours))
            same(ours, theirs, f"export of VOTable {form}: {name}")
        check(str(again["f8"].unit) == "mJy", "mJy", f"unit: {again['f8'].unit}")
        check(again["f8"].description == table["f8"].description, table["f8"].description, "description")


def parquet(folder):
    random = np.random.default_rng(4)
    count = 5000
    arrays = {
        "flag": pa.array(random.random(count) > 0.5, mask=random.random(count) > 0.9),
        "text": pa.array([None if n % 7 == 0 else f"naïve {n}" for n in range(count)]),
        "pair": pa.FixedSizeListArray.from_arrays(pa.array(random.random(2 * count)), 2),
    }
    for name in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split():
        values = random.integers(0, 100, count).astype(name)
        arrays[name] = pa.array(values, mask=random.random(count) > 0.8)
    table = pa.table(arrays)
    pyarrow.parquet.write_table(table, folder / "theirs.parquet", row_group_size=700)
    with pa.OSFile(str(folder / "theirs.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=700)
    for form, read in [("parquet", pyarrow.parquet.read_table), ("arrow", pyarrow.feather.read_table)]:
        run("import", "-f", folder / f"theirs.{form}", folder / "in.asdf")
        run("export", "-f", folder / "in.asdf", "/data", "-o", folder / f"ours.{form}")
        again = read(folder / f"ours.{form}")
        for name in table.column_names:
            global COUNT
            COUNT += 1
            found, expected = again[name].to_pylist(), table[name].to_pylist()
            check(found == expected, expected[:10], f"{form}: {name}: {found[:10]}")


def rows(folder):
    table = Table({"id": [1, 2], "flux": np.array([1.1, np.nan], "f4"), "pair": [[1, 2], [3, 4]], "t": ["a", "b\n"]})
    table.write(folder / "theirs.ecsv", format="ascii.ecsv", overwrite=True)
    run("import", "-f", folder / "theirs.ecsv", folder / "in.asdf")
    expected = [
        {"id": 1, "flux": 1.1, "pair": [1, 2], "t": "a"},
        {"id": 2, "flux": "NaN", "pair": [3, 4], "t": "b\n"},
    ]
    found = json.loads(run("export", "--to", "json", folder / "in.asdf", "/data"))
    check(found == expected, expected, f"JSON: {found}")
    lines = run("export", "--to", "jsonl", folder / "in.asdf", "/data").decode().splitlines()
    check([json.loads(line) for line in lines] == expected, expected, f"JSON lines: {lines}")


with tempfile.TemporaryDirectory() as name:
    for part in (ecsv, votable, parquet, rows):
        part(Path(name))
print(f"{COUNT} columns of tables equal those of astropy and pyarrow")
