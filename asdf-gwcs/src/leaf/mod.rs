//! The functions of one transform: the leaves of a tree.

pub(crate) mod axis;
pub(crate) mod cosines;
pub(crate) mod optics;
pub(crate) mod series;
pub(crate) mod spline;
pub(crate) mod tabular;
pub(crate) mod ufunc;
