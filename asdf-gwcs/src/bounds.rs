//! Bounding boxes: the inputs at which a transform is defined.

/// An interval, which includes its ends, for each input; `None` for an input without a limit.
pub(crate) type Intervals = Vec<Option<[f64; 2]>>;

/// The bounding box of a transform.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Bounds {
    /// The same box for all points.
    Box(Intervals),
    /// A box for each value of the selecting inputs.
    Compound(Compound),
}

/// Boxes that are chosen by the values of some inputs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Compound {
    /// The positions of the inputs that choose.
    pub(crate) selectors: Vec<usize>,
    /// The values of the selecting inputs, and the box for them: one interval for each input of the transform.
    pub(crate) cases: Vec<(Vec<f64>, Intervals)>,
}
