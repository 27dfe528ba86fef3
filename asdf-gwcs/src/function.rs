//! Functions of blocks of points: the leaves of a tree of transforms.

use std::fmt::Debug;
use std::sync::Arc;

use crate::number::{Dual, Number};

/// The most points that a function is called with at once.
///
/// A block of `f64` is 1 KiB, so that the registers of a program stay in the fastest cache.
pub(crate) const BLOCK: usize = 128;

/// A number with derivatives by two inputs. Systems with more inputs are evaluated once per pair of inputs.
pub(crate) type Dual2 = Dual<2>;

/// A transform that the program calls with a block of points.
///
/// All slices of a call have the same length, up to [`BLOCK`]. There are [`inputs`](Function::inputs) slices to read
/// and [`outputs`](Function::outputs) slices to fill. A point outside the domain gives NaN.
pub(crate) trait Function: Debug + Send + Sync {
    /// The number of inputs.
    fn inputs(&self) -> usize;

    /// The number of outputs.
    fn outputs(&self) -> usize;

    /// Computes the outputs of a block of points.
    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]);

    /// Computes the outputs and their derivatives.
    fn duals(&self, inputs: &[&[Dual2]], outputs: &mut [&mut [Dual2]]);

    /// Returns the inverse, if there is a formula for it.
    fn inverse(&self) -> Option<Arc<dyn Function>>;

    /// Describes the function and its parameters in one line, such as `gnomonic to sphere`.
    fn describe(&self) -> String;

    /// Returns whether astropy's class has parameters. If no part of a transform has any, gwcs converts units.
    fn has_parameters(&self) -> bool {
        true
    }
}

/// A function with one formula for plain numbers and for numbers with derivatives.
///
/// [`Pointwise`] types are [`Function`]s; write the formula without branches if the compiler should vectorize it.
pub(crate) trait Pointwise<const I: usize, const O: usize>: Debug + Send + Sync {
    /// Computes one point.
    fn at<N: Number>(&self, inputs: [N; I]) -> [N; O];

    /// Returns the inverse, if there is a formula for it.
    fn inverse(&self) -> Option<Arc<dyn Function>>;

    /// Describes the function and its parameters in one line.
    fn describe(&self) -> String;
}

/// Calls a [`Pointwise`] function once per point.
#[derive(Debug)]
pub(crate) struct Each<F, const I: usize, const O: usize>(pub(crate) F);

impl<F: Pointwise<I, O> + 'static, const I: usize, const O: usize> Each<F, I, O> {
    /// Wraps a function for use in a program.
    pub(crate) fn shared(function: F) -> Arc<dyn Function> {
        Arc::new(Self(function))
    }

    fn run<N: Number>(&self, inputs: &[&[N]], outputs: &mut [&mut [N]]) {
        let length = inputs.first().map_or(0, |input| input.len());
        for point in 0..length {
            let at: [N; I] = std::array::from_fn(|input| {
                inputs
                    .get(input)
                    .and_then(|values| values.get(point))
                    .copied()
                    .unwrap_or(N::constant(f64::NAN))
            });
            for (output, value) in outputs.iter_mut().zip(self.0.at(at)) {
                if let Some(slot) = output.get_mut(point) {
                    *slot = value;
                }
            }
        }
    }
}

impl<F: Pointwise<I, O> + 'static, const I: usize, const O: usize> Function for Each<F, I, O> {
    fn inputs(&self) -> usize {
        I
    }

    fn outputs(&self) -> usize {
        O
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        self.run(inputs, outputs);
    }

    fn duals(&self, inputs: &[&[Dual2]], outputs: &mut [&mut [Dual2]]) {
        self.run(inputs, outputs);
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        self.0.inverse()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }
}
