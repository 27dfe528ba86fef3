//! World coordinates of ASDF files.
#![allow(dead_code, unused_imports, reason = "the parts that use each other are added one by one")]

mod angle;
mod bounds;
mod function;
mod inversion;
mod least_squares;
mod model;
mod number;
mod program;
mod sip;
mod transform;

pub use transform::Transform;
