//! The files that functions are given.

use pyo3::prelude::*;

use crate::file::PyFile;
use crate::open::open_default;
use crate::shared::Shared;

/// A file that a function is given: an open one, or what `open` takes.
#[derive(FromPyObject)]
pub(crate) enum Source<'py> {
    #[pyo3(annotation = "asdfast.File")]
    Open(Py<PyFile>),
    Closed(Bound<'py, PyAny>),
}

impl Source<'_> {
    /// Returns the open file.
    pub(crate) fn open(self) -> PyResult<Shared> {
        match self {
            Self::Open(file) => Ok(file.get().shared().clone()),
            Self::Closed(source) => open_default(&source),
        }
    }
}

/// Returns the name under which a file can be opened again.
pub(crate) fn name(shared: &Shared) -> Option<String> {
    let file = shared.read();
    file.url().map(str::to_owned).or_else(|| Some(file.path()?.to_str()?.to_owned()))
}

/// Adds the name of the file to an error that does not have it.
pub(crate) fn located(shared: &Shared, error: asdf_core::Error) -> asdf_core::Error {
    match name(shared) {
        Some(name) if error.file().is_none() => error.at_file(name),
        _ => error,
    }
}
