//! World coordinates of ASDF files.
#![allow(dead_code, unused_imports, reason = "the parts that use each other are added one by one")]

mod angle;
mod bounds;
mod dkist;
mod function;
mod inversion;
mod jwst;
mod leaf;
mod model;
mod number;
mod program;
mod projected;
mod projection;
mod transform;

pub use transform::Transform;
