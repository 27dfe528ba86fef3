//! World coordinates of ASDF files.

mod angle;
mod bounds;
mod function;
mod model;
mod number;
mod program;
