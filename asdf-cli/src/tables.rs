//! Arrays and tables at places as people name them.

use asdf_core::{Error, File, Result};
use asdf_tables::Dataset;

use crate::place;

/// What is at a place, with its path. A table has its columns by name: `/cat/ra` or `/cat[ra]`.
pub(crate) fn at(file: &File, word: &str) -> Result<(String, Dataset)> {
    let path = file.tree().resolve_path(word).to_string();
    match Dataset::at(file, &path) {
        Ok(found) => Ok((path, found)),
        Err(error) => Err(with_guess(file, error)),
    }
}

/// What is at a place, or without one what the library shows of a file.
pub(crate) fn at_or_default(file: &File, word: Option<&str>) -> Result<(String, Dataset)> {
    word.map_or_else(|| Dataset::default_of(file), |word| at(file, word))
}

/// Returns what has a name beside the value at a path: another column of its table, or another key of its mapping.
#[cfg(feature = "picture")]
pub(crate) fn beside(file: &File, path: &str, name: &str) -> Result<(String, Dataset)> {
    Dataset::beside(file, path, name).map_err(|error| with_guess(file, error))
}

/// Adds which place may have been meant to the error for one that is not there.
fn with_guess(file: &File, error: Error) -> Error {
    match error.path().map(str::to_owned) {
        Some(path) if file.at(&path).is_err() => place::with_guess(file, &path, error),
        _ => error,
    }
}
