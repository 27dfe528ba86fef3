//! Zenithal projections that can be tilted.

use super::Formula;
use super::native::{RADIUS, on_sphere, one_minus, polar, unless};
use crate::angle;
use crate::number::Number;

/// `AZP`: from a point on the axis to a plane tilted by `gamma`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ZenithalPerspective {
    pub(super) mu: f64,
    pub(super) gamma: f64,
    sine: f64,
    cosine: f64,
    /// Below this latitude points are hidden.
    lowest: f64,
    /// If points can be farther than infinity.
    diverges: bool,
}

impl ZenithalPerspective {
    pub(super) fn new(mu: f64, gamma: f64) -> Result<ZenithalPerspective, String> {
        let (sine, cosine) = gamma.sin_cos_degrees();
        if mu == -1.0 {
            return Err("found `mu` of -1, expected a point that is not on the plane".to_owned());
        }
        if cosine == 0.0 {
            return Err(format!(
                "found `gamma` of {gamma}, expected a plane that is not parallel to the axis"
            ));
        }
        let lowest = if mu.abs() > 1.0 { angle::asin(-1.0 / mu).to_degrees() } else { -90.0 };
        Ok(ZenithalPerspective { mu, gamma, sine, cosine, lowest, diverges: (mu * cosine).abs() < 1.0 })
    }
}

/// The larger of `a - b` and `a + b + 180`, both brought below 90 by a turn.
#[inline(always)]
fn higher<N: Number>(a: N, b: N) -> N {
    let turned = |angle: N| N::select(angle.value() > 90.0, angle - 360.0, angle);
    let (first, second) = (turned(a - b), turned(a + b + 180.0));
    N::select(first.value() > second.value(), first, second)
}

impl Formula for ZenithalPerspective {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        let (sine_phi, cosine_phi) = phi.sin_cos_degrees();
        let tilt = cosine_phi * (self.sine / self.cosine);
        let depth = sine + self.mu + cosine * tilt;
        let distance = cosine * (RADIUS * (self.mu + 1.0)) / depth;
        let slope = tilt.value();
        let reach = self.mu / (1.0 + slope * slope).sqrt();
        let limit = higher(angle::atan(-slope).to_degrees(), angle::asin(reach).to_degrees());
        let outside = (depth.value() == 0.0)
            | (theta.value() < self.lowest)
            | (self.diverges & (theta.value() < limit));
        unless(outside, (distance * sine_phi, -(distance * cosine_phi / self.cosine)))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = polar(x, y * self.cosine);
        let slope = distance / (y * self.sine + RADIUS * (self.mu + 1.0));
        let sine = slope * self.mu / (slope * slope + 1.0).sqrt();
        let outside = sine.value().abs() > 1.0 + 1e-13;
        let sine = super::native::clamp(sine, 1.0);
        let theta = higher(N::constant(1.0).atan2_degrees(slope), sine.asin().to_degrees());
        let theta = N::select(distance.value() == 0.0, N::constant(90.0), theta);
        unless(outside, on_sphere(1e-13, (phi, theta)))
    }
}

/// The native coordinates of the point where a ray meets the sphere, from where it meets the plane and how far it moves
/// aside for each radius below the plane.
///
/// With `depth = 1 - sin(theta)` the sphere is `(x - slope_x depth)^2 + (y - slope_y depth)^2 = depth (2 - depth)`.
/// This is the solution closest to the pole, in the form that does not subtract numbers of equal size.
#[inline(always)]
fn meet<N: Number>(x: N, y: N, slope_x: N, slope_y: N) -> (N, N) {
    let steepness = slope_x * slope_x + slope_y * slope_y + 1.0;
    let middle = x * slope_x + y * slope_y + 1.0;
    let square = x * x + y * y;
    let discriminant = middle * middle - steepness * square;
    let depth = square / (middle + discriminant.sqrt());
    let (east, south) = (x - slope_x * depth, -(y - slope_y * depth));
    let (phi, distance) = polar(east, -south);
    let theta = (-depth + 1.0).atan2_degrees(distance);
    unless((discriminant.value() < 0.0) | (middle.value() < 0.0), (phi, theta))
}

