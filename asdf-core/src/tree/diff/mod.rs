//! Comparing trees: whether two nodes are equal, and what differs between them.

mod comparison;
mod difference;
mod equality;

pub(crate) use comparison::{ColumnPair, Special};
pub use difference::{ArrayDifference, Change, Difference, Differences, ElementsDifference, ShapeDifference};
