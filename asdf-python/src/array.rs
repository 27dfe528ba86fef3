//! `Array`: a lazy array.

use asdf_core::array::{Mask, MaskValue, Slice};
use asdf_core::block::Label;
use asdf_core::source::Bytes;
use asdf_core::value::Number;
use asdf_core::{Datatype, Error, NdArray, NodeId, Result};
use numpy::{PyArray1, PyArrayMethods as _};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyDict, PyEllipsis, PySlice, PyTuple};
use pyo3_bytes::PyBytes;

use crate::copies;
use crate::dtype::description;
use crate::error::Failure;
use crate::interrupt::interruptible;
use crate::shared::Shared;

/// Reads of at least this size in bytes can be ended by Ctrl-C. It costs some 50 microseconds.
const LONG: u64 = 1 << 22;

/// The same for blocks without compression and in lz4, which are read into memory of numpy at once.
const LONG_IF_FAST: usize = 1 << 28;

/// An array of a file, an ndarray node of the tree. Its elements are read when they are used.
///
/// ``array[2000:2064, ::2]`` reads only the bytes that it needs, as far as the compression allows. ``numpy.asarray(array)``
/// reads all elements. An array with a mask becomes a masked array when it is indexed; ``numpy.asarray`` leaves the mask
/// out, as it does for masked arrays of numpy. Each read gives new memory: keep the result if you need it again. If the
/// file is opened with ``mmap=True``, arrays that are not compressed borrow the map, and the results are read-only.
///
/// From Python 3.12 on, ``memoryview(array)`` reads all elements too, unless the datatype is structured.
///
/// Examples
/// --------
/// >>> import asdfast, numpy
/// >>> array = asdfast.File({"data": numpy.array([[1, 2, 3], [4, 5, 6]], "int16")})["data"]
/// >>> array.shape, str(array.dtype)
/// ((2, 3), 'int16')
/// >>> array[:, 1].tolist()
/// [2, 5]
#[pyclass(frozen, weakref, module = "asdfast")]
pub(crate) struct Array {
    pub(crate) array: NdArray,
    /// Keeps the file open.
    pub(crate) shared: Shared,
    pub(crate) id: Option<NodeId>,
    /// The names of the fields that were taken from the array of the node, one of the other.
    fields: Vec<String>,
}

/// The bytes of elements, and where they are.
struct Elements {
    bytes: Bytes,
    offset: usize,
    shape: Vec<usize>,
    strides: Vec<isize>,
}

impl Elements {
    fn read(array: &NdArray) -> Result<Self> {
        let stored = array.stored()?;
        let (offset, shape, strides) = (stored.offset, stored.shape, stored.strides);
        Ok(Self { bytes: stored.bytes, offset, shape, strides })
    }

    /// Makes an array of numpy. If `lend`, it borrows the bytes, and is read-only.
    fn into_numpy<'py>(
        self,
        py: Python<'py>,
        dtype: &Bound<'py, PyAny>,
        lend: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(py);
        match lend {
            true => options.set_item("buffer", PyBytes::new(self.bytes))?,
            // Nothing is copied if the bytes belong to this array alone.
            false => options.set_item("buffer", PyArray1::from_vec(py, py.detach(|| self.bytes.into())))?,
        }
        options.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        options.set_item("dtype", dtype)?;
        options.set_item("offset", self.offset)?;
        options.set_item("strides", PyTuple::new(py, &self.strides)?)?;
        py.import("numpy")?.getattr("ndarray")?.call((), Some(&options))
    }
}

/// Which elements are masked.
enum Missing {
    None,
    Flags(Vec<bool>),
    /// Those that are equal to this.
    Value(MaskValue),
}

impl Missing {
    fn read(array: &NdArray) -> Result<Self> {
        Ok(match array.mask() {
            // The usual mask is read at once.
            Some(Mask::Array(mask))
                if *mask.datatype() == Datatype::Bool8 && mask.shape() == array.shape() =>
            {
                Self::Flags(mask.read()?)
            }
            Some(Mask::Value(value)) => Self::Value(value.clone()),
            _ => array.missing()?.map_or(Self::None, Self::Flags),
        })
    }

