//! Values that replace others under a condition.

use std::sync::Arc;

use crate::function::{Function, Pointwise};
use crate::number::Number;

/// How a number is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Greater,
    Less,
    Equal,
    NotEqual,
}

/// Replaces numbers for which a comparison is true. NaN stays NaN.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pub(crate) comparison: Comparison,
    pub(crate) limit: f64,
    pub(crate) value: f64,
}

impl Pointwise<1, 1> for Condition {
    fn at<N: Number>(&self, [input]: [N; 1]) -> [N; 1] {
        let number = input.value();
        let is_true = match self.comparison {
            Comparison::Greater => number > self.limit,
            Comparison::Less => number < self.limit,
            Comparison::Equal => number == self.limit,
            Comparison::NotEqual => number != self.limit && !number.is_nan(),
        };
        [N::select(is_true, N::constant(self.value), input)]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        let sign = match self.comparison {
            Comparison::Greater => ">",
            Comparison::Less => "<",
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
        };
        format!("{} where {sign} {}", self.value, self.limit)
    }
}
