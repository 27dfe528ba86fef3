"""Makes transforms of each kind with random parameters, for `wcs.py`."""

import numpy as np
from astropy import units as u
from astropy.modeling import models as m
from astropy.modeling import projections
from astropy.modeling.bounding_box import CompoundBoundingBox, ModelBoundingBox
from astropy.modeling.core import fix_inputs
from gwcs.fitswcs import FITSImagingWCSTransform
from gwcs.geometry import CartesianToSpherical, FromDirectionCosines, SphericalToCartesian, ToDirectionCosines
from gwcs.selector import LabelMapper, LabelMapperArray, LabelMapperDict, LabelMapperRange, RegionsSelector
from gwcs.spectroscopy import (
    AnglesFromGratingEquation3D,
    SellmeierGlass,
    SellmeierZemax,
    Snell3D,
    WavelengthFromGratingEquation,
)

LON, LAT = (-400.0, 400.0), (-90.0, 90.0)
PLANE = (-180.0, 180.0)
XYZ = ("", "", "")
EULER = "zxz xyx yzy zyz xzx yxy xyz yzx zxy xzy zyx yxz".split()


class Case:
    """A transform, the ranges of its inputs, and what of it cannot be compared.

    `sky_in` and `sky_out` say that the first two inputs or outputs are longitude and latitude. `units_in` and `units_out`
    are the units of the frames; if None, degrees if there are longitudes, otherwise one."""

    def __init__(self, name, model, ranges, sky_in=False, sky_out=False, units_in=None, units_out=None, nan=True, inverse=True):
        self.name, self.model, self.ranges, self.sky_in, self.sky_out = name, model, ranges, sky_in, sky_out
        unit = u.deg if sky_in or sky_out else u.one
        self.units_in, self.units_out = units_in or (unit,) * model.n_inputs, units_out or (unit,) * model.n_outputs
        # Whether gwcs has an answer for NaN, and an inverse that works.
        self.nan, self.inverse = nan, inverse


def parameters(rng, code):
    """Returns parameters of a projection within its domain."""
    between = rng.uniform
    sign = rng.choice([-1, 1])
    return {
        "AZP": lambda: (between(0, 3), between(-60, 60)),
        "SZP": lambda: (between(1.1, 3), between(-180, 180), between(40, 90)),
        "SIN": lambda: (between(-0.5, 0.5), between(-0.5, 0.5)),
        "AIR": lambda: (between(10, 90),),
        "CYP": lambda: (between(0.2, 3), between(0.2, 3)),
        "CEA": lambda: (between(0.1, 1),),
        "COP": lambda: (sign * between(20, 70), between(0, 15)),
        "COE": lambda: (sign * between(20, 70), between(0, 15)),
        "COD": lambda: (sign * between(20, 70), between(0, 15)),
        "COO": lambda: (sign * between(20, 70), between(0, 15)),
        "BON": lambda: (sign * between(10, 80),),
        "HPX": lambda: (int(rng.integers(1, 6)), int(rng.integers(1, 6))),
    }.get(code, tuple)()


def projected(rng):
    """Yields the projections, with their defaults and with random parameters."""
    for code in projections.projcodes:
        sets = [(), parameters(rng, code), parameters(rng, code)] if parameters(rng, code) else [()]
        if code in ("AZP", "SZP"):
            sets.append((-1.5, *sets[1][1:]))
        # A cone needs a latitude other than the pole, and `bonne_equal_area` is another projection at the equator.
        for values in sets[1:] if code.startswith("CO") else sets:
            name = f"{code}{tuple(round(float(value), 3) for value in values)}"
            yield Case(f"pix2sky {name}", getattr(m, "Pix2Sky_" + code)(*values), [PLANE, PLANE], sky_out=True)
            yield Case(f"sky2pix {name}", getattr(m, "Sky2Pix_" + code)(*values), [(-180, 180), LAT], sky_in=True)


def imaging(rng):
    for code in ("TAN", "SIN", "ARC", "CAR", "AIT", "COE", "BON", "XPH", "HPX"):
        for lat in (rng.uniform(-90, 90), 90.0, 0.0):
            projection = getattr(m, "Pix2Sky_" + code)(*parameters(rng, code))
            model = FITSImagingWCSTransform(
                projection, crpix=rng.uniform(100, 200, 2), crval=[rng.uniform(0, 360), lat],
                cdelt=rng.uniform(0.01, 0.2, 2) * [-1, 1], pc=np.eye(2) + rng.uniform(-0.3, 0.3, (2, 2)))
            yield Case(f"fitswcs_imaging {code} {lat:.3g}", model, [(0, 300), (0, 300)], sky_out=True)


