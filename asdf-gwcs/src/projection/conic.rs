//! Conic projections: parallels are arcs around the apex of a cone that was cut open.

use super::Formula;
use super::native::{RADIUS, on_sphere, unless};
use crate::number::Number;

/// What all conic projections share.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cone {
    /// The mean of the latitudes of the two parallels that keep their length.
    pub(super) sigma: f64,
    /// Half the difference of these latitudes.
    pub(super) delta: f64,
    /// How much of a circle the cone covers when it lies flat.
    constant: f64,
    /// The height of the apex in the plane.
    apex: f64,
}

impl Cone {
    fn new(sigma: f64, delta: f64, constant: f64, apex: f64) -> Result<Cone, String> {
        if constant == 0.0 || !constant.is_finite() || !apex.is_finite() {
            return Err(format!("found `sigma` of {sigma} and `delta` of {delta}, expected those of a cone"));
        }
        Ok(Cone { sigma, delta, constant, apex })
    }

    /// The point at this longitude and distance from the apex.
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, distance: N) -> (N, N) {
        let (sine, cosine) = (phi * self.constant).sin_cos_degrees();
        (distance * sine, -(distance * cosine) + self.apex)
    }

    /// Longitude and distance from the apex, which is negative if the apex is below.
    #[inline(always)]
    fn unrolled<N: Number>(&self, x: N, y: N) -> (N, N) {
        let down = -y + self.apex;
        let size = x.hypot(down);
        let below = self.sigma < 0.0;
        let distance = N::select(below, -size, size);
        let (x, down) = (N::select(below, -x, x), N::select(below, -down, down));
        let angle = (x + 0.0).atan2_degrees(down);
        let angle = N::select(size.value() == 0.0, N::constant(0.0), angle);
        (angle / self.constant, distance)
    }
}

/// `COP`: from the centre of the sphere.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ConicPerspective {
    pub(super) cone: Cone,
    scale: f64,
    cotangent: f64,
}

impl ConicPerspective {
    pub(super) fn new(sigma: f64, delta: f64) -> Result<ConicPerspective, String> {
        let (sine, cosine) = sigma.sin_cos_degrees();
        let scale = RADIUS * delta.sin_cos_degrees().1;
        if scale == 0.0 {
            return Err(format!("found `delta` of {delta}, expected parallels on one hemisphere"));
        }
        let cotangent = cosine / sine;
        Ok(ConicPerspective { cone: Cone::new(sigma, delta, sine, scale * cotangent)?, scale, cotangent })
    }
}

impl Formula for ConicPerspective {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = (theta - self.cone.sigma).sin_cos_degrees();
        let latitude = theta.value();
        let pole = latitude.abs() == 90.0;
        let distance = -(sine * self.scale / cosine) + self.cone.apex;
        let distance = N::select(pole, N::constant(0.0), distance);
        let other_pole = pole & ((latitude < 0.0) != (self.cone.sigma < 0.0));
        let outside = (cosine.value() == 0.0) | other_pole | (distance.value() * self.cone.constant < 0.0);
        unless(outside, self.cone.to_plane(phi, distance))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = self.cone.unrolled(x, y);
        let theta = (-(distance / self.scale) + self.cotangent).atan().to_degrees() + self.cone.sigma;
        on_sphere(1e-13, (phi, theta))
    }
}

/// `COE`: areas keep their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ConicEqualArea {
    pub(super) cone: Cone,
    scale: f64,
    square: f64,
    south_pole: f64,
}

impl ConicEqualArea {
    pub(super) fn new(sigma: f64, delta: f64) -> Result<ConicEqualArea, String> {
        let (first, second) = ((sigma - delta).sin_cos_degrees().0, (sigma + delta).sin_cos_degrees().0);
        let constant = (first + second) / 2.0;
        let scale = RADIUS / constant;
        let square = 1.0 + first * second;
        let apex = scale * (square - 2.0 * constant * sigma.sin_cos_degrees().0).sqrt();
        let south_pole = scale * (square + 2.0 * constant).sqrt();
        Ok(ConicEqualArea { cone: Cone::new(sigma, delta, constant, apex)?, scale, square, south_pole })
    }
}

