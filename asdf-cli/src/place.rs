//! Places in a tree as people name them on a command line.

use asdf_core::tree::NodeRef;
use asdf_core::value::nearest;
use asdf_core::{Error, File, Kind, Result};

/// The JSON Pointer that a word of the command line stands for: `/` is the root, and the first slash may be
/// left out elsewhere.
pub(crate) fn pointer(word: &str) -> &str {
    if word == "/" { "" } else { word }
}

/// A pointer as it is shown to people.
pub(crate) fn shown(pointer: &str) -> &str {
    if pointer.is_empty() { "/" } else { pointer }
}

/// The node at a place; the error for one that is not there says which one may have been meant.
pub(crate) fn at<'f>(file: &'f File, word: &str) -> Result<NodeRef<'f>> {
    file.at(pointer(word)).map_err(|error| with_guess(file, word, error))
}

/// Adds to an error about a place that is not there which one may have been meant.
pub(crate) fn with_guess(file: &File, word: &str, error: Error) -> Error {
    let Some(path) = guess(file, word, &error) else { return error };
    // The list of all keys gives way to the one that is likely.
    let mut told = Error::new(error.kind(), error.message()).with_hint(format!("did you mean {path}?"));
    if let Some(name) = error.file() {
        told = told.at_file(name);
    }
    if let (Some(line), Some(column)) = (error.line(), error.column()) {
        told = told.at_position(line, column);
    }
    told.at_path(error.path().unwrap_or_default())
}

/// A key with nearly this name where the path ends, or else the first one of exactly this name anywhere.
fn guess(file: &File, word: &str, error: &Error) -> Option<String> {
    let above = error.path()?;
    let rest = word.strip_prefix('/').unwrap_or(word);
    let rest = match above.strip_prefix('/') {
        Some(above) => rest.strip_prefix(above)?.strip_prefix('/')?,
        None => rest,
    };
    let step = rest.split('/').next()?;
    let node = file.tree().find(above)?;
    if node.kind() == Kind::Mapping {
        let keys: Vec<&str> = node.entries().filter_map(|(key, _)| key.text()).collect();
        if let Some(key) = nearest(step, &keys) {
            let mut path = asdf_core::Path::from(above);
            path.push(key);
            return Some(path.to_string());
        }
    }
    let last = rest.rsplit('/').next()?;
    file.tree().search().key(last).next().map(|found| found.path.to_string())
}
