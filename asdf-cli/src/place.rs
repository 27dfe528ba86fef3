//! Places in a tree as people name them on a command line.
//!
//! A place is a JSON Pointer, `/roman/meta/0`, or a path with dots and brackets, `roman.meta[0]`; `"a.b".c` has a key
//! with a dot in it. A negative index counts from the end of a list.

use asdf_core::tree::{Kind, NodeRef, Path};
use asdf_core::{Error, File, Result, Tree, error};
use asdf_schema_model::nearest;

/// The JSON Pointer that a word of the command line stands for, without a look at a tree: `/` is the root.
pub(crate) fn pointer(word: &str) -> &str {
    if word == "/" { "" } else { word }
}

/// The JSON Pointer that a word of the command line stands for in a tree.
pub(crate) fn path(tree: &Tree, word: &str) -> Path {
    // Keys with dots are taken as they stand where they are.
    let dotted = match tree.root().is_some_and(|root| root.get(word).is_some()) {
        true => Some(vec![word.to_owned()]),
        false => dotted(word),
    };
    let steps = dotted.unwrap_or_else(|| {
        let steps = pointer(word).strip_prefix('/').unwrap_or(pointer(word)).split('/');
        steps.map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
    });
    let mut path = Path::root();
    if pointer(word).is_empty() {
        return path;
    }
    let mut node = tree.root();
    for step in &steps {
        let step = from_end(node, step).unwrap_or_else(|| step.clone());
        path.push(&step);
        node = tree.find(path.as_str());
    }
    path
}

/// The index that a negative one stands for.
fn from_end(node: Option<NodeRef<'_>>, step: &str) -> Option<String> {
    let node = node.filter(|node| node.kind() == Kind::Sequence)?;
    let back: usize = step.strip_prefix('-')?.parse().ok().filter(|back| *back > 0)?;
    node.len().checked_sub(back).map(|index| index.to_string())
}

/// The steps of a path that is written with dots and brackets, as Python's asdftool has it; `None` for a JSON Pointer
/// and for what is not such a path.
pub(crate) fn dotted(word: &str) -> Option<Vec<String>> {
    if word.is_empty() || word.contains('/') {
        return None;
    }
    let mut steps = Vec::new();
    let mut rest = word;
    loop {
        let step = match rest.strip_prefix('"') {
            Some(quoted) => {
                let (name, after) = quoted.split_once('"')?;
                rest = after;
                name
            }
            None => {
                let (name, after) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
                rest = after;
                name
            }
        };
        // A list at the root would begin with a bracket.
        if !step.is_empty() || !rest.starts_with('[') || !steps.is_empty() {
            steps.push(Some(step).filter(|step| !step.is_empty())?.to_owned());
        }
        while let Some(inside) = rest.strip_prefix('[') {
            let (index, after) = inside.split_once(']')?;
            steps.push(index.trim_matches('"').to_owned());
            rest = after;
        }
        match rest.strip_prefix('.') {
            Some(next) => rest = next,
            None if rest.is_empty() => return Some(steps),
            None => return None,
        }
    }
}

/// A pointer as it is shown to people.
pub(crate) fn shown(pointer: &str) -> &str {
    if pointer.is_empty() { "/" } else { pointer }
}

/// The node at a place; the error for one that is not there says which one may have been meant.
pub(crate) fn at<'f>(file: &'f File, word: &str) -> Result<NodeRef<'f>> {
    let path = path(file.tree(), word);
    file.at(path.as_str()).map_err(|error| with_guess(file, path.as_str(), error))
}

/// The node at a place, if there is one.
pub(crate) fn find<'t>(tree: &'t Tree, word: &str) -> Option<NodeRef<'t>> {
    tree.find(path(tree, word).as_str())
}

/// Adds to an error about a place that is not there which one may have been meant.
pub(crate) fn with_guess(file: &File, pointer: &str, error: Error) -> Error {
    if error.kind() != error::Kind::Missing {
        return error;
    }
    match guess(file.tree(), pointer) {
        // The list of all keys gives way to the place that is likely.
        Some(path) => error.replace_hint(format!("did you mean {path}?")),
        None => error,
    }
}

/// A key with nearly this name where the path ends, or else the first one of exactly this name anywhere.
fn guess(tree: &Tree, pointer: &str) -> Option<String> {
    let asked: Path = pointer.parse().ok()?;
    let (mut end, mut below) = (asked.parent()?, asked.clone());
    while tree.find(end.as_str()).is_none() {
        (end, below) = (end.parent()?, end);
    }
    let node = tree.find(end.as_str())?;
    let step = below.last()?;
    if node.kind() == Kind::Mapping {
        let keys: Vec<&str> = node.entries().filter_map(|(key, _)| key.text()).collect();
        if let Some(key) = nearest(&step, &keys) {
            end.push(key);
            return Some(end.to_string());
        }
    }
    tree.search().key(asked.last()?).next().map(|found| found.path.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_places() {
        let tree = asdf_core::yaml::parse("{a: {b: [1, {c: 2}, 3], -1: x}, d.e: 4, f: {g.h: 5}}").unwrap();
        for (word, pointer) in [
            ("", ""),
            ("/", ""),
            ("a", "/a"),
            ("/a/b/0", "/a/b/0"),
            ("a/b/0", "/a/b/0"),
            ("a.b", "/a/b"),
            ("a.b[0]", "/a/b/0"),
            ("a.b.0", "/a/b/0"),
            ("a.b[1].c", "/a/b/1/c"),
            ("a.b[-2].c", "/a/b/1/c"),
            ("/a/b/-1", "/a/b/2"),
            // Not an index: a key of a mapping, an item that is not there, an item to append.
            ("/a/-1", "/a/-1"),
            ("/a/b/-4", "/a/b/-4"),
            ("/a/b/-", "/a/b/-"),
            ("a.b[-]", "/a/b/-"),
            ("d.e", "/d.e"),
            ("/d.e", "/d.e"),
            ("f.\"g.h\"", "/f/g.h"),
            ("f[\"g.h\"]", "/f/g.h"),
            ("/x~1y/z", "/x~1y/z"),
            ("a.b[0", "/a.b[0"),
            ("a..b", "/a..b"),
            (".a", "/.a"),
        ] {
            assert_eq!(path(&tree, word).as_str(), pointer, "{word}");
        }
    }
}
