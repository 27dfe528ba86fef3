//! An array of one axis as a line.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "places in a drawing: from 0 to its size"
)]

use asdf_core::{NdArray, Result};

use super::limits::Limits;
use super::numbers;
use super::sample::{MOST, thinned};
use super::stretch::{Stretch, place};

/// How many elements are read at once.
const PIECE: u64 = 1 << 20;

/// The smallest and the largest number of each stretch of an array.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    /// How many elements the array has.
    pub(crate) count: u64,
    points: Vec<Option<(f64, f64)>>,
    range: Option<(f64, f64)>,
    stretch: Stretch,
}

/// Dots that are set, rows from the top.
#[derive(Debug, Clone)]
pub(crate) struct Bitmap {
    pub(crate) width: usize,
    pub(crate) height: usize,
    dots: Vec<bool>,
}

impl Curve {
    /// The line of at most so many points.
    pub(super) fn of(array: &NdArray, most: usize, limits: Limits, stretch: Stretch) -> Result<Self> {
        let count = array.len();
        let thinned = thinned(array, MOST)?;
        let looked_at = usize::try_from(thinned.len()).unwrap_or(usize::MAX);
        let bins = looked_at.min(most.max(1));
        let mut points: Vec<Option<(f64, f64)>> = vec![None; bins];
        let mut buffer = Vec::new();
        let mut at = 0_usize;
        for piece in thinned.rows(PIECE)? {
            numbers::read(&piece?, &mut buffer)?;
            for &number in &buffer {
                let bin = (at as u128 * bins as u128 / looked_at as u128) as usize;
                at += 1;
                if let Some(point) = points.get_mut(bin).filter(|_| number.is_finite()) {
                    let (low, high) = point.unwrap_or((number, number));
                    *point = Some((low.min(number), high.max(number)));
                }
            }
        }
        Ok(Self { count, range: limits.of(array)?, points, stretch })
    }

    /// The numbers at the lower and the upper border; `None` where there is no number.
    pub(crate) fn range(&self) -> Option<(f64, f64)> {
        self.range
    }

    /// The line in dots.
    pub(crate) fn drawn(&self, width: usize, height: usize) -> Bitmap {
        let mut map = Bitmap { width, height, dots: vec![false; width * height] };
        let Some(range) = self.range else { return map };
        let last = self.points.len().saturating_sub(1).max(1) as f64;
        let row = |number: f64| {
            let up = self.stretch.apply(place(number, range));
            ((1.0 - up) * height.saturating_sub(1) as f64).round()
        };
        let mut before: Option<(f64, f64)> = None;
        for (index, point) in self.points.iter().enumerate() {
            let x = (index as f64 / last * width.saturating_sub(1) as f64).round();
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

    fn segment(&mut self, from: (f64, f64), to: (f64, f64)) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
        for step in 0..=steps as usize {
            let part = step as f64 / steps;
            let x = (from.0 + (to.0 - from.0) * part).round() as usize;
            let y = (from.1 + (to.1 - from.1) * part).round() as usize;
            if let Some(dot) = self.dots.get_mut(y * self.width + x).filter(|_| x < self.width) {
                *dot = true;
            }
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
        let curve = Curve::of(&array, 10, Limits::MinMax, Stretch::Linear).unwrap();
        assert_eq!(curve.range(), Some((0.0, 5.0)));
        let map = curve.drawn(10, 6);
        assert!(map.is_set(7, 0) && map.is_set(0, 5) && !map.is_set(2, 0));
    }

    #[test]
    fn a_rising_line_goes_from_corner_to_corner() {
        let array = NdArray::new(&[3], &[1_i32, 2, 3]).unwrap();
        let map = Curve::of(&array, 100, Limits::MinMax, Stretch::Linear).unwrap().drawn(5, 5);
        let set: Vec<(usize, usize)> =
            (0..5).flat_map(|x| (0..5).map(move |y| (x, y))).filter(|&(x, y)| map.is_set(x, y)).collect();
        assert_eq!(set, [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)]);
        for empty in [NdArray::new::<f32>(&[0], &[]).unwrap(), NdArray::new(&[2], &[f32::NAN; 2]).unwrap()] {
            let curve = Curve::of(&empty, 4, Limits::MinMax, Stretch::Linear).unwrap();
            assert_eq!(curve.range(), None);
            assert!(!curve.drawn(4, 4).dots.contains(&true));
        }
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
