//! What the benchmarks measure on, and with what.
//!
//! [`texts`] and [`shapes`] are trees as text, [`files`] whole files, [`images`] arrays to compress; [`clock`] and [`memory`] say what
//! something cost, and [`rounds`] is how a script asks for one measurement after the other.

pub mod clock;
pub mod files;
pub mod images;
pub mod memory;
pub mod rounds;
pub mod shapes;
pub mod texts;
