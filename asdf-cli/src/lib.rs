//! The program `asdf` as a library, for other front ends that bring the same program, such as the Python package `asdfast`.
//!
//! Only [`run`] and [`Program`] are public. Programs that work with ASDF files use `asdf-core` and the other libraries.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "doc comments are the text of the help, in which `[x]` is not a link"
)]

mod accept_damage;
mod advice;
#[cfg(feature = "wcs")]
mod angle;
mod bytes;
mod cli;
mod codec;
mod colour;
mod commands;
mod complete_path;
mod config;
mod context;
mod failures;
mod grouped_warnings;
mod hint;
mod input;
mod input_files;
mod message;
mod new_file;
mod opening_options;
mod outcome;
#[cfg(feature = "picture")]
mod picture_options;
mod place;
mod printable;
mod program;
mod program_name;
mod progress;
mod quantity;
mod remote;
mod remote_options;
mod saving;
mod signals;
mod source_file;
mod sources;
mod standard_streams;
mod standard_version;
mod stdout_or_file;
mod suggested;
mod tables;
mod terminal;
mod thread_count;
mod url;
mod value;
mod value_text;
mod warning;
#[cfg(feature = "wcs")]
mod wcs_cards;
#[cfg(feature = "wcs")]
mod wcs_choice;

use std::ffi::OsString;
use std::io::{BufWriter, Write};

use crate::progress::Progress;
use crate::signals::Signals;

pub use crate::program::Program;

/// Runs the program with the arguments of a command line, and returns its exit code.
///
/// The first argument is the name of the program, as in [`std::env::args_os`]. The program uses the standard streams of the
/// process, handles its signals and sets its panic hook, so call this once, and then end the process with the exit code.
pub fn run(program: &Program, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    hide_caught_panics();
    let progress = Progress::of_terminal();
    let signals = Signals::watch(&progress);
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut out = BufWriter::new(progress.beside(std::io::stdout().lock()));
    let (result, colours) = match complete_path::asked(arguments.iter().cloned()) {
        Some(words) => {
            (complete_path::run(&words, cli::command(program.name), &mut out), colour::Colours::default())
        }
        None => {
            let cli = match cli::Cli::of_arguments(program.name, arguments) {
                Ok(cli) => cli,
                Err(code) => return code,
            };
            match cli.context(program, &progress, &signals) {
                Ok(context) => {
                    let result = cli.run(&context, &mut out);
                    context.remote.tell(&mut std::io::stderr());
                    (result, context.warnings.colours)
                }
                Err(error) => (Err(error), colour::Colours::default()),
            }
        }
    };
    let result = result.and_then(|outcome| {
        out.flush().map_err(outcome::output)?;
        Ok(outcome)
    });
    cli::exit_code(result, colours, program.name, &mut std::io::stderr())
}

/// Prints no message of a panic that becomes an error.
fn hide_caught_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !asdf_tables::catches_panic() {
            usual(panic);
        }
    }));
}
