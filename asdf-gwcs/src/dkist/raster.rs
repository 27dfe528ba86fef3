//! Positions in an array of several dimensions as one number.

use std::sync::Arc;

use crate::function::Function;
use crate::number::{Dual, Number};

/// The positions along each axis to one number, or back.
///
/// The fraction belongs to the axis along which neighbours have adjacent numbers.
#[derive(Debug, Clone)]
pub(crate) struct Raster {
    /// The lengths of the axes. Their product fits into an `f64` exactly.
    lengths: Vec<f64>,
    /// The difference of numbers for a step along each axis.
    strides: Vec<f64>,
    /// The axis whose stride is 1.
    fastest: usize,
    to_number: bool,
}

impl Raster {
    /// Makes the transform from positions to numbers; in C order, the last axis is the fastest.
    ///
    /// `None` if there are fewer than two axes, if one has no length, or if there are more than 2^53 positions.
    #[expect(clippy::cast_precision_loss, reason = "the product is checked")]
    pub(crate) fn new(lengths: &[u64], last_is_fastest: bool) -> Option<Self> {
        let count = lengths.iter().try_fold(1_u64, |product, length| product.checked_mul(*length))?;
        if lengths.len() < 2 || count == 0 || count > 1 << 53 {
            return None;
        }
        let lengths: Vec<f64> = lengths.iter().map(|length| *length as f64).collect();
        let mut stride = 1.0;
        let mut next = |length: &f64| {
            let this = stride;
            stride *= length;
            this
        };
        let strides: Vec<f64> = if last_is_fastest {
            let mut strides: Vec<f64> = lengths.iter().rev().map(&mut next).collect();
            strides.reverse();
            strides
        } else {
            lengths.iter().map(&mut next).collect()
        };
        let fastest = if last_is_fastest { lengths.len() - 1 } else { 0 };
        Some(Self { lengths, strides, fastest, to_number: true })
    }

    fn number<N: Number>(&self, inputs: &[&[N]], point: usize) -> Option<N> {
        let mut sum = N::constant(0.0);
        for (axis, ((input, length), stride)) in
            inputs.iter().zip(&self.lengths).zip(&self.strides).enumerate()
        {
            let position = *input.get(point)?;
            let whole = position.value().round_ties_even();
            let is_inside = whole >= 0.0 && whole < *length;
            if !is_inside {
                return None;
            }
            // The fastest axis keeps its fraction.
            sum = if axis == self.fastest { sum + position } else { sum + whole * stride };
        }
        Some(sum)
    }

    fn position<N: Number>(&self, number: N, axis: usize) -> Option<N> {
        let (length, stride) = (self.lengths.get(axis)?, self.strides.get(axis)?);
        let count: f64 = self.lengths.iter().product();
        let value = number.value();
        // Half a step before the first position belongs to it, as in the other direction.
        let is_inside = (-0.5..count).contains(&value);
        if !is_inside {
            return None;
        }
        let whole = value.floor().max(0.0);
        let position = (whole / stride).floor() % length;
        Some(if axis == self.fastest { number - (whole - position) } else { N::constant(position) })
    }

    fn run<N: Number>(&self, inputs: &[&[N]], outputs: &mut [&mut [N]]) {
        for (axis, output) in outputs.iter_mut().enumerate() {
            for (point, slot) in output.iter_mut().enumerate() {
                let result = if self.to_number {
                    self.number(inputs, point)
                } else {
                    let number = inputs.first().and_then(|numbers| numbers.get(point));
                    number.and_then(|number| self.position(*number, axis))
                };
                *slot = result.unwrap_or(N::constant(f64::NAN));
            }
        }
    }
}

impl Function for Raster {
    fn inputs(&self) -> usize {
        if self.to_number { self.lengths.len() } else { 1 }
    }

    fn outputs(&self) -> usize {
        if self.to_number { 1 } else { self.lengths.len() }
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        self.run(inputs, outputs);
    }

    fn duals(&self, inputs: &[&[Dual]], outputs: &mut [&mut [Dual]]) {
        self.run(inputs, outputs);
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        Some(Arc::new(Self { to_number: !self.to_number, ..self.clone() }))
    }

    fn describe(&self) -> String {
        let lengths: Vec<String> = self.lengths.iter().map(ToString::to_string).collect();
        let direction = if self.to_number { "to a number" } else { "from a number" };
        let order = if self.fastest == 0 { "F" } else { "C" };
        format!("positions of {} {direction}, order {order}", lengths.join(" x "))
    }
}
