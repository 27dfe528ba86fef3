//! `refused` tries to make invalid values and prints the error of each. `refused write FILE` writes valid values.

use std::io::Write as _;
use std::process::ExitCode;

use asdf_core::{Error, Result};
use asdf_examples::refused;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(text) => {
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = std::io::stderr().write_all(format!("{error}\n").as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<String> {
    match arguments {
        [] => Ok(refused::attempts()?.iter().map(line).collect()),
        ["write", path] => refused::valid()?.write(path).map(|()| String::new()),
        _ => Err(Error::usage("expected no argument, or `write FILE`")),
    }
}

fn line(attempt: &refused::Attempt) -> String {
    match &attempt.error {
        Some(error) => format!("{}\n    {}\n", attempt.what, error.to_string().replace('\n', "\n    ")),
        None => format!("{}\n    is accepted\n", attempt.what),
    }
}
