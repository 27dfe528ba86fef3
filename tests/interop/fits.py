"""FITS files that astropy made, taken through `Fits` and an ASDF file, are the same for astropy."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from astropy.io import fits

PROGRAM = sys.argv[1] + "/fits"


def files():
    """Names and HDU lists."""
    header = fits.Header([("OBJECT", "it's M31", "what"), ("EXPTIME", 30.5, "[s] time"), ("COUNT", -7), ("FLAG", True),
                          ("SMALL", 1.25e-300), ("UNDEF", None)])
    header["HISTORY"] = "one " * 14
    header["COMMENT"] = "a / b = 'c'"
    header.add_blank()
    for dtype in "u1 i2 i4 i8 f4 f8 u2 u4 u8 i1".split():
        data = np.arange(24).reshape(2, 3, 4).astype(dtype)
        yield dtype, fits.HDUList([fits.PrimaryHDU(data, header), fits.ImageHDU(data[0], name="SCI")])
    columns = [
        fits.Column("id", "K", array=np.arange(5)),
        fits.Column("name", "6A", array=np.array(["a", "bb", "ccc", "", "eeeeee"])),
        fits.Column("ok", "L", array=np.array([True, False, True, True, False])),
        fits.Column("flux", "E", unit="mJy", array=np.arange(5) / 4),
        fits.Column("pair", "2D", array=np.arange(10.0).reshape(5, 2)),
        fits.Column("cube", "6J", dim="(3,2)", array=np.arange(30).reshape(5, 2, 3)),
        fits.Column("z", "C", array=np.arange(5) + 2j),
        fits.Column("u", "I", bzero=32768, array=np.arange(5, dtype="u2") + 40000),
    ]
    yield "table", fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU.from_columns(columns, name="CAT")])
    yield "empty", fits.HDUList([fits.PrimaryHDU(), fits.ImageHDU()])


def main():
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, units in files():
            before, after = Path(folder, name + ".fits"), Path(folder, name + "_after.fits")
            units.writeto(before)
            subprocess.run([PROGRAM, before, after], check=True)
            difference = fits.FITSDiff(str(before), str(after))
            if not difference.identical:
                sys.exit(f"{name}: {difference.report()}")
            with fits.open(after) as units_after:
                units_after.verify("exception")
            count += 1
    print(f"fits: {count} files the same after Fits and ASDF")


main()
