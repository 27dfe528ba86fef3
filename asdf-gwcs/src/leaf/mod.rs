//! The functions of one transform: the leaves of a tree.

pub(crate) mod axis;
pub(crate) mod cosines;
pub(crate) mod label;
pub(crate) mod optics;
pub(crate) mod profile;
pub(crate) mod selector;
pub(crate) mod series;
mod special;
pub(crate) mod spline;
pub(crate) mod surface;
pub(crate) mod tabular;
pub(crate) mod ufunc;
