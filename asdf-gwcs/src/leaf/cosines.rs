//! Vectors and their direction cosines.

use std::sync::Arc;

use crate::function::{Each, Function, Pointwise};
use crate::number::Number;

/// A vector to direction cosines and length.
///
/// As in gwcs, the third component of the vector is taken to be 1, whatever the input says.
#[derive(Debug, Clone)]
pub(crate) struct ToCosines;

impl Pointwise<3, 4> for ToCosines {
    fn at<N: Number>(&self, [x, y, _]: [N; 3]) -> [N; 4] {
        let length = (x * x + 1.0 + y * y).sqrt();
        [x / length, y / length, N::constant(1.0) / length, length]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        Some(Each::shared(FromCosines))
    }

    fn describe(&self) -> String {
        "vector to direction cosines".to_owned()
    }
}

/// Direction cosines and length to a vector.
#[derive(Debug, Clone)]
pub(crate) struct FromCosines;

impl Pointwise<4, 3> for FromCosines {
    fn at<N: Number>(&self, [a, b, c, length]: [N; 4]) -> [N; 3] {
        [a * length, b * length, c * length]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        Some(Each::shared(ToCosines))
    }

    fn describe(&self) -> String {
        "direction cosines to vector".to_owned()
    }
}
