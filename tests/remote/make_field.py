"""A small Roman level-2 image with stars at known places, and its source catalogue.

The world coordinate system has the steps of `l2_tree.asdf`: a distortion, a scale and a tangential projection. `sky` computes
the same with numpy.
"""

import copy

import numpy as np
from asdf.tagged import TaggedDict, TaggedString

FOLDER = "roman"
IMAGE = "r0000101001001001001_0001_wfi01_f158_cal.asdf"
CATALOGUE = "r0000101001001001001_0001_wfi01_f158_cat.asdf"

SIZE = 512
STARS = 80
# The brightest star, as x and y of its pixel.
BRIGHTEST = (300.0, 200.0)

RA, DEC = 269.7, 66.0
# Degrees per pixel.
SCALE = 0.11 / 3600
BEND = 2e-6


def sky(x, y):
    """Returns the right ascension and declination of pixels, in degrees."""
    x, y = np.asarray(x) - SIZE / 2, np.asarray(y) - SIZE / 2
    x, y = x + BEND * x * y, y + BEND * x * x
    # The right ascension grows to the left.
    xi, eta = np.deg2rad(-SCALE * x), np.deg2rad(SCALE * y)
    dec = np.deg2rad(DEC)
    below = np.cos(dec) - eta * np.sin(dec)
    ra = RA + np.rad2deg(np.arctan2(xi, below))
    return ra, np.rad2deg(np.arctan2(np.sin(dec) + eta * np.cos(dec), np.hypot(xi, below)))


def coefficients(terms):
    """Returns the matrix of a polynomial: `terms` has the factors by the powers of x and y."""
    matrix = np.zeros((6, 6))
    for powers, factor in terms.items():
        matrix[powers] = factor
    return matrix


def set_wcs(wcs, polynomials):
    """Fills in the numbers of a world coordinate system."""
    distortion = ({(1, 0): 1.0, (1, 1): BEND}, {(0, 1): 1.0, (2, 0): BEND})
    scale = ({(1, 0): -SCALE * 3600}, {(0, 1): SCALE * 3600})
    for polynomial, terms in zip(polynomials, distortion + scale, strict=True):
        polynomial["coefficients"] = coefficients(terms)
    wcs["pixel_shape"] = [SIZE, SIZE]
    for node in nodes(wcs):
        if "offset" in node:
            node["offset"] = -SIZE / 2
        if "phi" in node:
            node["phi"], node["theta"] = RA, DEC


def nodes(node):
    """Yields the mappings of a tree."""
    if isinstance(node, dict):
        yield node
        node = node.values()
    elif not isinstance(node, list):
        return
    for child in node:
        yield from nodes(child)


def stars(rng):
    """Returns places and fluxes of the stars. The brightest is the first."""
    x, y = rng.uniform(10, SIZE - 10, (2, STARS)).round(2)
    flux = 10 ** rng.uniform(2, 4, STARS)
    x[0], y[0] = BRIGHTEST
    flux[0] = 50_000
    # No other star is near the brightest.
    near = np.hypot(x - x[0], y - y[0]) < 40
    near[0] = False
    return x[~near], y[~near], flux[~near]


def image(rng, x, y, flux):
    """Returns an image of the stars with noise."""
    data = rng.normal(20, 0.5, (SIZE, SIZE))
    rows, columns = np.mgrid[:SIZE, :SIZE]
    for at_x, at_y, total in zip(x, y, flux, strict=True):
        data += total / (2 * np.pi) * np.exp(-((columns - at_x) ** 2 + (rows - at_y) ** 2) / 2)
    return data.astype("f4")


def column(name, values, unit=None, description=None):
    fields = {"name": name, "data": values}
    if unit is not None:
        fields["unit"] = TaggedString(unit)
        fields["unit"]._tag = "tag:stsci.edu:asdf/unit/unit-1.0.0"
    if description is not None:
        fields["description"] = description
    return TaggedDict(fields, "tag:stsci.edu:asdf/table/column-1.2.0")


def table(columns):
    fields = {"colnames": [each["name"] for each in columns], "columns": columns, "qtable": False}
    return TaggedDict(fields, "tag:astropy.org:astropy/table/table-1.3.0")


def field(tree, polynomials, rng):
    """Returns the trees of the image and of the catalogue, made of the tree without arrays."""
    tree = copy.deepcopy(tree)
    roman = tree["roman"]
    meta = roman["meta"]
    meta["filename"] = IMAGE
    meta["instrument"]["optical_element"] = "F158"
    meta["exposure"] |= {"exposure_time": 139.8, "effective_exposure_time": 138.5, "frame_time": 3.16}
    meta["pointing"] |= {"target_ra": RA, "target_dec": DEC}
    set_wcs(meta["wcs"], list(polynomials(meta["wcs"])))
    x, y, flux = stars(rng)
    shape = (SIZE, SIZE)
    dq = np.zeros(shape, "u4")
    dq.flat[::997] = 1 << 10
    small = {"data": image(rng, x, y, flux), "dq": dq, "dq2": np.zeros(shape, "u4")}
    small |= {name: np.full(shape, 0.5, "f2") for name in ("err", "var_poisson", "chisq", "dumo")}
    small["amp33"] = np.full((2, 64, 128), 7, "u2")
    for side, extent in (("left", (SIZE, 4)), ("right", (SIZE, 4)), ("top", (4, SIZE)), ("bottom", (4, SIZE))):
        small[f"border_ref_pix_{side}"] = np.zeros((1, *extent), "f4")
        small[f"dq_border_ref_pix_{side}"] = np.ones(extent, "u4")
    roman |= small
    ra, dec = sky(x, y)
    order = rng.permutation(len(x))
    columns = [
        column("label", np.arange(1, len(x) + 1, dtype="i4"), description="Identification number of the source"),
        column("ra", ra[order], "deg", "Right ascension (ICRS)"),
        column("dec", dec[order], "deg", "Declination (ICRS)"),
        column("x_centroid", x[order], "pix"),
        column("y_centroid", y[order], "pix"),
        column("segment_flux", flux[order].astype("f4"), "nJy", "Flux in the segment of the source"),
        column("segment_flux_err", np.sqrt(flux[order]).astype("f4"), "nJy"),
        column("is_extended", flux[order] < 400),
        column("warning_flags", np.where(flux[order] < 150, 1, 0).astype("i4")),
    ]
    own = {key: meta[key] for key in ("telescope", "instrument", "exposure", "origin")}
    own |= {"filename": CATALOGUE, "model_type": "ImageSourceCatalogModel"}
    tag = "asdf://stsci.edu/datamodels/roman/tags/image_source_catalog-2.2.0"
    catalogue = {"roman": TaggedDict({"meta": own, "source_catalog": table(columns)}, tag)}
    brightest = {"x": x[0], "y": y[0], "ra": float(ra[0]), "dec": float(dec[0]), "flux": float(flux[0])}
    return tree, catalogue, {"sources": len(x), "brightest": brightest}
