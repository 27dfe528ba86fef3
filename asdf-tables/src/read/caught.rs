//! Panics in the crates of the Arrow project, which damaged files cause.

use std::panic::{AssertUnwindSafe, catch_unwind};

use asdf_core::{Error, Result};

/// Calls a function that reads a file with these crates, and makes an error of a panic.
///
/// They check many lengths and offsets of a file only with assertions. The panic hook still prints their message.
pub(super) fn caught<T>(format: &str, read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(Error::malformed(format!(
            "cannot read the file as {format}: found lengths or offsets that do not fit together"
        )))
    })
}
