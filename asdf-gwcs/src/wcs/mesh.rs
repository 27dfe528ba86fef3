//! Cubic interpolation of two functions of a pixel on a square mesh.

use std::ops::Range;

use asdf_core::Result;

use super::both::{Both, coordinate};

/// The values of both functions at the points of a mesh, row by row.
#[derive(Debug)]
pub(super) struct Mesh {
    spacing: i64,
    /// The pixel of the first point. The mesh has a point more than needed at each side.
    start: [f64; 2],
    /// The number of points along each axis, at least four.
    columns: usize,
    rows: usize,
    values: [Vec<f64>; 2],
}

/// The weights of the points -1, 0, 1 and 2 for a place from 0 to 1.
fn weights(t: f64) -> [f64; 4] {
    let (before, after, last) = (t + 1.0, t - 1.0, t - 2.0);
    [-t * after * last / 6.0, before * after * last / 2.0, -before * t * last / 2.0, before * t * after / 6.0]
}

impl Mesh {
    pub(super) fn new(both: &Both, x: &Range<i64>, y: &Range<i64>, spacing: i64) -> Result<Self> {
        let count = |range: &Range<i64>| (range.end - range.start - 1).max(0) / spacing + 4;
        let (columns, rows) = (count(x), count(y));
        let start = [coordinate(x.start - spacing), coordinate(y.start - spacing)];
        let mut points = [Vec::new(), Vec::new()];
        for row in 0..rows {
            points[0].extend((0..columns).map(|column| start[0] + coordinate(column * spacing)));
            points[1].resize(points[0].len(), start[1] + coordinate(row * spacing));
        }
        let values = both.unbounded(&points[0], &points[1])?;
        let size = |count: i64| usize::try_from(count).unwrap_or(0);
        Ok(Self { spacing, start, columns: size(columns), rows: size(rows), values })
    }

    pub(super) fn spacing(&self) -> u32 {
        u32::try_from(self.spacing).unwrap_or(u32::MAX)
    }

    /// Returns the largest difference from the exact values at the middles of the cells; infinite if a value is NaN.
    pub(super) fn error(&self, both: &Both) -> Result<f64> {
        let half = 0.5 * coordinate(self.spacing);
        let mut worst: f64 = 0.0;
        for cell in 1..self.rows.saturating_sub(2) {
            let row = self.values_of_row(cell, weights(0.5));
            let mut found = [Vec::new(), Vec::new()];
            let mut points = [Vec::new(), Vec::new()];
            for column in 1..self.columns.saturating_sub(2) {
                for (values, found) in row.iter().zip(&mut found) {
                    found.push(combined(values, column, weights(0.5)));
                }
                points[0].push(self.start[0] + half + coordinate(self.spacing) * index(column));
                points[1].push(self.start[1] + half + coordinate(self.spacing) * index(cell));
            }
            let exact = both.unbounded(&points[0], &points[1])?;
            for (found, exact) in found.iter().flatten().zip(exact.iter().flatten()) {
                let difference = (found - exact).abs();
                if !difference.is_finite() {
                    return Ok(f64::INFINITY);
                }
                worst = worst.max(difference);
            }
        }
        Ok(worst)
    }

    /// Appends the values of a row of pixels.
    pub(super) fn row(&self, y: f64, x: Range<i64>, results: &mut [Vec<f64>; 2]) {
        let spacing = coordinate(self.spacing);
        let (cell, t) = self.cell((y - self.start[1]) / spacing, self.rows);
        let values = self.values_of_row(cell, weights(t));
        for pixel in x {
            let (cell, t) = self.cell((coordinate(pixel) - self.start[0]) / spacing, self.columns);
            let weights = weights(t);
            for (values, results) in values.iter().zip(results.iter_mut()) {
                results.push(combined(values, cell, weights));
            }
        }
    }

    /// Returns the number of the point before a place, and the rest.
    fn cell(&self, place: f64, count: usize) -> (usize, f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "conversions of floats saturate"
        )]
        let cell = (place.floor() as usize).clamp(1, count.saturating_sub(3).max(1));
        (cell, place - index(cell))
    }

    /// Interpolates between rows of points.
    fn values_of_row(&self, cell: usize, weights: [f64; 4]) -> [Vec<f64>; 2] {
        [0, 1].map(|which| {
            let values = if which == 0 { &self.values[0] } else { &self.values[1] };
            let mut row = vec![0.0; self.columns];
            for (number, weight) in weights.into_iter().enumerate() {
                let begin = (cell + number).saturating_sub(1) * self.columns;
                for (sum, value) in row.iter_mut().zip(values.iter().skip(begin)) {
                    *sum += weight * value;
                }
            }
            row
        })
    }
}

fn combined(values: &[f64], cell: usize, weights: [f64; 4]) -> f64 {
    values.iter().skip(cell.saturating_sub(1)).zip(weights).map(|(value, weight)| value * weight).sum()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of points are far below 2^53")]
fn index(number: usize) -> f64 {
    number as f64
}
