//! Inverses by Newton's method.

mod corners;
mod newton;
mod problem;
mod search;
mod solve;

pub(crate) use corners::{Axis, Corners};
pub(crate) use newton::Newton;
