//! The files that URLs of folders and patterns name.

use asdf_core::{Error, Result};
use asdf_remote::{Entry, Remote};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Failure;
use crate::interrupt::interruptible;
use crate::remote::remote;

/// Returns the files that a URL names: itself, those of a folder, or those that match a pattern.
pub(crate) fn list(remote: &Remote, url: &str) -> Result<Vec<Entry>> {
    let entries = remote.list(url)?.collect::<Result<Vec<Entry>>>()?;
    if entries.is_empty() {
        let error = Error::usage("found no file at this URL").at_file(url);
        return Err(error.with_hint("a folder ends with /"));
    }
    Ok(entries)
}

/// List the URLs of the files that a URL names.
#[pyfunction]
pub(crate) fn _list_url(
    py: Python<'_>,
    url: String,
    storage_options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<String>> {
    let remote = remote(storage_options)?;
    let entries = interruptible(py, move || list(&remote, &url))?.map_err(Failure::from)?;
    Ok(entries.into_iter().map(|entry| entry.url).collect())
}
