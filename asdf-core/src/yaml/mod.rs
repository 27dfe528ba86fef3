//! Parsing and writing YAML.
//!
//! ASDF trees are YAML 1.1 ("YAML Tree" in the standard). [`parse`] keeps tags as full URIs, anchors, styles,
//! comments and byte spans. [`emit`] writes the same form as Python's asdf, and keeps the order, styles and
//! anchors of the original. [`write()`] changes only the bytes of the original text that an edit affects.
//!
//! # Examples
//! ```
//! use asdf_core::yaml;
//!
//! let mut tree = yaml::parse("gain: 2 # electrons\n")?;
//! tree.edit("/gain").set(2.5)?;
//! assert_eq!(yaml::write(&tree)?, "gain: 2.5 # electrons\n");
//! # Ok::<(), asdf_core::Error>(())
//! ```

mod emit;
#[cfg(test)]
mod emitted;
mod parse;
mod parse_options;
mod parser;
mod patch;
mod quote;
#[cfg(any(test, fuzzing))]
mod reference_parser;
#[cfg(test)]
mod reference_tests;
#[cfg(any(test, fuzzing))]
mod verdict;

pub use emit::{EmitOptions, emit};
pub use parse::{parse, parse_with};
pub use parse_options::ParseOptions;
pub use patch::{patch, write};

/// Returns an unexpected difference between our parser and the reference parser for a text.
#[cfg(fuzzing)]
#[doc(hidden)]
#[must_use]
pub fn surprise(text: &str) -> Option<String> {
    verdict::surprise(text)
}
