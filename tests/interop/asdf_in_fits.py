"""Reads ASDF files in FITS files, made by stdatamodels and astropy. The tree and all arrays must be those of stdatamodels:
read from the FITS file by `asdf export`, and from the plain ASDF file that `asdf convert` makes."""

import gzip
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import asdf
import numpy as np
from astropy.io import fits
from asdf.tags.core.ndarray import NDArrayType
from stdatamodels import asdf_in_fits
from stdatamodels.jwst import datamodels

PROGRAM = sys.argv[1] + "/asdf"
COUNTS = {"files": 0, "arrays": 0, "tables": 0, "scalars": 0, "exported": 0}
random = np.random.default_rng(20)


def run(*arguments, code=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != code:
        sys.exit(f"asdf {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def pixels(dtype, shape=(7, 5)):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        numbers = random.normal(100, 30, shape).astype(dtype)
        numbers.flat[3] = np.nan
        return numbers
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, shape, dtype.newbyteorder("="), endpoint=True)


def models(folder):
    """Makes the products of several instruments."""
    image = datamodels.ImageModel((40, 50))
    image.data, image.err = pixels("f4", (40, 50)), pixels("f4", (40, 50))
    image.dq = pixels("u4", (40, 50))
    image.meta.telescope, image.meta.instrument.name = "JWST", "NIRCAM"
    image.meta.exposure.exposure_time = 12.5
    # Arrays without a unit in the schema.
    image.extra = {"weights": pixels("f8", (3, 4)), "list": [pixels("i2", (4,)), "text"], "big": pixels("i8", (2, 2))}
    image.history.append("made for a test")
    yield "image", image

    ramp = datamodels.RampModel((2, 3, 8, 9))
    ramp.data, ramp.pixeldq, ramp.groupdq = pixels("f4", (2, 3, 8, 9)), pixels("u4", (8, 9)), pixels("u1", (2, 3, 8, 9))
    yield "ramp", ramp

    spectra = datamodels.MultiSpecModel()
    for _ in range(3):
        spectrum = datamodels.SpecModel()
        rows = np.zeros(6, dtype=spectrum.get_dtype("spec_table"))
        for name in rows.dtype.names:
            rows[name] = pixels("u4" if rows.dtype[name].kind == "u" else "f8", 6)
        spectrum.spec_table = rows
        spectra.spec.append(spectrum)
    yield "spectra", spectra

    slits = datamodels.MultiSlitModel()
    for number in range(2):
        slit = datamodels.SlitModel()
        slit.data, slit.dq = pixels("f4", (5, 6)) + number, pixels("u4", (5, 6))
        slit.name = f"S{number}"
        slits.slits.append(slit)
    yield "slits", slits


def trees():
    """Yields names, trees and lists of units whose data is also in the tree."""
    tree, units = {}, [fits.PrimaryHDU()]
    for dtype in "u1 i1 i2 u2 i4 u4 i8 u8 f4 f8".split():
        hdu = fits.ImageHDU(pixels(dtype), name=dtype.upper())
        units.append(hdu)
        tree[dtype] = hdu.data
    tree["nested"] = {"again": tree["f4"], "list": [tree["u2"], 1, "x"]}
    yield "dtypes", tree, units

    cube = fits.ImageHDU(pixels("f4", (2, 3, 4)))
    second, third = (fits.ImageHDU(pixels("i2", (3,)), name="SCI", ver=version) for version in (2, 3))
    yield "numbered", {"cube": cube.data, "b": third.data, "a": second.data}, [fits.PrimaryHDU(), cube, third, second]

    yield "primary", {"data": (data := pixels("f4"))}, [fits.PrimaryHDU(data)]
    yield "no arrays", {"a": 1, "b": [1.5, True, None]}, [fits.PrimaryHDU(pixels("i2"))]

    rows = np.zeros(4, [("id", "i8"), ("flux", "f4"), ("pair", "f8", (2,)), ("cube", "i4", (2, 3)), ("name", "S6")])
    rows["id"], rows["flux"], rows["name"] = np.arange(4), np.arange(4) / 7, [b"a", b"bb", b"", b"ffffff"]
    rows["pair"], rows["cube"] = pixels("f8", (4, 2)), pixels("i4", (4, 2, 3))
    plain = fits.BinTableHDU(rows, name="PLAIN")
    columns = [fits.Column("u2", "I", bzero=32768, array=pixels("u2", 5)), fits.Column("ok", "L", array=np.arange(5) % 2 == 0),
               fits.Column("u4", "J", bzero=2**31, array=pixels("u4", 5)), fits.Column("E", "E", array=pixels("f4", 5)),
               fits.Column("bits", "11X", array=np.arange(55).reshape(5, 11) % 3 == 0),
               fits.Column("u8", "K", bzero=2**63, array=pixels("u8", 5)), fits.Column("s", "A4", array=["a", "bc", "", "defg", "h"])]
    mixed = fits.BinTableHDU.from_columns(columns, name="MIXED")
    yield "tables", {"plain": plain.data, "mixed": mixed.data}, [fits.PrimaryHDU(), plain, mixed]

    tree, units = {}, [fits.PrimaryHDU()]
    for method in ("RICE_1", "GZIP_1", "GZIP_2", "HCOMPRESS_1", "PLIO_1"):
        hdu = fits.CompImageHDU(pixels("u1", (30, 41)).astype("i2"), compression_type=method, name=method)
        units.append(hdu)
        tree[method] = hdu.data
    for name, dtype, options in (("LOSSLESS", "f8", {"compression_type": "GZIP_2", "quantize_level": 0}), ("U2", "u2", {}),
                                 ("TILES", "i4", {"tile_shape": (7, 10)})):
        hdu = fits.CompImageHDU(pixels(dtype, (30, 41)), name=name, **options)
        units.append(hdu)
        tree[name] = hdu.data
    yield "compressed", tree, units


def made(folder):
    """Yields the paths of the files."""
    for name, model in models(folder):
        path = folder / f"{name}.fits"
        model.save(path)
        yield path
    for name, tree, units in trees():
        path = folder / f"{name}.fits"
        asdf_in_fits.write(path, tree, fits.HDUList(units))
        yield path
    # The extension of old files is an image.
    with fits.open(folder / "dtypes.fits") as units:
        data = np.frombuffer(units["ASDF"].data.tobytes(), "u1")
        old = fits.HDUList([*units[:-1], fits.ImageHDU(data, name="ASDF")])
        old.writeto(folder / "old.fits")
    yield folder / "old.fits"
    # Scaled integers, which the tree describes as floats.
    with fits.open(folder / "numbered.fits", do_not_scale_image_data=True) as units:
        units[2].header["BSCALE"], units[2].header["BZERO"] = 0.5, 10.0
        units.writeto(folder / "scaled.fits")
    yield folder / "scaled.fits"
    packed = folder / "image.fits.gz"
    packed.write_bytes(gzip.compress((folder / "image.fits").read_bytes()))
    yield packed


def same(ours, theirs):
    """Returns whether two plain arrays have the same datatype and elements, NaNs included."""
    if theirs.dtype.kind in "SU":
        clean = lambda array: np.char.rstrip(np.char.rstrip(np.asarray(array).astype("U"), "\0"))
        return ours.shape == theirs.shape and bool(np.all(clean(ours) == clean(theirs)))
    return (ours.shape == theirs.shape and ours.dtype.newbyteorder("=") == theirs.dtype.newbyteorder("=")
            and np.array_equal(ours, theirs, equal_nan=theirs.dtype.kind == "f"))


def compare(ours, theirs, path, arrays):
    """Compares nodes. Collects the paths of arrays."""
    if isinstance(theirs, (np.ndarray, NDArrayType)):
        ours = np.asarray(ours)
        arrays[path] = theirs = theirs if isinstance(theirs, np.ndarray) else np.asarray(theirs)
        if theirs.dtype.names is None:
            COUNTS["arrays"] += 1
            assert same(ours, np.asarray(theirs)), (path, ours, theirs)
        else:
            COUNTS["tables"] += 1
            assert ours.dtype.names == theirs.dtype.names, (path, ours.dtype, theirs.dtype)
            for name in theirs.dtype.names:
                assert same(ours[name], np.asarray(theirs[name])), (path, name, ours[name], theirs[name])
    elif isinstance(theirs, dict):
        assert set(ours) == set(theirs), (path, set(ours) ^ set(theirs))
        for key in theirs:
            compare(ours[key], theirs[key], f"{path}/{key}", arrays)
    elif isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs), path
        for index, (one, other) in enumerate(zip(ours, theirs)):
            compare(one, other, f"{path}/{index}", arrays)
    else:
        COUNTS["scalars"] += 1
        assert ours == theirs, (path, ours, theirs)


