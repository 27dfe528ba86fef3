"""Outlines of images on the sky."""

import asdfast
import gwcs_files
import json
import numpy as np
import pytest
from astropy import coordinates


@pytest.fixture
def image(tmp_path):
    return gwcs_files.write_image(tmp_path / "image.asdf")


def test_corners_are_those_of_gwcs(image):
    found = asdfast.footprint(image)
    expected = gwcs_files.image_wcs().footprint(axis_type="spatial")
    assert found.vertices.shape == (4, 2) and found.vertices.dtype == np.float64
    one, other = (coordinates.SkyCoord(corners, unit="deg") for corners in (found.vertices, expected))
    assert one.separation(other).rad.max() < 1e-12
    assert (found.frame, found.path) == ("icrs", "/roman/meta/wcs")


def test_texts(image):
    found = asdfast.footprint(image)
    numbers = found.vertices.ravel()
    assert found.stcs.startswith("POLYGON ICRS ")
    assert [float(word) for word in found.stcs.split()[2:]] == list(numbers)
    assert found.ds9.startswith("icrs;polygon(")
    assert json.loads(found.geojson)["type"] == "Polygon"
    assert found.stcs in repr(found)


def test_points_along_the_edges(image):
    found = asdfast.footprint(image, points_per_edge=5).vertices
    assert found.shape == (20, 2)
    assert np.array_equal(found[::5], asdfast.footprint(image).vertices)
    for wrong in (0, 10_001):
        with pytest.raises(asdfast.UsageError, match="expected 1 to 10000"):
            asdfast.footprint(image, points_per_edge=wrong)


def test_open_files_and_paths(image, tmp_path):
    with asdfast.open(image) as file:
        assert np.array_equal(asdfast.footprint(file, "roman.meta.wcs").vertices, asdfast.footprint(str(image)).vertices)
    spectrum = gwcs_files.write(tmp_path / "spectrum.asdf", wcs=gwcs_files.spectrum_wcs())
    with pytest.raises(asdfast.AsdfError, match="sky") as caught:
        asdfast.footprint(spectrum)
    assert caught.value.file == str(spectrum)
