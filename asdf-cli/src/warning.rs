//! Warnings on standard error.

use asdf_core::Error;

use crate::{opening, printable};

/// Prints what an error says as a warning, with its hint on a line of its own.
#[allow(clippy::print_stderr, reason = "warnings are for people; what a command makes goes to its output")]
pub(crate) fn tell(error: Error) {
    let error = error.map_hint(opening::hint);
    eprintln!("warning: {}", printable::lines(&error.to_string()));
}
