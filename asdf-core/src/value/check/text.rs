//! Constraints on text.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

#[cfg(feature = "regex")]
use super::Pattern;
use super::count;
use crate::error::Result;
use crate::value::Timestamp;

/// A text with a length in characters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text, so its length and pattern cannot be checked",
    label = "this checks strings",
    note = "`pattern`, `min_length` and `max_length` are for strings; sequences have `min_items` and \
            `max_items`, numbers have `minimum` and `maximum`"
)]
pub trait Text {
    /// Returns the text.
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

impl<T: Text + ?Sized> Text for Rc<T> {
    fn text(&self) -> &str {
        (**self).text()
    }
}

impl Text for Cow<'_, str> {
    fn text(&self) -> &str {
        self
    }
}

/// A text type from which values are created, such as that of a newtype with `#[asdf(text)]`, which is itself
/// such a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text",
    label = "this cannot be created from text",
    note = "`text` is for newtypes of `String`, of pointers to `str`, and of other types with `#[asdf(text)]`"
)]
pub trait FromText: Text + Sized {
    /// Creates the value from its text.
    ///
    /// # Errors
    /// Same as the function `new` of the type.
    fn from_text(text: String) -> Result<Self>;

    /// Returns the text.
    fn as_text(&self) -> &str {
        self.text()
    }
}

impl FromText for String {
    fn from_text(text: String) -> Result<Self> {
        Ok(text)
    }
}

impl FromText for Timestamp {
    fn from_text(text: String) -> Result<Self> {
        Self::new(text)
    }
}

impl FromText for Box<str> {
    fn from_text(text: String) -> Result<Self> {
        Ok(text.into())
    }
}

impl FromText for Rc<str> {
    fn from_text(text: String) -> Result<Self> {
        Ok(text.into())
    }
}

impl FromText for Arc<str> {
    fn from_text(text: String) -> Result<Self> {
        Ok(text.into())
    }
}

impl FromText for Cow<'_, str> {
    fn from_text(text: String) -> Result<Self> {
        Ok(text.into())
    }
}

/// Returns the fault of a text with too few characters.
///
/// Characters are Unicode scalar values, as in Python.
pub fn min_length<T: Text + ?Sized>(value: &T, least: usize) -> Option<String> {
    let short = value.text().chars().take(least).count() < least;
    short.then(|| format!("at least {}", count(least, "character")))
}

/// Returns the fault of a text with too many characters.
pub fn max_length<T: Text + ?Sized>(value: &T, most: usize) -> Option<String> {
    let long = value.text().chars().nth(most).is_some();
    long.then(|| format!("at most {}", count(most, "character")))
}

/// Returns the fault of a text that does not match the pattern.
#[cfg(feature = "regex")]
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
        assert_eq!(max_length(&Timestamp::new("2026-11-20").unwrap(), 9).unwrap(), "at most 9 characters");
        assert_eq!(min_length(&Arc::<str>::from("ab"), 2), None);
    }
}
