//! The program `asdf`.

use std::process::ExitCode;

use asdf_cli::Program;

fn main() -> ExitCode {
    asdf_cli::run(&Program::default(), std::env::args_os()).into()
}
