//! Places in a tree as people name them on a command line: JSON Pointers, or paths with dots and brackets.

use asdf_core::tree::{NodeRef, Path};
use asdf_core::{Error, File, Result, Tree, error};

/// The JSON Pointer that a word of the command line stands for, without a look at a tree: `/` is the root.
pub(crate) fn pointer(word: &str) -> &str {
    if word == "/" { "" } else { word }
}

/// A pointer as it is shown to people.
pub(crate) fn shown(pointer: &str) -> &str {
    if pointer.is_empty() { "/" } else { pointer }
}

/// The node at a place; the error for one that is not there says which one may have been meant.
pub(crate) fn at<'f>(file: &'f File, word: &str) -> Result<NodeRef<'f>> {
    let path = file.tree().resolve_path(word);
    file.at(path.as_str()).map_err(|error| with_guess(file, path.as_str(), error))
}

/// The node at a place, if there is one.
pub(crate) fn find<'t>(tree: &'t Tree, word: &str) -> Option<NodeRef<'t>> {
    tree.find(tree.resolve_path(word).as_str())
}

/// Adds to an error about a place that is not there which one may have been meant.
pub(crate) fn with_guess(file: &File, pointer: &str, error: Error) -> Error {
    if error.kind() != error::Kind::Missing {
        return error;
    }
    let asked: Option<Path> = pointer.parse().ok();
    match asked.and_then(|asked| file.tree().similar_path(&asked)) {
        // The list of all keys gives way to the place that is likely.
        Some(path) => error.replace_hint(format!("did you mean {path}?")),
        None => error,
    }
}