/// `SIN`: along parallel rays, which can be slanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SlantOrthographic {
    pub(super) xi: f64,
    pub(super) eta: f64,
}

impl Formula for SlantOrthographic {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        let (sine_phi, cosine_phi) = phi.sin_cos_degrees();
        let depth = one_minus(sine, cosine);
        let slope = sine_phi.value() * self.xi - cosine_phi.value() * self.eta;
        let outside = theta.value() < -angle::atan(slope).to_degrees();
        let x = (cosine * sine_phi + depth * self.xi) * RADIUS;
        unless(outside, (x, (depth * self.eta - cosine * cosine_phi) * RADIUS))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        meet(x / RADIUS, y / RADIUS, N::constant(self.xi), N::constant(self.eta))
    }
}

/// `SZP`: from any point.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SlantZenithalPerspective {
    pub(super) mu: f64,
    pub(super) phi0: f64,
    pub(super) theta0: f64,
    /// The point, in radii, from the pole.
    point: [f64; 3],
    /// Below this latitude points are farther than infinity.
    lowest: f64,
}

impl SlantZenithalPerspective {
    pub(super) fn new(mu: f64, phi0: f64, theta0: f64) -> Result<SlantZenithalPerspective, String> {
        let (sine, cosine) = theta0.sin_cos_degrees();
        let (sine_phi, cosine_phi) = phi0.sin_cos_degrees();
        let point = [-mu * cosine * sine_phi, mu * cosine * cosine_phi, mu * sine + 1.0];
        let [_, _, height] = point;
        if height == 0.0 {
            return Err(format!(
                "found `mu` of {mu} and `theta0` of {theta0}, expected a point that is not on the plane"
            ));
        }
        let lowest = if (height - 1.0).abs() < 1.0 { angle::asin(1.0 - height).to_degrees() } else { -90.0 };
        Ok(SlantZenithalPerspective { mu, phi0, theta0, point, lowest })
    }
}

impl Formula for SlantZenithalPerspective {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let [east, north, height] = self.point;
        let (sine, cosine) = theta.sin_cos_degrees();
        let (sine_phi, cosine_phi) = phi.sin_cos_degrees();
        let depth = one_minus(sine, cosine);
        let left = -depth + height;
        let aside = east * sine_phi.value() - north * cosine_phi.value();
        // FITS paper II has `(height - 1)^2` here. This is what wcslib has.
        let square = (height - 1.0) * height - 1.0 + aside * aside;
        let reach = angle::asin(1.0 / square.sqrt());
        let limit = higher(angle::atan2(aside, height - 1.0).to_degrees(), reach.to_degrees());
        let outside = (left.value() == 0.0)
            | (theta.value() < self.lowest)
            | ((self.mu.abs() > 1.0) & (theta.value() < limit));
        let distance = cosine * height;
        let x = (distance * sine_phi - depth * east) / left * RADIUS;
        let y = -((distance * cosine_phi + depth * north) / left) * RADIUS;
        unless(outside, (x, y))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let [east, north, height] = self.point;
        let (x, y) = (x / RADIUS, y / RADIUS);
        meet(x, y, (x - east) / height, (y - north) / height)
    }
}

#[cfg(test)]
mod tests {
    use super::super::native::from_polar;
    use super::*;

    #[test]
    fn a_plane_at_the_pole_is_that_of_a_zenithal_projection() {
        let (x, y) = from_polar(30.0, 10.0);
        let upright = ZenithalPerspective::new(0.0, 0.0).unwrap().to_sphere(x, y);
        let gnomonic = super::super::zenithal::Gnomonic.to_sphere(x, y);
        assert!((upright.0 - gnomonic.0).abs() < 1e-13 && (upright.1 - gnomonic.1).abs() < 1e-13);
    }
}
