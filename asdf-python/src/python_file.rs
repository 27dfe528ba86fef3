//! A file object of Python as a source of bytes.

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use asdf_core::source::{Bytes, Cost, Source};
use asdf_core::{Error, Result};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::PyBytes;

/// A file object with `read` and `seek`, such as one of fsspec.
pub(crate) struct PythonFile {
    /// A file object has one position, so only one thread can read.
    file: Mutex<Py<PyAny>>,
    len: u64,
}

impl PythonFile {
    /// Finds the length of the file.
    pub(crate) fn new(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        if file.call_method1("read", (0,))?.cast::<PyBytes>().is_err() {
            return Err(PyTypeError::new_err(
                "the file object must return bytes: open it in binary mode, such as \"rb\"",
            ));
        }
        let len: u64 =
            file.call_method1("seek", (0, 2))?.extract().or_else(|_| file.call_method0("tell")?.extract())?;
        Ok(Self { file: Mutex::new(file.clone().unbind()), len })
    }

    fn read_exactly(&self, range: &Range<u64>) -> PyResult<Vec<u8>> {
        Python::attach(|py| {
            py.check_signals()?;
            // Waiting for the lock and holding the GIL at the same time could stop both threads for ever.
            let file = self.file.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
            let file = file.bind(py);
            file.call_method1("seek", (range.start,))?;
            let mut bytes = Vec::new();
            let len = range.end.saturating_sub(range.start);
            while (bytes.len() as u64) < len {
                let read = file.call_method1("read", (len - bytes.len() as u64,))?;
                let read = read.cast_into::<PyBytes>()?;
                if read.as_bytes().is_empty() {
                    break;
                }
                bytes.extend_from_slice(read.as_bytes());
            }
            Ok(bytes)
        })
    }
}

impl fmt::Debug for PythonFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PythonFile({} bytes)", self.len)
    }
}

impl Source for PythonFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn cost(&self) -> Cost {
        // It can be in an object store. Files on disk are better opened by their path.
        Cost::REMOTE
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        if range.start > range.end {
            return Err(Error::usage("a range of bytes ends before it starts"));
        }
        if range.end > self.len {
            let text =
                format!("the file has {} bytes, but the bytes up to {} are needed", self.len, range.end);
            return Err(Error::malformed(text));
        }
        let bytes = self.read_exactly(&range).map_err(|error| failed(&error))?;
        if bytes.len() as u64 != range.end - range.start {
            return Err(Error::io(
                "the file became shorter after it was opened",
                std::io::ErrorKind::UnexpectedEof.into(),
            ));
        }
        Ok(bytes.into())
    }
}

/// Makes the error of a file object that raised an exception.
fn failed(error: &PyErr) -> Error {
    Error::io("the file object failed", std::io::Error::other(error.to_string()))
}
