//! Round trips of three levels, checked from outside: what a tree says, what its tags are, and what its
//! text is. Used by tests, by the program `round_trip` and by `fuzz/`; it uses nothing but `asdf_core`.

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
