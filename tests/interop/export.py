"""Compares `asdf export` and `asdf import` with numpy, astropy, h5py and pyarrow, and the numbers of `asdf preview` with
astropy."""

import csv
import io
import json
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import asdf
import h5py
import numpy as np
import pyarrow.feather
import pyarrow.parquet
from astropy import units, visualization
from astropy.coordinates import SkyCoord
from astropy.io import fits
from astropy.table import QTable, Table
from astropy.time import Time

PROGRAM = sys.argv[1] + "/asdf"
COUNT = 0


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True)
    if done.returncode:
        sys.exit(f"asdf {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def same(found, expected, what):
    """Returns whether shapes, types (except for their byte order) and elements are equal. NaN equals NaN."""
    global COUNT
    COUNT += 1
    found, expected = np.asanyarray(found), np.asanyarray(expected)
    ok = found.shape == expected.shape and found.dtype.newbyteorder("=") == expected.dtype.newbyteorder("=")
    if ok and expected.dtype.names:
        ok = found.astype(expected.dtype).tobytes() == expected.tobytes()
    elif ok:
        ok = np.array_equal(found, expected, equal_nan=expected.dtype.kind in "fc")
    if not ok:
        sys.exit(f"{what}: found {found.dtype} {found.shape} {found!r}, expected {expected.dtype} {expected!r}")


def near(found, expected, tolerance, what):
    global COUNT
    COUNT += 1
    if not np.allclose(found, expected, rtol=tolerance, atol=tolerance):
        sys.exit(f"{what}: found {found}, expected {expected}")


def arrays():
    """Makes arrays of every datatype that numpy also has."""
    random = np.random.default_rng(8)
    for dtype in "b1 i1 u1 <i2 >i2 <u2 <i4 >u4 <i8 >u8 <f2 >f2 <f4 >f4 <f8 >f8 <c8 >c16 S5 <U5 >U5".split():
        kind = np.dtype(dtype).kind
        if kind in "SU":
            flat = np.array(["", "a", "bcdef", "é" if kind == "U" else "e", "12", "ab"]).astype(dtype)
        elif kind == "f":
            flat = np.array([0, -1.5, np.nan, np.inf, 6.5e4, 1e-3]).astype(dtype)
        elif kind == "c":
            flat = np.array([0, 1 - 2j, np.nan, 3j, -1, 5.5]).astype(dtype)
        else:
            flat = random.integers(0, 2 if kind == "b" else 120, 6).astype(dtype)
        yield dtype, flat.reshape(2, 3)
        yield dtype + "_fortran", np.asfortranarray(flat.reshape(2, 3))
    yield "scalar", np.array(2.5)
    yield "empty", np.zeros((0, 3), "f4")
    yield "cube", np.arange(60, dtype="u2").reshape(3, 4, 5)
    records = np.zeros(3, [("id", "<i4"), ("név 'x'", ">f8"), ("s", "S3"), ("m", "<i2", (2, 2)), ("in", [("a", "u1"), ("b", "<f4")])])
    records["id"] = [1, 2, 3]
    records["m"] = np.arange(12).reshape(3, 2, 2)
    records["in"]["b"] = [0.5, 1.5, 2.5]
    yield "records", records


def check_npy(folder):
    for name, array in arrays():
        before, file, after = folder / "before.npy", folder / "file.asdf", folder / "after.npy"
        np.save(before, array)
        run("import", before, file, "--force", "--path", "/x/data", "--compression", "lz4")
        with asdf.open(file) as opened:
            same(opened["x"]["data"][...], array, f"{name} imported")
        run("export", file, "/x/data", "-o", after, "--force")
        same(np.load(after), array, f"{name} exported")
        if array.ndim and array.size and name != "records":
            part = array[::-1, 1:] if array.ndim > 1 else array[::-1]
            run("export", file, "/x/data", "-o", after, "--force", "--slice", "::-1, 1:" if array.ndim > 1 else "::-1")
            same(np.load(after), part, f"{name} sliced")
            raw = np.frombuffer(run("export", file, "/x/data", "--to", "raw"), array.dtype.newbyteorder("<"))
            same(raw.astype(array.dtype.newbyteorder("=")), array.reshape(-1), f"{name} raw")
        run("export", file, "/x/data", "-o", folder / "after.h5", "--force")
        with h5py.File(folder / "after.h5") as opened:
            same(opened["data"][...], as_hdf5(array), f"{name} in HDF5")
        if array.ndim == 2 and array.size and array.dtype.kind in "fiu":
            rows = list(csv.reader(io.StringIO(run("export", file, "/x/data", "--to", "csv").decode())))
            same(np.array(rows).astype(array.dtype.newbyteorder("=")), array, f"{name} as csv")


def as_hdf5(array):
    """Converts an array to its form in HDF5: wider float16, texts in UTF-8 padded to the longest."""
    if array.dtype.names:
        fields = [(name, array.dtype[name].subdtype or (array.dtype[name], ())) for name in array.dtype.names]
        parts = {name: as_hdf5(array[name]) for name, _ in fields}
        wide = np.zeros(array.shape, [(name, parts[name].dtype, shape) for name, (_, shape) in fields])
        for name in parts:
            wide[name] = parts[name]
        return wide
    if array.dtype.kind == "U":
        return np.char.encode(array, "utf-8")
    return array.astype({"<f2": "<f4", ">f2": ">f4"}.get(array.dtype.str, array.dtype))


def check_hdf5_table(folder):
    """Checks that astropy reads a table with units, descriptions and metadata from HDF5."""
    table = QTable({
        "id": np.arange(4), "flux": np.array([1, 2.5, np.nan, 4], "f4") * units.Jy, "ok": np.array([True, False, True, True]),
        "name": np.array(["a", "b\u00e9", "", "d e"]), "z": np.array([1 + 2j, 0, 3, -1j]),
        "cube": np.arange(24, dtype=">i2").reshape(4, 3, 2) * units.m, "bytes": np.array([b"x", b"", b"xyz", b"12"]),
    }, meta={"TELESCOP": "Roman", "list": [1, 2.5]})
    table["id"].info.description = "a \"number\": with signs"
    file, after = folder / "table.asdf", folder / "sources.h5"
    asdf.AsdfFile({"sources": table}).write_to(file)
    run("export", file, "/sources", "-o", after)
    again = QTable.read(after)
    for name in table.colnames:
        one, other = again[name], table[name]
        if (getattr(one, "unit", None), one.info.description) != (getattr(other, "unit", None), other.info.description):
            sys.exit(f"{name} in HDF5: the unit or the description is lost")
        same(as_hdf5(np.asarray(one)), as_hdf5(np.asarray(other)), f"{name} in HDF5")
    if dict(again.meta) != dict(table.meta):
        sys.exit(f"HDF5: the metadata {again.meta} is not {table.meta}")
    moments = QTable({"t": Time(["2024-01-01", "2024-02-01"], scale="tdb"), "p": SkyCoord([1, 2] * units.deg, [3, 4] * units.deg)})
    asdf.AsdfFile({"moments": moments}).write_to(folder / "moments.asdf")
    for form in "h5", "ecsv":
        run("export", folder / "moments.asdf", "/moments", "-o", folder / f"moments.{form}")
        again = Table.read(folder / f"moments.{form}")
        said = again["t"].meta["scale"], again["p.ra"].meta["frame"], str(again["p.ra"].unit), list(again["p.dec"])
        if said != ("tdb", "icrs", "deg", [3, 4]):
            sys.exit(f"times and positions in {form}: {said}")
    run("export", file, "/sources/flux", "-o", folder / "flux.h5")
    with h5py.File(folder / "flux.h5") as opened:
        same(opened["flux"][...], table["flux"].value, "a quantity in HDF5")
        if opened["flux"].attrs["units"].decode() != "Jy":
            sys.exit(f"HDF5: the unit is {opened['flux'].attrs['units']}")
    run("export", file, "/sources", "-o", after, "--force", "--slice", "4:")
    if len(QTable.read(after)) != 0:
        sys.exit("a table without rows in HDF5 has rows")


def table_units():
    """Makes a table with every kind of column that both FITS and ASDF support."""
    rows = 200
    random = np.random.default_rng(9)
    columns = [
        fits.Column("id", "K", array=np.arange(rows)),
        fits.Column("name", "6A", array=np.array([f"s{i}" for i in range(rows)])),
        fits.Column("ok", "L", array=random.integers(0, 2, rows).astype(bool)),
        fits.Column("flux", "E", unit="mJy", array=random.normal(size=rows).astype("f4")),
        fits.Column("pair", "2D", array=random.normal(size=(rows, 2))),
        fits.Column("cube", "6J", dim="(3,2)", array=np.arange(rows * 6).reshape(rows, 2, 3)),
        fits.Column("z", "C", array=(np.arange(rows) + 2j).astype("c8")),
        fits.Column("u", "I", bzero=32768, array=np.arange(rows, dtype="u2") + 40000),
        fits.Column("scaled", "I", array=np.arange(rows)),
    ]
    unit = fits.BinTableHDU.from_columns(columns, name="CAT")
    unit.header["TSCAL9"], unit.header["TZERO9"] = 0.5, 3.0
    return unit


def check_fits(folder):
    source, file, after = folder / "source.fits", folder / "file.asdf", folder / "after.fits"
    images = [fits.ImageHDU(np.arange(12).reshape(3, 4).astype(dtype), name=f"{dtype}X") for dtype in "u1 i1 i2 u2 i4 u4 i8 u8 f4 f8".split()]
    scaled = fits.ImageHDU(np.arange(12).reshape(3, 4).astype("f4") / 2, name="SCALED")
    scaled.scale("int16", bscale=0.5, bzero=0)
    twice = [fits.ImageHDU(np.full((2, 2), number, "f4"), name="SCI", ver=number) for number in (1, 2)]
    fits.HDUList([fits.PrimaryHDU(), *images, scaled, *twice, table_units()]).writeto(source)
    run("import", source, file, "--force", "--path", "/fits")
    run("export", file, "/fits", "-o", after, "--force")
    difference = fits.FITSDiff(str(source), str(after))
    if not difference.identical:
        sys.exit(f"a FITS file after import and export: {difference.report()}")
    run("import", source, file, "--force", "--as", "arrays")
    with fits.open(source) as units, asdf.open(file) as opened:
        tree = opened["data"]
        for unit in units[1:-1]:
            name = unit.name if (unit.name, unit.ver) != ("SCI", 2) else "SCI_2"
            same(tree[name][...], unit.data, f"{name} as array")
            run("export", file, f"/data/{name}", "-o", after, "--force")
            same(fits.getdata(after).astype(unit.data.dtype.newbyteorder("=")), unit.data, f"{name} exported")
        expected = units["CAT"].data
        for name in expected.names:
            same(column_of(tree["CAT"], name), as_numpy(expected[name]), f"the column {name}")
        run("export", file, "/data/CAT", "-o", after, "--force")
        with fits.open(after) as again:
            again.verify("exception")
            for name in expected.names:
                found = again[1].data[name]
                same(as_numpy(found), as_numpy(expected[name]), f"the column {name} exported")
            if again[1].columns["flux"].unit != "mJy":
                sys.exit("the unit of the column flux is lost")
        for name in expected.names:
            check_arrow(folder, file, "/data/CAT", name, as_numpy(expected[name]))


def column_of(table, name):
    """Returns a column of a table. The table is one of astropy if asdf-astropy is installed."""
    if hasattr(table, "colnames"):
        return np.ma.asanyarray(table[name])
    return next(column["data"][...] for column in table["columns"] if column["name"] == name)


def as_numpy(column):
    """Converts a column of astropy to numpy: texts as bytes, in native byte order."""
    array = np.asarray(column)
    return array.astype("S6") if array.dtype.kind == "U" else array.astype(array.dtype.newbyteorder("="))


TABLES = {}


def check_arrow(folder, file, path, name, expected):
    for ending, read in [("parquet", pyarrow.parquet.read_table), ("arrow", pyarrow.feather.read_table)]:
        if (path, ending) not in TABLES:
            run("export", file, path, "-o", folder / f"table.{ending}", "--force")
            TABLES[path, ending] = read(folder / f"table.{ending}")
        column = TABLES[path, ending].column(name)
        unit = (TABLES[path, ending].schema.field(name).metadata or {}).get(b"unit")
        if (unit == b"mJy") != (name == "flux"):
            sys.exit(f"the unit of {name} in {ending} is {unit}")
        values = column.to_pylist()
        if expected.dtype.kind == "S":
            found = np.array([value.encode() for value in values], expected.dtype)
        elif expected.dtype.kind == "c":
            found = np.array([complex(value["re"], value["im"]) for value in values], expected.dtype)
        else:
            found = np.array(values, expected.dtype)
            inner = column.type
            while hasattr(inner, "list_size"):
                inner = inner.value_type
            if inner.to_pandas_dtype() is not expected.dtype.type:
                sys.exit(f"{name} in {ending}: {column.type} is not {expected.dtype}")
        same(found, expected, f"{name} in {ending}")


def check_json(folder):
    """Checks rows in JSON as Python's json module writes them."""
    random = np.random.default_rng(11)
    rows = [
        {"id": 2**62 + n, "big": 2**64 - 1 - n, "x": float(random.normal()), "ok": n % 3 == 0, "name": f"s\u00e9{n}"[: n % 5],
         "pair": [n / 7, -n], "cell": [[n, 1], [2, 3], [4, 5]]}
        for n in range(500)
    ]
    for form, text in [("json", json.dumps(rows, indent=1)), ("jsonl", "\n".join(map(json.dumps, rows)))]:
        (folder / f"rows.{form}").write_text(text)
        run("import", folder / f"rows.{form}", "-o", folder / "rows.asdf", "--force")
        with asdf.open(folder / "rows.asdf") as opened:
            for name, kind in [("id", "i8"), ("big", "u8"), ("x", "f8"), ("ok", "?"), ("name", None), ("pair", "f8"), ("cell", "i8")]:
                same(column_of(opened["data"], name), np.array([row[name] for row in rows], kind), f"{name} of {form}")
    image = random.normal(size=(3, 4, 5))
    (folder / "image.json").write_text(json.dumps(image.tolist()))
    run("import", folder / "image.json", "-o", folder / "rows.asdf", "--force")
    with asdf.open(folder / "rows.asdf") as opened:
        same(opened["data"][...], image, "an array of JSON")


def check_gaps(folder):
    """Checks that missing values in CSV are nulls."""
    text = folder / "gaps.csv"
    text.write_text("i,f,s\n1,1.5,a\n,,\n3,2.5,é\n")
    run("import", text, folder / "gaps.asdf", "--force")
    run("export", folder / "gaps.asdf", "/data", "-o", folder / "gaps.parquet", "--force")
    table = pyarrow.parquet.read_table(folder / "gaps.parquet").to_pydict()
    if table["i"] != [1, None, 3] or table["s"] != ["a", "", "é"] or not np.isnan(table["f"][1]):
        sys.exit(f"gaps: {table}")
    with asdf.open(folder / "gaps.asdf") as opened:
        column = column_of(opened["data"], "i")
        if column.tolist() != [1, None, 3]:
            sys.exit(f"gaps in ASDF: {column!r}")
    big = folder / "big.asdf"
    rows = 300_000
    asdf.AsdfFile({"t": {"x": np.arange(rows), "y": np.arange(rows) / 7}}).write_to(big)
    run("export", big, "/t", "-o", folder / "big.parquet", "--force")
    table = pyarrow.parquet.read_table(folder / "big.parquet")
    same(table["x"].to_numpy(), np.arange(rows), "many rows")
    same(table["y"].to_numpy(), np.arange(rows) / 7, "many rows")


def png(path):
    """Returns the palette and the levels of a picture that our program wrote."""
    data, at, parts = path.read_bytes(), 8, {}
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", data, at + 8 + length)[0]:
            sys.exit(f"{path}: the checksum of {kind} is wrong")
        parts[kind] = parts.get(kind, b"") + body
        at += length + 12
    width, height = struct.unpack_from(">II", parts[b"IHDR"])
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), "u1").reshape(height, width + 1)
    if rows[:, 0].any():
        sys.exit(f"{path}: a row has a filter")
    return np.frombuffer(parts[b"PLTE"], "u1").reshape(-1, 3), rows[:, 1:]


