"""Compares world coordinates with gwcs."""

import pickle
import threading

import asdfast
import gwcs
import numpy as np
import pytest
from astropy import coordinates
from astropy import units as u
from astropy.modeling import models
from gwcs import coordinate_frames as frames
from gwcs import examples
import gwcs_files

# The limits of tests/interop: radians on the sky, pixels, and relative.
SKY, PIXEL, RELATIVE = 1e-12, 1e-9, 1e-12


@pytest.fixture
def image(tmp_path):
    return gwcs_files.write_image(tmp_path / "image.asdf")


def separation(one, other):
    """Returns the largest angle in radians."""
    one, other = (coordinates.SkyCoord(*sky, unit="deg") for sky in (one, other))
    return one.separation(other).rad.max()


def test_pixels_are_converted_as_by_gwcs(image):
    theirs, ours = gwcs_files.image_wcs(), asdfast.wcs(image)
    rng = np.random.default_rng(1)
    x, y = rng.uniform(-0.5, 399.5, 5000), rng.uniform(-0.5, 299.5, 5000)
    found = ours.pixel_to_world(x, y)
    assert all(column.dtype == np.float64 and column.shape == (5000,) for column in found)
    assert separation(found, theirs(x, y)) < SKY
    back = ours.world_to_pixel(*found)
    # Rounding of an angle in degrees changes a pixel of 0.1 arcseconds by 5e-10.
    limit = PIXEL + 2 * np.spacing(90.0) / 3e-5
    assert np.abs(back[0] - x).max() < limit and np.abs(back[1] - y).max() < limit


def test_floats_give_floats_and_arrays_are_broadcast(image):
    wcs = asdfast.wcs(image)
    ra, dec = wcs.pixel_to_world(10, 20.0)
    assert type(ra) is float and type(dec) is float
    x, y = np.arange(4), np.arange(3)[:, np.newaxis]
    found = wcs.pixel_to_world(x, y)
    assert found[0].shape == found[1].shape == (3, 4)
    assert found[0][2, 3] == wcs.pixel_to_world(3, 2)[0]
    # Every second element of an array, in another datatype and byte order.
    strided = np.arange(20, dtype=">i2")[::2]
    assert np.array_equal(wcs.pixel_to_world(strided, 7)[0], wcs.pixel_to_world(strided.astype(float), 7.0)[0])
    assert np.array_equal(wcs.pixel_to_world([1, 2], [3, 4])[1], wcs.pixel_to_world(np.array([1.0, 2]), np.array([3.0, 4]))[1])
    assert wcs.pixel_to_world(np.empty((0, 2)), 1)[0].shape == (0, 2)
    fortran = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    assert np.array_equal(wcs.pixel_to_world(fortran, 0)[0], wcs.pixel_to_world(np.arange(12.0).reshape(3, 4), 0)[0])
    with pytest.raises(ValueError, match="broadcast"):
        wcs.pixel_to_world([1, 2], [1, 2, 3])
    with pytest.raises(TypeError, match="expected 2 coordinates .*, found 1"):
        wcs.pixel_to_world(1)


def test_quantities_are_converted(image):
    wcs = asdfast.wcs(image)
    ra, dec = wcs.pixel_to_world(10, 20)
    x, y = wcs.world_to_pixel(ra * 60 * u.arcmin, np.radians(dec) * u.rad)
    assert abs(x - 10) < 1e-6 and abs(y - 20) < 1e-6
    with pytest.raises(u.UnitConversionError):
        wcs.world_to_pixel(1 * u.s, 2 * u.s)


def test_points_outside_are_nan(image):
    wcs = asdfast.wcs(image)
    assert np.isnan(wcs.pixel_to_world(-1, 0)).all()
    assert np.isnan(wcs.world_to_pixel(100.0, -20.0)).all()
    assert np.isnan(wcs.pixel_to_world(np.nan, 0)).all()


