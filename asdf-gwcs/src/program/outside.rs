//! Which points are outside of a bounding box.

use crate::bounds::{Bounds, Compound};
use crate::number::Number;

impl Bounds {
    /// Writes for each of the first `length` points whether it is outside. NaN is not outside.
    pub(crate) fn mark_outside<N: Number>(&self, inputs: &[&[N]], outside: &mut [bool], length: usize) {
        match self {
            Self::Box(intervals) => {
                outside.fill(false);
                for (index, input) in inputs.iter().enumerate() {
                    let [low, high] =
                        intervals.get(index).copied().flatten().unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                    for (outside, value) in outside.iter_mut().zip(*input) {
                        let value = value.value();
                        *outside |= value < low || value > high;
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
                !intervals
                    .get(input)
                    .copied()
                    .flatten()
                    .is_some_and(|[low, high]| value < low || value > high)
            })
        })
    }
}
