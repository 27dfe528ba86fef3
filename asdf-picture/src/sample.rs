//! Chooses the display range from the elements of an array, not from the pixels of its picture.

use asdf_core::array::Slice;
use asdf_core::{NdArray, Result};

use crate::limits::{Limits, percentile};
use crate::numbers;
use crate::zscale::{self, SAMPLE};

/// The number of elements that are read at once.
pub(crate) const PIECE: u64 = 1 << 20;

/// The maximum number of elements that are read. Larger arrays are sampled in even steps.
pub(crate) const MAX_ELEMENTS: u64 = 1 << 27;

/// The maximum number of elements that are sorted for percentiles. Larger arrays are sampled.
const MAX_SORTED: u64 = 1 << 25;

impl Limits {
    /// Returns the display range of an array: the numbers of the first and last colour.
    ///
    /// Returns `None` if no element is a finite number. The magnitude of complex numbers is used, and missing elements
    /// are left out. The array is read in pieces. Arrays with more than 2^27 elements are sampled in even steps.
    ///
    /// # Errors
    ///
    /// Returns an error if the elements cannot be read, or are not numbers.
    #[doc(alias = "get_limits")]
    pub fn range(self, array: &NdArray) -> Result<Option<(f64, f64)>> {
        numbers::check(array)?;
        match self {
            Self::Numbers(low, high) => Ok(Some((low, high))),
            Self::MinMax => extremes(&thinned(array, MAX_ELEMENTS)?),
            Self::Zscale => Ok(zscale::limits(spaced(&thinned(array, MAX_ELEMENTS)?)?)),
            Self::Percentiles(low, high) => {
                let mut all = Vec::new();
                each_finite(&thinned(array, MAX_SORTED)?, |number| all.push(number))?;
                Ok(percentile(&mut all, low).zip(percentile(&mut all, high)))
            }
        }
    }
}

/// Returns every n-th element along each axis: about `most` in total, or all if the array is smaller.
pub(crate) fn thinned(array: &NdArray, most: u64) -> Result<NdArray> {
    if array.len() <= most {
        return Ok(array.clone());
    }
    let axes = u32::try_from(array.shape().len()).unwrap_or(u32::MAX);
    let over = array.len().div_ceil(most);
    let step =
        (1..).find(|step: &u64| step.checked_pow(axes).is_none_or(|steps| steps >= over)).unwrap_or(over);
    let range = Slice::ALL.step(i64::try_from(step).unwrap_or(i64::MAX));
    array.slice(&vec![range; array.shape().len()])
}

/// Returns the sample for zscale: every n-th of the finite elements in C order. The step n is the largest that
/// leaves enough elements.
fn spaced(array: &NdArray) -> Result<Vec<f64>> {
    let step = |count: u64| (count / SAMPLE as u64).max(1);
    let pick = |step: u64| -> Result<(Vec<f64>, u64)> {
        let (mut sample, mut count) = (Vec::with_capacity(SAMPLE), 0_u64);
        each_finite(array, |number| {
            if count % step == 0 && sample.len() < SAMPLE {
                sample.push(number);
            }
            count += 1;
        })?;
        Ok((sample, count))
    };
    let first = step(array.len());
    let (sample, finite) = pick(first)?;
    // Only now is the number of finite elements known.
    if step(finite) == first { Ok(sample) } else { pick(step(finite)).map(|(sample, _)| sample) }
}

fn extremes(array: &NdArray) -> Result<Option<(f64, f64)>> {
    let mut range: Option<(f64, f64)> = None;
    each_finite(array, |number| {
        range = Some(range.map_or((number, number), |(low, high)| (low.min(number), high.max(number))));
    })?;
    Ok(range)
}

/// Calls a function with each finite element in C order.
fn each_finite(array: &NdArray, mut call: impl FnMut(f64)) -> Result<()> {
    let row: u64 = array.shape().iter().skip(1).product();
    let mut buffer = Vec::new();
    for piece in array.rows((PIECE / row.max(1)).max(1))? {
        numbers::read(&piece?, &mut buffer)?;
        buffer.iter().copied().filter(|number| number.is_finite()).for_each(&mut call);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_elements() {
        let mut numbers: Vec<f64> = (0..=100).rev().map(f64::from).chain([f64::NAN, f64::INFINITY]).collect();
        let array = NdArray::new(&[103], &numbers).unwrap();
        for (text, expected) in [
            ("minmax", (0.0, 100.0)),
            ("100%", (0.0, 100.0)),
            ("90%", (5.0, 95.0)),
            ("1%,99.5%", (1.0, 99.5)),
            ("-5,1e3", (-5.0, 1000.0)),
        ] {
            let (low, high) = text.parse::<Limits>().unwrap().range(&array).unwrap().unwrap();
            assert!(
                (low - expected.0).abs() < 1e-9 && (high - expected.1).abs() < 1e-9,
                "{text}: {low} {high}"
            );
        }
        numbers.fill(f64::NAN);
        let none = NdArray::new(&[103], &numbers).unwrap();
        for limits in [Limits::MinMax, Limits::Zscale, Limits::Percentiles(1.0, 99.0)] {
            assert_eq!(limits.range(&none).unwrap(), None);
        }
    }

    #[test]
    fn missing_elements_do_not_count_in_the_sample() {
        // Every second element is missing, and every second of the others is in the sample.
        let numbers: Vec<f64> =
            (0..4000).map(|at| if at % 2 == 0 { f64::from(at) } else { f64::NAN }).collect();
        let array = NdArray::new(&[40, 100], &numbers).unwrap();
        let expected: Vec<f64> = (0..1000).map(|at| f64::from(at * 4)).collect();
        assert_eq!(spaced(&array).unwrap(), expected);
    }

    #[test]
    fn large_arrays_are_thinned_evenly() {
        let array = NdArray::new(&[6, 9], &[0_u8; 54]).unwrap();
        assert_eq!(thinned(&array, 54).unwrap().shape(), [6, 9]);
        assert_eq!(thinned(&array, 14).unwrap().shape(), [3, 5]);
        assert!(thinned(&array, 5).unwrap().len() <= 6);
    }
}
