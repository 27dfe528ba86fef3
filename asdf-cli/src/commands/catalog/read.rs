//! Reads input files for a catalogue.

use asdf_core::{Error, Result};
use asdf_tables::catalog::{Found, Layout, Reader, Reading};

use super::Args;
use crate::context::Context;
use crate::input::{Input, inputs};
use crate::remote;
use crate::standard_streams::is_std;

/// Reads the row of a file. An error is one of listing the files, or of a file that cannot be read.
pub(super) fn row(reader: &Reader<'_>, input: Result<Input>, context: &Context) -> Result<Reading> {
    let input = input?;
    match reader.read(found(&input), || context.open_quietly(&input.path)) {
        Ok(Reading::New(row, error)) => Ok(Reading::New(row, error.map(|error| named(error, &input)))),
        other => other.map_err(|error| named(error, &input)),
    }
}

/// Returns what is known of a file without opening it.
fn found(input: &Input) -> Found {
    let known = match input.is_stdin() || remote::url(&input.path).is_some() {
        true => input.known,
        // Opening reports a file that does not exist.
        false => std::fs::metadata(&input.path).and_then(|known| Ok((known.len(), known.modified()?))).ok(),
    };
    let (size, modified) = known.unzip();
    let mut found = Found::named(input.name());
    (found.size, found.modified) = (size, modified);
    found
}

fn named(error: Error, input: &Input) -> Error {
    if error.file().is_some() { error } else { error.at_file(input.name()) }
}

/// Finds the columns of the first files.
pub(super) fn infer(args: &Args, context: &Context) -> Result<Layout> {
    if args.paths.iter().any(|path| is_std(path)) {
        let error = Error::usage("the columns of standard input must be named");
        return Err(error.with_hint("pass --field, --schema or --table"));
    }
    Layout::infer_files(inputs(args.paths.clone(), &context.remote).map(|input| {
        let input = input?;
        context.open_quietly(&input.path).map_err(|error| named(error, &input))
    }))
}
