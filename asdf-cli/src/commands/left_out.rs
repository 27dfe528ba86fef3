//! Commands that this build of the program does not have.

use std::ffi::OsString;

use asdf_core::{Error, Result};

use crate::outcome::Outcome;

/// Whatever is said to a command that this build does not have.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _words: Vec<OsString>,
}

/// Says which feature of the program the command needs.
pub(crate) fn run(command: &str, feature: &str) -> Result<Outcome> {
    Err(error(&format!("the command `{command}`"), feature))
}

/// The error for something that needs a feature of the program.
pub(crate) fn error(what: &str, feature: &str) -> Error {
    Error::usage(format!("this build of the program does not have {what}"))
        .with_hint(format!("build asdf-cli with the feature `{feature}`"))
}
