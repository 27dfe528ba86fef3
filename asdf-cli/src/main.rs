//! The program `asdf`.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "doc comments are the words of the help, where `[x]` is text"
)]

mod arrays;
mod bytes;
mod canonical;
mod cli;
mod codec;
mod colour;
mod commands;
mod complete_path;
mod config;
mod destination;
mod files;
mod grouped;
mod hint;
#[cfg(feature = "picture")]
mod look;
mod many;
mod message;
mod number;
mod opening;
mod outcome;
mod parallel;
mod place;
mod printable;
mod progress;
mod quantity;
mod saving;
mod signals;
mod sources;
mod standard;
mod suggested;
mod tables;
mod target;
mod terminal;
mod unchecked;
mod value;
mod warning;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};

fn main() -> ExitCode {
    signals::watch();
    let mut out = BufWriter::new(progress::Beside(std::io::stdout().lock()));
    let result = match complete_path::asked(std::env::args_os()) {
        Some(words) => complete_path::run(&words, cli::Cli::command(), &mut out),
        None => cli::Cli::parse().run(&mut out),
    };
    let result = result.and_then(|outcome| {
        out.flush().map_err(outcome::output)?;
        Ok(outcome)
    });
    cli::exit_code(result, &mut std::io::stderr())
}