def rotations(rng):
    for _ in range(3):
        a, b, c = rng.uniform(-400, 400, 3)
        sky = {"sky_in": True, "sky_out": True}
        yield Case("native2celestial", m.RotateNative2Celestial(a, b / 5, c), [LON, LAT], **sky)
        yield Case("celestial2native", m.RotateCelestial2Native(a, b / 5, c), [LON, LAT], **sky)
        order = str(rng.choice(EULER))
        yield Case(f"rotate3d {order}", m.EulerAngleRotation(a, b, c, order), [LON, LAT], **sky)
        order = "".join(rng.choice(list("xyz"), 5))
        angles = rng.uniform(-400, 400, 5)
        yield Case(f"rotate_sequence_3d {order}", m.RotationSequence3D(angles, order), [(-2, 2)] * 3)
        yield Case(f"rotate_sequence_3d spherical {order}", m.SphericalRotationSequence(angles, order), [LON, LAT], **sky)
        yield Case("rotate2d", m.Rotation2D(a), [(-50, 50)] * 2)
    for special in ((0, 90, 180), (0, 0, 180), (120, -90, 180), (0, 0, 0), (90, 45, 360)):
        yield Case(f"native2celestial {special}", m.RotateNative2Celestial(*special), [LON, LAT], **sky)
        yield Case(f"celestial2native {special}", m.RotateCelestial2Native(*special), [LON, LAT], **sky)


def spherical(rng):
    for wrap in (180, 360):
        yield Case(f"spherical_to_cartesian {wrap}", SphericalToCartesian(wrap_lon_at=wrap), [LON, LAT], sky_in=True, units_out=XYZ)
        yield Case(f"cartesian_to_spherical {wrap}", CartesianToSpherical(wrap_lon_at=wrap), [(-1.5, 1.5)] * 3, sky_out=True, units_in=XYZ)
    for wrap in (180, 360):
        pair = SphericalToCartesian(wrap_lon_at=wrap) | CartesianToSpherical(wrap_lon_at=wrap)
        arcsec = m.Scale(3600) & m.Scale(3600) | m.Scale(1 / 3600) & m.Scale(1 / 3600)
        sky = {"sky_in": True, "sky_out": True}
        yield Case(f"there and back {wrap}", pair, [LON, (-120, 120)], **sky)
        yield Case(f"there and back twice {wrap}", pair | arcsec | pair, [LON, (-120, 120)], **sky)
        back = CartesianToSpherical(wrap_lon_at=wrap) | SphericalToCartesian(wrap_lon_at=wrap)
        yield Case(f"back and there {wrap}", back, [(-1.5, 1.5)] * 3, units_in=XYZ, units_out=XYZ)
        back = CartesianToSpherical(wrap_lon_at=wrap) | arcsec | SphericalToCartesian(wrap_lon_at=540 - wrap)
        yield Case(f"back and there in seconds of arc {wrap}", back, [(-1.5, 1.5)] * 3, units_in=XYZ, units_out=XYZ)
        yield Case(f"shifted between {wrap}", CartesianToSpherical(wrap_lon_at=wrap) | m.Shift(50) & m.Identity(1), [(-1.5, 1.5)] * 3, sky_out=True)


