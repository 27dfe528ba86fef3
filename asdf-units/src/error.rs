//! The one error type: what was read, where in it, what was expected, what to do.

use std::fmt;

/// The result of everything that can fail in this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a unit could not be read, computed or converted.
///
/// `Display` prints `'TEXT' at byte N: message`, then a `hint:` line where there is one.
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

    /// The message, without place and hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where in the text, in bytes from its beginning.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.place.as_ref().map(|(_, offset)| *offset)
    }

    /// Prints the place and the message as `Display` does, without the hint.
    pub fn summary(&self) -> impl fmt::Display + '_ {
        Summary(self)
    }

    /// What to do about it.
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
            // Texts come from files: a long one is no help, and control characters are no text.
            let shown: String = text.chars().take(80).flat_map(char::escape_debug).collect();
            let more = if text.chars().nth(80).is_some() { "..." } else { "" };
            write!(f, "'{shown}{more}' at byte {offset}: ")?;
        }
        f.write_str(message)
    }
}

impl std::error::Error for Error {}
