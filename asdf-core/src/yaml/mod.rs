//! YAML text to tree and back.
//!
//! ASDF trees are YAML 1.1 ("YAML Tree" in the standard). [`parse`] keeps tags as full URIs,
//! anchors, styles, comments and byte spans; [`emit`] writes the form that people know from
//! Python's asdf, and keeps the order, styles and anchors of what was read.

mod emit;
#[cfg(test)]
mod emitted;
#[cfg(any(test, fuzzing))]
mod judge;
#[cfg(test)]
mod judged;
mod parse;
mod parse_options;
mod parser;
mod patch;
mod quote;
#[cfg(any(test, fuzzing))]
mod verdict;

pub use emit::{EmitOptions, emit};
pub use parse::{parse, parse_with};
pub use parse_options::ParseOptions;
pub use patch::{patch, write};

/// What our parser and its judge say differently about a text and should not.
#[cfg(fuzzing)]
#[doc(hidden)]
#[must_use]
pub fn surprise(text: &str) -> Option<String> {
    verdict::surprise(text)
}
