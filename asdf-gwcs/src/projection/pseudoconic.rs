//! Projections whose parallels are arcs that do not share a centre, or do not share a scale.

use super::Formula;
use super::native::{RADIUS, on_sphere};
use super::pseudocylindrical::SansonFlamsteed;
use crate::number::Number;

/// `BON`: parallels keep their length, areas their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BonneEqualArea {
    pub(super) theta1: f64,
    /// The height of the common centre of the parallels.
    centre: f64,
}

impl BonneEqualArea {
    pub(super) fn new(theta1: f64) -> BonneEqualArea {
        let (sine, cosine) = theta1.sin_cos_degrees();
        BonneEqualArea { theta1, centre: RADIUS * cosine / sine + theta1 }
    }
}

impl Formula for BonneEqualArea {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        if self.theta1 == 0.0 {
            return SansonFlamsteed.to_plane(phi, theta);
        }
        let distance = -theta + self.centre;
        let (sine, cosine) = (phi * RADIUS * (theta.sin_cos_degrees().1 / distance)).sin_cos_degrees();
        (distance * sine, -(distance * cosine) + self.centre)
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        if self.theta1 == 0.0 {
            return SansonFlamsteed.to_sphere(x, y);
        }
        let south = self.theta1 < 0.0;
        let down = -y + self.centre;
        let size = x.hypot(down);
        let distance = N::select(south, -size, size);
        let (x, down) = (N::select(south, -x, x), N::select(south, -down, down));
        let angle = N::select(size.value() == 0.0, N::constant(0.0), (x + 0.0).atan2_degrees(down));
        let theta = -distance + self.centre;
        let (_, cosine) = theta.sin_cos_degrees();
        let phi = angle * (distance / RADIUS) / cosine;
        on_sphere(1e-11, (N::select(cosine.value() == 0.0, N::constant(0.0), phi), theta))
    }
}

/// `PCO`: parallels keep their length and are arcs with centres on the axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polyconic;

/// The latitude in radians of a point of the polyconic projection, in radii, if `y` is positive.
///
/// It is the only zero of a function that grows on this interval.
fn polyconic_latitude(x: f64, y: f64) -> f64 {
    let (mut low, mut high) = (0.0, y.min(std::f64::consts::FRAC_PI_2));
    let mut theta = high;
    for _ in 0..100 {
        let (value, slope) = polyconic_residual(x, y, theta);
        if value < 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        if (next - theta).abs() <= f64::EPSILON * theta {
            return next;
        }
        theta = next;
    }
    theta
}

/// What is 0 at the right latitude, and its derivative by the latitude.
#[inline(always)]
fn polyconic_residual(x: f64, y: f64, theta: f64) -> (f64, f64) {
    let (sine, cosine) = crate::angle::sin_cos(theta);
    let up = y - theta;
    let square = x * x + up * up;
    (sine * square - 2.0 * cosine * up, cosine * (square + 2.0))
}

impl Formula for Polyconic {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        let (sine_half, cosine_half) = (phi * sine * 0.5).sin_cos_degrees();
        let flat = sine.value() == 0.0;
        let x = cosine * RADIUS * 2.0 * sine_half * cosine_half / sine;
        let y = theta + cosine * RADIUS * 2.0 * sine_half * sine_half / sine;
        // The derivative of `y` by the latitude on the equator is `1 + phi^2 / 2`.
        let rise = phi.to_radians();
        let equator = (phi * cosine, theta * (rise * rise * 0.5 + 1.0));
        (N::select(flat, equator.0, x), N::select(flat, equator.1, y))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let south = y.value() < 0.0;
        let (across, up) = (x / RADIUS, N::select(south, -y, y) / RADIUS);
        let latitude = polyconic_latitude(across.value(), up.value());
        // One step of Newton's method gives the derivatives.
        let (sine, cosine) = crate::angle::sin_cos(latitude);
        let rest = up - latitude;
        let square = across * across + rest * rest;
        let theta =
            N::constant(latitude) - (square * sine - rest * (2.0 * cosine)) / ((square + 2.0) * cosine);
        let pole = std::f64::consts::FRAC_PI_2 - latitude < 1e-14;
        let theta = N::select(pole, N::constant(latitude), theta);
        let (sine, cosine) = theta.sin_cos();
        let angle = (across * sine).atan2(cosine - (up - theta) * sine);
        let flat = sine.value() == 0.0;
        let phi = N::select(flat, x, (angle / sine).to_degrees());
        let phi = N::select(pole, N::constant(0.0), phi);
        let theta = theta.to_degrees();
        let theta = N::select(flat, y / (across * across * 0.5 + 1.0), N::select(south, -theta, theta));
        on_sphere(1e-12, (phi, theta))
    }
}
