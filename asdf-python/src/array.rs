//! `Array`: a lazy array.

use asdf_core::NdArray;
use asdf_core::array::{Mask, Slice};
use numpy::PyArray1;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyEllipsis, PySlice, PyTuple};

use crate::dtype::description;
use crate::error::Failure;
use crate::shared::Shared;

/// An array of a file. Its elements are read when they are used.
#[pyclass(frozen, weakref, module = "asdfast")]
pub(crate) struct Array {
    array: NdArray,
    /// Keeps the file open.
    shared: Shared,
}

impl Array {
    pub(crate) fn new(array: NdArray, shared: Shared) -> Self {
        Self { array, shared }
    }

    /// Reads the elements into an array of numpy, without the mask.
    fn data<'py>(&self, py: Python<'py>, array: &NdArray) -> PyResult<Bound<'py, PyAny>> {
        let stored = py.detach(|| array.stored()).map_err(Failure::from)?;
        let strides = PyTuple::new(py, &stored.strides)?;
        let shape = PyTuple::new(py, &stored.shape)?;
        // Nothing is copied if the bytes belong to this array alone.
        let bytes: Vec<u8> = py.detach(|| stored.bytes.into());
        let memory = PyArray1::from_vec(py, bytes);
        let options = PyDict::new(py);
        options.set_item("shape", shape)?;
        options.set_item("dtype", self.dtype(py)?)?;
        options.set_item("buffer", memory)?;
        options.set_item("offset", stored.offset)?;
        options.set_item("strides", strides)?;
        py.import("numpy")?.getattr("ndarray")?.call((), Some(&options))
    }

    /// Reads the elements, with the mask if the array has one.
    fn read<'py>(&self, py: Python<'py>, array: &NdArray) -> PyResult<Bound<'py, PyAny>> {
        let data = self.data(py, array)?;
        match array.mask() {
            None => Ok(data),
            Some(Mask::Array(mask)) => {
                let missing = py.detach(|| mask.read::<bool>()).map_err(Failure::from)?;
                let missing =
                    PyArray1::from_vec(py, missing).call_method1("reshape", (data.getattr("shape")?,))?;
                py.import("numpy.ma")?.call_method1("array", (data, missing))
            }
            Some(_) => {
                let missing = py.detach(|| array.missing()).map_err(Failure::from)?.unwrap_or_default();
                let missing =
                    PyArray1::from_vec(py, missing).call_method1("reshape", (data.getattr("shape")?,))?;
                py.import("numpy.ma")?.call_method1("array", (data, missing))
            }
        }
    }
}

/// Converts an index of Python; `None` if numpy must do it, as for arrays of indices.
fn slices(key: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Slice>>> {
    let parts = match key.cast::<PyTuple>() {
        Ok(parts) => parts.iter().collect(),
        Err(_) => vec![key.clone()],
    };
    let mut slices = Vec::new();
    for part in parts {
        slices.push(if let Ok(slice) = part.cast::<PySlice>() {
            let end = |name: &str| slice.getattr(name)?.extract::<Option<i64>>();
            Slice::Range { start: end("start")?, end: end("stop")?, step: end("step")?.unwrap_or(1) }
        } else if part.is_none() {
            Slice::NewAxis
        } else if part.is_instance_of::<PyEllipsis>() {
            Slice::Ellipsis
        } else if let Ok(index) = part.extract::<i64>() {
            Slice::Index(index)
        } else {
            return Ok(None);
        });
    }
    Ok(Some(slices))
}

#[pymethods]
impl Array {
    /// The number of elements along each axis, in C order.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.array.shape())
    }

    /// The datatype, in the byte order of the file.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let description = description(py, self.array.datatype(), self.array.byteorder())?;
        py.import("numpy")?.getattr("dtype")?.call1((description,))
    }

    /// The number of axes.
    #[getter]
    fn ndim(&self) -> usize {
        self.array.shape().len()
    }

    /// The number of elements.
    #[getter]
    fn size(&self) -> u64 {
        self.array.len()
    }

    /// The size of all elements in bytes, decoded.
    #[getter]
    fn nbytes(&self) -> PyResult<u64> {
        let item = self.array.datatype().size().map_err(Failure::from)?;
        Ok(item.saturating_mul(self.array.len()))
    }

    fn __len__(&self) -> PyResult<usize> {
        let first =
            self.array.shape().first().ok_or_else(|| PyTypeError::new_err("the array has no axes"))?;
        usize::try_from(*first).map_err(|_| PyIndexError::new_err("the array has too many elements"))
    }

    /// Reads the selected elements, and as few others as the file allows.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = key.extract::<String>() {
            let field = self.array.field(&name).map_err(Failure::from)?;
            return Self::new(field, self.shared.clone()).into_bound_py_any(py);
        }
        let Some(slices) = slices(key)? else {
            return self.read(py, &self.array)?.get_item(key);
        };
        let part = self.array.slice(&slices).map_err(Failure::from)?;
        let read = self.read(py, &part)?;
        // A single element is a scalar of numpy.
        if part.shape().is_empty() { read.get_item(PyTuple::empty(py)) } else { Ok(read) }
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = copy;
        let data = self.data(py, &self.array)?;
        match dtype {
            Some(dtype) => data.call_method1("astype", (dtype,)),
            None => Ok(data),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<asdfast.Array of shape {}, {}>", self.shape(py)?.repr()?, self.dtype(py)?.str()?))
    }
}
