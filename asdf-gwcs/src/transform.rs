//! A compiled transform between two frames.

use std::fmt;

use asdf_core::error::{Error, Result};
use asdf_core::threads::Threads;

use crate::bounds::Bounds;
use crate::inversion::{Corners, Newton};
use crate::program::{Program, in_shares};

/// Points that are computed at once if world coordinates have to be copied first.
const PIECE: usize = 1 << 12;

/// A transform between two frames of a [`Wcs`](crate::Wcs), compiled to a flat program.
///
/// Points are columns: one slice for each axis, in the order of the frame's axes, all of the same length. Values are
/// in the units of the frames.
#[derive(Debug)]
pub struct Transform {
    method: Method,
    /// Coordinates outside of these are not inverted.
    corners: Option<Corners>,
    /// Results outside of these are NaN.
    results: Option<ResultBounds>,
    threads: Threads,
}

/// How a transform is computed.
#[derive(Debug)]
enum Method {
    Formula(Program),
    Search(Newton),
}

/// The bounds of the results of an inverse.
#[derive(Debug, Clone)]
pub(crate) struct ResultBounds {
    pub(crate) bounds: Bounds,
    /// Whether one coordinate outside makes the whole point NaN, or only that coordinate.
    pub(crate) whole_points: bool,
}

impl Transform {
    pub(crate) fn from_program(program: Program, threads: Threads) -> Self {
        Self { method: Method::Formula(program), corners: None, results: None, threads }
    }

    pub(crate) fn from_newton(newton: Newton, threads: Threads) -> Self {
        Self { method: Method::Search(newton), corners: None, results: None, threads }
    }

    pub(crate) fn with_corners(self, corners: Option<Corners>) -> Self {
        Self { corners, ..self }
    }

    pub(crate) fn with_result_bounds(self, results: Option<ResultBounds>) -> Self {
        Self { results, ..self }
    }

    /// Returns the number of coordinates that a point is given by.
    pub fn inputs(&self) -> usize {
        match &self.method {
            Method::Formula(program) => program.inputs(),
            Method::Search(newton) => newton.size(),
        }
    }

    /// Returns the number of coordinates of a result.
    pub fn outputs(&self) -> usize {
        match &self.method {
            Method::Formula(program) => program.outputs(),
            Method::Search(newton) => newton.size(),
        }
    }

    /// Computes one point.
    ///
    /// The result has NaN if the point is outside of the bounding box or of the domain of the transform.
    ///
    /// # Errors
    ///
    /// Fails if the number of coordinates is not [`inputs`](Self::inputs).
    pub fn values(&self, point: &[f64]) -> Result<Vec<f64>> {
        let inputs: Vec<&[f64]> = point.iter().map(std::slice::from_ref).collect();
        let mut outputs = vec![f64::NAN; self.outputs()];
        let mut slices: Vec<&mut [f64]> = outputs.chunks_mut(1).collect();
        self.columns_into(&inputs, &mut slices)?;
        Ok(outputs)
    }

    /// Computes many points, and returns a column for each coordinate of the results.
    ///
    /// # Errors
    ///
    /// Fails if there are not as many columns as [`inputs`](Self::inputs), or if their lengths differ.
    pub fn columns(&self, points: &[&[f64]]) -> Result<Vec<Vec<f64>>> {
        let length = points.first().map_or(0, |column| column.len());
        // Zeros need no writing before the results are.
        let mut outputs: Vec<Vec<f64>> = (0..self.outputs()).map(|_| vec![0.0; length]).collect();
        let mut slices: Vec<&mut [f64]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
        self.columns_into(points, &mut slices)?;
        Ok(outputs)
    }

