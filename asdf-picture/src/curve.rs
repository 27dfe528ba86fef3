//! `Curve`: an array with one axis as a line.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "positions in a drawing: from 0 to its size"
)]

use asdf_core::array::ReadBudget;
use asdf_core::{NdArray, Result};

use crate::abscissa::Abscissa;
use crate::bitmap::Bitmap;
use crate::limits::Limits;
use crate::numbers;
use crate::sample::{MAX_ELEMENTS, PIECE, thinned};
use crate::stretch::{Stretch, place};
use crate::ticks::{Tick, ticks, whole_ticks};

/// The minimum and maximum number of rows of a cloud. Otherwise it has one row for each column.
const ROWS: (usize, usize) = (64, 4096);

/// The maximum number of points that are drawn as crosses.
const FEW: u64 = 5000;

/// An array with one axis, drawn over its indices or over the numbers of another array.
///
/// [`Look::curve`](crate::Look::curve) returns one.
#[derive(Debug, Clone)]
pub struct Curve {
    points: Points,
    abscissa: Abscissa,
    range: Option<(f64, f64)>,
    stretch: Stretch,
}

/// The points, binned along the horizontal axis.
#[derive(Debug, Clone)]
enum Points {
    /// The smallest and largest number in each bin that has elements; `None` if none of them is a number.
    Line(Vec<(f64, Option<(f64, f64)>)>),
    /// Points whose abscissas neither rise nor fall.
    Cloud { dots: Bitmap, are_few: bool },
}

impl Curve {
    /// Bins an array into a line of at most `max` points over the indices, or over the numbers of `x`.
    pub(crate) fn of(
        array: &NdArray,
        x: Option<&NdArray>,
        max: usize,
        limits: Limits,
        stretch: Stretch,
    ) -> Result<Self> {
        let abscissa = match x {
            Some(x) => Abscissa::of(x, array.shape())?,
            None => Abscissa::indices(array.len()),
        };
        let range = limits.range(array)?;
        let thinned = thinned(array, MAX_ELEMENTS)?;
        let bins = match &abscissa.array {
            Some(_) => max.max(1),
            None => usize::try_from(thinned.len()).unwrap_or(usize::MAX).min(max.max(1)),
        };
        let curve = Self { points: Points::Line(Vec::new()), abscissa, range, stretch };
        let points = match curve.abscissa.is_ordered {
            true => curve.line(&thinned, bins)?,
            false => curve.cloud(&thinned, bins)?,
        };
        Ok(Self { points, ..curve })
    }

    fn line(&self, array: &NdArray, bins: usize) -> Result<Points> {
        let mut points: Vec<Option<Option<(f64, f64)>>> = vec![None; bins];
        self.each(array, bins, |bin, number| {
            let Some(point) = points.get_mut(bin) else { return };
            let known = point.get_or_insert(None);
            if number.is_finite() {
                let (low, high) = known.unwrap_or((number, number));
                *known = Some((low.min(number), high.max(number)));
            }
        })?;
        let last = bins.saturating_sub(1).max(1) as f64;
        let points = points.into_iter().enumerate();
        Ok(Points::Line(points.filter_map(|(at, point)| Some((at as f64 / last, point?))).collect()))
    }

    fn cloud(&self, array: &NdArray, bins: usize) -> Result<Points> {
        let mut dots = Bitmap::new(bins, bins.clamp(ROWS.0, ROWS.1));
        if let Some(range) = self.range {
            self.each(array, bins, |bin, number| {
                if number.is_finite() {
                    dots.set(bin as f64, self.row(number, range, dots.height()));
                }
            })?;
        }
        Ok(Points::Cloud { dots, are_few: array.len() <= FEW })
    }

