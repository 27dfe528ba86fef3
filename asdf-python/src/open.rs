//! Opens files.

use std::path::PathBuf;

use asdf_core::{File, OpenOptions, Result};
use asdf_fits::AsdfInFits;
use pyo3::prelude::*;

use crate::error::Failure;
use crate::file::PyFile;

/// Opens a file by its path or URL.
#[pyfunction]
#[pyo3(signature = (source, *, mmap=false))]
pub(crate) fn open(py: Python<'_>, source: PathBuf, mmap: bool) -> PyResult<Py<PyFile>> {
    let file = py.detach(|| opened(&source, mmap)).map_err(Failure::from)?;
    Py::new(py, PyFile::new(file))
}

pub(crate) fn opened(source: &std::path::Path, mmap: bool) -> Result<File> {
    let options = OpenOptions::new().container(AsdfInFits::format()).mmap(mmap);
    match source.to_str().filter(|text| asdf_remote::is_url(text)) {
        Some(url) => asdf_remote::Remote::new().open_with(&options, url),
        None => options.open(source),
    }
}
