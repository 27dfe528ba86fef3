//! Shrinks an image to the size of its picture.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "positions in a picture: from 0 to its size, which fits in memory"
)]

use std::ops::Range;

use asdf_core::{Error, NdArray, Result};

use crate::bounds::Fit;
use crate::numbers;
use crate::sample::{MAX_ELEMENTS, thinned};

/// The numbers of the pixels in rows, the first row of the array first; NaN for pixels without a number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plane {
    pub(crate) numbers: Vec<f64>,
}

/// The number of elements that are read at once.
const PIECE: u64 = 1 << 20;

impl Plane {
    /// Averages the elements that each pixel covers, weighted by the part of each that it covers.
    ///
    /// Elements that are missing, NaN or infinite are left out. A pixel has no number if more than half of its area
    /// has none, or a whole row or column of elements in it. So dead columns stay visible. The image is read in
    /// pieces; very large images are sampled.
    pub(crate) fn of(array: &NdArray, fit: &Fit) -> Result<Self> {
        if array.shape().len() != 2 {
            let error =
                format!("found an array of shape {:?}, expected an image with two axes", array.shape());
            return Err(Error::mismatch(error));
        }
        let same = array.shape() == [fit.height as u64, fit.width as u64];
        let thinned = if same { array.clone() } else { thinned(array, MAX_ELEMENTS)? };
        let &[height, width] = thinned.shape() else {
            return Err(Error::mismatch("expected an image with two axes"));
        };
        let mut buffer = Vec::new();
        let pieces = thinned.rows((PIECE / width.max(1)).max(1))?;
        if (fit.width as u64, fit.height as u64) == (width, height) {
            let mut numbers = Vec::with_capacity(fit.width * fit.height);
            for piece in pieces {
                numbers::read(&piece?, &mut buffer)?;
                numbers
                    .extend(buffer.iter().map(|&number| if number.is_finite() { number } else { f64::NAN }));
            }
            return Ok(Self { numbers });
        }
        let mut sums = Sums::new(fit, width as usize, height as usize);
        let mut row = 0;
        for piece in pieces {
            numbers::read(&piece?, &mut buffer)?;
            for numbers in buffer.chunks_exact((width as usize).max(1)) {
                sums.add(row, numbers);
                row += 1;
            }
        }
        Ok(sums.means())
    }
}

/// The elements that a pixel covers along one axis, from `first` on, and their weights.
struct Span {
    first: usize,
    /// The weight of the first element.
    begin: f64,
    /// The number of elements after the first that are covered completely.
    whole: usize,
    /// The weight of the element after those.
    end: f64,
}

impl Span {
    /// Returns the span of the pixel `at`, if `pixels` pixels cover `n` elements.
    fn of(at: usize, pixels: usize, n: usize) -> Self {
        let scale = n as f64 / pixels as f64;
        let (start, stop) = (at as f64 * scale, (at + 1) as f64 * scale);
        let first = (start.floor() as usize).min(n.saturating_sub(1));
        let last = (stop.floor() as usize).clamp(first, n);
        if last == first {
            return Self { first, begin: stop - start, whole: 0, end: 0.0 };
        }
        let begin = (first + 1) as f64 - start;
        Self { first, begin, whole: last - first - 1, end: if last < n { stop - last as f64 } else { 0.0 } }
    }
}

/// The sums for each pixel.
struct Sums {
    dead: Dead,
    width: usize,
    columns: Vec<Span>,
    /// The number of rows of pixels, and of rows of elements.
    rows: (usize, usize),
    sums: Vec<f64>,
    weights: Vec<f64>,
    /// One row of elements, summed for each column of pixels.
    across: Vec<(f64, f64)>,
}

impl Sums {
    fn new(fit: &Fit, width: usize, height: usize) -> Self {
        let columns = (0..fit.width).map(|at| Span::of(at, fit.width, width)).collect();
        let pixels = fit.width * fit.height;
        let (sums, weights) = (vec![0.0; pixels], vec![0.0; pixels]);
        let dead = Dead::new(fit, width, height);
        Self {
            dead,
            width: fit.width,
            columns,
            rows: (fit.height, height),
            sums,
            weights,
            across: Vec::new(),
        }
    }

