//! Warnings on standard error.

use std::io::Write as _;

use asdf_core::Error;

use crate::colour::Colours;
use crate::message;
use crate::program_name::ProgramName;
use crate::progress::Progress;

/// Prints warnings to standard error.
#[derive(Debug, Clone, Default)]
pub(crate) struct Warnings {
    /// The colours of standard error.
    pub(crate) colours: Colours,
    pub(crate) progress: Progress,
    /// The name of the program in hints.
    pub(crate) program: ProgramName,
}

impl Warnings {
    /// Prints an error as a warning, with its hint on its own line, and clears the progress bar meanwhile.
    pub(crate) fn tell(&self, error: Error) {
        self.progress.aside(|| {
            // A failure to write a warning cannot be reported.
            let kind = self.colours.yellow("warning:");
            let _ = writeln!(std::io::stderr(), "{kind} {}", self.text(&error));
        });
    }

    /// Returns the text of an error, as it is printed.
    pub(crate) fn text(&self, error: &Error) -> String {
        message::text(error, self.colours, self.program)
    }

    /// Prints a text as it is, such as a question or a note for the user.
    pub(crate) fn note(&self, text: &str) {
        self.progress.aside(|| {
            // Standard error can be closed, or on a disk that is full.
            let _ = std::io::stderr().write_all(text.as_bytes());
        });
    }

    /// Returns a function that prints warnings, for a library that reports them.
    pub(crate) fn teller(&self) -> impl Fn(Error) + Send + Sync + 'static {
        let warnings = self.clone();
        move |error| warnings.tell(error)
    }
}
