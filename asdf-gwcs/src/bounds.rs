//! Bounding boxes: the inputs at which a transform is defined.

use asdf_core::Result;

use crate::model::read::entry::Entry;
<<<<<<< HEAD
=======
use crate::number::Number;
>>>>>>> origin/leaves

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
<<<<<<< HEAD
=======
}

impl Bounds {
    /// Writes for each of the first `length` points whether it is outside. A point with NaN is outside.
    pub(crate) fn mark_outside<N: Number>(&self, inputs: &[&[N]], outside: &mut [bool], length: usize) {
        match self {
            Self::Box(intervals) => {
                outside.fill(false);
                for (index, input) in inputs.iter().enumerate() {
                    let [low, high] =
                        intervals.get(index).copied().flatten().unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                    for (outside, value) in outside.iter_mut().zip(*input) {
                        let value = value.value();
                        *outside |= !(value >= low && value <= high);
                    }
                }
            }
            Self::Compound(compound) => {
                for (index, outside) in outside.iter_mut().enumerate().take(length) {
                    let point = |input: usize| {
                        inputs
                            .get(input)
                            .and_then(|values| values.get(index))
                            .map_or(f64::NAN, |value| value.value())
                    };
                    *outside = !compound.contains(inputs.len(), point);
                }
            }
        }
    }

    /// Returns the intervals, if they do not depend on the values of inputs.
    pub(crate) fn intervals(&self) -> Option<&[Option<[f64; 2]>]> {
        match self {
            Self::Box(intervals) => Some(intervals),
            Self::Compound(_) => None,
        }
    }
}

impl Compound {
    /// Whether a point is in the box of its case. A point without a case is outside.
    fn contains(&self, inputs: usize, point: impl Fn(usize) -> f64) -> bool {
        let case = self.cases.iter().find(|(values, _)| {
            values.iter().zip(&self.selectors).all(|(value, selector)| *value == point(*selector))
        });
        case.is_some_and(|(_, intervals)| {
            (0..inputs).all(|input| {
                let value = point(input);
                match intervals.get(input).copied().flatten() {
                    Some([low, high]) => value >= low && value <= high,
                    None => !value.is_nan(),
                }
            })
        })
    }
>>>>>>> origin/leaves
}
