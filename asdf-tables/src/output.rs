//! Outputs that fail.

use asdf_core::Error;

/// The error of an output that failed.
pub(crate) fn output(error: std::io::Error) -> Error {
    Error::io("writing the output", error)
}