    /// Adds a row of elements to the sums.
    fn add(&mut self, row: usize, numbers: &[f64]) {
        self.dead.add(row, numbers);
        self.across.clear();
        self.across.extend(self.columns.iter().map(|span| {
            let mut covered = numbers.get(span.first..).unwrap_or_default().iter().copied();
            let mut sum = 0.0;
            let mut weight = 0.0;
            let mut take = |number: f64, part: f64| {
                let is = number.is_finite();
                sum += if is { number * part } else { 0.0 };
                weight += if is { part } else { 0.0 };
            };
            if let Some(number) = covered.next() {
                take(number, span.begin);
            }
            covered.by_ref().take(span.whole).for_each(|number| take(number, 1.0));
            if let Some(number) = covered.next().filter(|_| span.end > 0.0) {
                take(number, span.end);
            }
            (sum, weight)
        }));
        let (pixels, n) = self.rows;
        let scale = pixels as f64 / n as f64;
        let (start, stop) = (row as f64 * scale, (row + 1) as f64 * scale);
        let first = (start as usize).min(pixels.saturating_sub(1));
        for pixel in first..pixels.min(first + 2) {
            let part = (stop.min((pixel + 1) as f64) - start.max(pixel as f64)) / scale;
            // Ignore the remainder that rounding leaves.
            if part < 1e-9 {
                continue;
            }
            let range = pixel * self.width..(pixel + 1) * self.width;
            let sums = self.sums.get_mut(range.clone()).unwrap_or_default();
            let weights = self.weights.get_mut(range).unwrap_or_default();
            for ((sum, weight), (number, covered)) in sums.iter_mut().zip(weights).zip(&self.across) {
                *sum += number * part;
                *weight += covered * part;
            }
        }
    }

    fn means(mut self) -> Plane {
        self.dead.end_band();
        let width: f64 = self.columns.iter().map(|span| span.begin + span.whole as f64 + span.end).sum();
        let (pixels, n) = self.rows;
        let covered = width / self.width.max(1) as f64 * n as f64 / pixels.max(1) as f64;
        let mut numbers = self.sums;
        for ((number, weight), dead) in numbers.iter_mut().zip(self.weights).zip(self.dead.pixels) {
            // Allow for the rounding of the weights.
            let few = weight < covered * 0.499_999;
            *number = if few || dead { f64::NAN } else { *number / weight };
        }
        Plane { numbers }
    }
}

/// Finds the pixels that cover a dead row or column of elements: one without any number. Each element belongs to the
/// pixel that contains its middle. A single element is not a row.
struct Dead {
    /// The elements of a row that belong to each pixel.
    columns: Vec<Range<usize>>,
    /// The number of rows of pixels, and of rows of elements.
    rows: (usize, usize),
    width: usize,
    /// The row of pixels that elements are added to, and the number of rows that it has so far.
    band: usize,
    height: usize,
    /// Whether each column of elements in the band has a number.
    alive: Vec<bool>,
    pixels: Vec<bool>,
}

impl Dead {
    fn new(fit: &Fit, width: usize, height: usize) -> Self {
        let mut columns = vec![0..0; fit.width];
        for at in 0..width {
            if let Some(range) = columns.get_mut(middle(at, fit.width, width)) {
                let start = if range.start == range.end { at } else { range.start };
                *range = start..at + 1;
            }
        }
        Self {
            columns,
            rows: (fit.height, height),
            width: fit.width,
            band: 0,
            height: 0,
            alive: vec![false; width],
            pixels: vec![false; fit.width * fit.height],
        }
    }

    fn add(&mut self, row: usize, numbers: &[f64]) {
        let (pixels, n) = self.rows;
        let band = middle(row, pixels, n);
        if band != self.band {
            self.end_band();
            self.band = band;
        }
        self.height += 1;
        for (alive, number) in self.alive.iter_mut().zip(numbers) {
            *alive |= number.is_finite();
        }
        self.mark(|range| {
            let covered = numbers.get(range).unwrap_or_default();
            covered.len() > 1 && covered.iter().all(|number| !number.is_finite())
        });
    }

    fn end_band(&mut self) {
        if self.height > 1 {
            let alive = std::mem::take(&mut self.alive);
            self.mark(|range| alive.get(range).unwrap_or_default().contains(&false));
            self.alive = alive;
        }
        self.height = 0;
        self.alive.fill(false);
    }