def linear(rng):
    a, b, c = rng.uniform(-5, 5, 3)
    wide = (-100, 100)
    yield Case("shift", m.Shift(a), [wide])
    yield Case("scale", m.Scale(a), [wide])
    yield Case("multiplyscale", m.Multiply(b), [wide])
    yield Case("linear1d", m.Linear1D(a, b), [wide])
    yield Case("planar2d", m.Planar2D(a, b, c), [wide, wide])
    yield Case("constant", m.Const1D(a), [wide])
    yield Case("constant of two", m.Const2D(a), [wide, wide])
    yield Case("affine", m.AffineTransformation2D(rng.normal(size=(2, 2)), rng.normal(size=2)), [wide, wide])
    yield Case("redshift_scale_factor", m.RedshiftScaleFactor(abs(a)), [wide])
    yield Case("identity", m.Identity(3), [wide] * 3)
    yield Case("remap_axes", m.Mapping((2, 0, 1)), [wide] * 3)
    yield Case("remap_axes twice", m.Mapping((1, 0, 1)), [wide] * 2)
    yield Case("remap_axes dropped", m.Mapping((2, 0), n_inputs=4), [wide] * 4)
    chain = m.Shift(a) | m.Scale(b) | m.Shift(c) | m.Linear1D(b, c) | m.Multiply(a)
    yield Case("chain of linear", chain, [wide])
    yield Case("chain that cancels", m.Shift(1e6 + a) | m.Shift(-1e6) | m.Scale(3) | m.Scale(1 / 3), [wide])
    twice = m.Shift(a) & m.Shift(b) | m.AffineTransformation2D(rng.normal(size=(2, 2)), rng.normal(size=2))
    yield Case("chain of affine", twice | m.Rotation2D(33) | m.Scale(b) & m.Scale(c) | twice, [wide] * 2)


def arithmetic(rng):
    wide = (-10, 10)
    left, right = m.Polynomial1D(2, c0=1, c1=-2, c2=0.5), m.Linear1D(*rng.uniform(1, 3, 2))
    for name, model in (
        ("add", left + right), ("subtract", left - right), ("multiply", left * right), ("divide", left / right),
        ("power", m.Shift(0) ** m.Const1D(2.5)), ("power of integers", right ** m.Const1D(3)), ("power by both", right ** left),
        ("nested", (left + right) * (left - right) / (right ** m.Const1D(2))),
    ):
        yield Case(name, model, [wide])
    two = m.Identity(2) * (m.Mapping((1, 0)) | m.Shift(3) & m.Scale(2)) + m.Rotation2D(20)
    yield Case("arithmetic of two", two, [wide, wide])
    yield Case("fix_inputs by name", fix_inputs(m.Planar2D(1, 2, 3), {"x": 2.5}), [wide])
    yield Case("fix_inputs by number", fix_inputs(m.Planar2D(1, 2, 3) & m.Scale(2), {1: 0.75}), [wide, wide])
    yield Case("fix_inputs of two", fix_inputs(m.Planar2D(3, 2, 1) & m.Planar2D(1, 2, 3), {0: 0.75, 2: 5}), [wide, wide])
    yield Case("fix_inputs within", m.Shift(1) | fix_inputs(m.Planar2D(1, 2, 3) & m.Scale(2), {1: 0.75, 2: 2}), [wide])


def polynomials(rng):
    for degree in (0, 1, 3, 5):
        coefficients = {f"c{i}": value for i, value in enumerate(rng.normal(size=degree + 1))}
        yield Case(f"polynomial {degree}", m.Polynomial1D(degree, **coefficients), [(-2, 2)])
        yield Case(f"polynomial {degree} with a domain", m.Polynomial1D(degree, domain=(0, 50), window=(-1, 2), **coefficients), [(-10, 60)])
        yield Case(f"polynomial {degree} with a domain alone", m.Polynomial1D(degree, domain=(0, 50), **coefficients), [(-10, 60)])
        names = [f"c{i}_{j}" for i in range(degree + 1) for j in range(degree + 1 - i)]
        coefficients = dict(zip(names, rng.normal(size=len(names)), strict=True))
        yield Case(f"polynomial of two {degree}", m.Polynomial2D(degree, **coefficients), [(-2, 2)] * 2)
        domains = {"x_domain": (0, 10), "y_domain": (-5, 20), "x_window": (-1, 1), "y_window": (0, 1)}
        yield Case(f"polynomial of two {degree} with domains", m.Polynomial2D(degree, **coefficients, **domains), [(-2, 12), (-6, 22)])
        yield Case(f"polynomial of two {degree} with a domain", m.Polynomial2D(degree, **coefficients, y_domain=(0, 5)), [(-2, 2), (-1, 6)])
    for name in ("Chebyshev", "Legendre", "Hermite"):
        one, two = getattr(m, name + "1D"), getattr(m, name + "2D")
        for degree in (0, 1, 2, 6):
            coefficients = {f"c{i}": value for i, value in enumerate(rng.normal(size=degree + 1))}
            yield Case(f"{name} {degree}", one(degree, **coefficients), [(-1.2, 1.2)])
            yield Case(f"{name} {degree} with a domain", one(degree, domain=(0, 9), window=(-1, 0.5), **coefficients), [(-1, 10)])
            yield Case(f"{name} {degree} with a window", one(degree, window=(-1, 0.5), **coefficients), [(-1, 1)])
        for across, up in ((0, 3), (2, 1), (4, 4)):
            coefficients = {f"c{i}_{j}": rng.normal() for i in range(across + 1) for j in range(up + 1)}
            yield Case(f"{name} {across} {up}", two(across, up, **coefficients), [(-1.2, 1.2)] * 2)
            domains = {"x_domain": (0, 10), "y_domain": (-5, 20), "x_window": (-1, 1), "y_window": (0, 1)}
            yield Case(f"{name} {across} {up} with domains", two(across, up, **coefficients, **domains), [(-2, 12), (-6, 22)])
            yield Case(f"{name} {across} {up} with a domain", two(across, up, **coefficients, x_domain=(0, 10)), [(-2, 12), (-1, 1)])


