"""Pictures of arrays, and HTML for notebooks."""

import zlib

import asdf
import asdfast
import gwcs_files
import numpy as np
import pytest


def size_of(png):
    """Returns the width and height in the header of a PNG file."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


@pytest.fixture
def image(tmp_path):
    return gwcs_files.write_image(tmp_path / "image.asdf")


@pytest.fixture
def sky(tmp_path):
    bands = {name: np.full((20, 30), number, "f4") for number, name in enumerate("rgb")}
    bands["cube"] = np.arange(2 * 3 * 4).reshape(2, 3, 4)
    bands["time"], bands["flux"] = np.linspace(0, 9, 50), np.sin(np.linspace(0, 9, 50))
    bands["one"], bands["name"] = np.array(5.0), "<script>alert(1)</script>"
    return gwcs_files.write(tmp_path / "sky.asdf", **bands)


def test_an_image_is_png(image):
    png = asdfast.preview(image)
    assert isinstance(png, bytes) and size_of(png)[0] <= 1024
    assert png._repr_png_() == bytes(png) and png._repr_jpeg_() is None
    with asdfast.open(image) as file:
        assert asdfast.preview(file, "roman.data") == png
        assert size_of(asdfast.preview(file["roman"]["data"])) == size_of(png)


def test_sizes_and_parts(image):
    assert size_of(asdfast.preview(image, size="full")) == (400, 300)
    assert size_of(asdfast.preview(image, size=100)) == (100, 75)
    assert size_of(asdfast.preview(image, size=(80, 90))) == (80, 60)
    for part in ["10:40, 0:50", (slice(10, 40), slice(0, 50)), (..., slice(10, 40), slice(50))]:
        assert size_of(asdfast.preview(image, slice=part, size="full")) == (50, 30)


def test_options_change_the_picture(image):
    plain = asdfast.preview(image)
    pictures = [
        asdfast.preview(image, limits=(0, 1000)),
        asdfast.preview(image, limits="minmax", stretch="asinh"),
        asdfast.preview(image, colormap="magma"),
        asdfast.preview(image, invert=True),
        asdfast.preview(image, origin="top"),
        asdfast.preview(image, axes=True),
        asdfast.preview(image, colorbar=True),
        asdfast.preview(image, overlay="dq"),
        asdfast.preview(image, overlay="/roman/dq", bits=[3]),
    ]
    assert len({plain, *pictures}) == len(pictures) + 1
    assert asdfast.preview(image, limits=(0, 1000)) == asdfast.preview(image, limits="0,1000")


def test_jpeg(image):
    jpeg = asdfast.preview(image, format="jpeg", bad=(255, 0, 0))
    assert jpeg.startswith(b"\xff\xd8") and jpeg._repr_jpeg_() == bytes(jpeg) and jpeg._repr_png_() is None
    with pytest.raises(asdfast.UsageError, match="JPEG does not support transparent"):
        asdfast.preview(image, format="jpeg", bad="none")


def test_lines_cubes_and_colours(sky):
    line = asdfast.preview(sky, "/flux", x="time", size=(300, 200))
    assert size_of(line) == (300, 150) and line != asdfast.preview(sky, "/flux", size=(300, 200))
    assert size_of(asdfast.preview(sky, "/cube", size="full")) == (4, 3)
    assert size_of(asdfast.preview(sky, "/cube", slice=1, size="full")) == (4, 3)
    assert size_of(asdfast.preview(sky, rgb=("r", "g", "b"), size="full")) == (30, 20)


def test_errors(sky, tmp_path):
    for options, message in [
        ({"path": "/one"}, "single value"),
        ({"path": "/r", "x": "time"}, "one axis"),
        ({"path": "/flux", "colorbar": True}, "two axes"),
        ({"path": "/r", "format": "gif"}, "'png' or 'jpeg'"),
        ({"path": "/r", "origin": "left"}, "'bottom' or 'top'"),
        ({"path": "/r", "bad": "red"}, "'none'"),
        ({"path": "/r", "rgb": ("r", "g", "b")}, "both path and rgb"),
        ({"rgb": ("r", "g")}, "three paths"),
    ]:
        with pytest.raises(asdfast.UsageError, match=message):
            asdfast.preview(sky, **options)
    for options in [{"stretch": "power"}, {"colormap": "jet"}, {"limits": "all"}, {"size": "0"}]:
        with pytest.raises(asdfast.AsdfError):
            asdfast.preview(sky, "/r", **options)
    with pytest.raises(asdfast.AsdfError) as caught:
        asdfast.preview(sky, "/nothing")
    assert caught.value.file == str(sky)


def test_html_shows_the_tree(image):
    with asdfast.open(image) as file:
        text = file._repr_html_()
        assert text == asdfast.html(file)
        assert "array 300 x 400, float32" in text and "a star" in text
        assert "array 300 x 400, uint8" in file["roman"]["dq"]._repr_html_()
        assert asdfast.html(file, depth=0).count("<details") == 0
        assert "tag:stsci.edu:gwcs/wcs-" in file["roman"]["meta"]._repr_html_()


def test_html_is_escaped_and_short(sky, tmp_path):
    assert "<script" not in asdfast.html(asdfast.open(sky)) and "&lt;script&gt;" in asdfast.html(asdfast.open(sky))
    many = gwcs_files.write(tmp_path / "many.asdf", list=list(range(500)), text="x" * 5000)
    text = asdfast.html(asdfast.open(many), entries=10)
    assert "490 more" in text and "x" * 200 not in text


def test_html_reads_no_elements(tmp_path):
    path = tmp_path / "damaged.asdf"
    asdf.AsdfFile({"data": np.arange(100)}).write_to(path, all_array_compression="zlib")
    bytes = path.read_bytes()
    start = bytes.index(b"\xd3BLK") + 54
    path.write_bytes(bytes[:start] + b"\0" * 20 + bytes[start + 20 :])
    file = asdfast.open(path)
    assert "array 100, int64" in file._repr_html_()
    with pytest.raises(asdfast.AsdfError):
        file["data"][:]


def pixels(png):
    """Decodes a PNG file with a palette to the red, green and blue of its pixels."""
    width, height = size_of(png)
    assert (png[24], png[25]) == (8, 3)
    data, at = b"", 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        chunk = png[at + 8 : at + 8 + length]
        if png[at + 4 : at + 8] == b"IDAT":
            data += chunk
        elif png[at + 4 : at + 8] == b"PLTE":
            palette = np.frombuffer(chunk, "u1").reshape(-1, 3)
        at += length + 12
    raw = zlib.decompress(data)
    rows, above = [], bytearray(width)
    for number in range(height):
        start = number * (width + 1)
        row = bytearray(raw[start + 1 : start + 1 + width])
        for place in range(width):
            left = row[place - 1] if place else 0
            corner = above[place - 1] if place else 0
            up = above[place]
            nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[place] = (row[place] + [0, left, up, (left + up) // 2, nearest][raw[start]]) % 256
        rows.append(np.frombuffer(bytes(row), "u1"))
        above = row
    return palette[np.stack(rows)].astype(int)


def drawn(picture, plain):
    """The rows and columns of the pixels that a picture has and a plain one does not."""
    return np.nonzero(np.abs(pixels(picture) - pixels(plain)).max(axis=2) > 20)


def test_lines_of_the_grid_are_on_the_sky(image):
    plain = asdfast.preview(image, size="full", origin="top")
    grid = asdfast.preview(image, size="full", origin="top", grid=True)
    assert size_of(grid) == (400, 300) and plain != grid
    is_drawn = np.zeros((300, 400), bool)
    is_drawn[drawn(grid, plain)] = True
    y, x = np.mgrid[:300, :400]
    ra, dec = asdfast.wcs(image).pixel_to_world(x, y)
    scale = asdfast.footprint(image).pixel_scale / 3600

    def covered(values, start, step, scale):
        """The part of the pixels on lines that are drawn."""
        distance = (values - start + step / 2) % step - step / 2
        return is_drawn[np.abs(distance) < 0.5 * scale].mean()

    # The program says: ra every 00h00m10s, dec every 00d00m05s.
    for values, step, size in [(dec, 5 / 3600, scale), (ra, 10 / 240, scale / np.cos(np.deg2rad(dec)))]:
        assert covered(values, 0, step, size) > 0.9
        assert covered(values, 0.5 * step, step, size) < 0.3


def test_the_compass_points_to_the_north(image):
    plain = asdfast.preview(image, size="full", origin="top")
    marked = asdfast.preview(image, size="full", origin="top", compass=True)
    y, x = drawn(marked, plain)
    assert len(x) > 50 and np.ptp(x) < 120 and np.ptp(y) < 120
    assert asdfast.preview(image, compass=True) != asdfast.preview(image, compass=True, origin="top")
    assert asdfast.preview(image, grid=True, compass=True) not in (plain, marked)


def test_the_grid_is_that_of_the_shown_part(image):
    part = asdfast.preview(image, slice="50:250, 100:300", size="full", origin="top", grid=True)
    assert size_of(part) == (200, 200)
    plain = asdfast.preview(image, slice="50:250, 100:300", size="full", origin="top")
    y, x = drawn(part, plain)
    ra, dec = asdfast.wcs(image).pixel_to_world(x + 100, y + 50)
    assert len(x) > 500
    with asdfast.open(image) as file:
        assert asdfast.preview(file, "/roman/data", slice=(slice(50, 250), slice(100, 300)), size="full", origin="top", grid=True) == part


def test_the_world_coordinates_of_pictures(image, tmp_path):
    two = gwcs_files.write(
        tmp_path / "two.asdf",
        a={"data": gwcs_files.image(), "meta": {"wcs": gwcs_files.image_wcs()}},
        b={"wcs": gwcs_files.image_wcs()},
        small=np.zeros((20, 30)),
        line=np.arange(5),
    )
    own = asdfast.preview(two, "/a/data", grid=True)
    assert own == asdfast.preview(two, "/a/data", grid=True, wcs="/b/wcs")
    with pytest.warns(UserWarning, match="the image has 30 x 20 pixels, but the world coordinates are those of 400 x 300"):
        asdfast.preview(two, "/small", grid=True, wcs="/b/wcs")
    for options, message in [
        ({"path": "/small", "grid": True}, "2 world coordinate systems"),
        ({"path": "/line", "compass": True}, "expected an image for grid and compass"),
        ({"path": "/a/data", "wcs": "/b/wcs"}, "wcs needs grid or compass"),
        ({"path": "/a/data", "grid": True, "slice": "3"}, "one axis|last two axes"),
        ({"rgb": ("/a/data",) * 3, "grid": True}, "which need one image"),
    ]:
        with pytest.raises(asdfast.UsageError, match=message):
            asdfast.preview(two, **options)
    with asdfast.open(two) as file, pytest.raises(asdfast.UsageError, match="expected a file for"):
        asdfast.preview(file.a.data, grid=True)
    none = gwcs_files.write(tmp_path / "none.asdf", data=np.zeros((9, 9)))
    with pytest.raises(asdfast.MissingError, match="no world coordinate system"):
        asdfast.preview(none, compass=True)
