//! HEALPix: a cylindrical belt of equal area, and caps that end in teeth.

use super::Formula;
use super::native::{asin_degrees, latitude_below_pole, on_sphere, one_minus, unless};
use crate::number::Number;

/// `HPX`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Healpix {
    pub(super) h: f64,
    pub(super) x: f64,
    /// Half the width of a facet in degrees.
    half: f64,
    /// If the number of facets in longitude is odd.
    odd: bool,
    /// If the teeth in the south are shifted by half a facet.
    shifted: bool,
}

/// If a number, rounded, is odd.
fn is_odd(number: f64) -> bool {
    (number + 0.5).floor() % 2.0 != 0.0
}

impl Healpix {
    pub(super) fn new(h: f64, x: f64) -> Result<Healpix, String> {
        if !(h > 0.0 && x > 0.0 && h.is_finite() && x.is_finite()) {
            return Err(format!("found `H` of {h} and `X` of {x}, expected numbers of facets"));
        }
        Ok(Healpix { h, x, half: 180.0 / h, odd: is_odd(h), shifted: !is_odd(x) })
    }

    /// How far a longitude is from the middle of its tooth.
    #[inline(always)]
    fn aside<N: Number>(&self, longitude: N, north: bool) -> N {
        let value = longitude.value();
        let middle = -180.0 + (2.0 * ((value + 180.0) / (2.0 * self.half)).floor() + 1.0) * self.half;
        let aside = longitude - middle;
        let odd = ((value / self.half).floor() % 2.0 != 0.0) != self.odd;
        let shift = if odd { -self.half } else { self.half };
        N::select(self.shifted & !north, aside + shift, aside)
    }
}

impl Formula for Healpix {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        let belt = sine.value().abs() <= (self.x - 1.0) / self.x;
        let sigma = (one_minus(sine.abs(), cosine) * self.x).sqrt();
        let height = (-sigma + (self.x + 1.0) / 2.0) * self.half;
        let x = phi + self.aside(phi, theta.value() > 0.0) * (sigma - 1.0);
        // The meridian of 180 stays at the right edge.
        let x = N::select(x.value() > 180.0, -x + 360.0, x);
        let y = N::select(theta.value() < 0.0, -height, height);
        (N::select(belt, phi, x), N::select(belt, sine * (90.0 * self.x / self.h), y))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let height = y.value().abs();
        let belt = height <= 90.0 * (self.x - 1.0) / self.h;
        let sigma = -(y.abs() / self.half) + (self.x + 1.0) / 2.0;
        let aside = self.aside(x, y.value() > 0.0);
        let pole = sigma.value() == 0.0;
        let wide = N::select(pole, aside * 1e9, aside / sigma);
        let rest = sigma * sigma / self.x;
        let beyond = (height > self.half * (self.x + 1.0) / 2.0)
            | (rest.value() > 2.0)
            | (wide.value().abs() >= self.half + 1e-12);
        let theta = latitude_below_pole(rest);
        let theta = N::select(y.value() < 0.0, -theta, theta);
        let theta = N::select(belt, asin_degrees(y / (90.0 * self.x / self.h), 1e-10), theta);
        let cap = N::select(wide.value() == 0.0, x, x + (wide - aside));
        unless(!belt & beyond, on_sphere(1e-12, (N::select(belt, x, cap), theta)))
    }
}

/// `XPH`: the facets around the north pole, also known as the butterfly.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HealpixPolar;

impl Formula for HealpixPolar {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = theta.sin_cos_degrees();
        let turned = phi - 360.0 * ((phi.value() + 180.0) / 360.0).floor();
        let quarter = (turned.value() / 90.0).floor();
        let aside = turned - (90.0 * quarter + 45.0);
        let sigma = (one_minus(sine.abs(), cosine) * 3.0).sqrt();
        let cap = -sigma * 45.0 + 90.0;
        let belt = sine.value().abs() <= 2.0 / 3.0;
        let xi = N::select(belt, aside, aside * sigma);
        let eta = N::select(belt, sine * 67.5, N::select(theta.value() < 0.0, -cap, cap)) - 90.0;
        let (x, y) = if quarter < -1.0 {
            (-xi + eta, -xi - eta)
        } else if quarter < 0.0 {
            (xi + eta, -xi + eta)
        } else if quarter < 1.0 {
            (xi - eta, xi + eta)
        } else {
            (-xi - eta, xi - eta)
        };
        (x * std::f64::consts::FRAC_1_SQRT_2, y * std::f64::consts::FRAC_1_SQRT_2)
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (x, y) = (x * std::f64::consts::FRAC_1_SQRT_2, y * std::f64::consts::FRAC_1_SQRT_2);
        let (right, up) = (x.value(), y.value());
        // From the middle of a facet, and the longitude of its left edge.
        let (xi, eta, left) = if right <= 0.0 && up > 0.0 {
            (-x - y, x - y, -180.0)
        } else if right < 0.0 && up <= 0.0 {
            (x - y, x + y, -90.0)
        } else if right >= 0.0 && up < 0.0 {
            (x + y, -x + y, 0.0)
        } else {
            (-x + y, -x - y, 90.0)
        };
        let eta = eta + 90.0;
        let size = eta.value().abs();
        let belt = size <= 45.0;
        let sigma = (-eta.abs() + 90.0) / 45.0;
        let right_or_left = xi.value().abs();
        let outside = (size > 90.0)
            | (belt & (right_or_left > 45.0 + 1e-12))
            | ((eta.value() < -45.0) & (right_or_left > eta.value() + 90.0 + 1e-12));
        let edge = if right == 0.0 {
            Some(if up <= 0.0 { 0.0 } else { 180.0 })
        } else if up == 0.0 {
            Some(if right < 0.0 { -90.0 } else { 90.0 })
        } else {
            None
        };
        let cap = match edge {
            // Points on a boundary keep its longitude; the derivatives are those of the facet.
            Some(longitude) => (xi / sigma).with_value(longitude),
            None => xi / sigma + (left + 45.0),
        };
        let phi = N::select(belt, xi + (left + 45.0), cap);
        let below = latitude_below_pole(sigma * sigma / 3.0);
        let below = N::select(eta.value() < 0.0, -below, below);
        let theta = N::select(belt, asin_degrees(eta / 67.5, 1e-10), below);
        unless(outside, on_sphere(1e-12, (phi, theta)))
    }
}
