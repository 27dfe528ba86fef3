//! The errors of a command that continues after an error.

use asdf_core::{Error, Result};

use crate::outcome::is_about_content;

/// The errors so far.
#[derive(Debug, Default)]
pub(crate) struct Failures(Option<Error>);

impl Failures {
    /// Adds an error. The first error about access to a file, instead of its content, becomes the main one, which
    /// decides the exit code.
    pub(crate) fn add(&mut self, error: Error) {
        self.0 = Some(match self.0.take() {
            None => error,
            Some(first) if is_about_content(&first) && !is_about_content(&error) => error.and(first),
            Some(first) => first.and(error),
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns all errors as one.
    pub(crate) fn end(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
