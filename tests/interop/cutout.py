"""Compares the world coordinates of `asdf cutout` and `asdf export --to fits` with gwcs and astropy.wcs."""

import subprocess
import sys
import tempfile
from pathlib import Path

import asdf
import gwcs
import numpy as np
from astropy import coordinates, units
from astropy.io import fits
from astropy.modeling import models
from astropy.time import Time
from astropy.wcs import WCS
from astropy.wcs.utils import wcs_to_celestial_frame
from gwcs import coordinate_frames

PROGRAM = sys.argv[1] + "/asdf"
SHAPE = (300, 400)
COUNT = 0


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True)
    if done.returncode:
        sys.exit(f"asdf {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def check(value, limit, what):
    """Ends the program if a difference is above its limit or NaN."""
    global COUNT
    COUNT += 1
    if not value <= limit:
        sys.exit(f"{what}: {value}, expected up to {limit}")


def system(distortion, quantities, frame=coordinates.ICRS()):
    """Makes a wcs of an image near the pole or longitude 0, with a distortion of `distortion` pixels."""
    pixel = units.pix if quantities else 1
    degree = units.deg if quantities else 1
    detector = coordinate_frames.Frame2D(name="detector", unit=(units.pix, units.pix))
    sky = coordinate_frames.CelestialFrame(name="world", reference_frame=frame)
    shift = models.Shift(-200.25 * pixel) & models.Shift(-140.5 * pixel)
    if quantities:
        scale = models.Multiply(3e-5 * degree / pixel) & models.Multiply(3e-5 * degree / pixel)
        first = shift | scale
    else:
        x = models.Polynomial2D(3, c1_0=1, c0_1=0.01, c2_0=distortion / 4e4, c0_3=distortion / 8e6)
        y = models.Polynomial2D(3, c1_0=-0.02, c0_1=1, c1_1=distortion / 4e4, c3_0=-distortion / 8e6)
        scale = models.Scale(3e-5) & models.Scale(3e-5)
        first = shift | models.Mapping((0, 1, 0, 1)) | x & y | scale
    rotate = models.RotateNative2Celestial(0.001 * degree, 86 * degree, 180 * degree)
    made = gwcs.WCS([(detector, first | models.Pix2Sky_TAN() | rotate), (sky, None)])
    made.bounding_box = (
        ((-0.5 * pixel, (SHAPE[1] - 0.5) * pixel), (-0.5 * pixel, (SHAPE[0] - 0.5) * pixel))
        if quantities
        else ((-0.5, SHAPE[1] - 0.5), (-0.5, SHAPE[0] - 0.5))
    )
    made.pixel_shape = SHAPE[::-1]
    return made


def separation(one, other):
    """Returns the largest angle in degrees between positions in degrees."""
    one, other = (coordinates.SkyCoord(*sky, unit="deg") for sky in (one, other))
    return one.separation(other).deg.max()


def values(made, x, y):
    # A box of a transform with quantities needs quantities, which `pixel_to_world_values` does not pass.
    if made.forward_transform.uses_quantity:
        return [value.value for value in made.forward_transform(x * units.pix, y * units.pix)]
    return list(made(x, y))


def check_frame(found, expected, what):
    """Ends the program if astropy reads another frame, or its equinox differs by a minute and more."""
    assert type(found) is type(expected), (what, found)
    if hasattr(expected, "equinox"):
        check(abs(found.equinox.tt.jyear - expected.equinox.tt.jyear), 2e-6, f"{what}: equinox")


def main():
    random = np.random.default_rng(20)
    image = random.normal(size=SHAPE).astype("f4")
    flags = random.integers(0, 9, SHAPE, dtype="u1")
    cases = [(system(d, False), f"distortion of {d} pixels") for d in (0, 0.01, 1, 20)]
    cases.append((system(0, True), "quantities"))
    frames = [coordinates.Galactic(), coordinates.FK5(), coordinates.FK5(equinox="J1975"), coordinates.FK5(equinox="B1975")]
    frames += [coordinates.FK5(equinox=Time(50000.0, format="mjd", scale="tt")), coordinates.FK4()]
    frames += [coordinates.FK4(equinox="B1975"), coordinates.FK4NoETerms(equinox=Time("1960-02-29", scale="tt"))]
    cases += [(system(1, False, frame), repr(frame)) for frame in frames]
    with tempfile.TemporaryDirectory() as folder:
        for made, what in cases:
            folder = Path(folder)
            tree = {"image": {"data": image, "dq": flags, "other": np.arange(5), "meta": {"wcs": made, "n": 7}}}
            asdf.AsdfFile(tree).write_to(folder / "in.asdf")
            x0, y0, width, height = 117, 60, 80, 50
            centre = values(made, x0 + width / 2 - 0.25, y0 + height / 2 - 0.25)
            place = ["--ra", repr(float(centre[0])), f"--dec={float(centre[1])!r}", "--size", f"{width},{height}"]
            if what == "quantities":
                place = ["--pixel", f"{x0 + width / 2 - 0.25},{y0 + height / 2 - 0.25}", "--size", f"{width},{height}"]
            x, y = random.uniform(-0.5, width - 0.5, 2000), random.uniform(-0.5, height - 0.5, 2000)
            expected = values(made, x + x0, y + y0)

            # The same tree with a part of the arrays, whose positions are the same.
            run("cutout", folder / "in.asdf", *place, "-o", folder / "out.asdf", "--force")
            with asdf.open(folder / "out.asdf") as file:
                part = file["image"]
                assert np.array_equal(part["data"], image[y0 : y0 + height, x0 : x0 + width]), what
                assert np.array_equal(part["dq"], flags[y0 : y0 + height, x0 : x0 + width]), what
                assert np.array_equal(part["other"], np.arange(5)) and part["meta"]["n"] == 7, what
                cut = part["meta"]["wcs"]
                assert tuple(cut.pixel_shape) == (width, height), (what, cut.pixel_shape)
                check(separation(values(cut, x, y), expected), 1e-12, f"{what}: asdf")
                outside = values(cut, np.array([width - 0.4]), np.array([1.0]))
                assert cut.forward_transform.uses_quantity or np.isnan(outside[0]).all(), (what, outside)

            # FITS, to the error that was asked for, or the one that the header states if no degree is good enough.
            for limit in (0.01, 1e-6):
                run("cutout", folder / "in.asdf", *place, "--wcs-error", limit, "-o", folder / "out.fits", "--force")
                run("export", folder / "in.asdf", "/image/data", "--wcs-error", limit, "-o", folder / "all.fits", "--force")
                for name, hdu, start in [("out.fits", "DATA", (0, 0)), ("all.fits", 0, (x0, y0))]:
                    header = fits.getheader(folder / name, hdu)
                    found = WCS(header)
                    sky = found.all_pix2world(x + start[0], y + start[1], 0)
                    pixels = separation(sky, expected) / 3e-5
                    check(pixels, max(1.1 * limit, 1.1 * header.get("SIPMXERR", 0), 1e-7), f"{what}: {name} to {limit} pixel")
                    check_frame(wcs_to_celestial_frame(found), made.output_frame.reference_frame, what)
                    assert ("A_ORDER" in header) == header["CTYPE1"].endswith("-SIP"), what
                    if found.sip is not None:
                        plane = found.wcs_world2pix(np.column_stack(expected), 1) - found.wcs.crpix
                        powers = range(found.sip.ap.shape[0])
                        added = [
                            sum(ab[p, q] * plane[:, 0] ** p * plane[:, 1] ** q for p in powers for q in powers)
                            for ab in (found.sip.ap, found.sip.bp)
                        ]
                        back = plane + np.column_stack(added) + found.wcs.crpix - 1
                        off = np.hypot(back[:, 0] - x - start[0], back[:, 1] - y - start[1]).max()
                        check(off, max(1.1 * limit, 1.1 * header["SIPIVERR"], 1e-7), f"{what}: the inverse in {name} to {limit} pixel")
                assert fits.getdata(folder / "out.fits", "DQ").shape == (height, width), what
    print(f"cutout: {COUNT} comparisons with gwcs and astropy.wcs")


main()
