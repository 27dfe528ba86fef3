//! Checks three levels of round trip through the public API: the values of a tree, its tags, and its text.
//!
//! Tests, the program `round_trip` and `fuzz/targets` use this module. It depends only on `asdf_core`.

mod check;
mod choices;
mod edits;
mod levels;
mod texts;

pub use check::{Tried, check};
pub use choices::Choices;
pub use edits::{Edit, edit_text, edit_tree};
pub use levels::{Written, tags, unedited, values, written};
pub use texts::generate;
