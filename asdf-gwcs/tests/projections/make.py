"""Write points and the answers of astropy 8.0.2 for each projection: python make.py FOLDER POINTS SETS.

The files beside this program are those of `python make.py . 8 1`. With 3000 points it also tries special numbers.
"""
import sys, warnings, pathlib
import numpy as np
import astropy.modeling.models as m
import astropy.modeling.projections as P
warnings.simplefilter("ignore")
folder, points, sets = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(20)
u = rng.uniform
cone = lambda: dict(sigma=float(rng.choice([-1, 1]) * u(5, 85)), delta=float(rng.choice([0, u(0.1, 30)])))
ALL = {
 "airy": ("Airy", [{}, dict(theta_b=45.0)], lambda: dict(theta_b=u(-60, 89))),
 "bonne_equal_area": ("BonneEqualArea", [{}, dict(theta1=45.0), dict(theta1=-30.0), dict(theta1=90.0)], lambda: dict(theta1=u(-89, 89))),
 "cobe_quad_spherical_cube": ("COBEQuadSphericalCube", [{}], None),
 "conic_equal_area": ("ConicEqualArea", [{}, dict(sigma=45.0, delta=15.0), dict(sigma=-40.0)], cone),
 "conic_equidistant": ("ConicEquidistant", [{}, dict(sigma=45.0, delta=15.0), dict(sigma=-40.0)], cone),
 "conic_orthomorphic": ("ConicOrthomorphic", [dict(sigma=45.0, delta=15.0), dict(sigma=-40.0)], cone),
 "conic_perspective": ("ConicPerspective", [{}, dict(sigma=45.0, delta=15.0), dict(sigma=-40.0)], cone),
 "cylindrical_equal_area": ("CylindricalEqualArea", [{}, dict(lam=0.5)], lambda: dict(lam=u(0.01, 1))),
 "cylindrical_perspective": ("CylindricalPerspective", [{}, dict(mu=1.0, lam=0.7071), dict(mu=-0.5, lam=1.0), dict(mu=0.0, lam=1.0)], lambda: dict(mu=u(-3, 3), lam=u(0.1, 2))),
 "gnomonic": ("Gnomonic", [{}], None),
 "hammer_aitoff": ("HammerAitoff", [{}], None),
 "healpix": ("HEALPix", [{}, dict(H=6.0, X=4.0), dict(H=3.0, X=2.0), dict(H=1.0, X=1.0)], lambda: dict(H=float(rng.integers(1, 9)), X=float(rng.integers(1, 6)))),
 "healpix_polar": ("HEALPixPolar", [{}], None),
 "mercator": ("Mercator", [{}], None),
 "molleweide": ("Molleweide", [{}], None),
 "parabolic": ("Parabolic", [{}], None),
 "plate_carree": ("PlateCarree", [{}], None),
 "polyconic": ("Polyconic", [{}], None),
 "quad_spherical_cube": ("QuadSphericalCube", [{}], None),
 "sanson_flamsteed": ("SansonFlamsteed", [{}], None),
 "slant_orthographic": ("SlantOrthographic", [{}, dict(xi=0.0, eta=1.42), dict(xi=-0.3, eta=0.2)], lambda: dict(xi=u(-1.5, 1.5), eta=u(-1.5, 1.5))),
 "slant_zenithal_perspective": ("SlantZenithalPerspective", [dict(mu=0.0, phi0=0.0, theta0=90.0), dict(mu=2.0, phi0=180.0, theta0=60.0), dict(mu=-2.0, phi0=30.0, theta0=50.0)], lambda: dict(mu=u(-4, 4), phi0=u(-180, 180), theta0=u(-90, 90))),
 "stereographic": ("Stereographic", [{}], None),
 "tangential_spherical_cube": ("TangentialSphericalCube", [{}], None),
 "zenithal_equal_area": ("ZenithalEqualArea", [{}], None),
 "zenithal_equidistant": ("ZenithalEquidistant", [{}], None),
 "zenithal_perspective": ("ZenithalPerspective", [{}, dict(mu=2.0, gamma=30.0), dict(mu=-3.0, gamma=20.0), dict(mu=0.5, gamma=-60.0)], lambda: dict(mu=u(-4, 4), gamma=u(-80, 80))),
}
nan, inf = float("nan"), float("inf")
lon = [0, 45, 90, 135, 180, -180, -90, -45, 30, 200, -360, 360, 1e5, nan, inf, -0.0, 1e-9]
lat = [0, 90, -90, 45, -45, 30, 60, -60, 89.9999, -89.9999, 1e-6, 41.8103148957786, 95, -95, nan, -inf, -0.0, 5e-5]
if points <= 100:
    # Points where wcslib loses digits are left out.
    lon = [0, 45, 90, 135, 180, -180, -90, -45, 30, 200, -360]
    lat = [0, 90, -90, 45, -45, 30, 60, -60, 41.8103148957786]
def text(*numbers): return " ".join(repr(float(n)) for n in numbers)
for name, (cls, fixed, rand) in ALL.items():
    out = [f"# {name}: `plane` lines are phi theta x y, `sphere` lines are x y phi theta; by astropy 8.0.2"]
    for par in fixed + [rand() for _ in range(sets if rand else 0)]:
        to_plane, to_sphere = getattr(P, "Sky2Pix_" + cls)(**par), getattr(P, "Pix2Sky_" + cls)(**par)
        out.append("with " + " ".join(f"{ {'lam': 'lambda'}.get(k, k)}={float(v)!r}" for k, v in par.items()))
        phi, theta = u(-180, 180, points), np.degrees(np.arcsin(u(-1, 1, points)))
        n = min(points, 400)
        a, b = rng.choice(lon, n), rng.choice(lat, n)
        if points > 100:
            a, b = np.r_[a, np.repeat(lon, len(lat))], np.r_[b, np.tile(lat, len(lon))]
        phi, theta = np.r_[phi, a], np.r_[theta, b]
        x, y = to_plane(phi, theta)
        out += ["plane " + text(*r) for r in zip(phi, theta, x, y)]
        ok = np.isfinite(x) & np.isfinite(y) & (abs(phi) <= 180) & (abs(theta) <= 90)
        px, py = x[ok], y[ok]
        k = max(len(px) // 2, 1)
        s = rng.choice([1.0, 30.0, 150.0], len(px))
        px, py = np.r_[px, u(-1, 1, len(px)) * 1.3 * s, rng.choice([0, 45, -45, 90, 180, -180, 135, 315, 22.5] + [nan, inf, 1e-5, -1e-3] * (points > 100), n)], np.r_[py, u(-1, 1, len(px)) * s, rng.choice([0, 45, -45, 90, -90, 22.5, 135] + [nan, -inf, 1e-5, 1e-13] * (points > 100), n)]
        if points <= 100:
            i = rng.permutation(len(px))[:points * 3]; px, py = px[i], py[i]
        a, b = to_sphere(px, py)
        out += ["sphere " + text(*r) for r in zip(px, py, a, b)]
    (folder / f"{name}.txt").write_text("\n".join(out) + "\n")
