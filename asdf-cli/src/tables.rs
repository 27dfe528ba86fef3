//! Arrays and tables at paths of the command line.

use asdf_core::{Error, File, Result};
use asdf_tables::Dataset;

use crate::place;

/// Returns the array, table or FITS file at a path, with its JSON Pointer. Columns of tables have names: `/cat/ra` or
/// `/cat[ra]`.
pub(crate) fn at(file: &File, word: &str) -> Result<(String, Dataset)> {
    let path = file.tree().resolve_path(word).to_string();
    match Dataset::at(file, &path) {
        Ok(found) => Ok((path, found)),
        Err(error) => Err(with_guess(file, error)),
    }
}

/// Returns what is at a path like [`at`], or the library's default for a file if `word` is `None`.
pub(crate) fn at_or_default(file: &File, word: Option<&str>) -> Result<(String, Dataset)> {
    word.map_or_else(|| Dataset::default_of(file), |word| at(file, word))
}

/// Returns another column of the same table, or the value of another key of the same mapping, as the value at `path`.
#[cfg(feature = "picture")]
pub(crate) fn beside(file: &File, path: &str, name: &str) -> Result<(String, Dataset)> {
    Dataset::beside(file, path, name).map_err(|error| with_guess(file, error))
}

/// Adds a similar path as the hint to the error for a path that does not exist.
fn with_guess(file: &File, error: Error) -> Error {
    match error.path().map(str::to_owned) {
        Some(path) if file.at(&path).is_err() => place::with_guess(file, &path, error),
        _ => error,
    }
}
