//! Zenithal projections without a tilt: a distance from the pole for each native latitude.

use super::Formula;
use super::native::{RADIUS, from_polar, on_sphere, polar, unless};
use crate::number::Number;

/// `TAN`: from the centre of the sphere.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gnomonic;

impl Formula for Gnomonic {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        unless(sine.value() <= 0.0, from_polar(phi, cosine * RADIUS / sine))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = polar(x, y);
        (phi, N::constant(RADIUS).atan2_degrees(distance))
    }
}

/// `STG`: from the opposite pole.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stereographic;

impl Formula for Stereographic {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        let above = sine + 1.0;
        unless(above.value() == 0.0, from_polar(phi, cosine * (2.0 * RADIUS) / above))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = polar(x, y);
        (phi, (distance / (2.0 * RADIUS)).atan().to_degrees() * -2.0 + 90.0)
    }
}

/// `ARC`: the distance is the angle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ZenithalEquidistant;

impl Formula for ZenithalEquidistant {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        from_polar(phi, -theta + 90.0)
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = polar(x, y);
        on_sphere(1e-13, (phi, -distance + 90.0))
    }
}

/// `ZEA`: areas keep their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ZenithalEqualArea;

impl Formula for ZenithalEqualArea {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, _) = ((-theta + 90.0) * 0.5).sin_cos_degrees();
        from_polar(phi, sine * (2.0 * RADIUS))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = polar(x, y);
        let sine = distance * (std::f64::consts::PI / 360.0);
        let beyond = sine.value() > 1.0;
        let outside = beyond & ((distance.value() - 2.0 * RADIUS).abs() >= 1e-12);
        let theta = N::select(beyond, N::constant(-90.0), sine.asin().to_degrees() * -2.0 + 90.0);
        unless(outside, (phi, theta))
    }
}

/// `AIR`: the mean distortion within a circle is as small as possible.
///
/// With half the polar distance `xi`, the distance from the pole in the plane is
/// `-2 (ln(cos xi) / tan xi + weight * tan xi)` radii.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Airy {
    pub(super) theta_b: f64,
    weight: f64,
}

impl Airy {
    pub(super) fn new(theta_b: f64) -> Result<Airy, String> {
        let weight = if theta_b == 90.0 {
            -0.5
        } else if theta_b > -90.0 && theta_b < 270.0 {
            let (sine, cosine) = ((90.0 - theta_b) / 2.0).sin_cos_degrees();
            let square = sine * sine;
            0.5 * (-square).ln_1p() * cosine * cosine / square
        } else {
            return Err(format!("found `theta_b` of {theta_b}, expected more than -90"));
        };
        Ok(Airy { theta_b, weight })
    }

    /// Half the distance in radii, and its derivative, for a positive half polar distance in radians.
    #[inline(always)]
    fn half_distance(&self, sine: f64, cosine: f64) -> (f64, f64) {
        let tangent = sine / cosine;
        let logarithm = 0.5 * (-sine * sine).ln_1p();
        let value = -(logarithm / tangent + self.weight * tangent);
        let slope = 1.0 + logarithm / (sine * sine) - self.weight / (cosine * cosine);
        (value, slope)
    }

    /// Half the polar distance in radians for half a distance in radii, by bisection and Newton's method.
    fn half_angle(&self, distance: f64) -> Option<f64> {
        let linear = distance / (0.5 - self.weight);
        if linear < 1e-8 {
            return Some(linear);
        }
        // The map need not grow everywhere. As wcslib does, this takes the first of these intervals with a solution.
        let (mut near, mut far) = (1.0, 1.0);
        let mut steps = 0;
        loop {
            if steps == 30 {
                return None;
            }
            far /= 2.0;
            let sine = f64::sqrt((1.0 - far) * (1.0 + far));
            if self.half_distance(sine, far).0 >= distance {
                break;
            }
            near = far;
            steps += 1;
        }
        let (mut low, mut high) = (f64::acos(near), f64::acos(far));
        let mut angle = linear.clamp(low, high);
        for _ in 0..100 {
            let (sine, cosine) = angle.sin_cos();
            let (value, slope) = if angle < 1e-8 {
                (angle * (0.5 - self.weight), 0.5 - self.weight)
            } else {
                self.half_distance(sine, cosine)
            };
            if value < distance {
                low = angle;
            } else {
                high = angle;
            }
            let newton = angle - (value - distance) / slope;
            let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
            if (next - angle).abs() <= 1e-16 + 2.0 * f64::EPSILON * angle {
                return Some(next);
            }
            angle = next;
        }
        Some(angle)
    }
}

impl Formula for Airy {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let half = (-theta + 90.0) * 0.5;
        let (sine, cosine) = half.sin_cos_degrees();
        let (value, slope) = self.half_distance(sine.value(), cosine.value());
        let radians = half.to_radians();
        // At the pole the formula is 0/0. Above it wcslib continues the line.
        let linear = radians * (0.5 - self.weight);
        let distance = N::select(half.value() < 1e-8, linear, radians.chain(value, slope));
        unless(theta.value() <= -90.0, from_polar(phi, distance * (2.0 * RADIUS)))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = polar(x, y);
        let half = distance / (2.0 * RADIUS);
        if half.value().is_nan() {
            return (phi, half);
        }
        let Some(angle) = self.half_angle(half.value()) else {
            return unless(true, (phi, half));
        };
        let (sine, cosine) = angle.sin_cos();
        let slope = if angle < 1e-8 { 0.5 - self.weight } else { self.half_distance(sine, cosine).1 };
        on_sphere(1e-13, (phi, half.chain(angle, slope.recip()).to_degrees() * -2.0 + 90.0))
    }
}
