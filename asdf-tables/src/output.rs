//! Errors of outputs.

use asdf_core::Error;

/// Returns the error for an output that failed.
pub(crate) fn output(error: std::io::Error) -> Error {
    Error::io("writing the output", error)
}
