//! Newton's method with exact derivatives.

use std::fmt::{self, Display};

use asdf_core::error::{Error, Result};
use asdf_core::threads::Threads;

use super::solve::{MOST, Matrix, invert, multiply};
use crate::function::{BLOCK, Dual2};
use crate::number::Number;
use crate::program::{Program, Residual, Scratch, Tangent, in_shares};

/// A step with exact derivatives that is shorter than this ends the search. The error after it is about its square,
/// times the curvature of the transform: for images that is far below a billionth of a pixel.
const SHORT: f64 = 1e-5;

/// The search ends at an expected error below this.
const SMALL: f64 = 1e-11;

/// Steps with the derivatives of an earlier point are accepted while each is shorter than this part of the last.
const FAST: f64 = 1e-2;

const MOST_STEPS: usize = 40;

/// How often a step is halved if the results get worse.
const MOST_HALVINGS: usize = 6;

/// Finds the inputs of a transform for given outputs.
#[derive(Debug)]
pub(crate) struct Newton {
    forward: Program,
    residuals: Vec<Residual>,
    /// An approximation of the inverse.
    start: Option<Program>,
    /// Where the search starts if there is no approximation, or if it is NaN.
    centre: Vec<f64>,
}

impl Newton {
    /// Prepares the inversion of a program that was compiled for residuals.
    ///
    /// # Errors
    ///
    /// Fails if the numbers of inputs and outputs differ, or if there are more than eight.
    pub(crate) fn new(
        (forward, residuals): (Program, Vec<Residual>),
        start: Option<Program>,
        centre: Vec<f64>,
    ) -> Result<Self> {
        let outputs: usize = residuals.iter().map(Residual::count).sum();
        let inputs = forward.inputs();
        if inputs != outputs {
            let message =
                format!("no numerical inverse: the transform has {inputs} inputs and {outputs} outputs");
            return Err(Error::unsupported(message));
        }
        if inputs > MOST {
            return Err(Error::unsupported(format!(
                "no numerical inverse for {inputs} inputs, only for up to {MOST}"
            )));
        }
        Ok(Self { forward, residuals, start, centre })
    }

    /// The number of inputs and of outputs.
    pub(crate) fn size(&self) -> usize {
        self.forward.inputs()
    }

    /// Computes the pixel of each world coordinate. Points without a solution give NaN.
    pub(crate) fn run(&self, world: &[&[f64]], pixels: &mut [&mut [f64]], threads: Threads) -> Result<()> {
        let size = self.size();
        let length = pixels.first().map_or(0, |column| column.len());
        let lengths = world.iter().map(|column| column.len()).chain(pixels.iter().map(|column| column.len()));
        if world.len() != size || pixels.len() != size || lengths.into_iter().any(|other| other != length) {
            return Err(Error::usage(format!("expected {size} columns of the same length")));
        }
        in_shares(world, pixels, threads, |world, pixels| self.run_share(world, pixels));
        Ok(())
    }

    fn run_share(&self, world: &[&[f64]], pixels: &mut [&mut [f64]]) {
        let length = pixels.first().map_or(0, |column| column.len());
        let mut search = Search::new(self);
        let mut begin = 0;
        while begin < length {
            let end = (begin + BLOCK).min(length);
            let block: Vec<&[f64]> =
                world.iter().map(|column| column.get(begin..end).unwrap_or_default()).collect();
            let mut results: Vec<&mut [f64]> =
                pixels.iter_mut().map(|column| column.get_mut(begin..end).unwrap_or_default()).collect();
            search.block(&block, &mut results);
            begin = end;
        }
    }
}

/// Prints the program whose inverse is searched, and the one that gives the first approximation.
impl fmt::Display for Newton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Newton's method for the inverse of:")?;
        self.forward.fmt(f)?;
        match &self.start {
            Some(start) => write!(f, "starting from:\n{start}"),
            None => writeln!(f, "starting from {:?}", self.centre),
        }
    }
}

/// One point that is being searched.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// Its position in the block.
    index: usize,
    at: [f64; MOST],
    /// The last step.
    step: [f64; MOST],
    /// The size of the residual before the last step.
    error: f64,
    halvings: usize,
    /// The inverse of the derivatives, and whether it is of the current point.
    inverse: Matrix,
    fresh: bool,
}

/// The memory of a search, which is used for one block after the other.
struct Search<'n> {
    newton: &'n Newton,
    start: Option<Scratch<f64>>,
    plain: Scratch<f64>,
    dual: Scratch<Dual2>,
}

impl<'n> Search<'n> {
    fn new(newton: &'n Newton) -> Self {
        Self {
            newton,
            start: newton.start.as_ref().map(Scratch::new),
            plain: Scratch::new(&newton.forward),
            dual: Scratch::new(&newton.forward),
        }
    }

