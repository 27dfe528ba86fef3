"""Converts FITS files to ASDF and back. astropy must read the same numbers from the ASDF file, and FITSDiff must find no
difference in the exported FITS file. The files are from astropy's own tests, or made by this script."""

import gzip
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import asdf
import astropy
import numpy as np
from astropy.io import fits

PROGRAM = sys.argv[1] + "/asdf"
# Damaged files, which FITSDiff cannot find equal.
UNLIKE = {
    "idcompspec.fits": "not a FITS file",
    "header_with_time.fits": "cut off after the header",
    "header_with_time_wcslib71.fits": "cut off after the header",
}


def headers():
    """Makes cards of every kind."""
    header = fits.Header([("OBJECT", "it's M31", "what"), ("EXPTIME", 30.5, "[s] time"), ("COUNT", -7), ("FLAG", True),
                          ("SMALL", 1.25e-300), ("UNDEF", None), ("UNDEF2", None, "why"), ("ZERO", 0, ""), ("EMPTY", "")])
    header["HISTORY"] = "one " * 14
    header["COMMENT"] = "a / b = 'c'"
    header["COMMENT"] = "x" * 72
    header.add_blank()
    header["S61"] = "x" * 61
    header["S68"] = ("x" * 67 + "y", "comment")
    header["LONG"] = ("it's " * 40, "a long comment, " * 8)
    header["HIERARCH ESO DET NAME"] = ("value", "comment")
    header["HIERARCH ESO DET LONG NAME OF A KEYWORD"] = 5
    header["COMPLEX"] = 1.5 - 2j
    header["BIG"] = 2**63
    header["DOUBLE"] = fits.Card.fromstring("DOUBLE  = 1.5D-3").value
    return header


