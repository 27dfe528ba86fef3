"""Writes distorted.asdf, a file with the chain of transforms of a Roman WFI image, and distorted.txt with gwcs's answers.

The coefficients are random: this is not the WCS of an instrument. Needs gwcs 1.0.3.
"""

import pathlib

import asdf
import gwcs
import numpy as np
from astropy import units as u
from astropy.coordinates import ICRS
from astropy.modeling import fitting, models
from gwcs import coordinate_frames as cf
from gwcs import geometry

HERE = pathlib.Path(__file__).parent
SIZE = 4088
random = np.random.default_rng(20261128)


def polynomial(degree, linear, size):
    model = models.Polynomial2D(degree)
    for name in model.param_names:
        i, j = (int(part) for part in name[1:].split("_"))
        if i + j == 1:
            setattr(model, name, linear[j])
        elif i + j > 1:
            setattr(model, name, random.normal() * size / 2000.0 ** (i + j))
    return model


def inverse_of(forward, degree):
    """Fits polynomials from v2, v3 to pixels."""
    grid = np.linspace(-0.5 - 2043.5, SIZE - 0.5 - 2043.5, 80)
    x, y = np.meshgrid(grid, grid)
    v2, v3 = forward(x, y)
    fit = fitting.LinearLSQFitter()
    return fit(models.Polynomial2D(degree), v2, v3, x), fit(models.Polynomial2D(degree), v2, v3, y)


def chain():
    px, py = polynomial(5, (0.0765, -0.0789), 0.015), polynomial(5, (0.0771, 0.0784), 0.015)
    distortion = models.Mapping((0, 1, 0, 1)) | px & py
    bx, by = inverse_of(distortion, 5)
    back = models.Mapping((0, 1, 0, 1)) | bx & by
    distortion.inverse = back
    centre = models.Shift(-2043.5) & models.Shift(-2043.5)
    to_v2v3 = centre | distortion | models.Shift(1312.949) & models.Shift(-1040.785)
    to_v2v3.bounding_box = ((-0.5, SIZE - 0.5), (-0.5, SIZE - 0.5))

    aberration = (models.Scale(1.0000003455620605) & models.Scale(1.0000003455620605)
                  | models.Shift(-4.5371e-4) & models.Shift(3.5966e-4))

    arcsec = models.Scale(1 / 3600) & models.Scale(1 / 3600)
    rotation = models.RotationSequence3D([0.3647, 0.2891], "zy")
    affine = models.AffineTransformation2D([[0.9999997, 2.1e-6], [-1.9e-6, 1.0000002]], [3.3e-7, -5.1e-7])
    to_plane = (arcsec | geometry.SphericalToCartesian(wrap_lon_at=180) | rotation
                | models.Mapping((1, 0, 2, 0)) | (models.Mapping((0, 2), n_inputs=4) / models.Mapping((1, 3), n_inputs=4)))
    from_plane = (affine | models.Mapping((0, 0, 1)) | models.Const1D(1.0) & models.Identity(2) | rotation.inverse
                  | geometry.CartesianToSpherical(wrap_lon_at=180) | models.Scale(3600) & models.Scale(3600))
    correction = to_plane | from_plane
    correction.inverse = to_plane.copy() | (affine.inverse | models.Mapping((0, 0, 1)) | models.Const1D(1.0)
                                            & models.Identity(2) | rotation.inverse
                                            | geometry.CartesianToSpherical(wrap_lon_at=180)
                                            | models.Scale(3600) & models.Scale(3600))

    angles = [0.3647, 0.2891, 60.0, -65.99, 270.0]
    to_sky = (models.Scale(1 / 3600) & models.Scale(1 / 3600) | geometry.SphericalToCartesian(wrap_lon_at=180)
              | models.RotationSequence3D(angles, "zyxyz") | geometry.CartesianToSpherical(wrap_lon_at=360))

    detector = cf.Frame2D(name="detector", axes_order=(0, 1), unit=(u.pix, u.pix))
    v2v3, vacorr, corr = (
        cf.Frame2D(name=name, axes_order=(0, 1), axes_names=("v2", "v3"), unit=(u.arcsec, u.arcsec))
        for name in ("v2v3", "v2v3vacorr", "v2v3corr"))
    world = cf.CelestialFrame(name="world", reference_frame=ICRS())
    wcs = gwcs.WCS([(detector, to_v2v3), (v2v3, aberration), (vacorr, correction), (corr, to_sky), (world, None)])
    wcs.pixel_shape = (SIZE, SIZE)
    return wcs


if __name__ == "__main__":
    wcs = chain()
    file = asdf.AsdfFile({"roman": {"meta": {"wcs": wcs}}})
    file.write_to(HERE / "distorted.asdf", all_array_storage="inline")
    points = np.concatenate([random.uniform(-0.5, SIZE - 0.5, (60, 2)), [
        [-0.5, -0.5], [SIZE - 0.5, -0.5], [SIZE - 0.5, SIZE - 0.5], [-0.5, SIZE - 0.5], [-0.6, 5], [5, SIZE], [2043.5, 2043.5]]])
    with asdf.open(HERE / "distorted.asdf") as file:
        wcs = file["roman"]["meta"]["wcs"]
        ra, dec = wcs(*points.T)
        x, y = wcs.invert(ra, dec)
    with (HERE / "distorted.txt").open("w") as out:
        print("# x y, RA and Dec by gwcs 1.0.3, and x y by its inverse", file=out)
        for row in zip(*points.T, ra, dec, x, y):
            print(*(repr(float(value)) for value in row), file=out)
