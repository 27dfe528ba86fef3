//! The files that functions are given.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::error::Failure;
use crate::file::PyFile;
use crate::open::opened;
use crate::shared::Shared;

/// A file that a function is given: an open one, or its path or URL.
#[derive(FromPyObject)]
pub(crate) enum Source {
    #[pyo3(annotation = "asdfast.File")]
    Open(Py<PyFile>),
    #[pyo3(annotation = "str | os.PathLike")]
    Named(PathBuf),
}

impl Source {
    /// Returns the open file.
    pub(crate) fn open(self, py: Python<'_>) -> PyResult<Shared> {
        match self {
            Self::Open(file) => Ok(file.get().shared().clone()),
            Self::Named(path) => {
                let file = py.detach(|| opened(&path, false)).map_err(Failure::from)?;
                Ok(Shared::new(file))
            }
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