    /// Inverts the points of a block.
    fn block(&mut self, world: &[&[f64]], pixels: &mut [&mut [f64]]) {
        let length = pixels.first().map_or(0, |column| column.len());
        if let (Some(program), Some(scratch)) = (&self.newton.start, &mut self.start) {
            program.run_block(scratch, world, pixels);
        } else {
            pixels.iter_mut().for_each(|column| column.fill(f64::NAN));
        }
        let tangents = self.newton.tangents(world, length);
        let mut points: Vec<Point> = Vec::with_capacity(length);
        for index in 0..length {
            let finite = world.iter().all(|column| column.get(index).is_some_and(|value| value.is_finite()));
            let mut at = [0.0; MOST];
            at.iter_mut()
                .zip(pixels.iter())
                .for_each(|(at, column)| *at = column.get(index).copied().unwrap_or(0.0));
            if at.iter().any(|value| !value.is_finite()) {
                at.iter_mut().zip(&self.newton.centre).for_each(|(at, centre)| *at = *centre);
            }
            pixels.iter_mut().filter_map(|column| column.get_mut(index)).for_each(|value| *value = f64::NAN);
            if finite {
                let (step, inverse) = ([0.0; MOST], [[0.0; MOST]; MOST]);
                points.push(Point {
                    index,
                    at,
                    step,
                    error: f64::INFINITY,
                    halvings: 0,
                    inverse,
                    fresh: false,
                });
            }
        }
        let mut with_derivatives = true;
        for _ in 0..MOST_STEPS {
            if points.is_empty() {
                break;
            }
            let residuals = if with_derivatives {
                self.derivatives(world, &tangents, &mut points)
            } else {
                self.residuals(world, &tangents, &points)
            };
            let size = self.newton.size();
            with_derivatives = false;
            let mut kept = Vec::with_capacity(points.len());
            for (mut point, residual) in points.into_iter().zip(residuals) {
                match point.advance(&residual, size) {
                    Progress::Done => {
                        for (column, value) in pixels.iter_mut().zip(point.at) {
                            if let Some(slot) = column.get_mut(point.index) {
                                *slot = value;
                            }
                        }
                    }
                    Progress::Slow => {
                        with_derivatives = true;
                        kept.push(point);
                    }
                    Progress::Fast => kept.push(point),
                    Progress::Lost => {}
                }
            }
            points = kept;
        }
    }

    /// The residuals of the points.
    fn residuals(
        &mut self,
        world: &[&[f64]],
        tangents: &[Vec<Tangent>],
        points: &[Point],
    ) -> Vec<[f64; MOST]> {
        let forward = &self.newton.forward;
        let inputs: Vec<Vec<f64>> = (0..forward.inputs())
            .map(|input| {
                points.iter().map(|point| point.at.get(input).copied().unwrap_or(f64::NAN)).collect()
            })
            .collect();
        let inputs: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
        let mut outputs = vec![vec![0.0; points.len()]; forward.outputs()];
        let mut slices: Vec<&mut [f64]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
        forward.run_block(&mut self.plain, &inputs, &mut slices);
        let compare =
            |(row, point): (usize, &Point)| self.newton.compare(&outputs, row, world, tangents, point.index);
        points.iter().enumerate().map(compare).collect()
    }

    /// The residuals of the points. Their derivatives are written to the points.
    fn derivatives(
        &mut self,
        world: &[&[f64]],
        tangents: &[Vec<Tangent>],
        points: &mut [Point],
    ) -> Vec<[f64; MOST]> {
        let forward = &self.newton.forward;
        let size = forward.inputs();
        let mut jacobians: Vec<Matrix> = vec![[[0.0; MOST]; MOST]; points.len()];
        let mut residuals = vec![[0.0; MOST]; points.len()];
        for first in (0..size).step_by(2) {
            let inputs: Vec<Vec<Dual2>> = (0..size)
                .map(|input| {
                    let values = points.iter().map(|point| point.at.get(input).copied().unwrap_or(f64::NAN));
                    values
                        .map(|value| match input.checked_sub(first) {
                            Some(variable @ 0..=1) => Dual2::variable(value, variable),
                            _ => Dual2::constant(value),
                        })
                        .collect()
                })
                .collect();
            let inputs: Vec<&[Dual2]> = inputs.iter().map(Vec::as_slice).collect();
            let mut outputs = vec![vec![Dual2::constant(0.0); points.len()]; forward.outputs()];
            let mut slices: Vec<&mut [Dual2]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
            forward.run_block(&mut self.dual, &inputs, &mut slices);
            let rows = points.iter().zip(&mut jacobians).zip(&mut residuals).enumerate();
            for (row, ((point, jacobian), residual)) in rows {
                let compared = self.newton.compare(&outputs, row, world, tangents, point.index);
                for ((value, jacobian), residual) in compared.iter().zip(jacobian).zip(residual) {
                    *residual = value.value;
                    for (slot, derivative) in jacobian.iter_mut().skip(first).zip(value.derivatives) {
                        *slot = derivative;
                    }
                }
            }
        }
        for (point, jacobian) in points.iter_mut().zip(jacobians) {
            point.inverse = invert(jacobian, size).unwrap_or([[f64::NAN; MOST]; MOST]);
            point.fresh = true;
        }
        residuals
    }
}

