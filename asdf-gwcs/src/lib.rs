//! World coordinates of ASDF files.
#![allow(dead_code, reason = "the program that calls the functions does not exist yet")]

mod angle;
mod function;
mod leaf;
mod number;
