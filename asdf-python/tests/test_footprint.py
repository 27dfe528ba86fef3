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


def corners(found):
    return " ".join(f"{number!r}" for number in found.vertices.ravel().tolist())


def test_scale_and_region(image, tmp_path):
    found = asdfast.footprint(image)
    assert found.file == str(image) and found.s_region is None and found.difference is None
    x, y = np.array([199.5, 199.5, 199, 200]), np.array([149, 150, 149.5, 149.5])
    sky = coordinates.SkyCoord(*gwcs_files.image_wcs()(x, y), unit="deg")
    scale = np.sqrt(sky[0].separation(sky[1]).arcsec * sky[2].separation(sky[3]).arcsec)
    assert found.pixel_scale == pytest.approx(scale, rel=1e-9)
    same, moved = tmp_path / "same.asdf", tmp_path / "moved.asdf"
    gwcs_files.write(same, wcs=gwcs_files.image_wcs(), wcsinfo={"s_region": f"POLYGON ICRS {corners(found)}"})
    # Two pixels to the north.
    vertices = found.vertices + [0, 2 * found.pixel_scale / 3600]
    region = "POLYGON ICRS " + " ".join(map(repr, vertices.ravel().tolist()))
    gwcs_files.write(moved, wcs=gwcs_files.image_wcs(), wcsinfo={"s_region": region})
    assert asdfast.footprint(same).difference == pytest.approx(0, abs=1e-6)
    one = asdfast.footprint(moved)
    assert one.s_region == region and one.difference == pytest.approx(2, rel=1e-6)
    assert asdfast.footprint(image.read_bytes()).file is None


@pytest.fixture
def folder(tmp_path):
    night = tmp_path / "night"
    night.mkdir()
    for number in range(3):
        gwcs_files.write_image(night / f"{number}.asdf")
    gwcs_files.write(night / "two.asdf", a=gwcs_files.image_wcs(), b=[gwcs_files.image_wcs(), gwcs_files.spectrum_wcs()])
    gwcs_files.write(night / "x.asdf", data=np.arange(3))
    (night / "y.asdf").write_bytes(b"not ASDF")
    return night


@pytest.mark.parametrize("threads", [None, 1])
def test_many_files(folder, threads):
    found = asdfast.footprints(folder, threads=threads)
    names = [f"{number}.asdf" for number in range(3)] + ["two.asdf"] * 2
    assert [one.file for one in found] == [str(folder / name) for name in names]
    assert [one.path for one in found] == ["/roman/meta/wcs"] * 3 + ["/a", "/b/0"]
    assert [bool(np.array_equal(one.vertices, found[0].vertices)) for one in found] == [True] * 5
    spectrum, none, broken = found.problems
    assert "two.asdf" in spectrum and "/b/1" in spectrum and "x.asdf: the file has no world coordinate system" in none
    assert "y.asdf" in broken
    with asdfast.open(folder / "0.asdf") as file:
        one, other = asdfast.footprints([file, folder / "two.asdf"], "/roman/meta/wcs", points_per_edge=3), found[0]
    assert [len(outline.vertices) for outline in one] == [12] and len(one.problems) == 1 and one[0].file == other.file


def test_collections(folder):
    found = asdfast.footprints([folder / "0.asdf", folder / "two.asdf"])
    head, *lines = found.ds9.splitlines()
    assert head == "# Region file format: DS9 version 4.1" and len(lines) == 3
    assert lines[0] == f"{found[0].ds9} # text={{{folder / '0.asdf'}}}"
    collection = json.loads(found.geojson)
    assert collection["type"] == "FeatureCollection" and len(collection["features"]) == 3
    feature = collection["features"][0]
    assert feature["geometry"] == json.loads(found[0].geojson)
    assert feature["properties"] == {
        "file": str(folder / "0.asdf"),
        "path": "/roman/meta/wcs",
        "frame": "icrs",
        "pixel_scale": found[0].pixel_scale,
        "s_region": None,
        "difference": None,
    }