def made():
    """Yields names and HDU lists."""
    for dtype in "u1 i2 i4 i8 f4 f8 u2 u4 u8 i1".split():
        data = np.arange(24).reshape(2, 3, 4).astype(dtype)
        yield dtype, fits.HDUList([fits.PrimaryHDU(data, headers()), fits.ImageHDU(data[0], name="SCI")])
    for bits, dtype in ((8, "u1"), (16, "i2"), (32, "i4"), (64, "i8")):
        for name, cards in (("scaled", {"BSCALE": 0.1, "BZERO": 10.0}), ("blank", {"BLANK": 3}),
                            ("both", {"BSCALE": 0.5, "BZERO": -3.0, "BLANK": 7}), ("coarse", {"BZERO": 1.0e9})):
            hdu = fits.PrimaryHDU(np.arange(12, dtype=dtype).reshape(3, 4))
            hdu.header.update(cards)
            yield f"{name}{bits}", fits.HDUList([hdu])
    for dtype in ("f4", "f8"):
        hdu = fits.PrimaryHDU(np.array([1.5, np.nan, np.inf, -2.0], dtype))
        hdu.header.update({"BSCALE": 2.0, "BZERO": 1.0})
        yield "scaled" + dtype, fits.HDUList([hdu])
        hdu = fits.PrimaryHDU(np.arange(4, dtype=dtype))
        hdu.header["BLANK"] = (-32768, "which floats have not")
        yield "blank" + dtype, fits.HDUList([hdu])
    columns = [
        fits.Column("id", "K", array=np.arange(5)),
        fits.Column("name", "6A", array=np.array(["a", "bb", "ccc", "", "eeeeee"])),
        fits.Column("ok", "L", array=np.array([True, False, True, True, False])),
        fits.Column("flux", "E", unit="mJy", array=np.arange(5) / 4),
        fits.Column("odd unit", "E", unit="electrons / s per thing", array=np.arange(5) / 4),
        fits.Column("pair", "2D", array=np.arange(10.0).reshape(5, 2)),
        fits.Column("cube", "6J", dim="(3,2)", array=np.arange(30).reshape(5, 2, 3)),
        fits.Column("z", "C", array=np.arange(5) + 2j),
        fits.Column("u", "I", bzero=32768, array=np.arange(5, dtype="u2") + 40000),
        fits.Column("u4", "J", bzero=2**31, array=np.arange(5, dtype="u4") + 3_000_000_000),
        fits.Column("u8", "K", bzero=2**63, array=np.arange(5, dtype="u8") + 2**63),
        fits.Column("null", "J", null=-99, array=np.array([1, -99, 3, 4, 5])),
        fits.Column("texts", "8A", dim="(4,2)", array=np.array([["ab", "cd"]] * 5)),
        fits.Column("1", "J", array=np.arange(5)),
    ]
    yield "table", fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU.from_columns(columns, name="CAT")])
    yield "rows0", fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU.from_columns(fits.ColDefs(columns), nrows=0)])
    scaled = fits.BinTableHDU.from_columns([fits.Column(c, c, array=np.arange(5)) for c in "BIJED"])
    for index in range(1, 6):
        scaled.header[f"TSCAL{index}"] = 0.1
        scaled.header[f"TZERO{index}"] = 3.0
    yield "tscal", fits.HDUList([fits.PrimaryHDU(), scaled])
    lists = [np.arange(3), np.arange(0), np.arange(7), np.arange(1)]
    columns = [fits.Column("p" + c, f"P{c}()", array=np.array([a.astype(d) for a in lists], dtype=object))
               for c, d in zip("BIJKED", "u1 i2 i4 i8 f4 f8".split())]
    columns.append(fits.Column("q", "QD()", array=np.array([a.astype("f8") for a in lists], dtype=object)))
    columns.append(fits.Column("bits", "11X", array=np.arange(44).reshape(4, 11) % 3 == 0))
    yield "vla", fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU.from_columns(columns)])
    columns = [fits.Column("a", "A5", array=["one", "two", "three"]), fits.Column("i", "I6", array=[1, -2, 3]),
               fits.Column("e", "E15.7", array=[1.5, -2.5e10, 0]), fits.Column("d", "D25.16", array=[1 / 3, 1e-99, 2]),
               fits.Column("f", "F10.3", array=[1.5, 2.25, -3])]
    yield "ascii", fits.HDUList([fits.PrimaryHDU(), fits.TableHDU.from_columns(columns)])
    rng = np.random.default_rng(1)
    pixels = rng.normal(1000, 30, (60, 71))
    for method in ("RICE_1", "GZIP_1", "GZIP_2", "HCOMPRESS_1", "PLIO_1"):
        for dtype in ("u1", "i2", "i4") if method != "PLIO_1" else ("i2",):
            data = (pixels / 8).clip(0, 255).astype(dtype)
            yield f"{method}_{dtype}", fits.HDUList(
                [fits.PrimaryHDU(), fits.CompImageHDU(data, headers(), compression_type=method)])
    for method in ("RICE_1", "GZIP_1", "GZIP_2", "HCOMPRESS_1"):
        for dither in (-1, 1, 2):
            data = pixels.astype("f4")
            data[3, 5:9] = 0
            if method != "HCOMPRESS_1":
                data[10, 10] = np.nan
            yield f"{method}_f4_{dither}", fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(
                data, compression_type=method, quantize_method=dither, dither_seed=7)])
    yield "unsigned_rice", fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(np.arange(600, dtype="u2").reshape(20, 30) + 40000)])
    yield "lossless", fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(pixels, compression_type="GZIP_2", quantize_level=0)])
    yield "tiles", fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(
        np.arange(4 * 30 * 41, dtype="i4").reshape(4, 30, 41), tile_shape=(1, 7, 10))])
    yield "empty", fits.HDUList([fits.PrimaryHDU(), fits.ImageHDU()])
    groups = fits.GroupData(np.arange(100.0).reshape(10, 1, 1, 2, 5), parnames=["a", "b"], pardata=[np.arange(10), np.arange(10)], bitpix=-32)
    yield "groups", fits.HDUList([fits.GroupsHDU(groups)])


