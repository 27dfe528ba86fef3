//! Keywords of a FITS header.

/// A keyword of a FITS header, with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyword {
    /// The name, such as `CRVAL1`.
    pub name: String,
    /// The value.
    pub value: KeywordValue,
    /// The comment.
    pub comment: &'static str,
}

/// The value of a [`Keyword`].
#[derive(Debug, Clone, PartialEq)]
pub enum KeywordValue {
    /// A string.
    Text(&'static str),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

impl Keyword {
    pub(super) fn text(name: &str, value: &'static str, comment: &'static str) -> Self {
        Self { name: name.to_owned(), value: KeywordValue::Text(value), comment }
    }

    pub(super) fn int(name: &str, value: i64, comment: &'static str) -> Self {
        Self { name: name.to_owned(), value: KeywordValue::Int(value), comment }
    }

    pub(super) fn float(name: &str, value: f64, comment: &'static str) -> Self {
        Self { name: name.to_owned(), value: KeywordValue::Float(value), comment }
    }
}