impl Formula for ConicEqualArea {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, _) = theta.sin_cos_degrees();
        let distance = (-(sine * (2.0 * self.cone.constant)) + self.square).sqrt() * self.scale;
        let pole = theta.value() == -90.0;
        self.cone.to_plane(phi, N::select(pole, N::constant(self.south_pole), distance))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = self.cone.unrolled(x, y);
        let sine =
            (-(distance * distance) + self.scale * self.scale * self.square) / (2.0 * RADIUS * self.scale);
        let value = sine.value();
        let at_south = (distance.value() - self.south_pole).abs() < 1e-12;
        let (south, north) = (at_south | ((value + 1.0).abs() < 1e-12), (value - 1.0).abs() < 1e-12);
        let beyond = value.abs() > 1.0;
        let theta = N::select(beyond & north, N::constant(90.0), sine.asin().to_degrees());
        let theta = N::select(at_south | (beyond & south), N::constant(-90.0), theta);
        unless(beyond & !north & !south, on_sphere(1e-13, (phi, theta)))
    }
}

/// `COD`: meridians keep their length.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ConicEquidistant {
    pub(super) cone: Cone,
    pole: f64,
}

impl ConicEquidistant {
    pub(super) fn new(sigma: f64, delta: f64) -> Result<ConicEquidistant, String> {
        let (sine, cosine) = sigma.sin_cos_degrees();
        let (sine_delta, cosine_delta) = delta.sin_cos_degrees();
        let constant = if delta == 0.0 { sine } else { RADIUS * sine * sine_delta / delta };
        let apex = RADIUS * cosine_delta * cosine / constant;
        Ok(ConicEquidistant { cone: Cone::new(sigma, delta, constant, apex)?, pole: apex + sigma })
    }
}

impl Formula for ConicEquidistant {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        self.cone.to_plane(phi, -theta + self.pole)
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = self.cone.unrolled(x, y);
        on_sphere(1e-13, (phi, -distance + self.pole))
    }
}

/// `COO`: angles keep their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ConicOrthomorphic {
    pub(super) cone: Cone,
    scale: f64,
}

impl ConicOrthomorphic {
    pub(super) fn new(sigma: f64, delta: f64) -> Result<ConicOrthomorphic, String> {
        let tangent = |theta: f64| {
            let (sine, cosine) = ((90.0 - theta) / 2.0).sin_cos_degrees();
            sine / cosine
        };
        let (first, second) = (sigma - delta, sigma + delta);
        let (sine, cosine) = first.sin_cos_degrees();
        let constant = if first == second {
            sine
        } else {
            (second.sin_cos_degrees().1 / cosine).ln() / (tangent(second) / tangent(first)).ln()
        };
        let scale = RADIUS * (cosine / constant) / tangent(first).powf(constant);
        let apex = scale * tangent(sigma).powf(constant);
        let cone = Cone::new(sigma, delta, constant, apex)?;
        if scale == 0.0 || !scale.is_finite() {
            return Err(format!("found `sigma` of {sigma} and `delta` of {delta}, expected those of a cone"));
        }
        Ok(ConicOrthomorphic { cone, scale })
    }
}

impl Formula for ConicOrthomorphic {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        let (sine, cosine) = ((-theta + 90.0) * 0.5).sin_cos_degrees();
        let pole = theta.value() == -90.0;
        let distance = (sine / cosine).powf(self.cone.constant) * self.scale;
        let distance = N::select(pole, N::constant(0.0), distance);
        unless(pole & (self.cone.constant >= 0.0), self.cone.to_plane(phi, distance))
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        let (phi, distance) = self.cone.unrolled(x, y);
        let apex = distance.value() == 0.0;
        let tangent = (distance / self.scale).powf(1.0 / self.cone.constant);
        let theta = tangent.atan().to_degrees() * -2.0 + 90.0;
        let theta = N::select(apex, N::constant(-90.0), theta);
        unless(apex & (self.cone.constant >= 0.0), on_sphere(1e-13, (phi, theta)))
    }
}