    /// Masks elements of an array of numpy.
    fn apply<'py>(self, data: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = data.py();
        let flags = match self {
            Self::None => return Ok(data),
            Self::Flags(flags) => {
                PyArray1::from_vec(py, flags).call_method1("reshape", (data.getattr("shape")?,))?
            }
            Self::Value(value) => equal(&data, &value)?,
        };
        let options = PyDict::new(py);
        options.set_item("mask", flags)?;
        py.import("numpy.ma")?.call_method("array", (data,), Some(&options))
    }
}

/// Returns for each element whether it is this number. NaN means every NaN.
fn equal<'py>(data: &Bound<'py, PyAny>, value: &MaskValue) -> PyResult<Bound<'py, PyAny>> {
    let numpy = data.py().import("numpy")?;
    match value {
        MaskValue::Number(Number::Float(float)) if float.is_nan() => numpy.call_method1("isnan", (data,)),
        MaskValue::Number(Number::Float(float)) => numpy.call_method1("equal", (data, *float)),
        MaskValue::Number(Number::Int(int)) => numpy.call_method1("equal", (data, int.clone())),
        MaskValue::Complex(complex) => {
            let complex = complex.value();
            let complex = PyComplex::from_doubles(data.py(), complex.re, complex.im);
            numpy.call_method1("equal", (data, complex))
        }
        _ => Err(Failure::from(Error::unsupported("found a mask of an unknown kind")).into()),
    }
}

impl Array {
    /// The node, unless this is a field of its array.
    pub(crate) fn node(&self) -> Option<NodeId> {
        self.id.filter(|_| self.fields.is_empty())
    }

    pub(crate) fn new(array: NdArray, shared: Shared, id: NodeId) -> Self {
        Self { array, shared, id: Some(id), fields: Vec::new() }
    }

    /// Makes a part of an array, which has no node of its own.
    pub(crate) fn part(array: NdArray, shared: Shared) -> Self {
        Self { array, shared, id: None, fields: Vec::new() }
    }

    /// Reads elements of this array into an array of numpy.
    pub(crate) fn read<'py>(
        &self,
        py: Python<'py>,
        array: NdArray,
        masked: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let dtype = self.dtype(py)?;
        let missing = match masked {
            true => self.work(py, &array, Missing::read)?,
            false => Missing::None,
        };
        let data = match self.packed(py, &array)? {
            Some(memory) => {
                let shape = PyTuple::new(py, array.shape())?;
                memory.call_method1("view", (dtype,))?.call_method1("reshape", (shape,))?
            }
            None => {
                let elements = self.work(py, &array, Elements::read)?;
                elements.into_numpy(py, &dtype, self.shared.origin().lends)?
            }
        };
        missing.apply(data)
    }

    /// Reads packed elements into memory of numpy; `None` if they have to be read in another way.
    fn packed<'py>(&self, py: Python<'py>, array: &NdArray) -> PyResult<Option<Bound<'py, PyArray1<u8>>>> {
        let origin = self.shared.origin();
        if origin.lends || origin.slow {
            return Ok(None);
        }
        let size = py.detach(|| array.stored_size()).map_err(Failure::from)?;
        let Some(size) = size.filter(|&size| size > 0 && size < LONG_IF_FAST) else { return Ok(None) };
        if size as u64 >= LONG && !matches!(self.label(), Some(Label::NONE | Label::LZ4)) {
            return Ok(None);
        }
        let memory = PyArray1::<u8>::zeros(py, size, false);
        let mut borrowed = memory.readwrite();
        let out = borrowed.as_slice_mut()?;
        py.detach(|| array.read_stored_into(out)).map_err(Failure::from)?;
        drop(borrowed);
        Ok(Some(memory))
    }

    /// Returns the codec of the block; `None` if the elements are in the tree or in another file.
    fn label(&self) -> Option<Label> {
        let index = usize::try_from(self.array.source()?).ok()?;
        let file = self.shared.read();
        // A file that is a file object of Python is read by code of Python, which other threads may run.
        self.shared.away(|| Some(file.blocks().ok()?.get(index)?.header().compression))
    }

    /// Does work on an array without the GIL. Ctrl-C ends it if it can take long.
    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        array: &NdArray,
        work: fn(&NdArray) -> Result<T>,
    ) -> PyResult<T> {
        let size = array.datatype().size().map_err(Failure::from)?.saturating_mul(array.len());
        let done = if size < LONG && !self.shared.origin().slow {
            py.detach(|| work(array))
        } else {
            let array = array.clone();
            interruptible(py, move || work(&array))?
        };
        Ok(done.map_err(Failure::from)?)
    }
}

