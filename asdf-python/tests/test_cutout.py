"""Cuts parts out of images."""

import asdf
import asdfast
import gwcs_files
import numpy as np
import pytest
from astropy import coordinates
from astropy import units as u

IMAGE = gwcs_files.image()


@pytest.fixture
def image(tmp_path):
    return gwcs_files.write_image(tmp_path / "image.asdf")


def centre(x, y):
    return dict(zip(("ra", "dec"), map(float, gwcs_files.image_wcs()(x, y)), strict=True))


def test_a_part_by_its_position(image):
    cut = asdfast.cutout(image, **centre(150, 100), size=(80, 50))
    assert (cut.x, cut.y, cut.shape, cut.is_clipped) == (slice(110, 190, 1), slice(75, 125, 1), (50, 80), False)
    assert np.array_equal(np.asarray(cut.data), IMAGE[75:125, 110:190])
    assert list(cut.arrays) == ["/roman/data", "/roman/dq"]
    with asdf.open(image) as file:
        assert np.array_equal(np.asarray(cut.arrays["/roman/dq"]), file["roman"]["dq"][75:125, 110:190])
    assert "80 x 50 pixels from pixel 110, 75" in repr(cut)


def test_the_wcs_is_that_of_the_part(image):
    cut = asdfast.cutout(image, **centre(150, 100), size=60)
    whole, part = asdfast.wcs(image), cut.wcs
    assert part.pixel_shape == (60, 60) and part.path == "/roman/meta/wcs"
    x, y = np.linspace(0, 59, 7), np.linspace(5, 50, 7)
    one = coordinates.SkyCoord(*part.pixel_to_world(x, y), unit="deg")
    other = coordinates.SkyCoord(*whole.pixel_to_world(x + cut.x.start, y + cut.y.start), unit="deg")
    assert one.separation(other).deg.max() < 1e-12
    assert np.isnan(part.pixel_to_world(60, 60)).all()


@pytest.mark.parametrize("size", ["5.4arcsec", "5.4 arcsec,5.4arcsec", 5.4 * u.arcsec, (50 * u.pix, "50pix"), [50, 50.0]])
def test_sizes(image, size):
    assert asdfast.cutout(image, pixel=(200, 150), size=size).shape == (50, 50)


def test_angles(image):
    place = centre(150, 100)
    sky = coordinates.SkyCoord(place["ra"], place["dec"], unit="deg")
    expected = asdfast.cutout(image, **place, size=20)
    ra, dec = sky.to_string("hmsdms", precision=8).split()
    colons = sky.to_string("hmsdms", sep=":", precision=8).split()
    for one, other in [(sky.ra, sky.dec), (ra, dec), colons]:
        found = asdfast.cutout(image, ra=one, dec=other, size=20)
        assert (found.x, found.y) == (expected.x, expected.y)


def test_a_part_at_the_edge_is_smaller(image):
    cut = asdfast.cutout(image, pixel=(0, 0), size=20)
    assert cut.shape == (10, 10) and cut.is_clipped
    assert np.array_equal(np.asarray(cut.data), IMAGE[:10, :10])


def test_the_written_file_is_read_by_asdf(image, tmp_path):
    cut = asdfast.cutout(image, pixel=(150, 100), size=(80, 50))
    out = tmp_path / "cut.asdf"
    cut.write(out)
    with asdf.open(out) as file:
        roman = file["roman"]
        assert np.array_equal(roman["data"], IMAGE[75:125, 110:190]) and np.array_equal(roman["other"], np.arange(5))
        assert roman["meta"]["name"] == "a star" and tuple(roman["meta"]["wcs"].pixel_shape) == (80, 50)
        one = coordinates.SkyCoord(*roman["meta"]["wcs"](7, 9), unit="deg")
        assert one.separation(coordinates.SkyCoord(*gwcs_files.image_wcs()(117, 84), unit="deg")).deg < 1e-12
    with pytest.raises(asdfast.UsageError, match="already exists"):
        cut.write(out)
    cut.write(out, only_cut=True, overwrite=True)
    with asdf.open(out) as file:
        assert "other" not in file["roman"] and "dq" in file["roman"]


def test_the_open_file_is_not_changed(image):
    with asdfast.open(image) as file:
        cut = asdfast.cutout(file, pixel=(150, 100), size=10)
        made = cut.to_file(only_cut=True)
        assert made["roman"]["data"].shape == (10, 10) and "other" not in made["roman"]
        assert file["roman"]["data"].shape == gwcs_files.SHAPE and "other" in file["roman"]
        assert asdfast.wcs(file).pixel_shape == gwcs_files.SHAPE[::-1]
        assert asdfast.wcs(made).pixel_shape == (10, 10)


@pytest.mark.parametrize("compression", ["zlib", "lz4"])
def test_compressed_arrays(tmp_path, compression):
    path = gwcs_files.write_image(tmp_path / "image.asdf", all_array_compression=compression)
    assert np.array_equal(np.asarray(asdfast.cutout(path, pixel=(50, 250), size=30).data), IMAGE[235:265, 35:65])


def test_only_the_part_is_read(tmp_path):
    """Bytes of the image outside of the part are not read: the file ends before the others."""
    path = gwcs_files.write_image(tmp_path / "image.asdf")
    bytes = path.read_bytes()
    start = bytes.index(IMAGE.tobytes())
    # The rows from 200 on are damaged, which a checksum of the whole block would notice.
    path.write_bytes(bytes[: start + 200 * 1600] + b"\xff" * (100 * 1600) + bytes[start + 300 * 1600 :])
    assert np.array_equal(np.asarray(asdfast.cutout(path, pixel=(100, 100), size=30).data), IMAGE[85:115, 85:115])


def test_errors(image):
    for options in [{}, {"ra": 1}, {"ra": 1, "dec": 2, "pixel": (1, 2)}]:
        with pytest.raises(asdfast.UsageError, match="expected either ra and dec, or pixel"):
            asdfast.cutout(image, size=10, **options)
    with pytest.raises(asdfast.UsageError, match="outside of the image of 400 x 300 pixels") as caught:
        asdfast.cutout(image, ra=10, dec=20, size=10)
    assert caught.value.file == str(image)
    for size in ["3parsec", -1, 0, float("nan"), "", (1, -2)]:
        with pytest.raises(asdfast.UsageError, match="size|unit"):
            asdfast.cutout(image, pixel=(1, 1), size=size)
    with pytest.raises(u.UnitConversionError):
        asdfast.cutout(image, pixel=(1, 1), size=1 * u.s)
    with pytest.raises(asdfast.UsageError, match="noon"):
        asdfast.cutout(image, ra="noon", dec=1, size=1)
    with pytest.raises(asdfast.UsageError, match="two or more axes"):
        asdfast.cutout(image, pixel=(1, 1), size=1, image="/roman/other")
