//! The command line: which command, and what its result means for the exit code.

use std::io::Write;
use std::process::ExitCode;

use asdf_core::{Error, ErrorKind, Result};
use clap::{Parser, Subcommand};

use crate::{convert, defragment, dump, explode, implode, info, printable, validate};

/// Look at ASDF files, validate and convert them, and write them in other forms.
///
/// Exit codes: 0, all is fine; 1, the files are not (invalid, or not to be read); 2, wrong usage, or
/// an input or output that failed.
#[derive(Debug, Parser)]
#[command(name = "asdf", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Args),
    Dump(dump::Args),
    Validate(validate::Args),
    Convert(convert::Args),
    Explode(explode::Args),
    Implode(implode::Args),
    Defragment(defragment::Args),
}

/// Whether what was asked about the files is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Fine,
    NotFine,
}

impl Cli {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome> {
        match &self.command {
            Command::Info(args) => info::run(args, out),
            Command::Dump(args) => dump::run(args, out),
            Command::Validate(args) => validate::run(args, out),
            Command::Convert(args) => convert::run(args, out),
            Command::Explode(args) => explode::run(args),
            Command::Implode(args) => implode::run(args),
            Command::Defragment(args) => defragment::run(args),
        }
    }
}

/// An output that failed.
pub(crate) fn output(error: std::io::Error) -> Error {
    Error::io("writing the output", error)
}

/// Whether an error is about what a file holds, and not about getting at it.
pub(crate) fn is_about_content(error: &Error) -> bool {
    !matches!(error.kind(), ErrorKind::Io | ErrorKind::Usage)
}

/// The exit code of a result; an error is told on the way, except a reader that has gone.
pub(crate) fn exit_code(result: Result<Outcome>, messages: &mut dyn Write) -> ExitCode {
    let error = match result {
        Ok(Outcome::Fine) => return ExitCode::SUCCESS,
        Ok(Outcome::NotFine) => return ExitCode::from(1),
        Err(error) => error,
    };
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<std::io::Error>());
    if source.is_some_and(|source| source.kind() == std::io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    // Nobody is left to tell when this fails.
    let _ = writeln!(messages, "{}", printable::lines(&error.to_string()));
    ExitCode::from(if is_about_content(&error) { 1 } else { 2 })
}