def odd(folder):
    """Makes files with cards that astropy does not write."""
    plain = fits.PrimaryHDU(np.arange(4, dtype="i2"))
    plain.header["MARK"] = "here"
    path = Path(folder, "plain.fits")
    plain.writeto(path)
    before = path.read_bytes()
    at = before.index(b"MARK    = 'here")
    for name, card in (("spaces", b"KEY WITH SPACES = 5"), ("latin", b"MARK    = 'caf\xe9'"), ("lower", b"mark    = 5"),
                       ("exponent", b"MARK    = 1.50D+03 / c"), ("broken", b"MARK    = 5 apples"),
                       ("tight", b"MARK    ='x'/c" + b"c" * 60), ("big", b"MARK    = 123456789012345678901234567890")):
        path = Path(folder, f"odd_{name}.fits")
        path.write_bytes(before[:at] + card.ljust(80) + before[at + 80:])
        yield path


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def equal(ours, theirs):
    """Returns whether two arrays have the same numbers. Our masked elements are not compared."""
    ours, theirs = np.ma.asarray(ours), np.asarray(theirs)
    if theirs.dtype.kind in "SU":
        clean = lambda a: np.char.rstrip(np.char.rstrip(np.asarray(a).astype("U"), "\0"))
        return ours.shape == theirs.shape and bool(np.all(clean(ours.data) == clean(theirs)))
    if ours.shape != theirs.shape:
        return ours.size == theirs.size == 0
    kind = theirs.dtype.kind in "fc"
    return bool(np.all(np.ma.getmaskarray(ours) | (np.equal(ours.data, theirs) | (kind and (np.isnan(ours.data) & np.isnan(theirs))))))


def same_column(ours, theirs):
    theirs_all = np.asarray(theirs)
    if theirs_all.dtype == object:
        # Rows are padded to the longest. astropy's tables drop the mask of the added elements.
        ours = np.ma.asarray(ours).data
        if ours.dtype.kind in "SU":
            return all(str(a) == str(b) for a, b in zip(ours.astype("U"), theirs))
        flat = ours.reshape(len(theirs), -1) if ours.size else np.zeros((len(theirs), 0))
        return all(np.array_equal(np.asarray(a)[: np.size(b)], np.ravel(b)) for a, b in zip(flat, theirs))
    return equal(ours, theirs_all)


def differences(ours, theirs):
    """Describes how the data of a unit differs from that which astropy reads from the FITS file."""
    if theirs is None:
        return []
    if theirs.dtype.names is None:
        return [] if equal(ours, theirs) else ["image"]
    return [name for name in theirs.dtype.names if not same_column(ours[name], theirs[name])]


def check(path, folder, counts):
    """Checks one file. Returns the faults, and whether the whole file could be read."""
    target, arrays, after = (Path(folder, name) for name in ("x.asdf", "arrays.asdf", "after.fits"))
    wrong = []
    done = run("import", path, target, "--force")
    if done.returncode == 2 or not target.exists():
        return ["import: " + done.stderr.strip()], False
    whole = done.returncode == 0
    counts["imported"] += whole
    exported = run("export", target, "/data", "-o", after, "--force")
    if exported.returncode:
        return ["export: " + exported.stderr.strip()], whole
    difference = fits.FITSDiff(str(path), str(after))
    if difference.identical:
        counts["identical"] += 1
    else:
        wrong.append("FITSDiff: " + difference.report()[-600:])
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    counts["bytes"] += raw == after.read_bytes()
    if not whole:
        return wrong, whole
    with fits.open(path) as theirs, asdf.open(target, memmap=False) as file:
        units = file["data"]
        if all(hdu.data is not None for hdu in theirs[1:]):
            if not isinstance(units, fits.HDUList):
                wrong.append("asdf-astropy does not read it")
            else:
                for index, (one, other) in enumerate(zip(units, theirs)):
                    found = differences(one.data, other.data) if one.data is not None or other.data is not None else []
                    wrong.extend(f"asdf-astropy: HDU {index}: {name}" for name in found)
        done = run("import", path, arrays, "--as", "arrays", "--force")
        if all(hdu.data is None for hdu in theirs):
            return wrong, whole
        if done.returncode:
            return [*wrong, "arrays: " + done.stderr.strip()], whole
        with asdf.open(arrays, memmap=False) as file:
            values = list(file["data"].values())
            data = [hdu.data for hdu in theirs if hdu.data is not None]
            if len(values) != len(data):
                return [*wrong, "arrays: other units"], whole
            for index, (one, other) in enumerate(zip(values, data)):
                one = one if hasattr(one, "columns") else (one._make_array() if hasattr(one, "_make_array") else np.asarray(one))
                wrong.extend(f"arrays: {index}: {name}" for name in differences(one, other))
    counts["values"] += not wrong
    return wrong, whole


