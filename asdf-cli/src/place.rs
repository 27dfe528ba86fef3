//! Paths in a tree on the command line: JSON Pointers, or paths with dots and brackets.

use asdf_core::tree::{NodeRef, Path};
use asdf_core::{Error, File, Result, Tree, error};

/// Returns a word as a JSON Pointer, in which the root is empty instead of `/`.
pub(crate) fn pointer(word: &str) -> &str {
    if word == "/" { "" } else { word }
}

/// Returns a JSON Pointer for display, in which the root is `/`.
pub(crate) fn shown(pointer: &str) -> &str {
    if pointer.is_empty() { "/" } else { pointer }
}

/// Returns the node at a path. The error for a path that does not exist suggests a similar one.
pub(crate) fn at<'f>(file: &'f File, word: &str) -> Result<NodeRef<'f>> {
    let path = file.tree().resolve_path(word);
    file.at(path.as_str()).map_err(|error| with_guess(file, path.as_str(), error))
}

/// Returns the node at a path, if it exists.
pub(crate) fn find<'t>(tree: &'t Tree, word: &str) -> Option<NodeRef<'t>> {
    tree.find(tree.resolve_path(word).as_str())
}

/// Adds a similar path as the hint to an error about a path that does not exist.
pub(crate) fn with_guess(file: &File, pointer: &str, error: Error) -> Error {
    if error.kind() != error::Kind::Missing {
        return error;
    }
    let asked: Option<Path> = pointer.parse().ok();
    match asked.and_then(|asked| file.tree().similar_path(&asked)) {
        // A likely path is more useful than the list of all keys.
        Some(path) => error.replace_hint(format!("did you mean '{path}'?")),
        None => error,
    }
}
