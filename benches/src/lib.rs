//! The inputs of the benchmarks, and the tools that measure.
//!
//! [`texts`] and [`shapes`] make trees as text, [`files`] makes whole files, and [`images`] makes arrays to compress.
//! [`clock`] and [`memory`] measure, and [`rounds`] lets a script request one measurement after the other.

pub mod clock;
pub mod files;
pub mod images;
pub mod memory;
pub mod rounds;
pub mod shapes;
pub mod texts;
