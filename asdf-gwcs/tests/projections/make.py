"""Write points and the answers of astropy 8.0.2 for each projection: python make.py FOLDER POINTS SETS.

The files beside this program are those of `python make.py . 10 1`. With more than 100 points it also tries special numbers.
"""

import pathlib
import sys
import warnings

import astropy.modeling.projections
import numpy as np

warnings.simplefilter("ignore")
folder, points, sets = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
many = points > 100
generator = np.random.default_rng(20)
uniform = generator.uniform


def cone():
    sigma = float(generator.choice([-1, 1]) * uniform(5, 85))
    return {"sigma": sigma, "delta": float(generator.choice([0, uniform(0.1, min(30, 90 - abs(sigma)))]))}


CONES = [{}, {"sigma": 45.0, "delta": 15.0}, {"sigma": -40.0}]
# For each tag: the class, some parameters, and what makes others.
PROJECTIONS = {
    "airy": ("Airy", [{}, {"theta_b": 45.0}], lambda: {"theta_b": uniform(-60, 89)}),
    "bonne_equal_area": (
        "BonneEqualArea",
        [{}, {"theta1": 45.0}, {"theta1": -30.0}, {"theta1": 90.0}],
        lambda: {"theta1": uniform(-89, 89)},
    ),
    "cobe_quad_spherical_cube": ("COBEQuadSphericalCube", [{}], None),
    "conic_equal_area": ("ConicEqualArea", CONES, cone),
    "conic_equidistant": ("ConicEquidistant", CONES, cone),
    "conic_orthomorphic": ("ConicOrthomorphic", CONES[1:], cone),
    "conic_perspective": ("ConicPerspective", CONES, cone),
    "cylindrical_equal_area": ("CylindricalEqualArea", [{}, {"lam": 0.5}], lambda: {"lam": uniform(0.01, 1)}),
    "cylindrical_perspective": (
        "CylindricalPerspective",
        [{}, {"mu": 1.0, "lam": 0.7071}, {"mu": -0.5, "lam": 1.0}, {"mu": 0.0, "lam": 1.0}],
        lambda: {"mu": uniform(-3, 3), "lam": uniform(0.1, 2)},
    ),
    "gnomonic": ("Gnomonic", [{}], None),
    "hammer_aitoff": ("HammerAitoff", [{}], None),
    "healpix": (
        "HEALPix",
        [{}, {"H": 6.0, "X": 4.0}, {"H": 3.0, "X": 2.0}, {"H": 1.0, "X": 1.0}],
        lambda: {"H": float(generator.integers(1, 9)), "X": float(generator.integers(1, 6))},
    ),
    "healpix_polar": ("HEALPixPolar", [{}], None),
    "mercator": ("Mercator", [{}], None),
    "molleweide": ("Molleweide", [{}], None),
    "parabolic": ("Parabolic", [{}], None),
    "plate_carree": ("PlateCarree", [{}], None),
    "polyconic": ("Polyconic", [{}], None),
    "quad_spherical_cube": ("QuadSphericalCube", [{}], None),
    "sanson_flamsteed": ("SansonFlamsteed", [{}], None),
    "slant_orthographic": (
        "SlantOrthographic",
        [{}, {"xi": 0.0, "eta": 1.42}, {"xi": -0.3, "eta": 0.2}],
        lambda: {"xi": uniform(-1.5, 1.5), "eta": uniform(-1.5, 1.5)},
    ),
    "slant_zenithal_perspective": (
        "SlantZenithalPerspective",
        [
            {"mu": 0.0, "phi0": 0.0, "theta0": 90.0},
            {"mu": 2.0, "phi0": 180.0, "theta0": 60.0},
            {"mu": -2.0, "phi0": 30.0, "theta0": 50.0},
        ],
        lambda: {"mu": uniform(-4, 4), "phi0": uniform(-180, 180), "theta0": uniform(-90, 90)},
    ),
    "stereographic": ("Stereographic", [{}], None),
    "tangential_spherical_cube": ("TangentialSphericalCube", [{}], None),
    "zenithal_equal_area": ("ZenithalEqualArea", [{}], None),
    "zenithal_equidistant": ("ZenithalEquidistant", [{}], None),
    "zenithal_perspective": (
        "ZenithalPerspective",
        [{}, {"mu": 2.0, "gamma": 30.0}, {"mu": -3.0, "gamma": 20.0}, {"mu": 0.5, "gamma": -60.0}],
        lambda: {"mu": uniform(-4, 4), "gamma": uniform(-80, 80)},
    ),
}

LONGITUDES = [0, 45, 90, 135, 180, -180, -90, -45, 30, 200, -360]
LATITUDES = [0, 90, -90, 45, -45, 30, 60, -60, 41.8103148957786]
PLANE_X = [0, 45, -45, 90, 180, -180, 135, 315, 22.5]
PLANE_Y = [0, 45, -45, 90, -90, 22.5, 135]
if many:
    # Also numbers for which wcslib loses digits.
    LONGITUDES += [360, 1e5, np.nan, np.inf, -0.0, 1e-9]
    LATITUDES += [89.9999, -89.9999, 1e-6, 95, -95, np.nan, -np.inf, -0.0, 5e-5]
    PLANE_X += [np.nan, np.inf, 1e-5, -1e-3]
    PLANE_Y += [np.nan, -np.inf, 1e-5, 1e-13]


def line(word, numbers):
    return " ".join([word, *(repr(float(number)) for number in numbers)])


for name, (class_name, parameter_sets, make) in PROJECTIONS.items():
    lines = [f"# {name}: `plane` lines are phi theta x y, `sphere` lines are x y phi theta; by astropy 8.0.2"]
    for parameters in parameter_sets + [make() for _ in range(sets if make else 0)]:
        to_plane = getattr(astropy.modeling.projections, "Sky2Pix_" + class_name)(**parameters)
        to_sphere = getattr(astropy.modeling.projections, "Pix2Sky_" + class_name)(**parameters)
        names = {"lam": "lambda"}
        pairs = (f"{names.get(key, key)}={float(value)!r}" for key, value in parameters.items())
        lines.append(" ".join(["with", *pairs]))

        special = min(points, 400)
        phi = [uniform(-180, 180, points), generator.choice(LONGITUDES, special)]
        theta = [np.degrees(np.arcsin(uniform(-1, 1, points))), generator.choice(LATITUDES, special)]
        if many:
            phi.append(np.repeat(LONGITUDES, len(LATITUDES)))
            theta.append(np.tile(LATITUDES, len(LONGITUDES)))
        phi, theta = np.concatenate(phi), np.concatenate(theta)
        x, y = to_plane(phi, theta)
        lines += [line("plane", row) for row in zip(phi, theta, x, y)]

        inside = np.isfinite(x) & np.isfinite(y) & (abs(phi) <= 180) & (abs(theta) <= 90)
        x, y = x[inside], y[inside]
        size = generator.choice([1.0, 30.0, 150.0], len(x))
        x = np.r_[x, uniform(-1, 1, len(x)) * 1.3 * size, generator.choice(PLANE_X, special)]
        y = np.r_[y, uniform(-1, 1, len(y)) * size, generator.choice(PLANE_Y, special)]
        if not many:
            some = generator.permutation(len(x))[: points * 3]
            x, y = x[some], y[some]
        phi, theta = to_sphere(x, y)
        lines += [line("sphere", row) for row in zip(x, y, phi, theta)]
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