    /// Marks the pixels of the band whose elements are dead.
    fn mark(&mut self, is_dead: impl Fn(Range<usize>) -> bool) {
        let pixels = self.pixels.get_mut(self.band * self.width..).unwrap_or_default();
        for (pixel, range) in pixels.iter_mut().zip(&self.columns) {
            *pixel |= is_dead(range.clone());
        }
    }
}

/// Returns the pixel that contains the middle of an element, if `pixels` pixels cover `n` elements.
pub(crate) fn middle(at: usize, pixels: usize, n: usize) -> usize {
    ((2 * at as u128 + 1) * pixels as u128 / (2 * n.max(1) as u128)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bounds;

    fn plane(array: &NdArray, bounds: &str) -> Vec<f64> {
        let (width, height) = (array.shape()[1], array.shape()[0]);
        let fit = bounds.parse::<Bounds>().unwrap().fit(width, height).unwrap();
        Plane::of(array, &fit).unwrap().numbers
    }

    #[test]
    fn pixels_are_means_of_what_they_cover() {
        let numbers: Vec<f64> = (0..16).map(f64::from).collect();
        let array = NdArray::new(&[4, 4], &numbers).unwrap();
        assert_eq!(plane(&array, "full"), numbers);
        assert_eq!(plane(&array, "2"), [2.5, 4.5, 10.5, 12.5]);
        // Three pixels cover four elements: each covers 4/3 of an element.
        let row = NdArray::new(&[1, 4], &[0.0, 3.0, 6.0, 9.0]).unwrap();
        let third = plane(&row, "3");
        let expected = [0.75, 4.5, 8.25];
        assert!(third.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{third:?}");
        let column = plane(&NdArray::new(&[4, 1], &[0.0, 3.0, 6.0, 9.0]).unwrap(), "3");
        assert!(column.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{column:?}");
    }

    #[test]
    fn missing_elements_do_not_count() {
        let array =
            NdArray::new(&[2, 4], &[1.0, f64::NAN, f64::NAN, f64::NAN, 3.0, 5.0, f64::INFINITY, f64::NAN]);
        let shrunk = plane(&array.unwrap(), "2");
        assert_eq!(shrunk[0], 3.0);
        assert!(shrunk[1].is_nan());
    }

    #[test]
    fn dead_columns_and_rows_stay_visible() {
        let mut numbers = vec![1.0_f32; 60 * 60];
        (0..60).for_each(|row| numbers[row * 60 + 17] = f32::NAN);
        (0..60).for_each(|column| numbers[33 * 60 + column] = f32::NAN);
        // A single bad element is left out of the mean.
        numbers[5 * 60 + 50] = f32::NAN;
        let array = NdArray::new(&[60, 60], &numbers).unwrap();
        for size in [6, 7, 20, 29] {
            let shrunk = plane(&array, &size.to_string());
            for (at, number) in shrunk.iter().enumerate() {
                let (row, column) = (at / size, at % size);
                let dead = column == middle(17, size, 60) || row == middle(33, size, 60);
                assert_eq!(number.is_nan(), dead, "{size}: {row} {column}");
            }
        }
    }

    #[test]
    fn half_of_a_pixel_without_numbers_is_bad() {
        let block = |bad: &[usize]| {
            let numbers: Vec<f64> =
                (0..16).map(|at| if bad.contains(&at) { f64::NAN } else { 1.0 }).collect();
            plane(&NdArray::new(&[4, 4], &numbers).unwrap(), "1")[0].is_nan()
        };
        assert!(!block(&[0, 1, 4, 5, 10]) && !block(&[0, 5, 10, 15]));
        assert!(block(&[0, 1, 2, 4, 5, 6, 8, 9, 10]));
    }

    #[test]
    fn every_width_keeps_the_mean() {
        let numbers: Vec<f64> = (0..37 * 23).map(|at| f64::from(at * 7919 % 101)).collect();
        let array = NdArray::new(&[23, 37], &numbers).unwrap();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        for size in ["5x5", "9", "13x30", "36", "37x22"] {
            let shrunk = plane(&array, size);
            let own = shrunk.iter().sum::<f64>() / shrunk.len() as f64;
            assert!((own - mean).abs() < 1e-9, "{size}: {own} is not {mean}");
        }
    }
}
