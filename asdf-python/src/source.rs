//! The files that functions are given.

use asdf_core::Error;
use pyo3::prelude::*;

use crate::file::PyFile;
use crate::open::open_default;
use crate::shared::Shared;

/// Returns a file that a function is given: an open one, or what `open` accepts, such as a path or URL.
pub(crate) fn shared(source: &Bound<'_, PyAny>) -> PyResult<Shared> {
    match source.cast::<PyFile>() {
        Ok(file) => Ok(file.get().shared().clone()),
        Err(_) => open_default(source),
    }
}

/// Returns the name under which a file can be opened again.
pub(crate) fn name(shared: &Shared) -> Option<String> {
    let file = shared.read();
    file.url().map(str::to_owned).or_else(|| Some(file.path()?.to_str()?.to_owned()))
}

/// Adds the name of the file to an error that does not have it.
pub(crate) fn located(shared: &Shared, error: Error) -> Error {
    match name(shared) {
        Some(name) if error.file().is_none() => error.at_file(name),
        _ => error,
    }
}
