//! Laws that hold for all projections.

use proptest::prelude::*;

use super::Projection;
use crate::number::{Dual, Number};

/// A name and parameters.
type Case = (&'static str, &'static [(&'static str, f64)]);

/// Projections with parameters that have nothing special.
const CASES: &[Case] = &[
    ("airy", &[]),
    ("airy", &[("theta_b", 35.0)]),
    ("bonne_equal_area", &[("theta1", 40.0)]),
    ("bonne_equal_area", &[("theta1", -25.0)]),
    ("bonne_equal_area", &[]),
    ("cobe_quad_spherical_cube", &[]),
    ("conic_equal_area", &[("sigma", 50.0), ("delta", 20.0)]),
    ("conic_equidistant", &[("sigma", -50.0), ("delta", 20.0)]),
    ("conic_orthomorphic", &[("sigma", -50.0), ("delta", 20.0)]),
    ("conic_orthomorphic", &[("sigma", 50.0)]),
    ("conic_perspective", &[("sigma", 50.0), ("delta", 20.0)]),
    ("cylindrical_equal_area", &[("lambda", 0.6)]),
    ("cylindrical_perspective", &[("mu", 1.3), ("lambda", 0.6)]),
    ("gnomonic", &[]),
    ("hammer_aitoff", &[]),
    ("healpix", &[]),
    ("healpix", &[("H", 3.0), ("X", 4.0)]),
    ("healpix_polar", &[]),
    ("mercator", &[]),
    ("molleweide", &[]),
    ("parabolic", &[]),
    ("plate_carree", &[]),
    ("polyconic", &[]),
    ("quad_spherical_cube", &[]),
    ("sanson_flamsteed", &[]),
    ("slant_orthographic", &[]),
    ("slant_orthographic", &[("xi", 0.3), ("eta", -0.4)]),
    ("slant_zenithal_perspective", &[("mu", 2.0), ("phi0", 120.0), ("theta0", 60.0)]),
    ("stereographic", &[]),
    ("tangential_spherical_cube", &[]),
    ("zenithal_equal_area", &[]),
    ("zenithal_equidistant", &[]),
    ("zenithal_perspective", &[("mu", 2.0), ("gamma", 30.0)]),
];

fn projection(name: &str, parameters: &[(&str, f64)]) -> Result<Projection, String> {
    let find = |wanted: &str| parameters.iter().find(|(name, _)| *name == wanted).map(|&(_, value)| value);
    Projection::new(name, &find).unwrap()
}

fn to_plane<N: Number>(projection: &Projection, phi: N, theta: N) -> (N, N) {
    let (mut x, mut y) = ([phi], [theta]);
    projection.block_to_plane(&[phi], &[theta], &mut x, &mut y);
    (x[0], y[0])
}

fn to_sphere<N: Number>(projection: &Projection, x: N, y: N) -> (N, N) {
    let (mut phi, mut theta) = ([x], [y]);
    projection.block_to_sphere(&[x], &[y], &mut phi, &mut theta);
    (phi[0], theta[0])
}

proptest! {
    #[test]
    fn a_point_comes_back(phi in -179.0..179.0_f64, theta in -89.9..89.9_f64) {
        for &(name, parameters) in CASES {
            let projection = projection(name, parameters).unwrap();
            let (x, y) = to_plane(&projection, phi, theta);
            if x.is_nan() {
                continue;
            }
            let (back_phi, back_theta) = to_sphere(&projection, x, y);
            let (again_x, again_y) = to_plane(&projection, back_phi, back_theta);
            let size = 57.0 + x.hypot(y);
            // The two polynomials of COBE only cancel up to this.
            let tolerance: f64 = if name == "cobe_quad_spherical_cube" { 1e-3 } else { 1e-12 };
            let turn = (back_phi - phi).to_radians() * theta.to_radians().cos();
            let apart = turn.hypot((back_theta - theta).to_radians());
            // Near the horizon of a perspective a small step in the plane is a large one on the sphere.
            prop_assert!(apart < tolerance.max(1e-7), "{name} {parameters:?}: {apart:e}");
            // Where the map is cut, a small step on the sphere is a large one in the plane.
            let error = (again_x - x).hypot(again_y - y) / size;
            prop_assert!(error < tolerance || apart < 1e-12, "{name} {parameters:?}: {error:e} {apart:e}");
        }
    }

    #[test]
    fn derivatives_of_both_directions_are_inverse(phi in -179.0..179.0_f64, theta in -89.0..89.0_f64) {
        for &(name, parameters) in CASES {
            let projection = projection(name, parameters).unwrap();
            let (x, y) = to_plane(&projection, Dual::variable(phi, 0), Dual::variable(theta, 1));
            if x.value.is_nan() || name == "cobe_quad_spherical_cube" {
                continue;
            }
            let values = to_plane(&projection, phi, theta);
            prop_assert_eq!((x.value, y.value), values, "{}", name);
            let (back_phi, back_theta) = to_sphere(&projection, x, y);
            let found = [back_phi.derivatives, back_theta.derivatives];
            for (row, expected) in found.into_iter().zip([[1.0, 0.0], [0.0, 1.0]]) {
                for (found, expected) in row.into_iter().zip(expected) {
                    prop_assert!((found - expected).abs() < 1e-5, "{name} {parameters:?}: {found} and not {expected}");
                }
            }
        }
    }

    #[test]
    fn derivatives_are_differences(phi in -170.0..170.0_f64, theta in -80.0..80.0_f64) {
        let step = 1e-5;
        for &(name, parameters) in CASES {
            let projection = projection(name, parameters).unwrap();
            let (x, y) = to_plane(&projection, Dual::variable(phi, 0), Dual::variable(theta, 1));
            for (index, (by_phi, by_theta)) in [(step, 0.0), (0.0, step)].into_iter().enumerate() {
                let above = to_plane(&projection, phi + by_phi, theta + by_theta);
                let below = to_plane(&projection, phi - by_phi, theta - by_theta);
                for (number, above, below) in [(x, above.0, below.0), (y, above.1, below.1)] {
                    let (right, left) = ((above - number.value) / step, (number.value - below) / step);
                    let size = 1.0 + number.value.abs() + right.abs();
                    // At an edge of a face the sides differ.
                    if (right - left).abs() < 1e-3 * size {
                        let error = (0.5 * (right + left) - number.derivatives[index]).abs();
                        prop_assert!(error < 1e-4 * size, "{name} {parameters:?}: {number:?} {right} {left}");
                    }
                }
            }
        }
    }
}

#[test]
fn all_projections_have_their_names_and_parameters() {
    for &(name, parameters) in CASES {
        let projection = projection(name, parameters).unwrap();
        assert_eq!(projection.name(), name);
        for pair in parameters {
            assert!(projection.parameters().contains(pair), "{name} {pair:?}");
        }
    }
    assert_eq!(
        projection("slant_zenithal_perspective", &[]).unwrap().parameters(),
        [("mu", 0.0), ("phi0", 0.0), ("theta0", 90.0)]
    );
    assert!(Projection::new("rotate2d", &|_| None).is_none());
}

#[test]
fn parameters_without_a_projection_are_errors() {
    let cases: &[(Case, &str)] = &[
        (("airy", &[("theta_b", -90.0)]), "found `theta_b` of -90, expected more than -90"),
        (("zenithal_perspective", &[("mu", -1.0)]), "found `mu` of -1, expected"),
        (("zenithal_perspective", &[("gamma", 90.0)]), "found `gamma` of 90, expected"),
        (("slant_zenithal_perspective", &[("mu", -1.0)]), "found `mu` of -1 and `theta0` of 90, expected"),
        (("cylindrical_perspective", &[("mu", -1.0)]), "found `mu` of -1 and `lambda` of 1, expected"),
        (("cylindrical_perspective", &[("lambda", 0.0)]), "found `lambda` of 0, expected"),
        (("cylindrical_equal_area", &[("lambda", 1.5)]), "found `lambda` of 1.5, expected"),
        (("cylindrical_equal_area", &[("lambda", 0.0)]), "found `lambda` of 0, expected"),
        (("conic_equal_area", &[("sigma", 0.0)]), "found `sigma` of 0 and `delta` of 0, expected"),
        (("conic_equidistant", &[("sigma", 0.0)]), "found `sigma` of 0 and `delta` of 0, expected"),
        (
            ("conic_orthomorphic", &[("sigma", 0.0), ("delta", 5.0)]),
            "found `sigma` of 0 and `delta` of 5, expected",
        ),
        (("conic_orthomorphic", &[]), "found `sigma` of 90 and `delta` of 0, expected"),
        (("conic_perspective", &[("sigma", 0.0)]), "found `sigma` of 0 and `delta` of 0, expected"),
        (("conic_perspective", &[("delta", 90.0)]), "found `delta` of 90, expected"),
        (("healpix", &[("H", 0.0)]), "found `H` of 0 and `X` of 3, expected"),
        (("slant_orthographic", &[("xi", f64::NAN)]), "found `xi` of NaN, expected a finite number"),
    ];
    for &((name, parameters), message) in cases {
        let error = projection(name, parameters).unwrap_err();
        assert!(error.starts_with(message), "{name}: {error}");
    }
}
