//! Warnings of the libraries as those of Python.

use std::ffi::CString;

use asdf_core::Error;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use crate::hint::Words;

/// Warns with the text of an error. It is an exception if the filters of Python say so.
pub(crate) fn warn(py: Python<'_>, error: &Error) -> PyResult<()> {
    let text = CString::new(error.display_with(Words).to_string())?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}
