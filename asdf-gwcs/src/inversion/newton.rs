//! Newton's method with exact derivatives.

use std::fmt::{self, Display};

use asdf_core::error::{Error, Result};
use asdf_core::threads::Threads;

use super::search::Search;
use crate::function::BLOCK;
use crate::program::{Program, Residual, Tangent, in_shares};

/// A step with exact derivatives that is shorter than this ends the search. The error after it is about its square,
/// times the curvature of the transform: for images that is far below a billionth of a pixel.
pub(super) const SHORT: f64 = 1e-5;

/// After a step that is shorter than this, the next one uses the same derivatives.
pub(super) const NEAR: f64 = 0.1;

/// The search ends at an expected error below this.
pub(super) const SMALL: f64 = 1e-11;

pub(super) const MOST_STEPS: usize = 40;

/// How often a step is halved if the results get worse.
pub(super) const MOST_HALVINGS: usize = 6;

/// The most inputs of a transform that is inverted numerically.
const MOST_INPUTS: usize = 4;

/// Finds the inputs of a transform for given outputs.
#[derive(Debug)]
pub(crate) struct Newton {
    pub(super) forward: Program,
    pub(super) residuals: Vec<Residual>,
    /// An approximation of the inverse.
    pub(super) start: Option<Program>,
    /// Where the search starts if there is no approximation, or if it is NaN.
    pub(super) centre: Vec<f64>,
}

impl Newton {
    /// Prepares the inversion of a program that was compiled for residuals.
    ///
    /// # Errors
    ///
    /// Fails if the numbers of inputs and outputs differ, or if there are more than four.
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
        if inputs > MOST_INPUTS {
            let message = format!("no numerical inverse for {inputs} inputs, only for up to {MOST_INPUTS}");
            return Err(Error::unsupported(message));
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
        in_shares(world, pixels, threads, |world, pixels| match size {
            1 => self.run_share::<1>(world, pixels),
            2 => self.run_share::<2>(world, pixels),
            3 => self.run_share::<3>(world, pixels),
            MOST_INPUTS => self.run_share::<MOST_INPUTS>(world, pixels),
            _ => {}
        });
        Ok(())
    }

    fn run_share<const S: usize>(&self, world: &[&[f64]], pixels: &mut [&mut [f64]]) {
        let length = pixels.first().map_or(0, |column| column.len());
        let mut search = Search::<S>::new(self);
        for begin in (0..length).step_by(BLOCK) {
            let end = (begin + BLOCK).min(length);
            let block: Vec<&[f64]> =
                world.iter().map(|column| column.get(begin..end).unwrap_or_default()).collect();
            let mut results: Vec<&mut [f64]> =
                pixels.iter_mut().map(|column| column.get_mut(begin..end).unwrap_or_default()).collect();
            search.block(&block, &mut results);
        }
    }

    /// The tangent planes at the world coordinates: for each direction one list.
    pub(super) fn tangents<'n>(
        &'n self,
        world: &'n [&'n [f64]],
        length: usize,
    ) -> impl Iterator<Item = Vec<Tangent>> + 'n {
        let value = |column: usize, index: usize| {
            world.get(column).and_then(|column| column.get(index)).copied().unwrap_or(f64::NAN)
        };
        self.residuals.iter().filter_map(move |residual| match *residual {
            Residual::Direction { world, .. } => Some(
                (0..length).map(|index| Tangent::at(value(world, index), value(world + 1, index))).collect(),
            ),
            Residual::Value { .. } => None,
        })
    }
}

/// Prints the program whose inverse is searched, and the one that gives the first approximation.
impl Display for Newton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Newton's method for the inverse of:")?;
        self.forward.fmt(f)?;
        match &self.start {
            Some(start) => write!(f, "starting from:\n{start}"),
            None => writeln!(f, "starting from {:?}", self.centre),
        }
    }
}
