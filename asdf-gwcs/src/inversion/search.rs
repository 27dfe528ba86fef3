//! The search for the pixels of a block of points.

#![expect(clippy::indexing_slicing, reason = "the indices are below the number of unknowns")]

use super::problem::Problem;
use super::solve::{Matrix, invert, multiply};
use crate::function::BLOCK;
use crate::number::{Dual, Number};
use crate::program::{Lane, Program, Residual, Scratch, Tangent};

/// A step with exact derivatives that is shorter than this ends the search. The error after it is about its square,
/// times the curvature of the transform: for images that is far below a billionth of a pixel.
const SHORT: f64 = 1e-5;

/// After a step that is shorter than this, the next one uses the same derivatives.
const NEAR: f64 = 0.1;

/// The search ends at an expected error below this.
const SMALL: f64 = 1e-11;

const MOST_STEPS: usize = 40;

/// How often a step is halved if the results get worse.
const MOST_HALVINGS: usize = 6;

/// One point that is being searched.
#[derive(Debug, Clone, Copy)]
struct Point<const S: usize> {
    /// Its position in the block.
    index: usize,
    at: [f64; S],
    /// The last step.
    step: [f64; S],
    /// The size of the residual before the last step.
    error: f64,
    halvings: usize,
    /// The inverse of the derivatives where the last step began.
    inverse: Matrix<S>,
}

/// Columns of numbers that a program reads and writes.
struct Columns<N> {
    inputs: Vec<Vec<N>>,
    outputs: Vec<Vec<N>>,
    scratch: Scratch<N>,
}

/// The memory of a search, which is used for one block after the other.
pub(super) struct Search<'n, const S: usize> {
    problem: &'n Problem,
    start: Option<Scratch<f64>>,
    plain: Columns<f64>,
    dual: Columns<Dual>,
    tangents: Vec<Vec<Tangent>>,
    points: Vec<Point<S>>,
    near: Vec<Point<S>>,
    compared: Vec<[f64; S]>,
    compared_duals: Vec<[Dual; S]>,
}

impl<N: Lane> Columns<N> {
    fn new(program: &Program) -> Self {
        let columns = |count: usize| vec![vec![N::constant(0.0); BLOCK]; count];
        Self {
            inputs: columns(program.inputs()),
            outputs: columns(program.outputs()),
            scratch: Scratch::new(program),
        }
    }

    /// Runs a program on the first `length` rows.
    fn run(&mut self, program: &Program, length: usize) {
        let inputs: Vec<&[N]> =
            self.inputs.iter().map(|column| column.get(..length).unwrap_or_default()).collect();
        let mut outputs: Vec<&mut [N]> =
            self.outputs.iter_mut().map(|column| column.get_mut(..length).unwrap_or_default()).collect();
        program.run_block(&mut self.scratch, &inputs, &mut outputs);
    }
}

impl<'n, const S: usize> Search<'n, S> {
    pub(super) fn new(problem: &'n Problem) -> Self {
        Self {
            problem,
            start: problem.start.as_ref().map(Scratch::new),
            plain: Columns::new(&problem.forward),
            dual: Columns::new(&problem.forward),
            tangents: Vec::new(),
            points: Vec::with_capacity(BLOCK),
            near: Vec::with_capacity(BLOCK),
            compared: vec![[0.0; S]; BLOCK],
            compared_duals: vec![[Dual::constant(0.0); S]; BLOCK],
        }
    }

    /// Inverts up to [`BLOCK`] points.
    pub(super) fn block(&mut self, world: &[&[f64]], pixels: &mut [&mut [f64]]) {
        self.begin(world, pixels);
        for _ in 0..MOST_STEPS {
            if self.points.is_empty() {
                break;
            }
            self.steps_with_derivatives(world, pixels);
            self.steps_without_derivatives(world, pixels);
        }
    }

    /// Sets the points to their first approximations, and the results to NaN.
    fn begin(&mut self, world: &[&[f64]], pixels: &mut [&mut [f64]]) {
        let length = pixels.first().map_or(0, |column| column.len());
        if let (Some(program), Some(scratch)) = (&self.problem.start, &mut self.start) {
            program.run_block(scratch, world, pixels);
        } else {
            pixels.iter_mut().for_each(|column| column.fill(f64::NAN));
        }
        self.problem.tangents(world, &mut self.tangents);
        self.points.clear();
        for index in 0..length {
            let mut at = [0.0; S];
            for (at, column) in at.iter_mut().zip(pixels.iter_mut()) {
                if let Some(slot) = column.get_mut(index) {
                    (*at, *slot) = (*slot, f64::NAN);
                }
            }
            if at.iter().any(|value| !value.is_finite()) {
                at.iter_mut().zip(&self.problem.centre).for_each(|(at, centre)| *at = *centre);
            }
            if world.iter().all(|column| column.get(index).is_some_and(|value| value.is_finite())) {
                let (step, inverse) = ([0.0; S], [[0.0; S]; S]);
                self.points.push(Point { index, at, step, error: f64::INFINITY, halvings: 0, inverse });
            }
        }
    }

