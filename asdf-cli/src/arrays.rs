//! Which array of a file a command is about, and what it shows if no place is named.

use asdf_core::tree::{Kind, NodeRef, Path};
use asdf_core::value::FromNode;
use asdf_core::{Datatype, Error, File, NdArray, Result};
use asdf_tables::Dataset;

use crate::tables;

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

/// What is shown, and where it is.
pub(crate) struct Found {
    pub(crate) path: String,
    pub(crate) dataset: Dataset,
}

/// What is at a path; without one the array called `data`, or else the first image, the first table, the first
/// line.
pub(crate) fn find(file: &File, path: Option<&str>) -> Result<Found> {
    if let Some(path) = path {
        let (path, dataset) = tables::at(file, path)?;
        return Ok(Found { path, dataset });
    }
    let arrays = file.tree().search().filter_node(|node| node.tag().is_some_and(NdArray::accepts_tag));
    let mut best: Option<(u8, Path, NodeRef<'_>)> = None;
    for found in arrays {
        let Some(rank) = rank(found.node, &found.path) else { continue };
        if best.as_ref().is_none_or(|(least, _, _)| rank < *least) {
            best = Some((rank, found.path, found.node));
        }
    }
    // Rather a table than a line, which may be one of its columns.
    if best.as_ref().is_none_or(|(rank, _, _)| *rank >= LINE) {
        let has_columns =
            |node: NodeRef<'_>| node.get("columns").is_some_and(|list| list.kind() == Kind::Sequence);
        for found in file.tree().search().filter_node(has_columns) {
            if let Ok(dataset @ Dataset::Table { .. }) = Dataset::from_node(found.node) {
                return Ok(Found { path: found.path.to_string(), dataset });
            }
        }
    }
    let (_, path, node) = best.ok_or_else(|| none("array to show"))?;
    let dataset = Dataset::from_node(node).map_err(|error| error.at_path(path.as_str()))?;
    Ok(Found { path: path.to_string(), dataset })
}

/// Whether an array is part of a column of a table, which may have cells of several axes.
fn is_column(path: &Path) -> bool {
    let mut steps = path.as_str().split('/');
    steps.any(|step| step == "columns") && steps.next().is_some_and(|step| step.parse::<usize>().is_ok())
}

/// The rank of an array of one axis.
const LINE: u8 = 4;

/// The lower, the sooner it is shown; `None` for what cannot be.
fn rank(node: NodeRef<'_>, path: &Path) -> Option<u8> {
    let array = NdArray::from_node(node).ok()?;
    let texts = matches!(array.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_));
    let records = matches!(array.datatype(), Datatype::Struct(_));
    let long = array.shape().iter().rev().take(2).filter(|&&n| n > 1).count();
    match (texts, records, array.shape().len(), long) {
        (true, ..) | (_, _, 0, _) => None,
        (_, true, ..) => Some(LINE - 1),
        _ if is_column(path) => Some(LINE),
        (_, _, 2.., 2) if path.as_str().ends_with("/data") => Some(0),
        (_, _, 2, 2) => Some(1),
        (_, _, 3.., 2) => Some(2),
        _ => Some(LINE),
    }
}
