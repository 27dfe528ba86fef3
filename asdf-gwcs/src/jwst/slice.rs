//! The slices of MIRI's integral field units.

use std::sync::Arc;

use crate::function::{Function, Pointwise};
use crate::number::Number;

/// The number of the slice, from the coordinate across slices.
#[derive(Debug, Clone)]
pub(crate) struct Slice {
    /// The coordinate of the centre of the first slice.
    pub(crate) zero: f64,
    /// The width of a slice.
    pub(crate) width: f64,
    /// The number of the channel, 1 to 4. It is the hundreds of the result.
    pub(crate) channel: f64,
}

impl Pointwise<1, 1> for Slice {
    fn at<N: Number>(&self, [beta]: [N; 1]) -> [N; 1] {
        [((beta - self.zero) / self.width + self.channel * 100.0 + 1.0 + 0.5).floor()]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        format!("slice of channel {}", self.channel)
    }
}
