//! Native coordinates of a projection, in degrees, and the plane that they are projected on.

use crate::number::Number;

/// The radius of a sphere on which an arc of one degree has length 1.
pub(super) const RADIUS: f64 = 180.0 / std::f64::consts::PI;

/// NaN for both numbers if `outside`.
#[inline(always)]
pub(super) fn unless<N: Number>(outside: bool, (first, second): (N, N)) -> (N, N) {
    let nowhere = N::constant(f64::NAN);
    (N::select(outside, nowhere, first), N::select(outside, nowhere, second))
}

/// NaN outside the sphere. Numbers that are outside by less than `tolerance` are moved to its edge.
#[inline(always)]
pub(super) fn on_sphere<N: Number>(tolerance: f64, (phi, theta): (N, N)) -> (N, N) {
    let (first, second) = (phi.value().abs(), theta.value().abs());
    let outside = (first > 180.0 + tolerance) | (second > 90.0 + tolerance);
    unless(outside, (clamp(phi, 180.0), clamp(theta, 90.0)))
}

/// The number, or the limit with the sign of the number if that is smaller.
#[inline(always)]
pub(super) fn clamp<N: Number>(number: N, limit: f64) -> N {
    let value = number.value();
    N::select(value.abs() > limit, number.with_value(limit.copysign(value)), number)
}

/// The arcsine in degrees of a number that rounding can have moved out of the domain by up to `tolerance`.
#[inline(always)]
pub(super) fn asin_degrees<N: Number>(sine: N, tolerance: f64) -> N {
    let size = sine.value().abs();
    let near = (size > 1.0) & (size <= 1.0 + tolerance);
    N::select(near, N::constant(1.0_f64.copysign(sine.value())), sine).asin().to_degrees()
}

/// The native longitude and the distance from the pole of a point in the plane of a zenithal projection.
#[inline(always)]
pub(super) fn polar<N: Number>(x: N, y: N) -> (N, N) {
    let distance = x.hypot(y);
    // Adding 0 makes -0 positive, so that the meridian opposite to the first is 180.
    let phi = (x + 0.0).atan2_degrees(-y);
    (N::select(distance.value() == 0.0, N::constant(0.0), phi), distance)
}

/// The point at this native longitude and distance from the pole.
#[inline(always)]
pub(super) fn from_polar<N: Number>(phi: N, distance: N) -> (N, N) {
    let (sine, cosine) = phi.sin_cos_degrees();
    (distance * sine, -(distance * cosine))
}

/// `1 - sin(theta)`, accurate near the pole, from the sine and cosine.
#[inline(always)]
pub(super) fn one_minus<N: Number>(sine: N, cosine: N) -> N {
    N::select(sine.value() > 0.0, cosine * cosine / (sine + 1.0), -sine + 1.0)
}

/// The latitude in degrees whose sine is `1 - rest`, accurate near the pole; NaN unless `rest` is between 0 and 2.
#[inline(always)]
pub(super) fn latitude_below_pole<N: Number>(rest: N) -> N {
    (-rest + 1.0).atan2_degrees((rest * (-rest + 2.0)).sqrt())
}
