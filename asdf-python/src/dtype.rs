//! Datatypes as those of numpy.

use asdf_core::Datatype;
use asdf_core::array::ByteOrder;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::error::Failure;

/// Returns what `numpy.dtype` takes for a datatype.
pub(crate) fn description<'py>(
    py: Python<'py>,
    datatype: &Datatype,
    order: ByteOrder,
) -> PyResult<Bound<'py, PyAny>> {
    let sign = match order {
        ByteOrder::Little => '<',
        ByteOrder::Big => '>',
    };
    let code = match datatype {
        Datatype::Int8 => "i1",
        Datatype::Int16 => "i2",
        Datatype::Int32 => "i4",
        Datatype::Int64 => "i8",
        Datatype::Uint8 => "u1",
        Datatype::Uint16 => "u2",
        Datatype::Uint32 => "u4",
        Datatype::Uint64 => "u8",
        Datatype::Float16 => "f2",
        Datatype::Float32 => "f4",
        Datatype::Float64 => "f8",
        Datatype::Complex64 => "c8",
        Datatype::Complex128 => "c16",
        Datatype::Bool8 => "b1",
        Datatype::Ascii(length) => return format!("S{length}").into_bound_py_any(py),
        Datatype::Ucs4(length) => return format!("{sign}U{length}").into_bound_py_any(py),
        Datatype::Struct(fields) => {
            let list = PyList::empty(py);
            for (number, field) in fields.iter().enumerate() {
                let name = field.name.clone().unwrap_or_else(|| format!("f{number}"));
                let own = description(py, &field.datatype, field.byteorder.unwrap_or(order))?;
                match field.shape.is_empty() {
                    true => list.append((name, own))?,
                    false => {
                        let shape = pyo3::types::PyTuple::new(py, &field.shape)?;
                        list.append((name, own, shape))?;
                    }
                }
            }
            return Ok(list.into_any());
        }
        other => {
            let error = asdf_core::Error::unsupported(format!("numpy has no datatype {other}"));
            return Err(Failure::from(error).into());
        }
    };
    format!("{sign}{code}").into_bound_py_any(py)
}