def test_attributes(image):
    wcs = asdfast.wcs(image)
    assert wcs.path == "/roman/meta/wcs"
    assert [frame.name for frame in wcs.frames] == ["detector", "world"]
    assert (wcs.frames[1].kind, wcs.frames[1].reference, wcs.reference) == ("celestial", "icrs", "icrs")
    assert (wcs.pixel_n_dim, wcs.world_n_dim) == (2, 2)
    assert wcs.pixel_axis_names == ("x", "y")
    assert wcs.pixel_axis_units == ("pixel", "pixel")
    assert wcs.world_axis_names == ("lon", "lat")
    assert wcs.world_axis_units == wcs.frames[1].axis_units == ("deg", "deg")
    assert wcs.world_axis_physical_types == gwcs_files.image_wcs().world_axis_physical_types
    assert wcs.pixel_shape == (400, 300)
    assert wcs.bounding_box == ((-0.5, 399.5), (-0.5, 299.5))
    assert wcs.unsupported == []
    assert all(abs(size - 3600 * 3e-5) < 0.01 for size in wcs.pixel_scale())
    assert wcs.contains(*wcs.pixel_to_world(5, 5)) and not wcs.contains(0, 0)
    assert repr(wcs) == '<asdfast.Wcs "/roman/meta/wcs": detector > world>'
    assert "celestial, icrs" in repr(wcs.frames[1])


def test_the_footprint_is_that_of_gwcs(image):
    found = asdfast.wcs(image).footprint()
    assert found.shape == (4, 2)
    assert separation(found.T, gwcs_files.image_wcs().footprint(axis_type="spatial").T) < SKY


def test_one_axis_is_not_in_a_tuple(tmp_path):
    theirs = gwcs_files.spectrum_wcs()
    wcs = asdfast.wcs(gwcs_files.write(tmp_path / "spectrum.asdf", wcs=theirs))
    x = np.linspace(0, 100, 7)
    assert np.allclose(wcs.pixel_to_world(x), theirs(x), rtol=RELATIVE, atol=0)
    assert wcs.world_axis_units == ("um",)
    assert abs(wcs.world_to_pixel(500 * u.nm) - 10) < PIXEL
    with pytest.raises(asdfast.AsdfError, match="sky"):
        wcs.footprint()


@pytest.mark.parametrize("name", ["gwcs_3d_galactic_spectral", "gwcs_2d_spatial_shift", "gwcs_4d_identity_units"])
def test_examples_of_gwcs(tmp_path, name):
    theirs = getattr(examples, name)()
    theirs = theirs[0] if isinstance(theirs, tuple) else theirs
    wcs = asdfast.wcs(gwcs_files.write(tmp_path / "example.asdf", wcs=theirs))
    rng = np.random.default_rng(2)
    points = [rng.uniform(1, 5, 50) for _ in range(theirs.pixel_n_dim)]
    found, expected = wcs.pixel_to_world(*points), theirs.pixel_to_world_values(*points)
    for one, other in zip(found, expected, strict=True):
        assert np.allclose(one, getattr(other, "value", other), rtol=RELATIVE, atol=1e-12, equal_nan=True)


def test_frames_in_the_middle(tmp_path):
    detector = frames.Frame2D(name="detector", unit=(u.pix, u.pix))
    focal = frames.Frame2D(name="focal", unit=(u.deg, u.deg))
    sky = frames.CelestialFrame(name="world", reference_frame=coordinates.ICRS())
    scale = models.Scale(3e-5) & models.Scale(3e-5)
    rotate = models.Pix2Sky_TAN() | models.RotateNative2Celestial(10, 20, 180)
    made = gwcs.WCS([(detector, scale), (focal, rotate), (sky, None)])
    wcs = asdfast.wcs(gwcs_files.write(tmp_path / "steps.asdf", wcs=made))
    assert np.allclose(wcs.transform("detector", "focal", 100, 200), (3e-3, 6e-3), rtol=RELATIVE)
    assert separation(wcs.transform("focal", "world", 3e-3, 6e-3), wcs.pixel_to_world(100, 200)) < SKY
    with pytest.raises(asdfast.AsdfError, match="nowhere"):
        wcs.transform("detector", "nowhere", 1, 2)


