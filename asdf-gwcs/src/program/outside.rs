//! Which points are outside of a bounding box.

use super::kernel;
use crate::bounds::{Bounds, Compound};
use crate::number::Number;

impl Bounds {
    /// If no point is outside, as far as this is quickly known.
    pub(crate) fn contains_all<N: Number>(&self, inputs: &[&[N]]) -> bool {
        match self {
            Self::Box(intervals) => inputs.iter().zip(intervals).all(|(input, interval)| {
                interval.is_none_or(|interval| kernel::none_outside(input, interval))
            }),
            Self::Compound(_) => false,
        }
    }

    /// Writes NaN for each point that is outside, and 0 for the others. NaN is not outside.
    pub(crate) fn mark_outside<N: Number>(&self, inputs: &[&[N]], marks: &mut [f64]) {
        marks.fill(0.0);
        match self {
            Self::Box(intervals) => {
                for (input, interval) in inputs.iter().zip(intervals) {
                    if let Some(interval) = interval {
                        kernel::mark_outside(input, *interval, marks);
                    }
                }
            }
            Self::Compound(compound) => {
                let length = inputs.first().map_or(0, |input| input.len());
                for (index, mark) in marks.iter_mut().enumerate().take(length) {
                    let point = |input: usize| {
                        inputs
                            .get(input)
                            .and_then(|values| values.get(index))
                            .map_or(f64::NAN, |value| value.value())
                    };
                    if !compound.contains(inputs.len(), point) {
                        *mark = f64::NAN;
                    }
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
