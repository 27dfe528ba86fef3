//! Reads the row of one file.

use std::path::PathBuf;

use asdf_core::{Error, File, Result, error};
use asdf_schemas::Validator;
use asdf_tables::catalog::{Found, Known, Layout, Row};

use super::Args;
use crate::context::Context;
use crate::input::{Input, inputs};
use crate::remote;

/// The number of files that decide which columns there are.
const SAMPLE: usize = 100;

/// The number of files that a thread takes at once.
const TOGETHER: usize = 8;

/// The same for an update, which only looks up the times of most files. Handing over each one takes longer.
const KNOWN_TOGETHER: usize = 128;

/// Reads rows, on many threads.
pub(super) struct Reader<'a> {
    pub(super) layout: &'a Layout,
    pub(super) known: Option<&'a Known>,
    pub(super) validator: Option<Validator>,
    pub(super) context: &'a Context,
}

/// What was read from a file.
pub(super) enum Reading {
    /// The number of the row in the earlier catalogue.
    Kept(u64),
    /// A new row, and why the file could not be read.
    New(Row, Option<Error>),
    /// The file does not exist.
    Missing(Error),
}

impl Reader<'_> {
    /// Returns the number of files that a thread takes at once. Those in object stores are waited for at the same time.
    pub(super) fn together(&self, paths: &[PathBuf]) -> usize {
        match self.known {
            _ if paths.iter().any(|path| remote::url(path).is_some()) => 1,
            Some(_) => KNOWN_TOGETHER,
            None => TOGETHER,
        }
    }

    pub(super) fn read(&self, input: Result<Input>) -> Reading {
        let input = match input {
            Ok(input) => input,
            Err(error) => return Reading::Missing(error),
        };
        let mut found = found(&input);
        if let Some(row) = self.known.and_then(|known| known.row(&found)) {
            return Reading::Kept(row);
        }
        match self.context.open_quietly(&input.path) {
            Ok(file) => {
                found.valid = self.validator.as_ref().map(|validator| is_valid(validator, &file));
                Reading::New(self.layout.read(&found, &file), None)
            }
            Err(error) if error.kind() == error::Kind::Io => Reading::Missing(named(error, &input)),
            Err(error) => {
                found.valid = self.validator.as_ref().map(|_| false);
                let row = self.layout.unread(&found, &error);
                Reading::New(row, Some(named(error, &input)))
            }
        }
    }
}

fn is_valid(validator: &Validator, file: &File) -> bool {
    validator.validate_file(file).is_valid()
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
    let mut files: Vec<File> = Vec::new();
    let mut first: Option<Error> = None;
    for input in inputs(args.paths.clone(), &context.remote).take(SAMPLE) {
        let input = input?;
        if input.is_stdin() {
            let error = Error::usage("the columns of standard input must be named");
            return Err(error.with_hint("pass --field, --schema or --table"));
        }
        match context.open_quietly(&input.path) {
            Ok(file) => files.push(file),
            Err(error) => first = first.or(Some(named(error, &input))),
        }
    }
    match first {
        Some(error) if files.is_empty() => Err(error),
        _ => Layout::infer(files.iter().map(File::tree)),
    }
}
