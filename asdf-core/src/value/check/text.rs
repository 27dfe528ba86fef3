//! Constraints on text.

use std::sync::Arc;

use super::{Pattern, count};
use crate::value::Timestamp;

/// Text with a length in characters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text, so its length and pattern cannot be checked",
    label = "this checks strings",
    note = "`pattern`, `min_length` and `max_length` are for strings; sequences have `min_items` and \
            `max_items`, numbers have `minimum` and `maximum`"
)]
pub trait Text {
    /// The text.
    fn text(&self) -> &str;
}

impl Text for str {
    fn text(&self) -> &str {
        self
    }
}

impl Text for String {
    fn text(&self) -> &str {
        self
    }
}

impl Text for Timestamp {
    fn text(&self) -> &str {
        self.as_str()
    }
}

impl<T: Text + ?Sized> Text for Box<T> {
    fn text(&self) -> &str {
        (**self).text()
    }
}

impl<T: Text + ?Sized> Text for Arc<T> {
    fn text(&self) -> &str {
        (**self).text()
    }
}

/// The fault of text with fewer characters. Characters are Unicode scalar values, as in Python.
pub fn min_length<T: Text + ?Sized>(value: &T, least: usize) -> Option<String> {
    let short = value.text().chars().take(least).count() < least;
    short.then(|| format!("at least {}", count(least, "character")))
}

/// The fault of text with more characters.
pub fn max_length<T: Text + ?Sized>(value: &T, most: usize) -> Option<String> {
    let long = value.text().chars().nth(most).is_some();
    long.then(|| format!("at most {}", count(most, "character")))
}

/// The fault of text in which the pattern is not found.
pub fn pattern<T: Text + ?Sized>(value: &T, pattern: &Pattern) -> Option<String> {
    pattern.fault(value.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_in_characters() {
        assert_eq!(min_length("æøå", 3), None);
        assert_eq!(max_length("æøå", 3), None);
        assert_eq!(min_length("æøå", 4).unwrap(), "at least 4 characters");
        assert_eq!(max_length("æøå", 2).unwrap(), "at most 2 characters");
        assert_eq!(min_length("", 0), None);
        assert_eq!(min_length("", 1).unwrap(), "at least 1 character");
        assert_eq!(max_length("", 0), None);
        assert_eq!(max_length(&Timestamp::new("2026-11-20"), 9).unwrap(), "at most 9 characters");
        assert_eq!(min_length(&Arc::<str>::from("ab"), 2), None);
    }
}
