//! Cylindrical projections: meridians and parallels are straight lines.

use super::Formula;
use super::native::{RADIUS, asin_degrees, clamp, on_sphere, unless};
use crate::number::Number;

/// `CYP`: from a point that runs around the axis, `mu` from the centre, to a cylinder of radius `lambda`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CylindricalPerspective {
    pub(super) mu: f64,
    pub(super) lambda: f64,
}

impl CylindricalPerspective {
    pub(super) fn new(mu: f64, lambda: f64) -> Result<CylindricalPerspective, String> {
        if lambda == 0.0 {
            return Err("found `lambda` of 0, expected the radius of a cylinder".to_owned());
        }
        if mu + lambda == 0.0 {
            return Err(format!("found `mu` of {mu} and `lambda` of {lambda}, expected a sum that is not 0"));
        }
        Ok(CylindricalPerspective { mu, lambda })
    }
}

impl Formula for CylindricalPerspective {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        let depth = cosine + self.mu;
        let y = sine * (RADIUS * (self.mu + self.lambda)) / depth;
        unless(depth.value() == 0.0, (phi * self.lambda, y))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let slope = y / (RADIUS * (self.mu + self.lambda));
        let sine = slope * self.mu / (slope * slope + 1.0).sqrt();
        let theta = slope.atan().to_degrees() + asin_degrees(sine, 1e-10);
        on_sphere(1e-13, (x / self.lambda, theta))
    }
}

/// `CEA`: areas keep their size; free of distortion where the square of the cosine of the latitude is `lambda`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CylindricalEqualArea {
    pub(super) lambda: f64,
}

impl CylindricalEqualArea {
    pub(super) fn new(lambda: f64) -> Result<CylindricalEqualArea, String> {
        if lambda > 0.0 && lambda <= 1.0 {
            Ok(CylindricalEqualArea { lambda })
        } else {
            Err(format!("found `lambda` of {lambda}, expected more than 0 and at most 1"))
        }
    }
}

impl Formula for CylindricalEqualArea {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        (phi, theta.sin_cos_degrees().0 * (RADIUS / self.lambda))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let sine = y * (self.lambda / RADIUS);
        let outside = sine.value().abs() > 1.0 + 1e-13;
        unless(outside, on_sphere(1e-13, (x, clamp(sine, 1.0).asin().to_degrees())))
    }
}

/// `CAR`: longitude and latitude themselves. Astropy checks no bounds here.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlateCarree;

impl Formula for PlateCarree {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        (phi, theta)
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        (x, y)
    }
}

/// `MER`: angles keep their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mercator;

impl Formula for Mercator {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = ((theta + 90.0) * 0.5).sin_cos_degrees();
        unless(theta.value().abs() >= 90.0, (phi, (sine / cosine).ln() * RADIUS))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        on_sphere(1e-13, (x, (y / RADIUS).exp().atan().to_degrees() * 2.0 - 90.0))
    }
}