def check(path, folder):
    COUNTS["files"] += 1
    target, exported = folder / "converted.asdf", folder / "exported.npy"
    run("validate", path)
    run("convert", "--force", path, target)
    run("diff", path, target)
    with asdf_in_fits.open(path) as theirs, asdf.open(target, memmap=False) as ours:
        keys = set(theirs.tree) - {"asdf_library", "history"}
        assert set(ours.tree) - {"asdf_library", "history"} == keys, path
        arrays = {}
        for key in keys:
            compare(ours[key], theirs.tree[key], f"/{key}", arrays)
        entries = [entry["description"] for entry in theirs.get_history_entries()]
        assert [entry["description"] for entry in ours.get_history_entries()] == entries, path
        for at, expected in arrays.items():
            if expected.dtype.names is None and not isinstance(expected, fits.FITS_rec):
                run("export", path, at, "--force", "-o", exported)
                assert same(np.load(exported), np.asarray(expected)), (path, at)
                COUNTS["exported"] += 1
    info = json.loads(run("info", "--json", "--arrays", path))
    assert info["container"] == "FITS" and len(info["arrays"]) == len(arrays), (path, info["arrays"], arrays)
    # Nothing is written back.
    before = path.read_bytes()
    assert "cannot be changed" in run("set", "--no-validate", path, "/a", "1", code=1), path
    assert path.read_bytes() == before


def main():
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for path in made(folder):
            check(path, folder)
        fits.PrimaryHDU(np.arange(4)).writeto(folder / "none.fits")
        message = run("info", folder / "none.fits", code=1)
        assert "has no extension ASDF" in message and "asdf import" in message, message
    print("asdf in fits:", ", ".join(f"{count} {what}" for what, count in COUNTS.items()))


main()
