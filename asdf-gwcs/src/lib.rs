//! World coordinates of ASDF files.

mod angle;
mod bounds;
mod function;
mod inversion;
mod model;
mod number;
mod program;
mod transform;

pub use transform::Transform;
