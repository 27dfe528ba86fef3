//! Codecs of blocks, for the compressors of Python's asdf.

use asdf_core::Threads;
use asdf_core::block::codec::{Encoding, find};
use asdf_core::block::{Codec, Label};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Failure;
use crate::parts::Parts;

/// Returns the codec of a label of up to four bytes.
fn codec(label: &[u8]) -> PyResult<&'static dyn Codec> {
    let mut bytes = [0; 4];
    match bytes.get_mut(..label.len()) {
        Some(part) => part.copy_from_slice(label),
        None => return Err(PyValueError::new_err("expected a label of up to 4 bytes")),
    }
    Ok(find(Label::new(bytes)).map_err(Failure::from)?)
}

/// Encodes the data of a block.
#[pyfunction]
#[pyo3(signature = (label, data, item, level=None, chunk=None))]
pub(crate) fn encode_block<'py>(
    py: Python<'py>,
    label: &[u8],
    data: PyReadonlyArray1<'py, u8>,
    item: u64,
    level: Option<u32>,
    chunk: Option<u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let codec = codec(label)?;
    let data = data.as_slice()?;
    let mut how = Encoding::new().with_rows(item, 0);
    how.level = level;
    how.chunk = chunk;
    let stored = py.detach(|| codec.encode(data, &how)).map_err(Failure::from)?;
    Ok(PyBytes::new(py, &stored))
}

/// Decodes the stored bytes of a block into `out`, which has the decoded size.
#[pyfunction]
pub(crate) fn decode_block(
    py: Python<'_>,
    label: &[u8],
    stored: Vec<Bound<'_, PyBytes>>,
    mut out: PyReadwriteArray1<'_, u8>,
) -> PyResult<usize> {
    let codec = codec(label)?;
    let source = Parts::new(stored.iter().map(|part| part.as_bytes()));
    let out = out.as_slice_mut()?;
    py.detach(|| codec.decode_into(&source, out, Threads::ALL)).map_err(Failure::from)?;
    Ok(out.len())
}
