//! Rotations of direction cosines.

use std::sync::Arc;

use super::direction::third_cosine;
use crate::angle;
use crate::function::{Each, Function, Pointwise};
use crate::number::Number;

/// A coordinate axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    X,
    Y,
    Z,
}

/// Rotations about coordinate axes, the first one first.
///
/// After each rotation the third component is computed from the two others. So it is positive, and the length of the
/// result is 1 whatever the input was.
#[derive(Debug, Clone)]
pub(crate) struct Rotation {
    /// Angles in degrees.
    turns: Vec<(Axis, f64)>,
    /// Sines and cosines.
    factors: Vec<(Axis, f64, f64)>,
}

impl Rotation {
    /// Makes rotations by angles in degrees.
    pub(crate) fn new(turns: Vec<(Axis, f64)>) -> Self {
        let factor = |&(axis, degrees): &(Axis, f64)| {
            let (sine, cosine) = angle::sin_cos(angle::to_radians(degrees));
            (axis, sine, cosine)
        };
        let factors = turns.iter().map(factor).collect();
        Self { turns, factors }
    }
}

impl Pointwise<3, 3> for Rotation {
    fn at<N: Number>(&self, vector: [N; 3]) -> [N; 3] {
        self.factors.iter().fold(vector, |[x, y, z], &(axis, sine, cosine)| {
            let (x, y) = match axis {
                Axis::X => (x, y * cosine + z * sine),
                Axis::Y => (x * cosine - z * sine, y),
                Axis::Z => (x * cosine + y * sine, y * cosine - x * sine),
            };
            [x, y, third_cosine(x, y)]
        })
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        let turns = self.turns.iter().rev().map(|&(axis, degrees)| (axis, 0.0 - degrees));
        Some(Each::shared(Self::new(turns.collect())))
    }

    fn describe(&self) -> String {
        let turns: Vec<String> =
            self.turns.iter().map(|(axis, degrees)| format!("{axis:?} {degrees}")).collect();
        format!("rotation of direction cosines {}", turns.join(" "))
    }
}