def tables(rng):
    points = np.cumsum(rng.uniform(0.5, 2, 12)) - 3
    rising, wild = np.cumsum(rng.uniform(0.1, 2, 12)), rng.normal(size=12)
    span = [(points[0], points[-1])]
    wider = [(points[0] - 4, points[-1] + 4)]
    for method in ("linear", "nearest"):
        for fill in (None, np.nan, -7.5):
            options = {"method": method, "bounds_error": False, "fill_value": fill}
            for name, table in (("rising", rising), ("falling", rising[::-1].copy()), ("wild", wild)):
                model = m.Tabular1D(points=points, lookup_table=table, **options)
                yield Case(f"tabular {name} {method} {fill}", model, wider)
                yield Case(f"tabular {name} {method} {fill} within", model | m.Scale(1.5), wider)
            falling = m.Tabular1D(points=points[::-1].copy(), lookup_table=wild, **options)
            yield Case(f"tabular falling points {method} {fill}", falling | m.Scale(1.5), wider)
            rows = np.array([0.0, 1, 2.5, 4])
            two = m.Tabular2D(points=(points, rows), lookup_table=rng.normal(size=(12, 4)), **options)
            yield Case(f"tabular of two {method} {fill}", two, wider + [(-1, 5)])
            yield Case(f"tabular of two {method} {fill} within", two | m.Scale(1.5), wider + [(-1, 5)])
    yield Case("tabular with bounds_error", m.Tabular1D(points=points, lookup_table=rising) | m.Scale(2), span)
    yield Case("tabular at whole numbers", m.Tabular1D(lookup_table=wild, method="nearest", bounds_error=False, fill_value=None) | m.Scale(2), [(-3, 14)])
    holes = wild.copy()
    holes[[3, 7]] = np.nan
    yield Case("tabular with NaN", m.Tabular1D(points=points, lookup_table=holes, bounds_error=False) | m.Scale(2), wider)
    yield Case("tabular of one point", m.Tabular1D(points=[1.0], lookup_table=[9.0], bounds_error=False) | m.Scale(2), [(0, 2)])
    yield Case("tabular of integers", m.Tabular1D(points=np.arange(5), lookup_table=np.array([4, 8, 9, 11, 30]), bounds_error=False) | m.Scale(2), [(-1, 5)])


def functions(rng):
    a, f, p = rng.uniform(0.5, 2), rng.uniform(0.1, 0.4), rng.uniform(-0.3, 0.3)
    for name in ("Sine1D", "Cosine1D", "Tangent1D"):
        yield Case(name, getattr(m, name)(a, f, p), [(-3, 3)])
    for name in ("ArcSine1D", "ArcCosine1D"):
        yield Case(name, getattr(m, name)(a, f, p), [(-a, a)])
        yield Case(f"{name} within", getattr(m, name)(a, f, p) | m.Scale(2), [(-a * 1.5, a * 1.5)])
    yield Case("ArcTangent1D", m.ArcTangent1D(a, f, p), [(-9, 9)])
    yield Case("Exponential1D", m.Exponential1D(a, p), [(-3, 3)])
    yield Case("Logarithmic1D", m.Logarithmic1D(a, f), [(0.01, 9)])