    /// Computes many points into given columns. This allocates no memory for each point.
    ///
    /// # Errors
    ///
    /// Fails if there are not as many columns as [`inputs`](Self::inputs) and [`outputs`](Self::outputs), or if their
    /// lengths differ.
    pub fn columns_into(&self, points: &[&[f64]], results: &mut [&mut [f64]]) -> Result<()> {
        match &self.corners {
            None => self.compute(points, results)?,
            Some(corners) => self.compute_within(corners, points, results)?,
        }
        if let Some(bounds) = &self.results {
            bounds.apply(results);
        }
        Ok(())
    }

    fn compute(&self, points: &[&[f64]], results: &mut [&mut [f64]]) -> Result<()> {
        match &self.method {
            Method::Formula(program) => program.run(points, results, self.threads),
            Method::Search(newton) => newton.run(points, results, self.threads),
        }
    }

    /// Computes points after replacing coordinates outside of the corners by NaN, in copies of moderate size.
    fn compute_within(&self, corners: &Corners, points: &[&[f64]], results: &mut [&mut [f64]]) -> Result<()> {
        let length = results.first().map_or(0, |column| column.len());
        let lengths =
            points.iter().map(|column| column.len()).chain(results.iter().map(|column| column.len()));
        for other in lengths {
            if other != length {
                return Err(Error::usage(format!("expected {length} numbers in each column, found {other}")));
            }
        }
        // Checks the numbers of columns, so that no share can fail.
        let empty: Vec<&[f64]> = points.iter().map(|_| [].as_slice()).collect();
        let mut nothing: Vec<&mut [f64]> = results.iter_mut().map(|_| [].as_mut_slice()).collect();
        self.compute(&empty, &mut nothing)?;
        in_shares(points, results, self.threads, |points, results| {
            let length = results.first().map_or(0, |column| column.len());
            for begin in (0..length).step_by(PIECE) {
                let end = (begin + PIECE).min(length);
                let copies: Vec<Vec<f64>> = points
                    .iter()
                    .enumerate()
                    .map(|(axis, column)| {
                        let mut copy = column.get(begin..end).unwrap_or_default().to_vec();
                        corners.mask(axis, &mut copy);
                        copy
                    })
                    .collect();
                let copies: Vec<&[f64]> = copies.iter().map(Vec::as_slice).collect();
                let mut piece: Vec<&mut [f64]> =
                    results.iter_mut().map(|column| column.get_mut(begin..end).unwrap_or_default()).collect();
                self.compute_piece(&copies, &mut piece);
            }
        });
        Ok(())
    }

    fn compute_piece(&self, points: &[&[f64]], results: &mut [&mut [f64]]) {
        let computed = match &self.method {
            Method::Formula(program) => program.run(points, results, Threads::ONE),
            Method::Search(newton) => newton.run(points, results, Threads::ONE),
        };
        if computed.is_err() {
            results.iter_mut().for_each(|column| column.fill(f64::NAN));
        }
    }
}

impl ResultBounds {
    fn apply(&self, results: &mut [&mut [f64]]) {
        let length = results.first().map_or(0, |column| column.len());
        if self.whole_points {
            let mut marks = [0.0; PIECE];
            for begin in (0..length).step_by(PIECE) {
                let end = (begin + PIECE).min(length);
                let columns: Vec<&[f64]> =
                    results.iter().map(|column| column.get(begin..end).unwrap_or_default()).collect();
                self.bounds.mark_outside(&columns, &mut marks);
                for column in results.iter_mut() {
                    for (value, mark) in column.iter_mut().skip(begin).zip(&marks).take(end - begin) {
                        if mark.is_nan() {
                            *value = f64::NAN;
                        }
                    }
                }
            }
        } else if let Some(intervals) = self.bounds.intervals() {
            for (column, interval) in results.iter_mut().zip(intervals) {
                let [low, high] = interval.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                for value in column.iter_mut().filter(|value| **value < low || **value > high) {
                    *value = f64::NAN;
                }
            }
        }
    }
}

/// Prints the program, one instruction on a line.
impl fmt::Display for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.method {
            Method::Formula(program) => program.fmt(f),
            Method::Search(newton) => newton.fmt(f),
        }
    }
}
