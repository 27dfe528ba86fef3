//! Hands trees and blocks over to Python's asdf.

use asdf_core::block::Label;
use asdf_core::tree::{Stored, Tree};
use asdf_core::yaml::{EmitOptions, emit};
use asdf_core::{Node, NodeId};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Failure;
use crate::loader::{Classes, load_tree};
use crate::mapping::Mapping;
use crate::sequence::Sequence;
use crate::shared::Shared;

/// The file and the node of a view.
fn place(view: &Bound<'_, PyAny>) -> PyResult<(Shared, NodeId)> {
    if let Ok(mapping) = view.cast::<Mapping>() {
        let (shared, id) = mapping.get().place();
        return Ok((shared.clone(), id));
    }
    if let Ok(sequence) = view.cast::<Sequence>() {
        let (shared, id) = sequence.get().place();
        return Ok((shared.clone(), id));
    }
    let found = view.get_type().name()?;
    Err(PyTypeError::new_err(format!("found an object of type `{found}`, expected a node of a file")))
}

/// Returns a tuple of the node in the classes of Python's asdf, or None if asdf must load its text.
#[pyfunction]
pub(crate) fn tagged_tree<'py>(
    view: &Bound<'py, PyAny>,
    classes: Classes<'py>,
) -> PyResult<Option<(Bound<'py, PyAny>,)>> {
    let (shared, id) = place(view)?;
    // The file is not borrowed while objects of Python are made.
    let tree: Tree = shared.read().tree().clone();
    load_tree(view.py(), tree.node(id), classes)
}

/// Returns the text of the node as a YAML document.
#[pyfunction]
pub(crate) fn node_text<'py>(view: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let (shared, id) = place(view)?;
    let node = shared.with(id, Node::from_ref).map_err(Failure::from)?;
    let text = emit(node.tree(), EmitOptions::new()).map_err(Failure::from)?;
    Ok(PyBytes::new(view.py(), text.as_bytes()))
}

/// Returns the number of blocks of the file.
#[pyfunction]
pub(crate) fn block_count(view: &Bound<'_, PyAny>) -> PyResult<u64> {
    let (shared, _) = place(view)?;
    let blocks = shared.read().tree().blocks().clone();
    Ok(view.py().detach(|| blocks.count()).map_err(Failure::from)?)
}

/// Returns the decoded bytes of a block.
#[pyfunction]
pub(crate) fn read_block<'py>(view: &Bound<'py, PyAny>, number: i64) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let (shared, _) = place(view)?;
    let blocks = shared.read().tree().blocks().clone();
    // Nothing is copied if the bytes belong to this caller alone.
    let read = || blocks.block(number).and_then(|block| block.decoded()).map(Vec::from);
    let bytes = view.py().detach(read).map_err(Failure::from)?;
    Ok(PyArray1::from_vec(view.py(), bytes))
}

/// Returns the label of a block's compression as four bytes, its stored size and its decoded size.
#[pyfunction]
pub(crate) fn block_header<'py>(
    view: &Bound<'py, PyAny>,
    number: i64,
) -> PyResult<(Bound<'py, PyBytes>, u64, u64)> {
    let (shared, _) = place(view)?;
    let blocks = shared.read().tree().blocks().clone();
    let stored = view.py().detach(|| blocks.block(number).and_then(|block| block.stored()));
    let (label, size, data_size) = match stored.map_err(Failure::from)? {
        Stored::Encoded { bytes, label, data_size } => (label, bytes.len() as u64, data_size),
        Stored::InPlace { size, label, data_size, .. } => (label, size, data_size),
        Stored::Plain { bytes, .. } => (Label::NONE, bytes.len() as u64, bytes.len() as u64),
        _ => (Label::NONE, 0, 0),
    };
    Ok((PyBytes::new(view.py(), &label.bytes()), size, data_size))
}

/// Returns the version of the file format and of the standard, the comments of the header, and the path or URL.
#[pyfunction]
pub(crate) fn file_header(
    view: &Bound<'_, PyAny>,
) -> PyResult<(String, String, Vec<String>, Option<String>)> {
    let (shared, _) = place(view)?;
    let file = shared.read();
    let header = file.header();
    let from = match (file.url(), file.path()) {
        (Some(url), _) => Some(url.to_owned()),
        (None, path) => path.map(|path| path.to_string_lossy().into_owned()),
    };
    Ok((header.format.to_string(), header.standard.to_string(), header.comments.clone(), from))
}