def check_checksums(path, folder):
    """Checks `export --checksum`: astropy must find the checksums right, and units must keep their kind."""
    source, target = Path(folder, "x.asdf"), Path(folder, "sums.fits")
    if run("export", source, "/data", "--checksum", "-o", target, "--force").returncode:
        return ["not exported with checksums"]
    wrong = []
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with fits.open(target, checksum=True) as ours, fits.open(path) as theirs:
            for index, (one, other) in enumerate(zip(ours, theirs)):
                raw = fits.BinTableHDU if isinstance(one, fits.CompImageHDU) else type(one)
                if type(one) is not type(other) and not issubclass(raw, type(other)):
                    wrong.append(f"with checksums HDU {index} is a {type(one).__name__}, not a {type(other).__name__}")
                _ = one.data
    # astropy repairs nonstandard cards before it verifies the checksum, so sum the words of the file instead.
    words = int(np.fromfile(target, ">u4").sum(dtype="u8"))
    while words >> 32:
        words = (words & 0xFFFFFFFF) + (words >> 32)
    if words != 0xFFFFFFFF:
        wrong += [str(w.message) for w in found if "checksum" in str(w.message).lower()] or ["wrong checksums"]
    return wrong


def check_units(folder):
    """Checks `export --hdus --meta --checksum` and `import --hdu` with astropy."""
    source, target, again = (Path(folder, name) for name in ("image.asdf", "image.fits", "again.asdf"))
    data = np.arange(12, dtype="f4").reshape(3, 4)
    dq = np.array([[0, 1], [2**31 + 5, 7]], "u4")
    meta = {"exposure": 12.5, "instrument": {"name": "WFI"}, "calibrated": True, "list": [1, 2], "telescope_name": "R"}
    asdf.AsdfFile({"roman": {"data": data, "err": data / 3, "dq": dq, "meta": meta}}).write_to(source)
    done = run("export", source, "/roman", "--hdus", "data,err,dq", "--meta", "/roman/meta", "--checksum", "-o", target)
    assert done.returncode == 0, done.stderr
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with fits.open(target, checksum=True) as units:
            assert [unit.name for unit in units] == ["PRIMARY", "DATA", "ERR", "DQ"]
            for unit, expected in zip(units[1:], (data, data / 3, dq)):
                assert equal(unit.data, expected), unit.name
                assert "DATASUM" in unit.header and "CHECKSUM" in unit.header
            header = units[0].header
            found = header["EXPOSURE"], header["INSTRUMENT NAME"], header["CALIBRATED"], header["TELESCOPE_NAME"]
            assert found == (12.5, "WFI", True, "R") and "LIST" not in header
    assert run("import", target, again, "--hdu", "DQ").returncode == 0
    with asdf.open(again, memmap=False) as file:
        assert equal(file["data"][-1].data, dq) and len(file["data"]) == 2


def main():
    warnings.simplefilter("ignore")
    counts = dict.fromkeys(("files", "imported", "identical", "bytes", "values", "checksums"), 0)
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        check_units(folder)
        generated = Path(folder, "made")
        generated.mkdir()
        paths = []
        for name, units in made():
            paths.append(generated / f"{name}.fits")
            units.writeto(paths[-1])
        zipped = generated / "zipped.fits.gz"
        zipped.write_bytes(gzip.compress((generated / "table.fits").read_bytes()))
        paths += [zipped, *odd(folder)]
        root = Path(astropy.__path__[0])
        paths += sorted(p for e in ("*.fits", "*.fits.gz", "*.fit", "*.fits.fz") for p in root.glob("**/tests/**/data/**/" + e))
        for path in paths:
            counts["files"] += 1
            try:
                wrong, whole = check(path, folder, counts)
                if whole and not wrong:
                    wrong = check_checksums(path, folder)
                    counts["checksums"] += not wrong
            except Exception as error:  # a file that astropy does not read either
                wrong, whole = [f"{type(error).__name__}: {error}"], True
            if wrong and path.name not in UNLIKE:
                failed.append(path.name)
                print(f"{path.name}: " + "; ".join(wrong)[:700])
    print("fits: " + ", ".join(f"{name} {count}" for name, count in counts.items()))
    if failed:
        sys.exit("fits: wrong: " + " ".join(failed))


main()
