"""Cuts parts out of images."""

import io
import warnings

import asdf
import asdfast
import gwcs_files
import numpy as np
import pytest
from astropy import coordinates
from astropy import units as u
from astropy.io import fits
from astropy.wcs import WCS

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


@pytest.mark.parametrize("name", ["star.fits", "star.FIT", "star.fts"])
def test_fits_files_have_the_parts_and_world_coordinates(image, tmp_path, name):
    cut = asdfast.cutout(image, **centre(150, 100), size=(80, 50))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cut.write(tmp_path / name)
    with fits.open(tmp_path / name, checksum=True) as hdus, asdf.open(image) as file:
        hdus.verify("exception")
        assert [hdu.name for hdu in hdus] == ["PRIMARY", "DATA", "DQ"]
        assert hdus[0].header["NAME"] == "a star"
        assert np.array_equal(hdus["DATA"].data, IMAGE[75:125, 110:190])
        assert np.array_equal(hdus["DQ"].data, file["roman"]["dq"][75:125, 110:190])
        x, y = np.meshgrid(np.linspace(0, 79, 9), np.linspace(0, 49, 7))
        for hdu in hdus[1:]:
            found = WCS(hdu.header).pixel_to_world(x, y)
            expected = coordinates.SkyCoord(*gwcs_files.image_wcs()(x + 110, y + 75), unit="deg")
            assert found.separation(expected).arcsec.max() < 0.01 * 0.108


def test_options_of_fits_files(image, tmp_path):
    cut = asdfast.cutout(image, pixel=(150, 100), size=20)
    out = io.BytesIO()
    cut.write(out, format="fits", wcs=False)
    with fits.open(io.BytesIO(out.getvalue())) as hdus:
        assert "CTYPE1" not in hdus["DATA"].header and hdus["DATA"].data.shape == (20, 20)
    cut.write(tmp_path / "star.data", format="fits")
    assert fits.getheader(tmp_path / "star.data", "DATA")["CTYPE1"].startswith("RA---TAN")
    cut.write(tmp_path / "star.fits", format="asdf")
    assert asdfast.open(tmp_path / "star.fits").roman.data.shape == (20, 20)
    with pytest.raises(asdfast.UsageError, match="already exists"):
        cut.write(tmp_path / "star.fits")
    with pytest.raises(asdfast.UsageError, match="expected 'asdf' or 'fits'"):
        cut.write(tmp_path / "other", format="png")
    for error in [0, -1, float("nan"), float("inf")]:
        with pytest.raises(asdfast.UsageError, match="wcs_error"):
            cut.write(tmp_path / "other.fits", wcs_error=error)
    assert not (tmp_path / "other.fits").exists()


def test_world_coordinates_that_do_not_fit_are_a_warning(image, tmp_path):
    cut = asdfast.cutout(image, pixel=(200, 150), size=300)
    with pytest.warns(UserWarning, match="differ by up to .* pixels, expected up to 0.000000000000001"):
        cut.write(tmp_path / "star.fits", wcs_error=1e-15)
    other = gwcs_files.write(tmp_path / "itrs.asdf", data=IMAGE, wcs=gwcs_files.image_wcs(coordinates.ITRS()))
    part = asdfast.cutout(other, pixel=(200, 150), size=30)
    with pytest.warns(UserWarning, match="no keyword of FITS for the reference frame 'itrs'"):
        part.write(tmp_path / "part.fits")
    assert "CTYPE1" not in fits.getheader(tmp_path / "part.fits", "DATA")


def test_all_kinds_of_sources(image, tmp_path):
    data = image.read_bytes()
    parts = [
        asdfast.cutout(source, pixel=(150, 100), size=20)
        for source in [str(image), image.as_uri(), data, bytearray(data), io.BytesIO(data), asdfast.open(data)]
    ]
    with open(image, "rb") as file:
        parts.append(asdfast.cutout(file, pixel=(150, 100), size=20))
        for part in parts:
            assert np.array_equal(np.asarray(part.data), IMAGE[90:110, 140:160])
            out = io.BytesIO()
            part.write(out)
            assert asdfast.open(out.getvalue()).roman.data.shape == (20, 20)


def test_files_that_fail_are_not_written(image, tmp_path):
    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(28, "no space")

    cut = asdfast.cutout(image, pixel=(150, 100), size=20)
    for format in ["asdf", "fits"]:
        with pytest.raises(OSError, match="no space"):
            cut.write(Full(), format=format)
    with pytest.raises(asdfast.UsageError, match="cannot write to the URL"):
        cut.write("s3://bucket/star.fits")
    with pytest.raises(FileNotFoundError):
        cut.write(tmp_path / "none" / "star.fits")
