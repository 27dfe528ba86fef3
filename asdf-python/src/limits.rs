//! Limits on reading, as a dict of Python.

use asdf_core::Limits;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The names of the limits, as in `asdf_core::Limits`.
const NAMES: &str =
    "tree_size, tree_depth, tree_nodes, decoded_size, decoded_total, repeated_elements, blocks, stream_size";

/// Reads limits from a dict. What it does not name has its default.
pub(crate) fn limits(given: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        match name.as_str() {
            "tree_size" => limits.tree_size = value.extract()?,
            "tree_depth" => limits.tree_depth = value.extract()?,
            "tree_nodes" => limits.tree_nodes = value.extract()?,
            "decoded_size" => limits.decoded_size = value.extract()?,
            "decoded_total" => limits.decoded_total = value.extract()?,
            "repeated_elements" => limits.repeated_elements = value.extract()?,
            "blocks" => limits.blocks = value.extract()?,
            "stream_size" => limits.stream_size = value.extract()?,
            _ => {
                return Err(PyTypeError::new_err(format!("'{name}' is not a limit: the limits are {NAMES}")));
            }
        }
    }
    Ok(limits)
}
