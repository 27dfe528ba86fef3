//! Arrays of numpy as arrays to write.

use asdf_core::NdArray;
use asdf_core::array::Mask;
use bytes::Bytes;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

use crate::datatype::{self, Found};
use crate::dtype::description;
use crate::error::Failure;

/// Converts an array of numpy, with the mask if it has one.
///
/// The memory of contiguous arrays is lent, not copied. Python must not change it while a file is written.
pub(crate) fn array(value: &Bound<'_, PyAny>) -> PyResult<NdArray> {
    let py = value.py();
    static MASKED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if !value.is_instance(MASKED.import(py, "numpy.ma", "MaskedArray")?)? {
        return plain(value);
    }
    let data = plain(&value.getattr("data")?)?;
    let mask = value.getattr("mask")?;
    if mask.is(py.import("numpy.ma")?.getattr("nomask")?) {
        return Ok(data);
    }
    if !mask.getattr("dtype")?.getattr("names")?.is_none() {
        return Err(PyTypeError::new_err(
            "ASDF cannot mask single fields of a structured array\n  hint: fill the masked values with `filled()`",
        ));
    }
    Ok(data.with_mask(Mask::Array(Box::new(plain(&mask)?))).map_err(Failure::from)?)
}

fn plain(value: &Bound<'_, PyAny>) -> PyResult<NdArray> {
    let py = value.py();
    let numpy = py.import("numpy")?;
    // Drops subclasses such as `recarray`.
    let mut value = numpy.call_method1("asarray", (value,))?;
    let Found { datatype, byteorder, packed } = datatype::found(&value.getattr("dtype")?)?;
    let flags = value.getattr("flags")?;
    let columns =
        !flags.get_item("C_CONTIGUOUS")?.is_truthy()? && flags.get_item("F_CONTIGUOUS")?.is_truthy()?;
    if !packed {
        value = without_gaps(&value, &description(py, &datatype, byteorder)?)?;
    } else if columns {
        value = value.getattr("T")?;
    }
    let shape: Vec<u64> = value.getattr("shape")?.extract()?;
    let array = NdArray::from_bytes(datatype, byteorder, &shape, c_order(&value)?).map_err(Failure::from)?;
    match columns && packed {
        true => Ok(array.transposed().map_err(Failure::from)?),
        false => Ok(array),
    }
}

/// Copies the fields of a structured array to a datatype without gaps between them.
fn without_gaps<'py>(
    value: &Bound<'py, PyAny>,
    description: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let numpy = py.import("numpy")?;
    let dtype = numpy.getattr("dtype")?.call1((description,))?;
    numpy.call_method1("empty", (value.getattr("shape")?, &dtype)).and_then(|packed| {
        // By position: `astype` would do the same, but refuses some datatypes.
        let names: Bound<'_, PyTuple> = dtype.getattr("names")?.cast_into()?;
        for name in names.iter() {
            packed.set_item(&name, value.get_item(&name)?)?;
        }
        Ok(packed)
    })
}

/// Returns the bytes of the elements in C order; lent if the array is contiguous.
pub(crate) fn c_order(value: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    match value.getattr("flags")?.get_item("C_CONTIGUOUS")?.is_truthy()? {
        true => bytes(value),
        // Not `ascontiguousarray`, which adds an axis to arrays without axes.
        false => bytes(&value.call_method1("copy", ("C",))?),
    }
}

/// Lends the memory of a contiguous array.
fn bytes(value: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    let size: u64 = value.getattr("nbytes")?.extract()?;
    if size == 0 {
        return Ok(Bytes::new());
    }
    let flat = value.call_method1("reshape", (-1,))?.call_method1("view", ("u1",))?;
    Ok(flat.extract::<pyo3_bytes::PyBytes>()?.into_inner())
}
