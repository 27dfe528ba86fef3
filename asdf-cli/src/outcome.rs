//! What a command reports: whether the answer is yes, and how its errors count.

use asdf_core::{Error, error};

/// Whether what was asked about the files is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Fine,
    NotFine,
}

/// An output that failed.
pub(crate) fn output(error: std::io::Error) -> Error {
    Error::io("writing the output", error)
}

/// The same error as one of the command line, for what it names beside the files that it is about: that these are
/// not valid is not said.
pub(crate) fn usage(error: Error) -> Error {
    error.with_kind(error::Kind::Usage)
}

/// Whether an error is about what a file holds, and not about getting at it.
pub(crate) fn is_about_content(error: &Error) -> bool {
    !matches!(error.kind(), error::Kind::Io | error::Kind::Usage)
}