    /// Moves each point by a step of Newton's method.
    ///
    /// Points that are near their solution go to the list `near`, and points that are found to the results.
    fn steps_with_derivatives(&mut self, world: &[&[f64]], pixels: &mut [&mut [f64]]) {
        let length = self.points.len();
        let mut residuals = [[0.0; S]; BLOCK];
        // Two derivatives are computed at once.
        for first in (0..S).step_by(2) {
            for (input, column) in self.dual.inputs.iter_mut().enumerate().take(S) {
                let variable = input.checked_sub(first).filter(|variable| *variable < 2);
                for (slot, point) in column.iter_mut().zip(&self.points) {
                    let value = point.at[input];
                    *slot = variable.map_or(Dual::constant(value), |index| Dual::variable(value, index));
                }
            }
            self.dual.run(&self.problem.forward, length);
            let compared = &mut self.compared_duals;
            compare(self.problem, &self.dual, &self.points, world, &self.tangents, compared);
            for ((point, residual), compared) in self.points.iter_mut().zip(&mut residuals).zip(compared) {
                for row in 0..S {
                    residual[row] = compared[row].value;
                    for (slot, derivative) in
                        point.inverse[row].iter_mut().skip(first).zip(compared[row].derivatives)
                    {
                        *slot = derivative;
                    }
                }
            }
        }
        self.near.clear();
        let near = &mut self.near;
        let mut row = 0;
        self.points.retain_mut(|point| {
            let residual = residuals.get(row).copied().unwrap_or([f64::NAN; S]);
            row += 1;
            point.inverse = invert(point.inverse);
            match point.step_with_derivatives(&residual) {
                Progress::Found => {
                    write(pixels, point);
                    false
                }
                Progress::Near => {
                    near.push(*point);
                    false
                }
                Progress::Far => true,
                Progress::Lost => false,
            }
        });
    }

    /// Moves the points that are near their solution by another step, with the derivatives of the step before. This
    /// computes only values. Points that are not found go back to the list of points.
    fn steps_without_derivatives(&mut self, world: &[&[f64]], pixels: &mut [&mut [f64]]) {
        if self.near.is_empty() {
            return;
        }
        for (input, column) in self.plain.inputs.iter_mut().enumerate().take(S) {
            column.iter_mut().zip(&self.near).for_each(|(slot, point)| *slot = point.at[input]);
        }
        self.plain.run(&self.problem.forward, self.near.len());
        let compared = &mut self.compared;
        compare(self.problem, &self.plain, &self.near, world, &self.tangents, compared);
        for (point, residual) in self.near.iter_mut().zip(compared) {
            if point.step_without_derivatives(residual) {
                write(pixels, point);
            } else {
                self.points.push(*point);
            }
        }
    }
}

/// Writes a point that was found to the results.
fn write<const S: usize>(pixels: &mut [&mut [f64]], point: &Point<S>) {
    for (column, value) in pixels.iter_mut().zip(point.at) {
        if let Some(slot) = column.get_mut(point.index) {
            *slot = value;
        }
    }
}

/// Computes the differences of the outputs from the world coordinates, for each point.
fn compare<N: Lane, const S: usize>(
    problem: &Problem,
    columns: &Columns<N>,
    points: &[Point<S>],
    world: &[&[f64]],
    tangents: &[Vec<Tangent>],
    results: &mut [[N; S]],
) {
    let column = |output: usize| columns.outputs.get(output).map(Vec::as_slice).unwrap_or_default();
    let mut slot = 0;
    for (residual, tangents) in problem.residuals.iter().zip(tangents) {
        match *residual {
            Residual::Value { world: number, output } if slot < S => {
                let expected = world.get(number).copied().unwrap_or_default();
                for ((point, result), found) in points.iter().zip(&mut *results).zip(column(output)) {
                    result[slot] = *found - expected.get(point.index).copied().unwrap_or(f64::NAN);
                }
            }
            Residual::Direction { first, .. } if slot + 1 < S => {
                let vectors = column(first).iter().zip(column(first + 1)).zip(column(first + 2));
                for ((point, result), ((x, y), z)) in points.iter().zip(&mut *results).zip(vectors) {
                    let tangent = tangents.get(point.index).copied().unwrap_or_default();
                    [result[slot], result[slot + 1]] = tangent.project([*x, *y, *z]);
                }
            }
            _ => {}
        }
        slot += residual.count();
    }
}

/// What came of a step.
enum Progress {
    Found,
    Near,
    Far,
    /// There is no solution near.
    Lost,
}

/// The largest part of a step.
fn length<const S: usize>(step: &[f64; S]) -> f64 {
    step.iter().fold(0.0, |most, value| most.max(value.abs()))
}

impl<const S: usize> Point<S> {
    fn step_with_derivatives(&mut self, residual: &[f64; S]) -> Progress {
        let error = residual.iter().map(|value| value * value).sum::<f64>();
        // A step that made it worse is halved. NaN is outside of the domain of the transform.
        if (error.is_nan() || error > self.error) && self.error.is_finite() {
            if self.halvings >= MOST_HALVINGS {
                return Progress::Lost;
            }
            self.halvings += 1;
            for (at, step) in self.at.iter_mut().zip(&mut self.step) {
                *step *= 0.5;
                *at += *step;
            }
            return Progress::Far;
        }
        let step = multiply(&self.inverse, residual);
        if step.iter().any(|value| !value.is_finite()) {
            return Progress::Lost;
        }
        self.go(step);
        (self.error, self.halvings) = (error, 0);
        match length(&step) {
            step if step < SHORT => Progress::Found,
            step if step < NEAR => Progress::Near,
            _ => Progress::Far,
        }
    }

    /// Moves the point, and returns whether it is found.
    fn step_without_derivatives(&mut self, residual: &[f64; S]) -> bool {
        let step = multiply(&self.inverse, residual);
        let (old, new) = (length(&self.step), length(&step));
        if new.is_nan() || new > old {
            return false;
        }
        self.error = f64::INFINITY;
        self.go(step);
        // Each step with the same derivatives is shorter by about the same factor.
        new * (new / old) <= self.at.iter().fold(SMALL, |most, value| most.max(value.abs() * f64::EPSILON))
    }

    fn go(&mut self, step: [f64; S]) {
        self.at.iter_mut().zip(step).for_each(|(at, step)| *at -= step);
        self.step = step;
    }
}