def check_pictures(folder):
    random = np.random.default_rng(10)
    sky = random.normal(1000, 30, (300, 400))
    for x, y, flux in zip(random.integers(5, 395, 60), random.integers(5, 295, 60), random.pareto(1, 60) * 2000):
        sky[y - 2 : y + 3, x - 2 : x + 3] += flux
    sky[7, 9] = np.nan
    file, picture = folder / "sky.asdf", folder / "sky.png"
    asdf.AsdfFile({"data": sky.astype("f4")}).write_to(file)
    data = sky.astype("f4").astype("f8")
    finite = data[np.isfinite(data)]
    low, high = visualization.ZScaleInterval().get_limits(data)
    stretches = {"linear": visualization.LinearStretch(), "asinh": visualization.AsinhStretch(0.1),
                 "log": visualization.LogStretch(1000), "sqrt": visualization.SqrtStretch()}
    for limits, expected, tolerance in [
        ("minmax", (finite.min(), finite.max()), 1e-9),
        ("90%", np.percentile(finite, [5, 95]), 1e-9),
        ("1%,99.5%", np.percentile(finite, [1, 99.5]), 1e-9),
        ("950,1200", (950, 1200), 0),
        # IRAF and astropy define the middle differently.
        ("zscale", (low, high), 0.02),
    ]:
        for stretch, curve in stretches.items():
            report = json.loads(run("preview", file, "-o", picture, "--force", "--json", "--limits", limits, "--stretch", stretch,
                                  "--size", "full"))
            found = report["low"], report["high"]
            near(found, expected, tolerance, f"{limits}")
            palette, levels = png(picture)
            place = np.clip((data - found[0]) / (found[1] - found[0]), 0, 1)
            level = np.round(curve(np.nan_to_num(place)) * 254)
            level[np.isnan(data)] = 255
            near(levels[::-1].astype(float), level, 1, f"the levels of {limits}, {stretch}")
            if levels[::-1][7, 9] != 255 or len(palette) != 256:
                sys.exit("NaN has no separate colour")
    run("preview", file, "-o", picture, "--force", "--limits", "950,1200", "--size", "100", "--origin", "top")
    # Each pixel is the mean of four by four elements, without those that are NaN.
    means = np.nanmean(data.reshape(75, 4, 100, 4), axis=(1, 3))
    near(png(picture)[1].astype(float), np.round(np.clip((means - 950) / 250, 0, 1) * 254), 1, "means")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        check_npy(folder)
        check_fits(folder)
        check_hdf5_table(folder)
        check_json(folder)
        check_gaps(folder)
        check_pictures(folder)
    print(f"export: {COUNT} arrays, columns and pictures equal those of numpy, astropy, h5py and pyarrow")


main()
