//! Datatypes of numpy as those of the standard.

use asdf_core::Datatype;
use asdf_core::array::{ByteOrder, Field};
use asdf_tables::numpy_datatype;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The datatype of an array of numpy, packed, and its byte order.
pub(crate) struct Found {
    pub(crate) datatype: Datatype,
    pub(crate) byteorder: ByteOrder,
    /// Whether numpy stores the fields of each element in this order without gaps.
    pub(crate) packed: bool,
}

/// Finds the datatype of the standard for a `numpy.dtype`.
pub(crate) fn found(dtype: &Bound<'_, PyAny>) -> PyResult<Found> {
    let names = dtype.getattr("names")?;
    if !names.is_none() {
        return structure(dtype, &names);
    }
    let kind: String = dtype.getattr("kind")?.extract()?;
    let size: u64 = dtype.getattr("itemsize")?.extract()?;
    // Four bytes for each character.
    let size = if kind == "U" { size / 4 } else { size };
    let datatype = numpy_datatype(&kind, size).ok_or_else(|| refused(dtype, &kind))?;
    let order: String = dtype.getattr("byteorder")?.extract()?;
    let byteorder = match order.as_str() {
        "<" => ByteOrder::Little,
        ">" => ByteOrder::Big,
        // Bytes have no order. Python's asdf writes `big`, but readers do not care.
        _ => ByteOrder::NATIVE,
    };
    Ok(Found { datatype, byteorder, packed: true })
}

fn structure(dtype: &Bound<'_, PyAny>, names: &Bound<'_, PyAny>) -> PyResult<Found> {
    let all = dtype.getattr("fields")?;
    let mut fields = Vec::new();
    let mut end = 0;
    let mut packed = true;
    for name in names.try_iter()? {
        let name = name?;
        let entry = all.get_item(&name)?.cast_into::<PyTuple>()?;
        let mut own = entry.get_item(0)?;
        let offset: u64 = entry.get_item(1)?.extract()?;
        let size: u64 = own.getattr("itemsize")?.extract()?;
        let mut shape: Vec<u64> = Vec::new();
        let part = own.getattr("subdtype")?;
        if !part.is_none() {
            shape = part.get_item(1)?.extract()?;
            own = part.get_item(0)?;
        }
        let inner = found(&own)?;
        packed &= inner.packed && offset == end;
        end += size;
        let mut field = Field::new(name.extract::<String>()?, inner.datatype);
        field.shape = shape;
        field.byteorder = Some(inner.byteorder);
        fields.push(field);
    }
    let size: u64 = dtype.getattr("itemsize")?.extract()?;
    Ok(Found {
        datatype: Datatype::Struct(fields),
        byteorder: ByteOrder::NATIVE,
        packed: packed && end == size,
    })
}

fn refused(dtype: &Bound<'_, PyAny>, kind: &str) -> PyErr {
    let hint = match kind {
        "M" | "m" => "write it as text with `astype(str)`, or as integers with `astype('i8')`",
        "O" => "convert it with `astype` to numbers or text, or write it with `tolist()`",
        "T" => "convert it with `astype('U')`",
        "f" => "convert it with `astype('f8')`",
        "c" => "convert it with `astype('c16')`",
        _ => "convert it with `astype`",
    };
    let name = dtype.str().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("ASDF has no datatype for arrays of `{name}`\n  hint: {hint}"))
}
