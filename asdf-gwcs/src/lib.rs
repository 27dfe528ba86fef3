//! World coordinates of gwcs.
#![allow(dead_code, unused_imports, reason = "only the functions for the evaluator exist yet")]

mod angle;
mod number;
mod projection;
