//! Comparing trees: equality of nodes, and the list of their differences.

mod comparison;
mod difference;
mod equality;

pub(crate) use comparison::{ColumnPair, Special};
pub use difference::{ArrayDifference, Change, Difference, Differences, ElementsDifference, ShapeDifference};
