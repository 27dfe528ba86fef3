"""Makes world coordinate systems with gwcs, and files that have them."""

import asdf
import gwcs
import numpy as np
from astropy import coordinates
from astropy import units as u
from astropy.modeling import models
from gwcs import coordinate_frames as frames

SHAPE = (300, 400)


def image_wcs(frame=None):
    """Makes the wcs of an image near the pole, with a distortion of a few pixels."""
    detector = frames.Frame2D(name="detector", unit=(u.pix, u.pix))
    sky = frames.CelestialFrame(name="world", reference_frame=coordinates.ICRS() if frame is None else frame)
    shift = models.Shift(-200.25) & models.Shift(-140.5)
    x = models.Polynomial2D(3, c1_0=1, c0_1=0.01, c2_0=2 / 4e4, c0_3=2 / 8e6)
    y = models.Polynomial2D(3, c1_0=-0.02, c0_1=1, c1_1=2 / 4e4, c3_0=-2 / 8e6)
    first = shift | models.Mapping((0, 1, 0, 1)) | x & y | models.Scale(3e-5) & models.Scale(3e-5)
    rotate = models.RotateNative2Celestial(0.001, 86, 180)
    made = gwcs.WCS([(detector, first | models.Pix2Sky_TAN() | rotate), (sky, None)])
    made.bounding_box = ((-0.5, SHAPE[1] - 0.5), (-0.5, SHAPE[0] - 0.5))
    made.pixel_shape = SHAPE[::-1]
    return made


def spectrum_wcs():
    """Makes a wcs with one axis, in micrometres."""
    pixel = frames.CoordinateFrame(1, "PIXEL", (0,), unit=u.pix, name="pixel", axes_names=("x",))
    wavelength = frames.SpectralFrame(unit=u.um, name="wavelength")
    return gwcs.WCS([(pixel, models.Scale(0.002) | models.Shift(0.48)), (wavelength, None)])


def image():
    """Makes the elements of an image, which tell where they are from."""
    return np.arange(SHAPE[0] * SHAPE[1], dtype="f4").reshape(SHAPE)


def write(path, **tree):
    asdf.AsdfFile(tree).write_to(path)
    return path


def write_image(path, **options):
    """Writes an image with errors, flags, an array of another shape, and its wcs."""
    rng = np.random.default_rng(5)
    tree = {
        "data": image(),
        "dq": rng.integers(0, 9, SHAPE, dtype="u1"),
        "other": np.arange(5),
        "meta": {"wcs": image_wcs(), "name": "a star"},
    }
    asdf.AsdfFile({"roman": tree}).write_to(path, **options)
    return path
