//! Tables that are indexed by the rounded input.

use std::sync::Arc;

use asdf_core::{Error, Result};

use crate::function::{Each, Function, Pointwise};
use crate::number::Number;

/// A value for each index. Other indices give NaN.
#[derive(Debug, Clone)]
pub(crate) struct Lookup(Vec<f64>);

impl Lookup {
    /// Makes a table from its values.
    ///
    /// # Errors
    /// If there are no values.
    pub(crate) fn new(values: Vec<f64>) -> Result<Self> {
        if values.is_empty() {
            return Err(Error::mismatch("found an empty table, expected at least one value"));
        }
        Ok(Self(values))
    }
}

impl Pointwise<1, 1> for Lookup {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "negative numbers are not indices"
    )]
    fn at<N: Number>(&self, [x]: [N; 1]) -> [N; 1] {
        let index = x.value().round_ties_even();
        let value = if index >= 0.0 { self.0.get(index as usize).copied() } else { None };
        [N::constant(value.unwrap_or(f64::NAN))]
    }

    /// The inverse is the index of the first equal value.
    fn inverse(&self) -> Option<Arc<dyn Function>> {
        Some(Each::shared(ReverseLookup(self.clone())))
    }

    fn has_parameters(&self) -> bool {
        false
    }

    fn describe(&self) -> String {
        format!("lookup in {} values", self.0.len())
    }
}

/// The index of a value in a table. Other values give NaN.
#[derive(Debug, Clone)]
struct ReverseLookup(Lookup);

impl Pointwise<1, 1> for ReverseLookup {
    #[expect(clippy::cast_precision_loss, reason = "tables have fewer than 2^53 values")]
    fn at<N: Number>(&self, [x]: [N; 1]) -> [N; 1] {
        let Lookup(values) = &self.0;
        let index = values.iter().position(|&value| value == x.value());
        [N::constant(index.map_or(f64::NAN, |index| index as f64))]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        Some(Each::shared(self.0.clone()))
    }

    fn has_parameters(&self) -> bool {
        false
    }

    fn describe(&self) -> String {
        format!("index among {} values", self.0.0.len())
    }
}
