//! An array of one axis as a line.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "places in a drawing: from 0 to its size"
)]

use asdf_core::{NdArray, Result};

use super::abscissa::Abscissa;
use super::limits::Limits;
use super::numbers;
use super::sample::{MOST, PIECE, thinned};
use super::stretch::{Stretch, place};
use super::ticks::{Tick, ticks, whole_ticks};

/// How many rows of a cloud are kept apart: as many as there are columns, but not fewer or more than this.
const ROWS: (usize, usize) = (64, 4096);

/// Up to this many points of a cloud are drawn as crosses.
const FEW: u64 = 5000;

/// An array of one axis over its indices or over the numbers of another array.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    points: Points,
    abscissa: Abscissa,
    range: Option<(f64, f64)>,
    stretch: Stretch,
}

/// What is known of the points, by their place along the horizontal axis.
#[derive(Debug, Clone)]
enum Points {
    /// The smallest and the largest number of each bin that has elements; `None` if none of them is a number.
    Line(Vec<(f64, Option<(f64, f64)>)>),
    /// Points whose abscissas neither rise nor fall.
    Cloud { dots: Bitmap, are_few: bool },
}

/// Dots that are set, rows from the top.
#[derive(Debug, Clone)]
pub(crate) struct Bitmap {
    pub(crate) width: usize,
    pub(crate) height: usize,
    dots: Vec<bool>,
}

impl Curve {
    /// The line of at most `most` points over the indices, or over the numbers of `x`.
    pub(super) fn of(
        array: &NdArray,
        x: Option<&NdArray>,
        most: usize,
        limits: Limits,
        stretch: Stretch,
    ) -> Result<Self> {
        let abscissa = match x {
            Some(x) => Abscissa::of(x, array.shape())?,
            None => Abscissa::indices(array.len()),
        };
        let range = limits.of(array)?;
        let thinned = thinned(array, MOST)?;
        let bins = match &abscissa.array {
            Some(_) => most.max(1),
            None => usize::try_from(thinned.len()).unwrap_or(usize::MAX).min(most.max(1)),
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
                    dots.set(bin as f64, self.row(number, range, dots.height));
                }
            })?;
        }
        Ok(Points::Cloud { dots, are_few: array.len() <= FEW })
    }

    /// Calls with the bin and the number of each element whose abscissa is finite.
    fn each(&self, array: &NdArray, bins: usize, mut call: impl FnMut(usize, f64)) -> Result<()> {
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

    /// The numbers at the lower and the upper border; `None` where there is no number.
    pub(crate) fn range(&self) -> Option<(f64, f64)> {
        self.range
    }

    /// The numbers at the left and the right border.
    pub(crate) fn span(&self) -> (f64, f64) {
        self.abscissa.range
    }

    /// Whether the horizontal axis shows indices.
    pub(crate) fn has_indices(&self) -> bool {
        self.abscissa.array.is_none()
    }

    /// About `most` ticks of the horizontal axis, each with its place from 0 to 1.
    pub(crate) fn x_ticks(&self, most: usize) -> Vec<(f64, Tick)> {
        let span = self.span();
        let ticks = if self.has_indices() { whole_ticks(span, most) } else { ticks(span, most) };
        // A single element is drawn at the left.
        let at = |number| if self.has_indices() && span.0 == span.1 { 0.0 } else { place(number, span) };
        ticks.into_iter().map(|tick| (at(tick.number), tick)).collect()
    }

    /// About `most` ticks of the vertical axis, each with its place from 0 to 1.
    pub(crate) fn y_ticks(&self, most: usize) -> Vec<(f64, Tick)> {
        let Some(range) = self.range else { return Vec::new() };
        ticks(range, most)
            .into_iter()
            .map(|tick| (self.stretch.apply(place(tick.number, range)), tick))
            .collect()
    }

    fn row(&self, number: f64, range: (f64, f64), height: usize) -> f64 {
        let up = self.stretch.apply(place(number, range));
        ((1.0 - up) * height.saturating_sub(1) as f64).round()
    }

    /// The line in dots.
    pub(crate) fn drawn(&self, width: usize, height: usize) -> Bitmap {
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

impl Bitmap {
    /// Whether a dot is set.
    pub(crate) fn is_set(&self, x: usize, y: usize) -> bool {
        x < self.width && self.dots.get(y * self.width + x).copied().unwrap_or(false)
    }

    fn new(width: usize, height: usize) -> Self {
        Self { width, height, dots: vec![false; width * height] }
    }

    fn set(&mut self, x: f64, y: f64) {
        let (x, y) = (x as usize, y as usize);
        if let Some(dot) = self.dots.get_mut(y * self.width + x).filter(|_| x < self.width) {
            *dot = true;
        }
    }

    /// Sets the dots of another bitmap, as crosses where there is room for them.
    fn copy(&mut self, other: &Self, crosses: bool) {
        let arm = match self.height {
            200.. if crosses => 2,
            80.. if crosses => 1,
            _ => 0_i32,
        };
        let scaled = |at: usize, own: usize, all: usize| {
            (at as f64 / all.saturating_sub(1).max(1) as f64 * own.saturating_sub(1) as f64).round()
        };
        for (at, _) in other.dots.iter().enumerate().filter(|(_, dot)| **dot) {
            let x = scaled(at % other.width.max(1), self.width, other.width);
            let y = scaled(at / other.width.max(1), self.height, other.height);
            for along in -arm..=arm {
                self.set(x + f64::from(along), y);
                self.set(x, y + f64::from(along));
            }
        }
    }

    fn segment(&mut self, from: (f64, f64), to: (f64, f64)) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
        for step in 0..=steps as usize {
            let part = step as f64 / steps;
            let x = (from.0 + (to.0 - from.0) * part).round();
            let y = (from.1 + (to.1 - from.1) * part).round();
            self.set(x, y);
        }
    }
}

/// A number as short as it is still told from its neighbours.
pub(crate) fn label(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let size = number.abs();
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{number:.3e}");
        return match text.split_once('e') {
            Some((digits, exponent)) if digits.contains('.') => {
                format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => text,
        };
    }
    let decimals = (5 - size.log10().floor() as i32).clamp(0, 8) as usize;
    let text = format!("{number:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_are_seen_however_few_points_there_are() {
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
            assert!(!curve.drawn(4, 4).dots.contains(&true));
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

    #[test]
    fn labels_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-12.5, "-12.5"),
            (0.1, "0.1"),
            (1_234.567_89, "1234.57"),
            (2_460_000.5, "2.46e6"),
            (1e-20, "1e-20"),
            (1.0 / 3.0, "0.333333"),
        ] {
            assert_eq!(label(number), text);
        }
    }
}