    /// Calls with the bin and the number of each element whose abscissa is finite.
    fn each(&self, array: &NdArray, bins: usize, mut call: impl FnMut(usize, f64)) -> Result<()> {
        // All elements are read, whatever their number.
        ReadBudget::new().take(array)?;
        let (mut buffer, mut places) = (Vec::new(), Vec::new());
        let mut at = 0_u64;
        let mut others = match &self.abscissa.array {
            Some(x) => Some(x.rows(PIECE)?),
            None => None,
        };
        for piece in array.rows(PIECE)? {
            numbers::read(&piece?, &mut buffer)?;
            match others.as_mut().map(Iterator::next) {
                Some(Some(x)) => {
                    numbers::read(&x?, &mut places)?;
                    for (&number, &x) in buffer.iter().zip(&places) {
                        if let Some(bin) = self.abscissa.bin(x, bins) {
                            call(bin, number);
                        }
                    }
                }
                _ => {
                    for &number in &buffer {
                        let bin = u128::from(at) * bins as u128 / u128::from(array.len().max(1));
                        call(bin as usize, number);
                        at += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the numbers at the lower and upper border; `None` if no element is a number.
    #[doc(alias = "ylim")]
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        self.range
    }

    /// Returns the numbers at the left and right border.
    #[doc(alias = "xlim")]
    #[must_use]
    pub fn span(&self) -> (f64, f64) {
        self.abscissa.range
    }

    /// Returns whether the horizontal axis shows indices.
    #[must_use]
    pub fn has_indices(&self) -> bool {
        self.abscissa.array.is_none()
    }

    /// Returns about `max` ticks of the horizontal axis, each with its position from 0 to 1.
    #[must_use]
    pub fn x_ticks(&self, max: usize) -> Vec<(f64, Tick)> {
        let span = self.span();
        let ticks = if self.has_indices() { whole_ticks(span, max) } else { ticks(span, max) };
        // A single element is drawn at the left.
        let at = |number| if self.has_indices() && span.0 == span.1 { 0.0 } else { place(number, span) };
        ticks.into_iter().map(|tick| (at(tick.number), tick)).collect()
    }

    /// Returns about `max` ticks of the vertical axis, each with its position from 0 to 1.
    #[must_use]
    pub fn y_ticks(&self, max: usize) -> Vec<(f64, Tick)> {
        let Some(range) = self.range else { return Vec::new() };
        ticks(range, max)
            .into_iter()
            .map(|tick| (self.stretch.apply(place(tick.number, range)), tick))
            .collect()
    }

    fn row(&self, number: f64, range: (f64, f64), height: usize) -> f64 {
        let up = self.stretch.apply(place(number, range));
        ((1.0 - up) * height.saturating_sub(1) as f64).round()
    }

    /// Draws the line in a bitmap of this width and height.
    #[must_use]
    pub fn drawn(&self, width: usize, height: usize) -> Bitmap {
        let mut map = Bitmap::new(width, height);
        let Some(range) = self.range else { return map };
        let points = match &self.points {
            Points::Line(points) => points,
            Points::Cloud { dots, are_few } => {
                map.copy(dots, *are_few);
                return map;
            }
        };
        let row = |number: f64| self.row(number, range, height);
        let mut before: Option<(f64, f64)> = None;
        for (place, point) in points {
            let x = (place * width.saturating_sub(1) as f64).round();
            let Some((low, high)) = *point else {
                before = None;
                continue;
            };
            map.segment((x, row(low)), (x, row(high)));
            let middle = (x, (row(low) + row(high)) / 2.0);
            if let Some(before) = before {
                map.segment(before, middle);
            }
            before = Some(middle);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_stay_visible_with_few_points() {
        let mut numbers = vec![0.0_f64; 10_000];
        numbers[7777] = 5.0;
        let array = NdArray::new(&[10_000], &numbers).unwrap();
        let curve = Curve::of(&array, None, 10, Limits::MinMax, Stretch::Linear).unwrap();
        assert_eq!(curve.range(), Some((0.0, 5.0)));
        let map = curve.drawn(10, 6);
        assert!(map.is_set(7, 0) && map.is_set(0, 5) && !map.is_set(2, 0));
    }

    #[test]
    fn a_rising_line_goes_from_corner_to_corner() {
        let array = NdArray::new(&[3], &[1_i32, 2, 3]).unwrap();
        let map = Curve::of(&array, None, 100, Limits::MinMax, Stretch::Linear).unwrap().drawn(5, 5);
        let set: Vec<(usize, usize)> =
            (0..5).flat_map(|x| (0..5).map(move |y| (x, y))).filter(|&(x, y)| map.is_set(x, y)).collect();
        assert_eq!(set, [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)]);
        for empty in [NdArray::new::<f32>(&[0], &[]).unwrap(), NdArray::new(&[2], &[f32::NAN; 2]).unwrap()] {
            let curve = Curve::of(&empty, None, 4, Limits::MinMax, Stretch::Linear).unwrap();
            assert_eq!(curve.range(), None);
            let map = curve.drawn(4, 4);
            assert!((0..16).all(|at| !map.is_set(at % 4, at / 4)));
        }
    }

    #[test]
    fn points_lie_over_the_numbers_of_another_array() {
        let dots = |x: &[f64], y: &[f64]| {
            let array = |numbers: &[f64]| NdArray::new(&[numbers.len() as u64], numbers).unwrap();
            let curve = Curve::of(&array(y), Some(&array(x)), 5, Limits::MinMax, Stretch::Linear).unwrap();
            let map = curve.drawn(5, 5);
            let set = (0..5).flat_map(|x| (0..5).map(move |y| (x, y))).filter(|&(x, y)| map.is_set(x, y));
            set.collect::<Vec<(usize, usize)>>()
        };
        assert_eq!(
            dots(&[0.0, 3.0, 4.0], &[0.0, 0.0, 4.0]),
            [(0, 4), (1, 4), (2, 4), (3, 3), (3, 4), (4, 0), (4, 1), (4, 2)]
        );
        // Falling numbers are joined too, and a missing one leaves a gap.
        assert_eq!(dots(&[4.0, 2.0, 0.0], &[4.0, f64::NAN, 0.0]), [(0, 4), (4, 0)]);
        // Without an order the points are not joined.
        assert_eq!(dots(&[0.0, 4.0, 2.0], &[0.0, 4.0, 2.0]), [(0, 4), (2, 2), (4, 0)]);
    }
}
