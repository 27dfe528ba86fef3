//! Warnings on standard error.

use std::io::Write as _;

use asdf_core::Error;

use crate::colour::yellow;
use crate::{message, progress};

/// Prints an error as a warning, with its hint on a line of its own, and clears the progress bar meanwhile.
pub(crate) fn tell(error: Error) {
    progress::aside(|| {
        // A failure to write a warning cannot be reported.
        let kind = yellow("warning:").for_messages();
        let _ = writeln!(std::io::stderr(), "{kind} {}", message::text(&error));
    });
}
