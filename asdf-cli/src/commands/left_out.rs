//! Commands that this build lacks.

use std::ffi::OsString;

use asdf_core::{Error, Result};

use crate::outcome::Outcome;

/// Accepts any arguments of a command that this build lacks.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _words: Vec<OsString>,
}

/// Returns an error with the feature that the command needs.
pub(crate) fn run(command: &str, feature: &str) -> Result<Outcome> {
    Err(error(&format!("the command `{command}`"), feature))
}

/// Returns the error for something that needs a feature of the program.
pub(crate) fn error(what: &str, feature: &str) -> Error {
    Error::usage(format!("this build lacks the feature `{feature}`, needed for {what}"))
        .with_hint(format!("enable the feature `{feature}` of asdf-cli"))
}
