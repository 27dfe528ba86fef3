"""Outlines of many images."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ._asdfast import Footprint, _footprints
from ._files import _listed

if TYPE_CHECKING:
    from ._asdfast import _Source


class Footprints(list[Footprint]):
    """The outlines of many images.

    Attributes
    ----------
    problems : list of str
        Why files or world coordinate systems have no outline.
    """

    def __init__(self, footprints: Iterable[Footprint] = (), problems: Iterable[str] = ()) -> None:
        super().__init__(footprints)
        self.problems = list(problems)

    @property
    def ds9(self) -> str:
        """The text of a region file of SAOImage DS9."""
        lines = ["# Region file format: DS9 version 4.1"]
        for one in self:
            name = "".join("_" if character in "{}" or not character.isprintable() else character for character in one.file or "")
            lines.append(f"{one.ds9} # text={{{name}}}")
        return "\n".join(lines) + "\n"

    @property
    def geojson(self) -> str:
        """The text of a GeoJSON collection, with longitudes from -180 to 180."""
        features = [
            {"type": "Feature", "geometry": json.loads(one.geojson), "properties": _properties(one)} for one in self
        ]
        return json.dumps({"type": "FeatureCollection", "features": features})


def _properties(one: Footprint) -> dict[str, Any]:
    names = ("file", "path", "frame", "pixel_scale", "s_region", "difference")
    values = {name: getattr(one, name) for name in names}
    # JSON has no NaN.
    return {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in values.items()}


def footprints(
    files: _Source | Iterable[_Source],
    path: str | None = None,
    *,
    points_per_edge: int = 1,
    threads: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Footprints:
    """Compute the outlines of all images of many files on the sky.

    Parameters
    ----------
    files : str, os.PathLike, or a list of these and of File
        Folders with files below them, paths, patterns, URLs and open files. A URL of a folder ends with ``/``.
    path : str, optional
        Only use the world coordinate system at this path. The default is all of each file.
    points_per_edge : int
        The number of points along each edge of an image. With 1 these are the corners.
    threads : int, optional
        The number of files to open at once. The default is the number of processors, and 32 for URLs.
    storage_options : dict, optional
        Options for URLs, as for `open`.

    Returns
    -------
    Footprints
        A list of `Footprint`. A file without an outline is one of its `problems`.

    Examples
    --------
    >>> import asdfast
    >>> found = asdfast.footprints(["image.asdf", "night/"])
    >>> [outline.file for outline in found], len(found.problems)
    (['image.asdf'], 2)
    >>> found.ds9.splitlines()[0]
    '# Region file format: DS9 version 4.1'
    """
    options = None if storage_options is None else dict(storage_options)
    return Footprints(*_footprints(_listed(files), path, points_per_edge, threads, options))
