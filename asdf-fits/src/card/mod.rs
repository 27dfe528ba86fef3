//! `Card`: a keyword, its value and a comment.

mod end;
mod node;
mod parse;
mod write;

use asdf_core::array::Complex;
use asdf_core::value::{BigInt, Number};

pub(crate) use end::{MAX_CARDS, end};
pub(crate) use parse::header;
pub(crate) use write::write;

/// The size of a card in a file, in bytes. Long strings take several cards.
pub(crate) const CARD: usize = 80;

/// A card of a header: a keyword, its value and a comment.
///
/// The keyword does not include `HIERARCH`: it is `ESO DET NAME`, and only the FITS file has the prefix. A string
/// can have any length; FITS files store long ones in `CONTINUE` cards. The value of a `COMMENT`, `HISTORY` or
/// blank card is its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The keyword; empty for a blank card.
    pub keyword: String,
    /// The value; `None` if it is undefined.
    pub value: Option<CardValue>,
    /// The comment after the value; empty if there is none.
    pub comment: String,
}

/// The value of a card.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CardValue {
    /// A string, without trailing spaces.
    Text(String),
    /// A logical value.
    Bool(bool),
    /// An integer or a float.
    Number(Number),
    /// A complex number.
    Complex(Complex),
}

impl Card {
    /// Creates a card.
    #[must_use]
    pub fn new(keyword: &str, value: impl Into<CardValue>, comment: &str) -> Self {
        Self { keyword: keyword.to_owned(), value: Some(value.into()), comment: comment.to_owned() }
    }

    /// Creates a card whose value is undefined.
    #[must_use]
    pub fn undefined(keyword: &str, comment: &str) -> Self {
        Self { keyword: keyword.to_owned(), value: None, comment: comment.to_owned() }
    }

    /// Returns whether the card holds text only: `COMMENT`, `HISTORY` or a blank keyword.
    #[must_use]
    pub fn is_commentary(&self) -> bool {
        is_commentary(&self.keyword)
    }

    /// Returns the value if it is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.value.as_ref()?.as_str()
    }
}

fn is_commentary(keyword: &str) -> bool {
    matches!(keyword, "" | "COMMENT" | "HISTORY")
}

impl CardValue {
    /// Returns the string; `None` if the value is not a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number as the nearest float; `None` if the value is not a real number.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number.to_f64()),
            _ => None,
        }
    }

    /// Returns the integer; `None` if the value is not an integer or does not fit.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(Number::Int(number)) => number.try_into().ok(),
            _ => None,
        }
    }

    /// Returns the logical value; `None` if the value is not one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }
}

impl From<&str> for CardValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for CardValue {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<bool> for CardValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for CardValue {
    fn from(value: i64) -> Self {
        Self::Number(value.into())
    }
}

impl From<i128> for CardValue {
    fn from(value: i128) -> Self {
        Self::Number(Number::Int(BigInt::from(value)))
    }
}

impl From<f64> for CardValue {
    fn from(value: f64) -> Self {
        Self::Number(value.into())
    }
}
