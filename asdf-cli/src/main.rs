//! The program `asdf`.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "doc comments are the words of the help, where `[x]` is text"
)]

mod arrays;
mod bytes;
mod canonical;
mod codec;
mod colour;
mod columns;
mod commands;
mod complete_path;
mod completions;
mod config;
mod convert;
mod defragment;
mod destination;
mod diff;
mod dump;
mod edit;
mod elements;
mod explain;
mod explode;
mod export;
mod extensions;
mod files;
mod gaps;
mod get;
mod grouped;
mod head;
mod history;
mod implode;
mod import;
mod info;
mod ls;
mod man;
mod many;
mod message;
mod new;
mod number;
mod opening;
mod parallel;
mod picture;
mod place;
mod preview;
mod printable;
mod progress;
mod quantity;
mod query;
mod repair;
mod saving;
mod schema;
mod search;
mod set;
mod signals;
mod sources;
mod standard;
mod stats;
mod subject;
mod suggested;
mod tags;
mod target;
mod terminal;
mod to_yaml;
mod unchecked;
mod unset;
mod validate;
mod value;
mod warning;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    signals::watch();
    let mut out = BufWriter::new(progress::Beside(std::io::stdout().lock()));
    let result = match complete_path::asked(std::env::args_os()) {
        Some(words) => complete_path::run(&words, &mut out),
        None => commands::Cli::parse().run(&mut out),
    };
    let result = result.and_then(|outcome| {
        out.flush().map_err(commands::output)?;
        Ok(outcome)
    });
    commands::exit_code(result, &mut std::io::stderr())
}
