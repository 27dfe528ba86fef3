//! The error type of the crate.

use std::fmt;

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of parsing, combining or converting units.
///
/// `Display` prints `'TEXT' at byte N: message`, then a `hint:` line if there is a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    message: String,
    place: Option<(String, usize)>,
    hint: Option<String>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, hint: None }
    }

    pub(crate) fn at(mut self, text: &str, offset: usize) -> Self {
        self.place.get_or_insert_with(|| (text.to_owned(), offset));
        self
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint.get_or_insert_with(|| hint.into());
        self
    }

    /// Returns the message, without the position and the hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the position of the error in the text, in bytes.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.place.as_ref().map(|(_, offset)| *offset)
    }

    /// Returns the position and the message for `Display`, without the hint.
    pub fn summary(&self) -> impl fmt::Display + '_ {
        Summary(self)
    }

    /// Returns advice on how to fix the error.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.summary())?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

struct Summary<'a>(&'a Error);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { message, place, .. } = self.0;
        if let Some((text, offset)) = place {
            // The text comes from a file: shorten it, and escape control characters.
            let shown: String = text.chars().take(80).flat_map(char::escape_debug).collect();
            let more = if text.chars().nth(80).is_some() { "..." } else { "" };
            write!(f, "'{shown}{more}' at byte {offset}: ")?;
        }
        f.write_str(message)
    }
}

impl std::error::Error for Error {}