impl Newton {
    /// The tangent planes at the world coordinates: for each direction one list.
    fn tangents(&self, world: &[&[f64]], length: usize) -> Vec<Vec<Tangent>> {
        let value = |column: usize, index: usize| {
            world.get(column).and_then(|column| column.get(index)).copied().unwrap_or(f64::NAN)
        };
        self.residuals
            .iter()
            .filter_map(|residual| match residual {
                Residual::Direction { world, .. } => Some(
                    (0..length)
                        .map(|index| Tangent::at(value(*world, index), value(world + 1, index)))
                        .collect(),
                ),
                Residual::Value { .. } => None,
            })
            .collect()
    }

    /// The differences of the outputs in row `row` from the world coordinates at `index`.
    fn compare<N: Number>(
        &self,
        outputs: &[Vec<N>],
        row: usize,
        world: &[&[f64]],
        tangents: &[Vec<Tangent>],
        index: usize,
    ) -> [N; MOST] {
        let output = |number: usize| {
            outputs.get(number).and_then(|column| column.get(row)).copied().unwrap_or(N::constant(f64::NAN))
        };
        let mut result = [N::constant(0.0); MOST];
        let mut slots = result.iter_mut();
        let mut tangents = tangents.iter();
        for residual in &self.residuals {
            match residual {
                Residual::Value { world: number, output: source } => {
                    let expected = world.get(*number).and_then(|column| column.get(index)).copied();
                    if let Some(slot) = slots.next() {
                        *slot = output(*source) - expected.unwrap_or(f64::NAN);
                    }
                }
                Residual::Direction { first, .. } => {
                    let vector = [output(*first), output(first + 1), output(first + 2)];
                    let tangent = tangents.next().and_then(|list| list.get(index));
                    let plane = tangent.map(|tangent| tangent.project(vector));
                    for value in plane.unwrap_or([N::constant(f64::NAN); 2]) {
                        if let Some(slot) = slots.next() {
                            *slot = value;
                        }
                    }
                }
            }
        }
        result
    }
}

/// What came of a step.
enum Progress {
    Done,
    /// The next step can use the same derivatives.
    Fast,
    /// The next step needs new derivatives.
    Slow,
    /// There is no solution near.
    Lost,
}

impl Point {
    /// Moves the point by a step.
    fn advance(&mut self, residual: &[f64; MOST], size: usize) -> Progress {
        let error = residual.iter().take(size).map(|value| value * value).sum::<f64>().sqrt();
        // A step that made it worse is halved. NaN is outside of the domain of the transform.
        if self.fresh && (error.is_nan() || error > self.error) && self.error.is_finite() {
            if self.halvings >= MOST_HALVINGS {
                return Progress::Lost;
            }
            self.halvings += 1;
            self.step.iter_mut().for_each(|step| *step *= 0.5);
            self.at.iter_mut().zip(self.step).for_each(|(at, step)| *at += step);
            return Progress::Slow;
        }
        let step = multiply(&self.inverse, residual, size);
        let length =
            |step: &[f64; MOST]| step.iter().take(size).fold(0.0_f64, |most, value| most.max(value.abs()));
        let (new, old) = (length(&step), length(&self.step));
        if step.iter().take(size).any(|value| !value.is_finite()) {
            return Progress::Lost;
        }
        let fast = new < FAST * old;
        if !self.fresh && !fast && new > SMALL {
            return Progress::Slow;
        }
        self.at.iter_mut().zip(step).for_each(|(at, step)| *at -= step);
        (self.step, self.error, self.halvings) = (step, error, 0);
        let error =
            if self.fresh || old == 0.0 { if new < SHORT { 0.0 } else { new } } else { new * (new / old) };
        // Pixels of large numbers have fewer digits.
        let small = self.at.iter().take(size).fold(SMALL, |most, value| most.max(value.abs() * f64::EPSILON));
        let done = error <= small;
        let first = self.fresh;
        self.fresh = false;
        match (done, first || fast) {
            (true, _) => Progress::Done,
            (false, true) if new < 1.0 => Progress::Fast,
            _ => Progress::Slow,
        }
    }
}
