"""Reads objects of every converter of asdf-astropy with our program, and compares values, units and metadata with astropy.
Also checks that docs/astropy.md names every converter, and exports catalogs like Roman's."""

import csv
import io
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import asdf
import asdf_astropy.extensions
import numpy as np
import pyarrow.feather
import pyarrow.parquet
from astropy import units as u
from astropy.coordinates import (
    ICRS, Angle, CartesianRepresentation, EarthLocation, Galactic, Latitude, Longitude, SkyCoord, SpectralCoord,
    SphericalRepresentation,
)
from astropy.io import fits
from astropy.modeling import models
from astropy.nddata import StdDevUncertainty
from astropy.table import Column, MaskedColumn, NdarrayMixin, QTable, Table
from astropy.time import Time, TimeDelta
from astropy.utils.masked import Masked
from astropy.wcs import WCS

warnings.simplefilter("ignore")
PROGRAM = sys.argv[1] + "/asdf"
COUNT = 0
N = 4


def run(*arguments, expect=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True)
    if done.returncode != expect:
        sys.exit(f"asdf {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr.decode()}")
    return done


def same(found, expected, what):
    global COUNT
    COUNT += 1
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def values(column, expected, what):
    """Checks that a column of Arrow has the values of an array, with nulls for masked values."""
    global COUNT
    COUNT += 1
    expected = np.ma.asarray(expected)
    mask = np.ma.getmaskarray(expected)
    found = column.to_pylist()
    if expected.dtype.kind == "f":
        flat = np.array(found, dtype=object).reshape(expected.shape)
        ok = all(
            (f is None) == bool(m) and (m or f == e or (np.isnan(f) and np.isnan(e)))
            for f, e, m in zip(flat.flat, expected.data.flat, mask.flat)
        )
    else:
        ok = found == expected.tolist()
    if not ok:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def exported(folder, file, path):
    """A place as Parquet, which has to be what it is as Arrow; and as CSV of equally many rows."""
    run("export", file, path, "-o", folder / "x.parquet", "--force")
    run("export", file, path, "-o", folder / "x.arrow", "--force")
    table = pyarrow.parquet.read_table(folder / "x.parquet")
    same(pyarrow.feather.read_table(folder / "x.arrow").schema, table.schema, f"{path} as Arrow")
    rows = list(csv.reader(io.StringIO(run("export", file, path, "--to", "csv").stdout.decode())))
    same(len(rows) - (len(table.schema) > 1 or len(rows) > table.num_rows), table.num_rows, f"rows of {path}")
    return table


def said(table, name):
    return {key.decode(): value.decode() for key, value in (table.schema.field(name).metadata or {}).items()}


numbers = np.arange(N) * 1.5
degrees = np.arange(N) * 10.0
MOVING = SkyCoord(degrees * u.deg, numbers * u.deg, pm_ra_cosdec=numbers * u.mas / u.yr, pm_dec=numbers * u.mas / u.yr,
                  frame="fk5", equinox="J2000")
