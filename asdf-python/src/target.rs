//! Where functions write to: a path, or a file object of Python.

use std::io::Write;
use std::path::{Path, PathBuf};

use asdf_core::error::Kind;
use asdf_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::error::Failure;

/// A path, or a binary file object that is open for writing.
pub(crate) enum Target {
    Path(PathBuf),
    Object(Py<PyAny>),
}

impl Target {
    /// Reads an argument. A URL is an error.
    pub(crate) fn of(target: &Bound<'_, PyAny>) -> PyResult<Self> {
        let is_path = target.is_instance_of::<PyString>() || target.hasattr("__fspath__")?;
        if !is_path && target.hasattr("write")? {
            return Ok(Self::Object(target.clone().unbind()));
        }
        let path: PathBuf = target.extract()?;
        if path.to_str().is_some_and(asdf_remote::is_url) {
            let error = Error::usage(format!("cannot write to the URL '{}'", path.display()))
                .with_hint("pass a file object that is open for writing, such as one of fsspec");
            return Err(Failure::from(error).into());
        }
        Ok(Self::Path(path))
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Object(_) => None,
        }
    }

    /// Refuses to replace a file without `overwrite`.
    pub(crate) fn check(&self, overwrite: bool) -> Result<()> {
        match self.path().filter(|path| !overwrite && path.symlink_metadata().is_ok()) {
            None => Ok(()),
            Some(path) => {
                let error = Error::usage("the file already exists").at_file(path);
                Err(error.with_hint("choose another name, or pass overwrite=True"))
            }
        }
    }

    /// Writes without the GIL. A file is put in place only when it is complete.
    pub(crate) fn write(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&mut dyn Write) -> Result<()> + Send,
    ) -> PyResult<()> {
        py.detach(|| self.write_detached(write))
    }

    /// Writes like [`write`](Self::write), on a thread that does not hold the GIL.
    pub(crate) fn write_detached(&self, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> PyResult<()> {
        let path = match self {
            Self::Object(object) => return write_object(object, |out| write(out)),
            Self::Path(path) => path,
        };
        let named = |error: Error| match error.kind() {
            Kind::Io => error.at_file(path),
            _ => error,
        };
        let done = asdf_core::file::replace(path, |out| write(out).map_err(named));
        Ok(done.map_err(Failure::from)?)
    }
}

/// Writes to a file object, on a thread that does not hold the GIL. An exception of the object is raised as it is.
pub(crate) fn write_object(
    object: &Py<PyAny>,
    write: impl FnOnce(&mut Output<'_>) -> Result<()>,
) -> PyResult<()> {
    let mut out = Output { object, failure: None };
    let done = write(&mut out);
    match (out.failure.take(), done) {
        (Some(failure), _) => Err(failure),
        (None, done) => Ok(done.map_err(Failure::from)?),
    }
}

/// A file object of Python. Its exception is kept, because `std::io::Error` would lose its type.
pub(crate) struct Output<'a> {
    object: &'a Py<PyAny>,
    failure: Option<PyErr>,
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // The buffer is flushed again when it is dropped.
        if self.failure.is_some() {
            return Err(std::io::Error::other("an earlier write failed"));
        }
        let written = Python::attach(|py| {
            // Ctrl-C ends long writes.
            py.check_signals()?;
            let written = self.object.call_method1(py, "write", (PyBytes::new(py, bytes),))?;
            // Raw files may write a part. Some objects return nothing.
            written.extract::<Option<usize>>(py)
        });
        match written {
            Ok(count) => Ok(count.unwrap_or(bytes.len()).min(bytes.len())),
            Err(failure) => {
                self.failure = Some(failure);
                Err(std::io::Error::other("the method `write` raised an exception"))
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
