//! Vectors of third component 1 and their direction cosines.

use std::sync::Arc;

use crate::function::{Each, Function, Pointwise};
use crate::number::Number;

/// The vector `(x, y, 1)` to its direction cosines.
#[derive(Debug, Clone)]
pub(crate) struct ToCosines;

impl Pointwise<2, 3> for ToCosines {
    fn at<N: Number>(&self, [x, y]: [N; 2]) -> [N; 3] {
        let length = (x * x + 1.0 + y * y).sqrt();
        [x / length, y / length, N::constant(1.0) / length]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        Some(Each::shared(FromCosines))
    }

    fn describe(&self) -> String {
        "plane to direction cosines".to_owned()
    }
}

/// Direction cosines to the vector `(x, y, 1)` of the same direction.
#[derive(Debug, Clone)]
pub(crate) struct FromCosines;

impl Pointwise<3, 2> for FromCosines {
    fn at<N: Number>(&self, [a, b, c]: [N; 3]) -> [N; 2] {
        [a / c, b / c]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        Some(Each::shared(ToCosines))
    }

    fn describe(&self) -> String {
        "direction cosines to plane".to_owned()
    }
}

/// The third of three direction cosines; NaN if the two others are too large.
pub(super) fn third_cosine<N: Number>(alpha: N, beta: N) -> N {
    (-(alpha * alpha) + 1.0 - beta * beta).sqrt()
}