/// Converts an index of Python; `None` if numpy must do it, as for arrays of indices.
pub(crate) fn slices(key: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Slice>>> {
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
        } else if part.is_instance_of::<pyo3::types::PyBool>() {
            return Ok(None);
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

    /// The size of all elements in bytes, after decompression.
    #[getter]
    fn nbytes(&self) -> PyResult<u64> {
        let item = self.array.datatype().size().map_err(Failure::from)?;
        Ok(item.saturating_mul(self.array.len()))
    }

    /// The label of the compression, such as "lz4"; None if the block is not compressed, or for an inline array.
    #[getter]
    fn compression(&self) -> Option<String> {
        let label = self.label()?;
        (!label.is_none()).then(|| label.to_string())
    }

    /// The tag of the node as a full URI, or None.
    #[getter]
    fn tag(&self) -> Option<String> {
        self.shared.with(self.id?, |node| node.tag().map(str::to_owned))
    }

    fn __len__(&self) -> PyResult<usize> {
        let first =
            self.array.shape().first().ok_or_else(|| PyTypeError::new_err("the array has no axes"))?;
        usize::try_from(*first).map_err(|_| PyIndexError::new_err("the array has too many elements"))
    }

    /// Reads the selected elements, and as few others as the file allows.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = key.extract::<String>() {
            let array = self.array.field(&name).map_err(Failure::from)?;
            let fields = self.fields.iter().cloned().chain([name]).collect();
            return Self { array, shared: self.shared.clone(), id: self.id, fields }.into_bound_py_any(py);
        }
        let Some(slices) = slices(key)? else {
            return self.read(py, self.array.clone(), true)?.get_item(key);
        };
        let part = match self.array.slice(&slices) {
            Ok(part) => part,
            Err(error) => return Err(PyIndexError::new_err(error.to_string())),
        };
        let is_scalar = part.shape().is_empty();
        let read = self.read(py, part, true)?;
        // A single element is a scalar of numpy.
        if is_scalar { read.get_item(PyTuple::empty(py)) } else { Ok(read) }
    }

    /// Reads all elements, without the mask.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) && !self.shared.origin().lends {
            return Err(PyValueError::new_err(
                "reading an array from a file makes a copy: leave out copy=False, or open the file with mmap=True",
            ));
        }
        let data = self.read(py, self.array.clone(), false)?;
        match dtype {
            Some(dtype) => {
                let options = PyDict::new(py);
                options.set_item("copy", false)?;
                data.call_method("astype", (dtype,), Some(&options))
            }
            None if copy == Some(true) && self.shared.origin().lends => data.call_method0("copy"),
            None => Ok(data),
        }
    }

    /// Hands all elements to another library, as numpy does.
    #[pyo3(signature = (**options))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, self.array.clone(), false)?.call_method("__dlpack__", (), options)
    }

    /// Returns the device of the elements: the memory of this computer.
    fn __dlpack_device__(&self) -> (i32, i32) {
        // kDLCPU of DLPack, and its first device.
        (1, 0)
    }

    /// Reads all elements into a new array of numpy, masked if the array has a mask.
    fn read_all<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, self.array.clone(), true)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read_all(py)?.call_method0("__iter__")
    }

    /// Reads all elements into a new array of numpy, masked if the array has a mask.
    fn __deepcopy__<'py>(&self, py: Python<'py>, _memo: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.read_all(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.id {
            Some(id) => copies::reduce(py, &self.shared, id, self.fields.clone()),
            None => {
                let copy = (py.import("numpy")?.getattr("asanyarray")?, (self.read_all(py)?,));
                copy.into_pyobject(py).map(Bound::into_any)
            }
        }
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("asdfast._html")?.getattr("html")?.call1((slf,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<asdfast.Array of shape {}, {}>", self.shape(py)?.repr()?, self.dtype(py)?.str()?))
    }
}
