//! Which array of a file a command is about.

use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_core::{Error, File, NdArray, Result};

/// The only array of a file.
pub(crate) fn only(file: &File) -> Result<(String, NdArray)> {
    let mut arrays = all(file);
    let first = arrays.next().ok_or_else(|| none("array"))?;
    let others: Vec<String> = arrays.take(10).map(|(path, _)| path).collect();
    if others.is_empty() {
        return read(first.0, first.1);
    }
    let hint = format!("name one: {}, {}", first.0, others.join(", "));
    Err(Error::usage("the file has more than one array").with_hint(hint))
}

/// A file without what is asked about.
pub(crate) fn none(what: &str) -> Error {
    Error::mismatch(format!("the file has no {what}")).with_hint("`asdf info` shows what is in it")
}

fn all(file: &File) -> impl Iterator<Item = (String, NodeRef<'_>)> {
    let is_array = |node: NodeRef<'_>| node.tag().is_some_and(NdArray::accepts_tag);
    file.tree().search().filter_node(is_array).map(|found| (found.path.to_string(), found.node))
}

fn read(path: String, node: NodeRef<'_>) -> Result<(String, NdArray)> {
    match NdArray::from_node(node) {
        Ok(array) => Ok((path, array)),
        Err(error) => Err(error.at_path(&path)),
    }
}
