//! `asdf sql`: starts the program `asdf-sql`.

use std::ffi::OsString;
use std::process::Command;

use asdf_core::{Error, Result};

use crate::outcome::Outcome;
use crate::program::Program;

/// The name of the other program.
const PROGRAM: &str = "asdf-sql";

/// Query many files in SQL, on this machine or on a cluster.
///
/// Starts the program asdf-sql with these words. It is a program of its own, because it contains a query engine that takes
/// long to build. It is looked for beside this program, and then in the folders of PATH. `asdf-sql --help` describes its
/// options.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf sql \"select count(*) from 'night/'\"
  asdf sql \"select detector, avg(exposure_time) from 'night/' group by detector\"
  asdf sql \"select * from violations('night/')\" --format csv")]
pub(crate) struct Args {
    /// A query, and options of asdf-sql; none for a prompt
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
    words: Vec<OsString>,
}

pub(crate) fn run(args: &Args, program: &Program) -> Result<Outcome> {
    let mut command = Command::new(program.beside(PROGRAM).unwrap_or_else(|| PROGRAM.into()));
    let error = start(command.args(&args.words));
    Err(match error.kind() {
        std::io::ErrorKind::NotFound => Error::usage("the program `asdf-sql` was not found").with_hint(
            "install it with `cargo install --path asdf-sql`, beside this program or in a folder of PATH",
        ),
        _ => Error::io("starting the program `asdf-sql`", error),
    })
}

/// Becomes the other program. Returns why it could not be started.
#[cfg(unix)]
fn start(command: &mut Command) -> std::io::Error {
    use std::os::unix::process::CommandExt as _;

    command.exec()
}

/// Runs the other program, and exits with its exit code. Returns why it could not be started.
#[cfg(not(unix))]
fn start(command: &mut Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(2)),
        Err(error) => error,
    }
}
