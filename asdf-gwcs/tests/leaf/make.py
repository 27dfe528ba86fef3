"""Writes the files beside this one: transforms, points, and what astropy and gwcs compute for them.

Run with astropy 8.0.2, scipy 1.17.1, gwcs 1.0.3 and asdf-astropy 0.11.0. The tests in `src/leaf/tests.rs` read the files.
"""

import pathlib
import warnings

import asdf
import astropy.units as u
import numpy as np
from astropy.modeling import models as m
from astropy.modeling import tabular
from gwcs import geometry, selector, spectroscopy

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent
random = np.random.default_rng(20)
SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf]


def case(model, *inputs, name=None, inverse=True, special=True, quantity=None):
    """Evaluates a model. `special` adds points with NaN, infinity and 0."""
    inputs = [np.asarray(values, float) for values in inputs]
    if special:
        count = len(inputs)
        middle = [values[len(values) // 2] for values in inputs]
        extra = []
        for place in range(count):
            for value in SPECIAL:
                point = list(middle)
                point[place] = value
                extra.append(point)
        extra = np.array(extra).T
        inputs = [np.concatenate([values, more]) for values, more in zip(inputs, extra)]
    outputs = evaluate(model, inputs)
    entry = {
        "name": name or type(model).__name__,
        "transform": model,
        "inputs": [values.tolist() for values in inputs],
        "outputs": [values.tolist() for values in outputs],
    }
    if inverse:
        try:
            back = model.inverse
        except NotImplementedError:
            back = None
        if back is not None:
            finite = [np.where(np.isfinite(values), values, 0.25) for values in outputs]
            entry["world"] = [values.tolist() for values in finite]
            entry["back"] = [values.tolist() for values in evaluate(back, finite)]
    return entry


def evaluate(model, inputs):
    outputs = model(*[values.copy() for values in inputs], with_bounding_box=False)
    outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    return [np.asarray(values, float).ravel() for values in outputs]


def write(name, cases):
    file = asdf.AsdfFile({"cases": cases})
    file.write_to(HERE / f"{name}.asdf", all_array_storage="inline")


def tables():
    cases = []
    x = np.array([0.0, 1.0, 2.5, 4.0, 10.0])
    y = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
    points = np.concatenate([x, np.linspace(-3, 13, 41), [0.5, 1.75, np.nextafter(10, 11)]])
    for method in ("linear", "nearest"):
        for fill in (np.nan, -7.0, None):
            cases.append(case(m.Tabular1D(x, y, method=method, bounds_error=False, fill_value=fill), points))
    cases.append(case(m.Tabular1D(x[::-1], y, bounds_error=False, fill_value=None), points, name="descending points"))
    cases.append(case(m.Tabular1D(lookup_table=[2.0, 3.0, 5.0], bounds_error=False), points, name="without points"))
    cases.append(case(m.Tabular1D([2.0], [7.0], bounds_error=False), [1.0, 2.0, 3.0], name="one point", special=False))
    cases.append(case(m.Tabular1D(x, [1.0, np.nan, 2.0, np.inf, 3.0], bounds_error=False), points, name="NaN in table"))
    for table in ([1.0, 2.0, 4.0, 8.0, 9.0], [9.0, 8.0, 4.0, 2.0, 1.0]):
        for method in ("linear", "nearest"):
            model = m.Tabular1D(x, table, method=method, bounds_error=False, fill_value=-1.0)
            cases.append(case(model, points, name=f"{method} {table}"))
    inside = np.linspace(0, 10, 37)
    cases.append(case(m.Tabular1D(x, y), inside, name="bounds_error", special=False))
    first, second = np.array([0.0, 1.0, 3.0]), np.array([-2.0, -1.0, 0.0, 5.0])
    table = random.normal(size=(3, 4))
    p, q = random.uniform(-1, 4, 60), random.uniform(-4, 7, 60)
    p[:4], q[:4] = [0, 3, 1, 0.5], [-2, 5, -1, -1.5]
    for method in ("linear", "nearest"):
        for fill in (np.nan, 2.0, None):
            cases.append(case(m.Tabular2D([first, second], table, method=method, bounds_error=False, fill_value=fill), p, q))
    model = m.Tabular2D([first[::-1], second[::-1]], table, bounds_error=False, fill_value=None)
    cases.append(case(model, p, q, name="two descending axes"))
    write("tabular", cases)
    # astropy neither reads nor writes tables with more than two dimensions.
    axes = [np.array([0.0, 1.0, 3.0]), np.array([0.0, 2.0]), np.array([5.0, 3.0, 2.0, 0.0])]
    table = random.normal(size=(3, 2, 4))
    cases = []
    points = [random.uniform(-1, 4, 50), random.uniform(-1, 3, 50), random.uniform(-1, 6, 50)]
    for method in ("linear", "nearest"):
        for fill in (np.nan, None):
            model = tabular.tabular_model(3)(axes, table, method=method, bounds_error=False, fill_value=fill)
            entry = case(model, *points, inverse=False)
            node = {"points": axes, "lookup_table": table.tolist(), "method": method}
            if fill is not None:
                node["fill_value"] = fill
            cases.append((node, entry))
    text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\ncases:\n"
    for node, entry in cases:
        text += f"- name: three dimensions\n  transform: !transform/tabular-1.4.0\n    points: {flow(node['points'])}\n"
        text += f"    lookup_table: {flow(node['lookup_table'])}\n    method: {node['method']}\n    bounds_error: false\n"
        if "fill_value" in node:
            text += f"    fill_value: {flow(node['fill_value'])}\n"
        text += f"  inputs: {flow(entry['inputs'])}\n  outputs: {flow(entry['outputs'])}\n"
    (HERE / "tabular3.asdf").write_text(text + "...\n")


def flow(value):
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    value = float(value)
    if np.isnan(value):
        return ".nan"
    if np.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return repr(value)


def series():
    cases = []
    x, y = random.uniform(-1.2, 1.2, 40), random.uniform(-1.2, 1.2, 40)
    for kind in (m.Chebyshev1D, m.Legendre1D, m.Hermite1D):
        for degree in (0, 1, 2, 7):
            model = kind(degree)
            model.parameters = random.normal(size=degree + 1)
            cases.append(case(model, x))
        model = kind(4, domain=(0, 2048), window=(-1, 1))
        model.parameters = random.normal(size=5)
        cases.append(case(model, random.uniform(-10, 2100, 40), name="domain"))
        model = kind(3, window=(-2, 3))
        model.parameters = random.normal(size=4)
        cases.append(case(model, x, name="window only"))
    for kind, degrees in ((m.Chebyshev2D, [(1, 1), (3, 2), (2, 5)]), (m.Legendre2D, [(1, 1), (3, 2), (2, 5)]), (m.Hermite2D, [(1, 1), (4, 1)])):
        for nx, ny in degrees:
            model = kind(nx, ny)
            model.parameters = random.normal(size=(nx + 1) * (ny + 1))
            cases.append(case(model, x, y, special=False))
        model = kind(2, 1, x_domain=(0, 10), x_window=(-0.5, 0.5), y_domain=(5, -5))
        model.parameters = random.normal(size=6)
        cases.append(case(model, random.uniform(0, 10, 30), random.uniform(-5, 5, 30), name="domains", special=False))
        model = kind(2, 1, y_domain=(-5, 5))
        model.parameters = random.normal(size=6)
        cases.append(case(model, x, random.uniform(-5, 5, 40), name="one domain", special=False))
    for degree in (1, 2, 3, 5):
        inner = [0.5, 2.0, 2.0, 3.5]
        knots = [0.0] * (degree + 1) + inner + [5.0] * (degree + 1)
        count = len(knots) - degree - 1
        for more in (0, degree + 1):
            model = m.Spline1D(knots, random.normal(size=count + more), degree)
            points = np.concatenate([np.linspace(-1.5, 6.5, 50), knots])
            cases.append(case(model, points, name=f"spline of degree {degree}"))
    model = m.Spline1D(np.linspace(0, 7, 8) ** 1.5, random.normal(size=4), 3)
    cases.append(case(model, np.linspace(-2, 20, 40), name="spline without repeated knots"))
    write("series", cases)


def optics():
    cases = []
    a, b = random.uniform(-0.4, 0.4, (2, 30))
    wavelength = random.uniform(0.6, 5.3, 30)
    cases.append(case(spectroscopy.WavelengthFromGratingEquation(20000.0, -1), a, b))
    cases.append(case(spectroscopy.AnglesFromGratingEquation3D(95400.0, 2), wavelength * 1e-6, a, b))
    cases.append(case(spectroscopy.AnglesFromGratingEquation3D(954000.0, 2), wavelength * 1e-6, a, b, name="too oblique"))
    cases.append(case(spectroscopy.Snell3D(), random.uniform(1.2, 2.5, 30), a, b, np.sqrt(1 - a**2 - b**2)))
    B, C = [0.58339748, 0.46085267, 3.8915394], [0.00252643, 0.010078333, 1200.556]
    cases.append(case(spectroscopy.SellmeierGlass(B, C), wavelength))
    D, E = [-2.66e-05, 0.0, 0.0], [0.0, 0.0, 0.0]
    cases.append(case(spectroscopy.SellmeierZemax(65, 35, 0, 0, B, C, D, E), wavelength, special=False))
    model = spectroscopy.SellmeierZemax(40, 295, 1.0, 0.4, B, C, [1e-6, 2e-8, -1e-11], [4e-7, 5e-10, 0.3])
    cases.append(case(model, wavelength, special=False))
    vector = random.normal(size=(3, 20))
    cases.append(case(geometry.ToDirectionCosines(), *vector))
    cosines = evaluate(geometry.ToDirectionCosines(), list(vector))
    cases.append(case(geometry.FromDirectionCosines(), *cosines))
    write("optics", cases)


def functions():
    cases = []
    wide = np.concatenate([random.uniform(-3, 3, 20), [1e-9, -1e-9, 0.5, 1.0, -1.0, 1.5, 2.5, -0.5, 30.0, -30.0, 1e5, 1e8, 1e12]])
    from astropy.modeling import math_functions

    for name in math_functions.supported_ufuncs:
        if name in math_functions.alias_ufuncs:
            continue
        model = getattr(math_functions, math_functions._make_class_name(name))()
        if model.n_inputs == 1:
            cases.append(case(model, wide, name=name))
        else:
            other = random.permutation(wide)
            cases.append(case(model, wide, other, name=name))
    write("functions", cases)


def profiles():
    cases = []
    x = np.concatenate([random.uniform(-6, 8, 25), np.arange(-3.0, 6.0), [1.25, 2.75]])
    positive = np.concatenate([random.uniform(0.05, 9, 30), [1.0, 2.0, 3.0]])
    for model in (
        m.Sine1D(1.5, 0.2, 0.1),
        m.Cosine1D(1.5, 0.2, 0.1),
        m.Tangent1D(1.5, 0.02, 0.1),
        m.ArcSine1D(9.0, 0.2, 0.1),
        m.ArcCosine1D(-9.0, 0.2, 0.1),
        m.ArcTangent1D(1.5, 0.2, 0.1),
        m.Exponential1D(1.3, -2.5),
        m.RedshiftScaleFactor(1.7),
        m.Gaussian1D(3.2, 1.1, 0.7),
        m.Lorentz1D(3.2, 1.1, 0.7),
        m.Moffat1D(3.2, 1.1, 0.7, 2.2),
        m.Voigt1D(1.1, 3.2, 0.7, 0.9),
        m.Voigt1D(1.1, 3.2, 1e-4, 0.9),
        m.Box1D(3.2, 2.0, 1.5),
        m.Trapezoid1D(3.2, 1.0, 2.0, 1.6),
        m.RickerWavelet1D(3.2, 1.1, 0.7),
    ):
        cases.append(case(model, x))
    for model in (
        m.Logarithmic1D(1.3, 2.5),
        m.Sersic1D(3.2, 1.1, 4.0),
        m.Sersic1D(3.2, 1.1, 0.8),
        m.KingProjectedAnalytic1D(3.2, 1.1, 5.5),
        m.Drude1D(3.2, 2.1, 0.7),
        m.Plummer1D(3.2, 1.1),
        m.PowerLaw1D(3.2, 1.1, 1.7),
        m.BrokenPowerLaw1D(3.2, 2.0, -1.5, 2.5),
        m.SmoothlyBrokenPowerLaw1D(3.2, 2.0, -1.5, 2.5, 0.02),
        m.SmoothlyBrokenPowerLaw1D(3.2, 2.0, -1.5, 2.5, 0.7),
        m.ExponentialCutoffPowerLaw1D(3.2, 1.1, 1.7, 4.5),
        m.LogParabola1D(3.2, 1.1, 1.7, 0.3),
    ):
        cases.append(case(model, positive, special=False))
    cases.append(case(m.Schechter1D(1e-2, -20.5, -1.1), random.uniform(-23, -17, 30)))
    cases.append(case(m.BlackBody(5800.0 * u.K, 2.0), random.uniform(1e12, 3e15, 30), special=False))
    px, py = random.uniform(-6, 8, (2, 40))
    px[:3], py[:3] = [1.0, 1.1, 2.0], [-0.5, -0.4, -0.5]
    for model in (
        m.Planar2D(1.5, -2.5, 0.25),
        m.Gaussian2D(3.2, 1.0, -0.5, 2.1, 1.3, 0.6),
        m.Moffat2D(3.2, 1.0, -0.5, 2.1, 1.7),
        m.AiryDisk2D(3.2, 1.0, -0.5, 2.1),
        m.AiryDisk2D(3.2, 1.0, -0.5, 0.15),
        m.Box2D(3.2, 1.0, -0.5, 6.1, 5.3),
        m.Disk2D(3.2, 1.0, -0.5, 4.1),
        m.Ellipse2D(3.2, 1.0, -0.5, 5.1, 3.0, 0.6),
        m.RickerWavelet2D(3.2, 1.0, -0.5, 2.1),
        m.Ring2D(3.2, 1.0, -0.5, 2.0, 2.5),
        m.Sersic2D(3.2, 2.5, 3.0, 1.0, -0.5, 0.3, 0.6),
        m.TrapezoidDisk2D(3.2, 1.0, -0.5, 2.1, 0.9),
    ):
        cases.append(case(model, px, py, special=False))
    write("profiles", cases)


def selectors():
    cases = []
    labels = np.array([[1, 1, 0, 2, 2], [1, 1, 0, 2, 2], [3, 3, 0, 4, 4]])
    x, y = random.uniform(-0.5, 4.49, 60), random.uniform(-0.5, 2.49, 60)
    x[:4], y[:4] = [0.5, 1.5, 2.0, 4.0], [0.0, 0.5, 1.0, 2.0]
    transforms = {
        1: m.Shift(1.0) & m.Scale(2.0),
        2: m.Mapping((1, 0)),
        3: m.Rotation2D(30.0),
    }
    array = selector.LabelMapperArray(labels)
    cases.append(case(array, x, y, special=False, name="array"))
    model = selector.RegionsSelector(("x", "y"), ("a", "b"), transforms, array, -99.0)
    cases.append(case(model, x, y, special=False, inverse=False, name="selector by array"))
    texts = np.array([["S1", "S1", "", "b", "b"], ["S1", "S1", "", "b", "b"], ["c", "c", "", "d", "d"]])
    array = selector.LabelMapperArray(texts)
    model = selector.RegionsSelector(("x", "y"), ("a", "b"), dict(zip(["S1", "b", "c"], transforms.values())), array)
    cases.append(case(model, x, y, special=False, inverse=False, name="selector by text"))
    three = np.arange(60) % 5.0
    mapping = m.Mapping((0, 1), n_inputs=3)
    array = selector.LabelMapperArray(labels, inputs_mapping=mapping, inputs=("x", "y", "z"))
    cases.append(case(array, x, y, three, special=False, name="array of three inputs"))
    keys = {1.0: m.Const1D(5.0), 2.0: m.Const1D(6.0), 3.5: m.Shift(1.0)}
    first = m.Mapping((0,))
    mapper = selector.LabelMapperDict(("x",), keys, inputs_mapping=first, atol=1e-3)
    points = np.array([1.0, 1.001, 1.0011, 2.00102, 2.0011, 3.5, 3.4991, 0.0, 7.0])
    cases.append(case(mapper, points, name="dict"))
    keys = {1.0: m.Mapping((1,), n_inputs=2) | m.Shift(1.0), 2.0: m.Mapping((1,), n_inputs=2)}
    mapper = selector.LabelMapperDict(("x", "y"), keys, inputs_mapping=m.Mapping((0,), n_inputs=2))
    cases.append(case(mapper, [1.0, 2.0, 3.0, 1.0], [1.0, 2.0, 3.0, 3.0], name="dict of two inputs"))
    ranges = {(0.5, 1.5): m.Const1D(1.0), (1.5, 3.0): m.Const1D(2.0), (4.0, 5.0): m.Const1D(3.0)}
    mapper = selector.LabelMapperRange(("x",), ranges, inputs_mapping=first)
    points = np.concatenate([np.linspace(0, 6, 50), [0.5, 1.5, 3.0]])
    cases.append(case(mapper, points, name="range"))
    ranges = {limits: m.Mapping((0,), n_inputs=2) | label for limits, label in ranges.items()}
    mapper = selector.LabelMapperRange(("x", "y"), ranges, inputs_mapping=m.Mapping((0,), n_inputs=2))
    parts = {1: m.Shift(10.0) & m.Identity(1), 3: m.Polynomial1D(2, c0=1, c1=2, c2=3) & m.Scale(2.0)}
    model = selector.RegionsSelector(("x", "y"), ("a", "b"), parts, mapper)
    cases.append(case(model, points, points + 1.0, special=False, inverse=False, name="selector by range"))
    mapper = selector.LabelMapper(("x", "y"), m.Polynomial1D(1, c0=0, c1=1), inputs_mapping=m.Mapping((1,), n_inputs=2))
    model = selector.RegionsSelector(("x", "y"), ("a", "b"), transforms, mapper, 0.5)
    cases.append(case(model, x, np.arange(60) % 4.0 + 1.0, special=False, inverse=False, name="selector by a model"))
    back = selector.LabelMapper(("a", "b"), m.Polynomial1D(1, c0=0, c1=0.5), inputs_mapping=m.Mapping((1,), n_inputs=2))
    mapper = selector.LabelMapper(("x", "y"), m.Polynomial1D(1, c0=0, c1=1), inputs_mapping=m.Mapping((1,), n_inputs=2))
    mapper.inverse = back
    model = selector.RegionsSelector(("x", "y"), ("a", "b"), {2: m.Shift(1.0) & m.Scale(2.0)}, mapper, 0.5)
    entry = case(model, x, np.full(60, 2.0), special=False, inverse=False, name="selector with an inverse")
    entry["world"], entry["back"] = entry["outputs"], entry["inputs"]
    cases.append(entry)
    write("selectors", cases)


for make in (tables, series, optics, functions, profiles, selectors):
    make()
