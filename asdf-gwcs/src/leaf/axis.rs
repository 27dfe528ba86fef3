//! One axis of a table: its points and the search for the cell of a value.

use asdf_core::{Error, Result};

/// The points of an axis, in ascending order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    points: Vec<f64>,
    /// Cells per unit, if all cells had the same width. It gives the first guess of the search.
    density: f64,
}

/// Where a value is on an axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The indices of the points below and above the value.
    pub(crate) cell: [usize; 2],
    /// The distance from the point below, in widths of the cell.
    pub(crate) fraction: f64,
    /// The derivative of the fraction.
    pub(crate) density: f64,
    /// Whether the value is not on the axis. NaN is neither inside nor outside.
    pub(crate) outside: bool,
}

impl Axis {
    /// Takes points in strictly ascending or descending order, and returns whether they had to be reversed.
    ///
    /// # Errors
    /// If there are no points, or if they are not in order.
    pub(crate) fn new(mut points: Vec<f64>) -> Result<(Self, bool)> {
        let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
            return Err(Error::mismatch("found no points, expected at least one"));
        };
        let reversed = first > last;
        if reversed {
            points.reverse();
        }
        let out_of_order = points.windows(2).position(|pair| !matches!(pair, [low, high] if low < high));
        if let Some(index) = out_of_order {
            let index = if reversed { points.len() - 1 - index } else { index + 1 };
            return Err(Error::mismatch(format!(
                "the point at index {index} is out of order, expected strictly ascending or descending points"
            )));
        }
        if first.is_nan() {
            return Err(Error::mismatch("found NaN as the only point, expected a number"));
        }
        #[expect(clippy::cast_precision_loss, reason = "only a guess depends on it")]
        let density = (points.len() - 1) as f64 / (last - first).abs();
        Ok((Self { points, density }, reversed))
    }

    pub(crate) fn points(&self) -> &[f64] {
        &self.points
    }

    /// Finds the cell of a value. A value outside belongs to the first or the last cell.
    #[inline]
    pub(crate) fn place(&self, value: f64) -> Place {
        let last = self.points.len() - 1;
        let (low, high) = (self.point(0), self.point(last));
        let outside = value < low || value > high;
        if last == 0 || value.is_nan() {
            let fraction = if value.is_nan() { f64::NAN } else { 0.0 };
            return Place { cell: [0, last.min(1)], fraction, density: 0.0, outside };
        }
        let guess = truncate((value - low) * self.density).min(last - 1);
        let cell = if self.point(guess) <= value && value < self.point(guess + 1) {
            guess
        } else {
            self.points.partition_point(|&point| point <= value).clamp(1, last) - 1
        };
        let (below, above) = (self.point(cell), self.point(cell + 1));
        let density = (above - below).recip();
        Place { cell: [cell, cell + 1], fraction: (value - below) / (above - below), density, outside }
    }

    #[inline]
    fn point(&self, index: usize) -> f64 {
        self.points.get(index).copied().unwrap_or(f64::NAN)
    }
}

/// The integer part of a number. Negative numbers and NaN give 0, large ones the largest integer.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the result is a guess within limits"
)]
fn truncate(value: f64) -> usize {
    value as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_on_a_point_belongs_to_the_cell_above_except_at_the_end() {
        let (axis, reversed) = Axis::new(vec![0.0, 1.0, 10.0]).unwrap();
        assert!(!reversed);
        for (value, cell, fraction, outside) in [
            (0.0, 0, 0.0, false),
            (0.5, 0, 0.5, false),
            (1.0, 1, 0.0, false),
            (10.0, 1, 1.0, false),
            (-1.0, 0, -1.0, true),
            (19.0, 1, 2.0, true),
            (f64::INFINITY, 1, f64::INFINITY, true),
        ] {
            let place = axis.place(value);
            assert_eq!((place.cell[0], place.fraction, place.outside), (cell, fraction, outside), "{value}");
        }
        assert!(axis.place(f64::NAN).fraction.is_nan() && !axis.place(f64::NAN).outside);
    }

    #[test]
    fn points_without_order_are_errors() {
        let (axis, reversed) = Axis::new(vec![3.0, 2.0, -1.0]).unwrap();
        assert!(reversed && axis.points() == [-1.0, 2.0, 3.0]);
        for (points, message) in [
            (vec![], "found no points"),
            (vec![0.0, 1.0, 1.0], "index 2 is out of order"),
            (vec![2.0, 1.0, 1.5, 0.0], "index 2 is out of order"),
            (vec![0.0, f64::NAN, 1.0], "index 1 is out of order"),
            (vec![f64::NAN], "found NaN"),
        ] {
            let error = Axis::new(points).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
