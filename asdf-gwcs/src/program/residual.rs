//! What Newton's method compares.

use crate::angle;
use crate::number::Number;

/// A comparison of outputs of a program with given world coordinates.
///
/// Directions are compared as vectors. So there is no jump at longitude 0, and a pole is a point like others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Residual {
    /// Output number `output` is the world coordinate number `world`.
    Value { world: usize, output: usize },
    /// The three outputs from `first` on are a vector in the direction of the longitude `world` and the latitude after
    /// it, in degrees.
    Direction { world: usize, first: usize },
}

impl Residual {
    /// The number of differences.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Value { .. } => 1,
            Self::Direction { .. } => 2,
        }
    }
}

/// The directions east and north of a point on the sphere.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tangent {
    east: [f64; 3],
    north: [f64; 3],
}

impl Tangent {
    /// The tangent plane at a longitude and latitude in degrees.
    #[inline(always)]
    pub(crate) fn at(longitude: f64, latitude: f64) -> Self {
        let (sin_longitude, cos_longitude) = angle::sin_cos_degrees(longitude);
        let (sin_latitude, cos_latitude) = angle::sin_cos_degrees(latitude);
        Self {
            east: [-sin_longitude, cos_longitude, 0.0],
            north: [-sin_latitude * cos_longitude, -sin_latitude * sin_longitude, cos_latitude],
        }
    }

    /// The coordinates of a direction in the tangent plane, in radians near its centre.
    #[inline(always)]
    pub(crate) fn project<N: Number>(&self, [x, y, z]: [N; 3]) -> [N; 2] {
        let length = (x * x + y * y + z * z).sqrt();
        let along = |[a, b, c]: [f64; 3]| (x * a + y * b + z * c) / length;
        [along(self.east), along(self.north)]
    }
}