# Name: the object; the columns it becomes, with values and a part of the metadata.
OBJECTS = {
    "quantity": (numbers * u.km / u.s, {"quantity": (numbers, {"unit": "km.s**-1"})}),
    "data_numbers": (numbers * u.DN / u.s, {"data_numbers": (numbers, {"unit": "DN / s"})}),
    "electrons": (numbers * u.electron / u.s, {"electrons": (numbers, {"unit": "electron / s"})}),
    "magnitudes": ({"t": Table([Column(numbers, "m", unit=u.ABmag)])}, None),
    "masked": (Masked(numbers * u.Jy, mask=[0, 1, 0, 1]),
               {"masked": (np.ma.array(numbers, mask=[0, 1, 0, 1]), {"unit": "Jy"})}),
    "angle": (Angle(degrees, "deg"), {"angle": (degrees, {"unit": "deg"})}),
    "latitude": (Latitude(degrees, "deg"), {"latitude": (degrees, {"unit": "deg"})}),
    "longitude": (Longitude(degrees, "deg", wrap_angle=180 * u.deg),
                  {"longitude": (degrees, {"unit": "deg", "wrap_angle": "180.0 deg"})}),
    "spectral": (SpectralCoord(numbers + 1, "GHz"), {"spectral": (numbers + 1, {"unit": "GHz"})}),
    "iso": (Time(["2024-01-01", "2024-06-30 12:00:00.5"]),
            {"iso": (Time(["2024-01-01", "2024-06-30 12:00:00.5"]).value, {"scale": "utc", "format": "iso"})}),
    "mjd": (Time(59000 + numbers, format="mjd", scale="tdb"),
            {"mjd": (59000 + numbers, {"scale": "tdb", "format": "mjd", "unit": "d"})}),
    "unix": (Time(1e9 + numbers, format="unix"),
             {"unix": (Time(1e9 + numbers, format="unix").value, {"format": "unix", "unit": "s"})}),
    "elapsed": (TimeDelta(numbers * 0.1, format="sec"),
                {"elapsed": (TimeDelta(numbers * 0.1, format="sec").value, {"format": "sec", "unit": "s"})}),
    "days": (TimeDelta(numbers / 7, format="jd"),
             {"days": (TimeDelta(numbers / 7, format="jd").value, {"format": "jd", "unit": "d"})}),
    "sky": (SkyCoord(degrees, numbers, unit="deg"),
            {"ra": (degrees, {"unit": "deg", "frame": "icrs"}), "dec": (numbers, {"unit": "deg", "frame": "icrs"})}),
    "galactic": (SkyCoord(degrees, numbers, numbers + 1, unit=("deg", "deg", "pc"), frame="galactic"),
                 {"l": (degrees, {"frame": "galactic"}), "b": (numbers, {}), "distance": (numbers + 1, {"unit": "pc"})}),
    "moving": (MOVING,
               {"pm_dec": (MOVING.pm_dec.value, {"unit": "mas.yr**-1", "frame": "fk5", "equinox": "J2000.000"})}),
    "frame": (ICRS(degrees * u.deg, numbers * u.deg), {"ra": (degrees, {"frame": "icrs", "unit": "deg"})}),
    "other_frame": (Galactic(degrees * u.deg, numbers * u.deg), {"b": (numbers, {"frame": "galactic"})}),
    "cartesian": (CartesianRepresentation(numbers, numbers, numbers, unit="kpc"), {"x": (numbers, {"unit": "kpc"})}),
    "spherical": (SphericalRepresentation(degrees * u.deg, numbers * u.deg, numbers * u.pc),
                  {"lon": (degrees, {"unit": "deg"}), "distance": (numbers, {"unit": "pc"})}),
    "places": (EarthLocation.from_geocentric(numbers, numbers, numbers, unit="m"),
               {"x": (numbers, {"unit": "m", "ellipsoid": "WGS84"})}),
    "mixin": (np.array([(1, 2.5)] * N, [("a", "i4"), ("b", "f8")]).view(NdarrayMixin),
              {"a": (np.ones(N, "i4"), {}), "b": (np.full(N, 2.5), {})}),
    "column": (MaskedColumn(np.arange(N), "column", mask=[0, 0, 1, 0], unit="km / s", description="speeds"),
               {"column": (np.ma.array(np.arange(N), mask=[0, 0, 1, 0]), {"unit": "km.s**-1", "description": "speeds"})}),
    "uncertainty": (StdDevUncertainty(numbers, unit="Jy"),
                    {"uncertainty": (numbers, {"unit": "Jy", "uncertainty": "stddev"})}),
    # Single values are arrays with no axes.
    "exposure": (120.5 * u.s, {"exposure": (np.array([120.5]), {"unit": "s"})}),
    "single": (u.Quantity(0.1, "km/s", dtype="f4"), {"single": (np.array([0.1], "f4"), {"unit": "km.s**-1"})}),
    "counted": (u.Quantity(7, "ct", dtype="i2"), {"counted": (np.array([7], "i2"), {"unit": "count"})}),
    "one_angle": (Angle(1.5, "deg"), {"one_angle": (np.array([1.5]), {"unit": "deg"})}),
    "one_longitude": (Longitude(10.0, "deg", wrap_angle=180 * u.deg),
                      {"one_longitude": (np.array([10.0]), {"unit": "deg", "wrap_angle": "180.0 deg"})}),
    "one_spectral": (SpectralCoord(1.5, "GHz"), {"one_spectral": (np.array([1.5]), {"unit": "GHz"})}),
    "one_time": (Time("2024-01-01"), {"one_time": (np.array([Time("2024-01-01").value]), {"scale": "utc"})}),
    "one_mjd": (Time(59000.25, format="mjd", scale="tdb"),
                {"one_mjd": (np.array([59000.25]), {"scale": "tdb", "format": "mjd", "unit": "d"})}),
    "one_elapsed": (TimeDelta(0.1, format="sec"),
                    {"one_elapsed": (np.array([TimeDelta(0.1, format="sec").value]), {"format": "sec", "unit": "s"})}),
    # These have no arrays, so only the tree can be read.
    "unit": (u.DN / u.s, None),
    "equivalency": (u.spectral(), None),
    "model": (models.Gaussian2D(1, 2, 3, 1, 1) | models.Identity(1), None),
    "wcs": (WCS(naxis=2), None),
    "hdus": (fits.HDUList([fits.PrimaryHDU(np.ones((2, 2)))]), None),
}


