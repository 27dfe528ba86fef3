//! Pseudocylindrical projections: parallels are straight lines, meridians are curves.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

use super::Formula;
use super::native::{RADIUS, latitude_below_pole, on_sphere, one_minus, unless};
use crate::number::Number;

/// `SFL`: parallels keep their length.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SansonFlamsteed;

impl Formula for SansonFlamsteed {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        (phi * theta.sin_cos_degrees().1, theta)
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        // In radians, so that the cosine at the pole is not 0: there the longitude of x = 0 is 0.
        let (_, cosine) = (y / RADIUS).sin_cos();
        on_sphere(1e-12, (x / cosine, y))
    }
}

/// `PAR`: meridians are parabolas, areas keep their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parabolic;

impl Formula for Parabolic {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, _) = (theta / 3.0).sin_cos_degrees();
        (phi * (-(sine * sine) * 4.0 + 1.0), sine * 180.0)
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let sine = y * (1.0 / 180.0);
        let width = -(sine * sine) * 4.0 + 1.0;
        let pole = width.value() == 0.0;
        let phi = N::select(pole, N::constant(0.0), x / width);
        let outside = (sine.value().abs() > 1.0) | (pole & (x.value().abs() >= 1e-13));
        unless(outside, on_sphere(1e-12, (phi, sine.asin().to_degrees() * 3.0)))
    }
}

/// `MOL`: meridians are ellipses, areas keep their size.
///
/// With `gap` twice the angle between a parallel's end and the pole on the ellipse, `gap - sin(gap)` is
/// `pi (1 - sin(theta))`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Molleweide;

/// `x - sin(x)`, accurate near 0.
#[inline(always)]
fn minus_sine(x: f64) -> f64 {
    let square = x * x;
    let mut series = 1.0;
    for term in [342.0, 272.0, 210.0, 156.0, 110.0, 72.0, 42.0, 20.0] {
        series = 1.0 - series * square / term;
    }
    let short = x * square / 6.0 * series;
    if x.abs() < 1.0 { short } else { x - crate::angle::sin_cos(x).0 }
}

/// The solution of `gap - sin(gap) = size`, for sizes between 0 and pi.
#[inline(always)]
fn gap(size: f64) -> f64 {
    // The series starts with the cube of the solution, and leads to a number that is not above it.
    let mut gap = (6.0 * size).cbrt();
    for _ in 0..6 {
        let half = crate::angle::sin_cos(0.5 * gap).0;
        let slope = 2.0 * half * half;
        let step = (minus_sine(gap) - size) / slope;
        gap = if slope > 0.0 { gap - step } else { gap };
    }
    gap
}

impl Formula for Molleweide {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        let south = sine.value() < 0.0;
        let size = one_minus(sine.abs(), cosine) * PI;
        let value = gap(size.value());
        let half = crate::angle::sin_cos(0.5 * value).0;
        let (width, height) = (size.chain(value, 1.0 / (2.0 * half * half)) * 0.5).sin_cos();
        let y = height * (SQRT_2 * RADIUS);
        (phi * width * (SQRT_2 * RADIUS / 90.0), N::select(south, -y, y))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let height = y * (FRAC_1_SQRT_2 / RADIUS);
        let rest = (-height + 1.0) * (height + 1.0) * 2.0;
        let pole = rest.value() <= 1e-12;
        let outside = (rest.value() < -1e-12) | (pole & (x.value().abs() >= 1e-12));
        let width = rest.sqrt();
        let phi = N::select(pole, N::constant(0.0), x * (90.0 / RADIUS) / width);
        let south = height.value() < 0.0;
        let arc = (width * FRAC_1_SQRT_2).atan2(height.abs()) * 2.0;
        let half = crate::angle::sin_cos(0.5 * arc.value()).0;
        let below = arc.chain(minus_sine(arc.value()), 2.0 * half * half) / PI;
        let theta = latitude_below_pole(below);
        let theta = N::select(south, -theta, theta);
        let theta = N::select(pole, N::constant(90.0_f64.copysign(y.value())), theta);
        unless(outside, on_sphere(1e-11, (phi, theta)))
    }
}

/// `AIT`: an ellipse, areas keep their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HammerAitoff;

impl Formula for HammerAitoff {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        let (sine_half, cosine_half) = (phi * 0.5).sin_cos_degrees();
        let scale = (N::constant(2.0 * RADIUS * RADIUS) / (cosine * cosine_half + 1.0)).sqrt();
        (scale * cosine * sine_half * 2.0, scale * sine)
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let square =
            -(x * x) * (1.0 / (16.0 * RADIUS * RADIUS)) - y * y * (1.0 / (4.0 * RADIUS * RADIUS)) + 1.0;
        let outside = square.value() < 0.5 - 1e-13;
        let square = N::select(square.value() < 0.5, N::constant(0.5), square);
        let scale = square.sqrt();
        let (front, east) = (square * 2.0 - 1.0, scale * x * (0.5 / RADIUS));
        let along = front.hypot(east);
        let at_pole = along.value() == 0.0;
        let phi = N::select(at_pole, N::constant(0.0), (east + 0.0).atan2_degrees(front) * 2.0);
        let theta = (scale * y / RADIUS).atan2_degrees(along);
        unless(outside, on_sphere(1e-13, (phi, theta)))
    }
}
