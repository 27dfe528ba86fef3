//! Methods of the generated types, one file for each type. The generator writes no functions.

mod fits;
mod history;
pub(crate) mod quantity;
pub(crate) mod table;
mod time;
mod unit;
mod version;

pub use time::{Instant, TimeText};
pub use unit::Unit;
