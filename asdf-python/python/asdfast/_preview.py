"""Pictures of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from ._asdfast import _preview

if TYPE_CHECKING:
    from ._asdfast import Array, _Source


class Preview(bytes):
    """A picture as the bytes of a PNG or JPEG file. Notebooks show it."""

    def _repr_png_(self) -> bytes | None:
        return bytes(self) if self.startswith(b"\x89PNG") else None

    def _repr_jpeg_(self) -> bytes | None:
        return bytes(self) if self.startswith(b"\xff\xd8") else None

    def __repr__(self) -> str:
        return f"<asdfast.Preview of {len(self)} bytes>"


def preview(
    source: Array | _Source,
    path: str | None = None,
    *,
    slice: Any = None,
    limits: str | tuple[float, float] | None = None,
    stretch: str = "linear",
    colormap: str = "gray",
    invert: bool = False,
    bad: tuple[int, int, int] | Literal["none"] | None = None,
    origin: Literal["bottom", "top"] = "bottom",
    size: int | tuple[int, int] | str | None = None,
    axes: bool = False,
    colorbar: bool = False,
    overlay: str | None = None,
    bits: Sequence[int] | None = None,
    x: str | None = None,
    rgb: Sequence[str] | None = None,
    grid: bool = False,
    compass: bool = False,
    wcs: str | None = None,
    format: Literal["png", "jpeg"] = "png",
) -> Preview:
    r"""Draw an image or a line, as ``asdf preview`` does.

    An array with two axes is an image, and one with one axis a line. If an array has more axes, the last two are drawn, at
    index 0 of the others. Large images are shrunk: each pixel is the mean of the elements that it covers.

    Parameters
    ----------
    source : Array, File, str or os.PathLike
        An array, an open file, or a path or URL.
    path : str, optional
        The path of the array in the file. By default it is the array named ``data``, or else the first image or line.
    slice : str, int, slice or tuple, optional
        Draw only a part of the array, as between numpy's brackets.
    limits : str or (float, float), optional
        The display range: ``"zscale"``, ``"minmax"``, ``"99.5%"``, ``"1%,99%"``, or two numbers. The default is zscale,
        ``"1%,99.9%"`` if there is a stretch, and minmax for a line.
    stretch : {"linear", "asinh", "log", "sqrt"}
        The curve from numbers to brightness.
    colormap : {"gray", "viridis", "magma", "inferno", "plasma", "cubehelix", "heat"}
        The colours from the lowest number to the highest.
    invert : bool
        Reverse the colormap.
    bad : (int, int, int) or "none", optional
        The colour of missing, NaN and infinite elements from 0 to 255. ``"none"`` makes them transparent, in PNG only.
    origin : {"bottom", "top"}
        Where the first row is.
    size : int, (int, int) or "full", optional
        The most pixels of each side, or of width and height. ``"full"`` draws one pixel for each element. The default is 1024.
    axes, colorbar : bool
        Draw axes with ticks, or a colour bar, beside an image.
    overlay : str, optional
        Mark the pixels that this array flags: a path, or the name of an array beside the image.
    bits : list of int, optional
        Mark only pixels with one of these bits.
    x : str, optional
        Draw a line over the numbers of this array: a path, or the name of an array beside the line.
    rgb : (str, str, str), optional
        Draw three images of the same shape as red, green and blue, by the method of Lupton et al. (2004).
    grid : bool
        Draw lines of longitude and latitude with labels over an image.
    compass : bool
        Draw arrows to north and east, as they are at the middle of the image.
    wcs : str, optional
        The path of the world coordinate system for `grid` and `compass`. By default it is the only one of the file, or the
        one beside the image.
    format : {"png", "jpeg"}
        The format of the picture.

    Returns
    -------
    Preview
        The bytes of the picture, which notebooks show.

    Raises
    ------
    UsageError
        If an option does not fit the array.

    Examples
    --------
    >>> import asdfast
    >>> tree = b"--- {flux: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> {data: [1, 2, 4, 8], datatype: int16}}"
    >>> asdfast.preview(b"#ASDF 1.0.0\n%YAML 1.1\n" + tree + b"\n...\n", size=(200, 100)).startswith(b"\x89PNG")
    True
    >>> asdfast.preview("image.asdf", "/roman/data", stretch="asinh", colormap="magma", grid=True, compass=True)[:4]
    b'\x89PNG'
    """
    options = {name: value for name, value in locals().items() if name != "source"}
    return Preview(_preview(source, options))