def test_errors_name_what_is_wrong(tmp_path, image):
    several = gwcs_files.write(tmp_path / "several.asdf", a=gwcs_files.image_wcs(), b=gwcs_files.spectrum_wcs())
    with pytest.raises(asdfast.UsageError, match="2 world coordinate systems"):
        asdfast.wcs(several)
    assert asdfast.wcs(several, "b").path == asdfast.wcs(several, path="/b").path == "/b"
    none = gwcs_files.write(tmp_path / "none.asdf", a=1)
    with pytest.raises(asdfast.MissingError, match="no world coordinate system"):
        asdfast.wcs(none)
    with pytest.raises(asdfast.MissingError) as caught:
        asdfast.wcs(image, "/roman/wcs")
    assert caught.value.file == str(image)
    with pytest.raises(asdfast.UsageError, match="'exact' or 'stored'"):
        asdfast.wcs(image).world_to_pixel(1, 2, inverse="quick")
    with pytest.raises(FileNotFoundError):
        asdfast.wcs(tmp_path / "missing.asdf")
    with pytest.raises(TypeError, match="cannot open an object of type int"):
        asdfast.wcs(5)


def test_a_transform_without_a_formula_is_named(tmp_path):
    path = tmp_path / "unknown.asdf"
    gwcs_files.write(path, wcs=gwcs_files.spectrum_wcs())
    path.write_bytes(path.read_bytes().replace(b"!transform/scale-", b"!transform/scoop-"))
    wcs = asdfast.wcs(path)
    ((place, tag),) = wcs.unsupported
    assert "transform/scoop-" in tag
    with pytest.raises(asdfast.UnsupportedError, match="scoop") as caught:
        wcs.pixel_to_world(1)
    assert caught.value.path == place


def test_an_open_file_is_used(image):
    with asdfast.open(image) as file:
        wcs = asdfast.wcs(file)
    assert wcs.path == asdfast.wcs(image.read_bytes()).path == "/roman/meta/wcs"
    assert np.isfinite(wcs.pixel_to_world(1, 2)).all()


def test_pickle(image):
    wcs = asdfast.wcs(image)
    again = pickle.loads(pickle.dumps(wcs))
    assert again.pixel_to_world(3, 4) == wcs.pixel_to_world(3, 4)


def test_threads_share_a_wcs(image):
    wcs, results = asdfast.wcs(image, threads=1), []
    x = np.linspace(0, 300, 1000)
    threads = [threading.Thread(target=lambda: results.append(wcs.pixel_to_world(x, x)[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and all(np.array_equal(result, results[0], equal_nan=True) for result in results)


def test_millions_of_points(image):
    wcs = asdfast.wcs(image)
    x = np.tile(np.linspace(0, 399, 1000), 3000)
    found = wcs.pixel_to_world(x, 5)
    assert np.array_equal(found[0][-1000:], found[0][:1000]) and np.isfinite(found[0]).all()


def test_steps_have_transforms(image):
    wcs = asdfast.wcs(image)
    first, last = wcs.steps
    assert [step.frame.name for step in wcs.steps] == ["detector", "world"] == [frame.name for frame in wcs.frames]
    assert first.path == "/roman/meta/wcs/steps/0/transform" and first.tag.startswith("tag:stsci.edu:asdf/transform/")
    assert (first.n_inputs, first.n_outputs, first.unsupported) == (2, 2, [])
    assert (last.path, last.tag, last.name, last.n_inputs, last.n_outputs) == (None,) * 5
    assert "2 to 2" in repr(first) and "world" in repr(last)


def test_coordinates_as_texts(image):
    wcs = asdfast.wcs(image)
    ra, dec = wcs.pixel_to_world(150, 100)
    place = coordinates.SkyCoord(ra, dec, unit="deg")
    expected = wcs.world_to_pixel(ra, dec)
    texts = [place.to_string(style, precision=9).split() for style in ("hmsdms", "decimal")]
    texts.append(place.to_string("hmsdms", sep=":", precision=9).split())
    for lon, lat in texts:
        assert np.allclose(wcs.world_to_pixel(lon, lat), expected, atol=1e-4)
        x, y = wcs.world_to_pixel(np.array([lon, lon]), [lat, lat])
        assert x.shape == (2,) and np.allclose(x, expected[0], atol=1e-4) and np.allclose(y, expected[1], atol=1e-4)
    assert wcs.pixel_to_world("150", "1e2") == (ra, dec)
    for wrong in ("noon", "10d"):
        with pytest.raises(asdfast.UsageError, match="expected a number"):
            wcs.pixel_to_world(wrong, 1)
