//! The program `asdf`.

mod canonical;
mod commands;
mod convert;
mod defragment;
mod dump;
mod explode;
mod implode;
mod info;
mod printable;
mod target;
mod validate;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = commands::Cli::parse();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let result = cli.run(&mut out).and_then(|outcome| {
        out.flush().map_err(commands::output)?;
        Ok(outcome)
    });
    commands::exit_code(result, &mut std::io::stderr())
}
