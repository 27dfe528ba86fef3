//! Copies of views, and views in other processes.

use asdf_core::NodeId;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::file::PyFile;
use crate::shared::Shared;

/// Returns what `pickle` needs to make a view again: the file and the path of its node.
pub(crate) fn reduce<'py>(
    py: Python<'py>,
    shared: &Shared,
    id: NodeId,
    fields: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let module = py.import("asdfast._copies")?;
    if shared.is_changed() {
        let message = "cannot pickle a file that was changed: write or update it, and open it again";
        return Err(PyTypeError::new_err(message));
    }
    if id == shared.root() {
        let (source, options) = shared.origin().opened.as_ref().ok_or_else(|| {
            PyTypeError::new_err("cannot pickle a file that was not opened: write it, and open it again")
        })?;
        return (module.getattr("file")?, (source, options)).into_pyobject(py).map(Bound::into_any);
    }
    let path =
        shared.path(id).ok_or_else(|| PyTypeError::new_err("cannot pickle a node that was removed"))?;
    let arguments = (PyFile::of(py, shared)?, path, PyTuple::new(py, fields)?);
    (module.getattr("node")?, arguments).into_pyobject(py).map(Bound::into_any)
}

/// Returns plain objects with the content of a view.
pub(crate) fn plain<'py>(view: &Bound<'py, PyAny>, memo: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    view.py().import("asdfast._copies")?.getattr("plain")?.call1((view, memo))
}

/// Returns the options of `open` as they were given.
pub(crate) fn options<'py>(
    py: Python<'py>,
    mode: &str,
    lazy: bool,
    mmap: bool,
    limits: Option<&Bound<'py, PyDict>>,
    storage_options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = PyDict::new(py);
    options.set_item("mode", mode)?;
    options.set_item("lazy", lazy)?;
    options.set_item("mmap", mmap)?;
    options.set_item("limits", limits)?;
    options.set_item("storage_options", storage_options)?;
    Ok(options)
}
