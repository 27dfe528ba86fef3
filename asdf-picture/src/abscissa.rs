//! The horizontal positions of the points of a line.

use asdf_core::{NdArray, Result};

use crate::numbers;
use crate::problem::Problem;
use crate::sample::{MAX_ELEMENTS, PIECE, thinned};
use crate::stretch::place;

/// The numbers of a horizontal axis: the indices of the elements, or the elements of another array.
#[derive(Debug, Clone)]
pub(crate) struct Abscissa {
    /// The array; `None` for indices.
    pub(crate) array: Option<NdArray>,
    /// The smallest and the largest number.
    pub(crate) range: (f64, f64),
    /// Whether the numbers only rise or only fall. Then a line joins the points.
    pub(crate) is_ordered: bool,
}

impl Abscissa {
    /// Returns the indices of `count` elements.
    #[allow(clippy::cast_precision_loss, reason = "an axis shows a few digits of an index")]
    pub(crate) fn indices(count: u64) -> Self {
        Self { array: None, range: (0.0, count.saturating_sub(1) as f64), is_ordered: true }
    }

    /// Returns the numbers of an array, which must have the given shape.
    ///
    /// # Errors
    ///
    /// Returns an error if the shapes differ, if the elements are not numbers, or if none of them is finite.
    pub(crate) fn of(array: &NdArray, shape: &[u64]) -> Result<Self> {
        if numbers::check(array).is_err() {
            return Err(Problem::AxisNotNumbers(array.datatype().clone()).error());
        }
        if array.shape() != shape {
            return Err(
                Problem::AxisShape { found: array.shape().to_vec(), expected: shape.to_vec() }.error()
            );
        }
        let thinned = thinned(array, MAX_ELEMENTS)?;
        let (mut range, mut before) = (None, None);
        let (mut rises, mut falls) = (true, true);
        let mut buffer = Vec::new();
        for piece in thinned.rows(PIECE)? {
            numbers::read(&piece?, &mut buffer)?;
            for &number in buffer.iter().filter(|number| number.is_finite()) {
                let (low, high) = range.unwrap_or((number, number));
                range = Some((number.min(low), number.max(high)));
                rises &= before.is_none_or(|before| before <= number);
                falls &= before.is_none_or(|before| before >= number);
                before = Some(number);
            }
        }
        let range = range.ok_or_else(|| Problem::AxisNotFinite.error())?;
        Ok(Self { array: Some(thinned), range, is_ordered: rises || falls })
    }

    /// Returns the bin of a number on an axis of `bins` bins.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "from 0 to the number of bins"
    )]
    pub(crate) fn bin(&self, number: f64, bins: usize) -> Option<usize> {
        let last = bins.saturating_sub(1) as f64;
        number.is_finite().then(|| (place(number, self.range) * last).round() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_range_are_those_of_finite_numbers() {
        for (numbers, range, is_ordered) in [
            ([1.0, 2.0, f64::NAN, 4.0], (1.0, 4.0), true),
            ([4.0, 2.0, 2.0, -1.0], (-1.0, 4.0), true),
            ([1.0, 3.0, 2.0, f64::INFINITY], (1.0, 3.0), false),
        ] {
            let array = NdArray::new(&[4], &numbers).unwrap();
            let abscissa = Abscissa::of(&array, &[4]).unwrap();
            assert_eq!((abscissa.range, abscissa.is_ordered), (range, is_ordered));
            assert_eq!(abscissa.bin(range.1, 10), Some(9));
            assert_eq!(abscissa.bin(f64::NAN, 10), None);
        }
    }

    #[test]
    fn arrays_of_another_length_are_refused() {
        let array = NdArray::new(&[4], &[1_u8; 4]).unwrap();
        let error = Abscissa::of(&array, &[5]).unwrap_err().to_string();
        assert!(error.contains("[4]") && error.contains("[5]"), "{error}");
        let none = NdArray::new(&[2], &[f32::NAN; 2]).unwrap();
        assert!(Abscissa::of(&none, &[2]).is_err());
    }
}
