//! The outcome of a command, and the exit codes of its errors.

use asdf_core::{Error, error};

/// Whether a command succeeded, or found invalid, different or no matching files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Fine,
    NotFine,
}

/// Returns the error for an output that failed.
pub(crate) fn output(error: std::io::Error) -> Error {
    Error::io("writing the output", error)
}

/// Turns an error into a usage error. For files on the command line that are not input, such as schemas: a faulty one
/// does not make the input invalid.
pub(crate) fn usage(error: Error) -> Error {
    error.with_kind(error::Kind::Usage)
}

/// Returns whether an error is about the content of a file, rather than access to it or usage.
pub(crate) fn is_about_content(error: &Error) -> bool {
    !matches!(error.kind(), error::Kind::Io | error::Kind::Usage)
}