def optics(rng):
    cosines = (-0.6, 0.6)
    yield Case("to_direction_cosines", ToDirectionCosines(), [(-2, 2)] * 3)
    yield Case("from_direction_cosines", FromDirectionCosines(), [(-2, 2)] * 4)
    yield Case("grating_equation wavelength", WavelengthFromGratingEquation(20000.0, -1), [cosines] * 2)
    yield Case("grating_equation angle", AnglesFromGratingEquation3D(20000.0, 2), [(1e-6, 2e-5), cosines, cosines])
    yield Case("snell3d", Snell3D(), [(1.1, 1.6), cosines, cosines, cosines])
    glass = [0.58339748, 0.46085267, 3.8915394], [0.00252643, 0.010078333, 1200.556]
    yield Case("sellmeier_glass", SellmeierGlass(*glass), [(0.5, 5)])
    yield Case("sellmeier_zemax", SellmeierZemax(35.0, 293.0, 1.0, 0.3, *glass, [-2.66e-05, 1e-8, 1e-11], [3e-7, 1e-9, 0.2]), [(0.6, 5)])


def selectors(rng):
    mask = rng.integers(0, 4, size=(9, 7))
    parts = {1: m.Shift(1) & m.Shift(10), 2: m.Scale(2) & m.Scale(3), 5: m.Identity(2)}
    names = ("x", "y"), ("a", "b")
    box = [(-0.5, 6.499), (-0.5, 8.499)]
    first = m.Mapping((0,), n_inputs=2)
    boxed = LabelMapperArray(mask)

    def selected(mapper, parts=parts, undefined=np.nan):
        model = RegionsSelector(*names, parts, mapper, undefined)
        # Outside of the array, gwcs fails or takes elements from its end.
        model.bounding_box = ModelBoundingBox.validate(model, {"x0": box[0], "x1": box[1]} if "x0" in model.inputs else box, order="F")
        return model

    yield Case("regions_selector array", selected(boxed), box, nan=False)
    yield Case("regions_selector array undefined", selected(boxed, undefined=-99.0), box, nan=False)
    letters = np.array(["", "s1", "s2", "far"])[mask]
    yield Case("regions_selector strings", selected(LabelMapperArray(letters), {"s1": parts[1], "far": parts[2]}), box, nan=False)
    yield Case("regions_selector shifted", selected(LabelMapperArray(mask.T.copy(), inputs_mapping=m.Mapping((1, 0)))), box, nan=False)
    chosen = {1.0: first | m.Const1D(5.0), 2.0: first | m.Shift(0.0), 4.0: first | m.Const1D(7.0)}
    by_number = LabelMapperDict(names[0], chosen, inputs_mapping=first, atol=0.3)
    yield Case("regions_selector dict", selected(by_number), box)
    ranges = {(0.5, 2.0): first | m.Const1D(1.0), (2.0, 3.0): first | m.Const1D(2.0), (4.0, 6.0): first | m.Const1D(9.0)}
    by_range = LabelMapperRange(names[0], ranges, inputs_mapping=first)
    yield Case("regions_selector range", selected(by_range), box)
    yield Case("label_mapper dict", by_number, [(-1, 6), (-1, 9)])
    yield Case("label_mapper range", by_range, [(-1, 7), (-1, 9)])
    rounded = LabelMapper(names[0], m.Tabular1D(lookup_table=[1, 2, 5, 3, 1, 1, 2], method="nearest", bounds_error=False, fill_value=None), no_label=0, inputs_mapping=first)
    yield Case("regions_selector model", selected(rounded), box)


