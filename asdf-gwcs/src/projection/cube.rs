//! Projections on the six faces of a cube.

use super::Formula;
use super::native::{RADIUS, clamp, on_sphere, unless};
use crate::number::Number;

/// How a projection fills one face.
///
/// A direction is (`zeta`, `xi`, `eta`): towards the centre of the face, right and up. A point of the face is between
/// -1 and 1 in both coordinates.
pub(super) trait Face {
    /// How far rounding can move a point out of its face.
    const TOLERANCE: f64;
    fn to_face<N: Number>(zeta: N, xi: N, eta: N) -> (N, N);
    /// A direction of length 1.
    fn from_face<N: Number>(x: N, y: N) -> (N, N, N);
}

/// Half the width of a face in degrees.
const HALF: f64 = 45.0;

/// The projection on the face that is closest to a direction.
#[inline(always)]
pub(super) fn to_plane<F: Face, N: Number>(phi: N, theta: N) -> (N, N) {
    let (sine, cosine) = theta.sin_cos_degrees();
    let (sine_phi, cosine_phi) = phi.sin_cos_degrees();
    let (front, side, up) = (cosine * cosine_phi, cosine * sine_phi, sine);
    let mut zeta = up;
    let (mut xi, mut eta) = (side, -front);
    let mut centre = (0.0, 2.0);
    let faces = [
        (front, side, up, (0.0, 0.0)),
        (side, -front, up, (2.0, 0.0)),
        (-front, -side, up, (4.0, 0.0)),
        (-side, front, up, (6.0, 0.0)),
        (-up, side, front, (0.0, -2.0)),
    ];
    for (towards, right, above, place) in faces {
        let closer = towards.value() > zeta.value();
        zeta = N::select(closer, towards, zeta);
        xi = N::select(closer, right, xi);
        eta = N::select(closer, above, eta);
        centre = if closer { place } else { centre };
    }
    let (x, y) = F::to_face(zeta, xi, eta);
    let outside = x.value().abs().max(y.value().abs()) > 1.0 + F::TOLERANCE;
    let (x, y) = (clamp(x, 1.0), clamp(y, 1.0));
    unless(outside, ((x + centre.0) * HALF, (y + centre.1) * HALF))
}

/// The native coordinates of a point of the plane.
#[inline(always)]
pub(super) fn to_sphere<F: Face, N: Number>(x: N, y: N) -> (N, N) {
    let (x, y) = (x * (1.0 / HALF), y * (1.0 / HALF));
    let (left, top) = (x.value().abs(), y.value().abs());
    let outside = if left <= 1.0 { top > 3.0 } else { left > 7.0 || top > 1.0 };
    // The faces left of the centre are those of the right end.
    let x = N::select(x.value() < -1.0, x + 8.0, x);
    let (front, side, up) = if x.value() > 5.0 {
        let (zeta, xi, eta) = F::from_face(x - 6.0, y);
        (xi, -zeta, eta)
    } else if x.value() > 3.0 {
        let (zeta, xi, eta) = F::from_face(x - 4.0, y);
        (-zeta, -xi, eta)
    } else if x.value() > 1.0 {
        let (zeta, xi, eta) = F::from_face(x - 2.0, y);
        (-xi, zeta, eta)
    } else if y.value() > 1.0 {
        let (zeta, xi, eta) = F::from_face(x, y - 2.0);
        (-eta, xi, zeta)
    } else if y.value() < -1.0 {
        let (zeta, xi, eta) = F::from_face(x, y + 2.0);
        (eta, xi, -zeta)
    } else {
        F::from_face(x, y)
    };
    let across = front.hypot(side);
    let phi = N::select(across.value() == 0.0, N::constant(0.0), (side + 0.0).atan2_degrees(front));
    unless(outside, on_sphere(1e-13, (phi, up.atan2_degrees(across))))
}

/// `TSC`: from the centre of the sphere.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TangentialSphericalCube;

impl Face for TangentialSphericalCube {
    const TOLERANCE: f64 = 1e-12;
    #[inline(always)]
    fn to_face<N: Number>(zeta: N, xi: N, eta: N) -> (N, N) {
        (xi / zeta, eta / zeta)
    }
    #[inline(always)]
    fn from_face<N: Number>(x: N, y: N) -> (N, N, N) {
        let zeta = N::constant(1.0) / (x * x + y * y + 1.0).sqrt();
        (zeta, x * zeta, y * zeta)
    }
}

/// `QSC`: areas keep their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuadSphericalCube;

impl Face for QuadSphericalCube {
    const TOLERANCE: f64 = 1e-12;
    #[inline(always)]
    fn to_face<N: Number>(zeta: N, xi: N, eta: N) -> (N, N) {
        // The four triangles of a face are alike. `first` points to the edge of the triangle.
        let wide = xi.value().abs() > eta.value().abs();
        let (first, second) = (N::select(wide, xi, eta), N::select(wide, eta, xi));
        let omega = second / first;
        let omega = N::select(first.value() == 0.0, N::constant(0.0), omega);
        let tau = omega * omega + 1.0;
        let reach = -(N::constant(1.0) / (tau + 1.0).sqrt()) + 1.0;
        let a = first * (tau / ((zeta + 1.0) * reach)).sqrt();
        let b = a * (omega.atan() - (omega / (tau * 2.0).sqrt()).asin()) * (RADIUS / 15.0);
        (N::select(wide, a, b), N::select(wide, b, a))
    }
    #[inline(always)]
    fn from_face<N: Number>(x: N, y: N) -> (N, N, N) {
        let wide = x.value().abs() > y.value().abs();
        let (a, b) = (N::select(wide, x, y), N::select(wide, y, x));
        let angle = N::select(a.value() == 0.0, N::constant(0.0), b * 15.0 / a);
        let (sine, cosine) = angle.sin_cos_degrees();
        let omega = sine / (cosine - std::f64::consts::FRAC_1_SQRT_2);
        let tau = omega * omega + 1.0;
        let reach = -(N::constant(1.0) / (tau + 1.0).sqrt()) + 1.0;
        let below = a * a * reach;
        let first = a * ((-below + 2.0) * reach / tau).sqrt();
        let second = first * omega;
        (-below + 1.0, N::select(wide, first, second), N::select(wide, second, first))
    }
}

macro_rules! formulas {
    ($($name:ident)*) => {$(
        impl Formula for $name {
            #[inline(always)]
            fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
                to_plane::<$name, N>(phi, theta)
            }
            #[inline(always)]
            fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
                to_sphere::<$name, N>(x, y)
            }
        }
    )*};
}

formulas! { TangentialSphericalCube QuadSphericalCube }
