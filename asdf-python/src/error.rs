//! Errors of the libraries as exceptions of Python.

use asdf_core::Error;
use asdf_core::error::Kind;
use pyo3::exceptions::PyOSError;
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

/// Makes an `OSError`, or the subclass for its number.
fn system_error<'py>(py: Python<'py>, error: &Error, text: String) -> PyResult<Bound<'py, PyAny>> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
    let mut number = None;
    while let Some(found) = cause {
        number = number.or_else(|| found.downcast_ref::<std::io::Error>()?.raw_os_error());
        cause = found.source();
    }
    let class = py.get_type::<PyOSError>();
    match number {
        Some(number) => class.call1((number, text)),
        None => class.call1((text,)),
    }
}