def boxed(rng):
    wide = [(-5, 15)] * 2
    for order in "CF":
        model = m.Shift(1) & m.Scale(2)
        model.bounding_box = ModelBoundingBox.validate(model, ((0, 10), (2, 5.5)), order=order)
        yield Case(f"bounding_box {order}", model, wide)
    model = m.Shift(1) & m.Scale(2)
    model.bounding_box = ModelBoundingBox({"x0": (0, 10)}, model, ignored=["x1"])
    yield Case("bounding_box with an ignored input", model, wide, inverse=False)
    inner, plain = m.Shift(1), m.Scale(2) & m.Scale(2)
    inner.bounding_box = (0, 1)
    yield Case("bounding_box of a part", (inner & inner | plain) | inner & inner, wide)
    model = m.Shift(3)
    model.bounding_box = (-1, 4)
    yield Case("bounding_box of one", model, wide[:1])
    model = m.Mapping((0,), n_inputs=2) | m.Const1D(3.0)
    model.bounding_box = ((0, 1), (0, 1))
    yield Case("bounding_box of a constant", model, [(-0.5, 1.5)] * 2)
    model = m.Shift(1) & m.Identity(1) & m.Scale(3)
    model.inputs = ("x", "order", "y")
    boxes = {(1,): ((0, 1), (10, 20)), (2,): ((2, 3), (30, 40))}
    model.bounding_box = CompoundBoundingBox.validate(model, boxes, selector_args=[("order", True)], order="F")
    yield Case("compound_bounding_box", model, [(0, 3), (1, 2), (10, 40)], inverse=False)
    model = m.Polynomial1D(1, c0=1, c1=2)
    model.inverse = m.Polynomial1D(1, c0=-0.5, c1=0.5)
    model.inverse.bounding_box = (0, 4)
    yield Case("inverse with a bounding_box", model, wide[:1])
    model = m.Polynomial2D(1, c0_0=1, c1_0=2, c0_1=0.5) & m.Shift(1) | m.Mapping((0, 1))
    model.inverse = m.Mapping((0, 1, 1))
    yield Case("inverse", model, [(-5, 5)] * 3)


def with_units(rng):
    pix, arcsec, deg = u.pix, u.arcsec, u.deg
    tan = m.Pix2Sky_TAN() | m.RotateNative2Celestial(10 * deg, 20 * deg, 180 * deg)
    pixels = (pix, pix)
    wide = [(-50, 50)] * 2
    yield Case("units: TAN", m.Shift(-3 * pix) & m.Shift(2 * pix) | m.Multiply(30 * arcsec / pix) & m.Multiply(25 * arcsec / pix) | tan, wide, sky_out=True, units_in=pixels, units_out=(deg, deg))
    yield Case("units: TAN into radians", m.Multiply(0.1 * deg / pix) & m.Multiply(5 * u.arcmin / pix) | tan, wide, sky_out=True, units_in=pixels, units_out=(u.rad, u.rad))
    matrix, translation = rng.normal(size=(2, 2)) * arcsec, rng.normal(size=2) * arcsec
    affine = m.AffineTransformation2D(matrix=matrix, translation=translation)
    yield Case("units: affine", m.Multiply(1 * deg / pix) & m.Multiply(2 * arcsec / pix) | affine, wide, units_in=pixels, units_out=(u.arcmin, deg))
    line = m.Linear1D(slope=0.2 * u.nm / pix, intercept=0.5 * u.um)
    yield Case("units: linear1d", line, wide[:1], units_in=(pix,), units_out=(u.AA,))
    yield Case("units: shift", m.Shift(30 * arcsec), wide[:1], units_in=(deg,), units_out=(u.arcmin,))
    yield Case("units: identity", m.Identity(2), wide, units_in=(arcsec, u.nm), units_out=(deg, u.m))
    yield Case("units: remap_axes", m.Mapping((1, 0)), wide, units_in=(arcsec, u.nm), units_out=(u.m, deg))
    yield Case("units: scale", m.Shift(1 * u.nm) | m.Scale(3), wide[:1], units_in=(u.um,), units_out=(u.m,))
    table = m.Tabular1D(points=np.arange(6.0) * pix, lookup_table=np.array([0, 1, 4, 9, 16, 25.0]) * u.nm, bounds_error=False, fill_value=None)
    yield Case("units: tabular", table, [(-2, 8)], units_in=(pix,), units_out=(u.um,))
    yield Case("units: tabular within", m.Shift(1 * pix) | table, [(-2, 8)], units_in=(pix,), units_out=(u.um,))
    yield Case("units: rotate2d", m.Rotation2D(30 * deg), wide, units_in=pixels, units_out=pixels)
    yield Case("units: constant", m.Shift(1 * pix) & m.Const1D(3 * u.um), wide, units_in=pixels, units_out=(pix, u.nm))
    scaled = m.Shift(1 * pix)
    scaled.input_units_equivalencies = {"x": u.pixel_scale(2 * arcsec / pix)}
    yield Case("units: pixel_scale", scaled, wide[:1], units_in=(arcsec,), units_out=(pix,), inverse=False)


def cases(seed):
    rng = np.random.default_rng(seed)
    for kind in (linear, arithmetic, polynomials, tables, functions, rotations, spherical, projected, imaging, optics, selectors, boxed, with_units):
        yield from kind(rng)
