//! `StreamWriter`: arrays that grow by rows.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use asdf_core::file::StreamOptions;
use asdf_core::tree::Path;
use asdf_core::{Error, File};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::datatype;
use crate::dtype::description;
use crate::error::Failure;
use crate::lent;
use crate::write::put_root;

/// A writer of the rows of a streamed array, and a context manager. ``stream`` makes it.
#[pyclass(frozen, module = "asdfast")]
pub(crate) struct StreamWriter {
    /// `None` once it is closed.
    writer: Mutex<Option<asdf_core::file::StreamWriter>>,
    dtype: Py<PyAny>,
    shape: Py<PyTuple>,
}

/// Writes a file with an array that grows by rows, in constant memory.
///
/// The array is in the last block of the file, which has no size: Python's asdf calls it a stream. Leave the ``with`` block
/// to finish the file. If an exception leaves it, a new file that is not live is removed, and the old file stays.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
///     The file.
/// key : str
///     The key of the array in the tree, or a JSON Pointer that begins with ``/``.
/// dtype : dtype-like, optional
///     The datatype of the elements. It is required unless rows are appended.
/// shape : tuple of int
///     The shape of a row; ``()`` for a list of numbers.
/// tree : Mapping, optional
///     The rest of the tree.
/// live : bool
///     Whether the file appears at its path at once, so that others can read the rows that were flushed.
/// append : bool
///     Whether to append to the streamed array of an existing file. All other arguments are left out then.
///
/// Examples
/// --------
/// >>> import asdfast, numpy, os, tempfile
/// >>> path = os.path.join(tempfile.mkdtemp(), "spectra.asdf")
/// >>> with asdfast.stream(path, "spectra", dtype="f4", shape=(100,), tree={"target": "M31"}) as rows:
/// ...     for number in range(3):
/// ...         rows.write(numpy.full((2, 100), number))
/// >>> asdfast.open(path)["spectra"].shape
/// (6, 100)
#[pyfunction]
#[pyo3(signature = (path, key="data", *, dtype=None, shape=Vec::new(), tree=None, live=false, append=false))]
#[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
pub(crate) fn stream(
    py: Python<'_>,
    path: PathBuf,
    key: &str,
    dtype: Option<&Bound<'_, PyAny>>,
    shape: Vec<u64>,
    tree: Option<&Bound<'_, PyAny>>,
    live: bool,
    append: bool,
) -> PyResult<StreamWriter> {
    let numpy_dtype = py.import("numpy")?.getattr("dtype")?;
    if append {
        if dtype.is_some() || tree.is_some() || !shape.is_empty() {
            let error = Error::usage("append=True takes datatype, shape and tree from the file");
            return Err(Failure::from(error.with_hint("leave out dtype, shape and tree")).into());
        }
        let writer = py.detach(|| asdf_core::file::StreamWriter::append(path)).map_err(Failure::from)?;
        return StreamWriter::new(py, writer);
    }
    let Some(dtype) = dtype else {
        let error =
            Error::usage("the datatype of the rows is missing").with_hint("pass dtype, or append=True");
        return Err(Failure::from(error).into());
    };
    let found = datatype::found(&numpy_dtype.call1((dtype,))?)?;
    let mut file = File::new();
    if let Some(tree) = tree {
        put_root(&mut file, tree)?;
    }
    let pointer = if key.starts_with('/') { key.to_owned() } else { pointer(key) };
    let options = StreamOptions::new().live(live);
    let writer =
        py.detach(|| options.create(path, &file, &pointer, found.datatype, &shape)).map_err(Failure::from)?;
    StreamWriter::new(py, writer)
}

fn is_integer(dtype: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(matches!(dtype.getattr("kind")?.extract::<String>()?.as_str(), "i" | "u"))
}

fn pointer(key: &str) -> String {
    let mut path = Path::root();
    path.push(key);
    path.as_str().to_owned()
}

impl StreamWriter {
    fn new(py: Python<'_>, writer: asdf_core::file::StreamWriter) -> PyResult<Self> {
        let description = description(py, writer.datatype(), writer.byteorder())?;
        let dtype = py.import("numpy")?.getattr("dtype")?.call1((description,))?.unbind();
        let shape = PyTuple::new(py, writer.row_shape())?.unbind();
        Ok(Self { writer: Mutex::new(Some(writer)), dtype, shape })
    }

    fn writer(&self) -> MutexGuard<'_, Option<asdf_core::file::StreamWriter>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut asdf_core::file::StreamWriter) -> asdf_core::Result<T> + Send,
    ) -> PyResult<T> {
        // Another thread may hold the lock while it writes.
        let done = py.detach(|| match self.writer().as_mut() {
            Some(writer) => work(writer),
            None => Err(Error::usage("the stream is closed")),
        });
        Ok(done.map_err(Failure::from)?)
    }
}

#[pymethods]
impl StreamWriter {
    /// Appends one row, or an array of rows.
    ///
    /// The values are converted to the datatype if nothing but precision is lost, as by ``numpy`` with ``same_kind``.
    fn write(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<()> {
        let numpy = py.import("numpy")?;
        let given = rows;
        let mut rows = numpy.call_method1("asarray", (given,))?;
        // Integers of Python have no datatype. Those that do not fit are an error.
        if !given.hasattr("dtype")?
            && is_integer(&rows.getattr("dtype")?)?
            && is_integer(self.dtype.bind(py))?
        {
            rows = numpy.call_method1("asarray", (given, self.dtype.bind(py)))?;
        }
        let axes: usize = rows.getattr("ndim")?.extract()?;
        let shape = self.shape.bind(py);
        let own = rows.getattr("shape")?.cast_into::<PyTuple>()?;
        let row = if axes > shape.len() { own.get_slice(1, own.len()) } else { own.clone() };
        if axes > shape.len() + 1 || !row.eq(shape)? {
            let error =
                format!("found rows of shape {}, expected {shape} for one row, or one axis more", own);
            return Err(Failure::from(Error::mismatch(error)).into());
        }
        let options = pyo3::types::PyDict::new(py);
        options.set_item("casting", "same_kind")?;
        options.set_item("copy", false)?;
        let rows = rows.call_method("astype", (self.dtype.bind(py),), Some(&options))?;
        let bytes = lent::c_order(&rows)?;
        self.with(py, |writer| writer.push_bytes(&bytes))
    }

    /// Writes the rows that are buffered, so that other programs see them if the file is live.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |writer| writer.flush())
    }

    /// Writes the rows that are buffered, and waits until they are on disk.
    fn sync(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |writer| writer.sync())
    }

    /// The number of rows of the array.
    #[getter]
    fn rows(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |writer| Ok(writer.rows()))
    }

    /// The datatype of the elements, in the byte order of the file.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.dtype.bind(py).clone()
    }

    /// The shape of a row.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.shape.bind(py).clone()
    }

    /// Writes all rows to disk and finishes the file. Closing twice does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let finished =
            py.detach(|| self.writer().take().map_or(Ok(()), asdf_core::file::StreamWriter::finish));
        Ok(finished.map_err(Failure::from)?)
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if kind.is_none() {
            return self.close(py);
        }
        // A new file is removed.
        py.detach(|| drop(self.writer().take()));
        Ok(())
    }
}
