//! Newton's method with exact derivatives.

use std::fmt::{self, Display};

use asdf_core::error::{Error, Result};
use asdf_core::threads::Threads;

use super::problem::Problem;
use super::search::Search;
use crate::function::BLOCK;
use crate::program::{Program, Residual, in_shares};

/// The most inputs of a transform that is inverted numerically.
const MOST_INPUTS: usize = 4;

/// Finds the inputs of a transform for given outputs.
#[derive(Debug)]
pub(crate) struct Newton(Problem);

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
        Ok(Self(Problem { forward, residuals, start, centre }))
    }

    /// The number of inputs and of outputs.
    pub(crate) fn size(&self) -> usize {
        self.0.forward.inputs()
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
        let mut search = Search::<S>::new(&self.0);
        for begin in (0..length).step_by(BLOCK) {
            let end = (begin + BLOCK).min(length);
            let block: Vec<&[f64]> =
                world.iter().map(|column| column.get(begin..end).unwrap_or_default()).collect();
            let mut results: Vec<&mut [f64]> =
                pixels.iter_mut().map(|column| column.get_mut(begin..end).unwrap_or_default()).collect();
            search.block(&block, &mut results);
        }
    }
}

/// Prints the program whose inverse is searched, and the one that gives the first approximation.
impl Display for Newton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Newton's method for the inverse of:")?;
        self.0.forward.fmt(f)?;
        match &self.0.start {
            Some(start) => write!(f, "starting from:\n{start}"),
            None => writeln!(f, "starting from {:?}", self.0.centre),
        }
    }
}