def check_objects(folder):
    file = folder / "object.asdf"
    for name, (value, expected) in OBJECTS.items():
        asdf.AsdfFile({name: value}).write_to(file)
        run("info", file)
        run("validate", file)
        run("get", file, f"/{name}")
        run("convert", file, folder / "again.asdf", "--force")
        with asdf.open(folder / "again.asdf") as again:
            same(type(again[name]).__name__, type(value).__name__, f"{name} after convert")
        if expected is None:
            continue
        table = exported(folder, file, f"/{name}")
        for column, (array, metadata) in expected.items():
            values(table.column(column), array, f"{name}, {column}")
            found = said(table, column)
            same({key: found.get(key) for key in metadata}, metadata, f"the metadata of {name}, {column}")
    same(run("export", file, "/hdus/none", "--to", "csv", expect=1).stdout, b"", "a place that is not there")


def check_table(folder):
    """Makes a table with a column of every type that astropy's tables can store."""
    table = QTable()
    table["id"] = np.arange(N)
    for name in ["data_numbers", "electrons", "masked", "iso4", "mjd", "elapsed", "sky", "galactic", "moving", "places"]:
        value = Time(["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"]) if name == "iso4" else OBJECTS[name][0]
        table[name] = value
    table["records"] = OBJECTS["mixin"][0]
    file = folder / "table.asdf"
    asdf.AsdfFile({"cat": table}).write_to(file)
    found = exported(folder, file, "/cat")
    values(found.column("id"), np.arange(N), "id")
    for name in ["data_numbers", "masked", "mjd", "elapsed"]:
        values(found.column(name), OBJECTS[name][1][name][0], name)
    values(found.column("iso4"), table["iso4"].value, "iso4")
    values(found.column("sky.ra"), table["sky"].ra.deg, "sky.ra")
    values(found.column("galactic.distance"), table["galactic"].distance.pc, "galactic.distance")
    values(found.column("moving.pm_dec"), table["moving"].pm_dec.value, "moving.pm_dec")
    values(found.column("records.b"), table["records"]["b"], "records.b")
    same(said(found, "sky.dec")["frame"], "icrs", "the frame")
    run("preview", file, "--path", "/cat")
    run("export", file, "/cat", "-o", folder / "x.fits", "--force")
    again = fits.getdata(folder / "x.fits")
    same(again["sky.dec"].tolist(), table["sky"].dec.deg.tolist(), "sky.dec in FITS")
    same(fits.open(folder / "x.fits")[1].columns["data_numbers"].unit, "DN / s", "the unit in FITS")
    for place in ["/cat/sky.ra", "/cat[sky.ra]", "/cat/sky/ra"]:
        found = [float(line) for line in run("export", file, place, "--to", "csv").stdout.split()]
        same(found, table["sky"].ra.deg.tolist(), place)


def check_catalogue(folder):
    """Makes a catalog like Roman's: columns of many types, with units that VOUnit lacks."""
    table, rows = Table(), 1000
    random = np.random.default_rng(3)
    kinds = ["f4", "f8", "i2", "i4", "i8", "u1", "u8", "?", "f2"]
    spelled = [None, u.DN / u.s, u.electron / u.s, u.ABmag, u.deg, u.nJy, u.pix, u.arcsec, u.Unit("1 / pix2")]
    for index, (kind, unit) in enumerate(zip(kinds, spelled)):
        data = random.integers(0, 2 if kind == "?" else 100, rows).astype(kind)
        if kind in ("f4", "f8"):
            data[::7] = np.nan
        table[f"c{index}"] = Column(data, unit=unit, description=f"column {index}")
    table["flags"] = MaskedColumn(np.arange(rows), mask=np.arange(rows) % 5 == 0)
    file = folder / "catalogue.asdf"
    asdf.AsdfFile({"roman": {"source_catalog": table}}).write_to(file)
    found = exported(folder, file, "/roman/source_catalog")
    for name in table.colnames:
        values(found.column(name), table[name], name)
        same(said(found, name).get("description"), table[name].description, f"the description of {name}")
        unit = said(found, name).get("unit")
        same(u.Unit(unit) if unit else None, table[name].unit, f"the unit of {name}")
    run("export", file, "/roman/source_catalog", "-o", folder / "x.fits", "--force", "--fill", "-99")
    again = fits.getdata(folder / "x.fits")
    for name in table.colnames[:-1]:
        if not np.array_equal(again[name], table[name], equal_nan=table[name].dtype.kind == "f"):
            sys.exit(f"{name} in FITS: {again[name]!r}")


def check_docs():
    page = (Path(__file__).parents[2] / "docs/astropy.md").read_text()
    names = {name for name in vars(asdf_astropy.extensions) if name.endswith("Converter") and name != "Converter"}
    missing = sorted(name for name in names if f"`{name}`" not in page)
    if missing:
        sys.exit(f"docs/astropy.md lacks {', '.join(missing)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        check_objects(folder)
        check_table(folder)
        check_catalogue(folder)
    check_docs()
    print(f"astropy: {len(OBJECTS)} objects of all converters, tables and catalogs; {COUNT} values equal astropy's")


main()
