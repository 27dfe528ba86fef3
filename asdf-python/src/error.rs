//! Errors of the libraries as exceptions of Python.

use std::io::ErrorKind;

use asdf_core::Error;
use asdf_core::error::Kind;
use pyo3::exceptions::{PyConnectionError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::hint::Words;

/// An error of the libraries, on its way to Python.
pub(crate) struct Failure(Error);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl From<Failure> for PyErr {
    fn from(Failure(error): Failure) -> Self {
        Python::attach(|py| exception(py, &error).unwrap_or_else(|other| other))
    }
}

/// Makes the exception of an error, with its place.
fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let text = error.display_with(Words).to_string();
    let exception = match error.kind() {
        Kind::Io => system_error(py, error, text)?,
        kind => {
            let name = match kind {
                Kind::Malformed => "MalformedError",
                Kind::Missing => "MissingError",
                Kind::Mismatch => "MismatchError",
                Kind::Unsupported => "UnsupportedError",
                Kind::Limit => "LimitError",
                Kind::Usage => "UsageError",
                _ => "AsdfError",
            };
            let class = py.import("asdfast.errors")?.getattr(name)?.cast_into::<PyType>()?;
            class.call1((text,))?
        }
    };
    exception.setattr("file", error.file().map(|file| file.to_string_lossy().into_owned()))?;
    exception.setattr("path", error.path())?;
    exception.setattr("line", error.line())?;
    exception.setattr("column", error.column())?;
    exception.setattr("offset", error.offset())?;
    exception.setattr("code", error.code().map(asdf_core::error::Code::name))?;
    Ok(PyErr::from_value(exception))
}

/// Makes an `OSError`, or the subclass for its number or kind.
fn system_error<'py>(py: Python<'py>, error: &Error, text: String) -> PyResult<Bound<'py, PyAny>> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
    let (mut number, mut kind) = (None, None);
    while let Some(found) = cause {
        if let Some(found) = found.downcast_ref::<std::io::Error>() {
            number = number.or_else(|| found.raw_os_error());
            kind = kind.or_else(|| Some(found.kind()));
        }
        cause = found.source();
    }
    if let Some(number) = number {
        return py.get_type::<PyOSError>().call1((number, text));
    }
    // Errors of servers have a kind and no number.
    match kind.and_then(name) {
        Some(name) => py.get_type::<PyOSError>().call1((py.import("errno")?.getattr(name)?, text)),
        None if kind == Some(ErrorKind::NotConnected) => py.get_type::<PyConnectionError>().call1((text,)),
        None => py.get_type::<PyOSError>().call1((text,)),
    }
}

/// Returns the name of the number that Python has for a kind.
fn name(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::NotFound => Some("ENOENT"),
        ErrorKind::PermissionDenied => Some("EACCES"),
        ErrorKind::TimedOut => Some("ETIMEDOUT"),
        _ => None,
    }
}
