//! The functions of one transform: the leaves of a tree.

pub(crate) mod axis;
pub(crate) mod tabular;
