//! What is validated: a file by its path or URL, or an open one.

use std::path::{Path, PathBuf};

use asdf_core::{File, OpenOptions, Result};
use asdf_remote::Remote;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::file::PyFile;
use crate::shared::Shared;

/// The size of a file that is validated faster than a thread starts.
const SMALL: u64 = 64 << 10;

/// What is validated.
pub(super) enum Source {
    /// The path or URL of a file.
    Path(PathBuf),
    /// An open file, with its tree as it is now.
    File(Shared),
}

impl Source {
    // The tree of Python objects becomes a variant of its own when objects can be converted to nodes.
    pub(super) fn of(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(file) = source.cast::<PyFile>() {
            return Ok(Self::File(file.get().shared().clone()));
        }
        let path = source.extract().map_err(|_| {
            let kind = source.get_type().name().map(|name| name.to_string()).unwrap_or_default();
            PyTypeError::new_err(format!("found {kind}, expected a path, a URL or an asdfast.File"))
        })?;
        Ok(Self::Path(path))
    }

    /// Whether it takes so little time that nobody has to interrupt it.
    pub(super) fn is_small(&self) -> bool {
        match self {
            Self::Path(path) => {
                std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() < SMALL)
            }
            Self::File(_) => false,
        }
    }
}

/// Returns the URL that a path is, if it is one.
pub(super) fn url(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| asdf_remote::is_url(text))
}

/// Opens a file by its path or URL.
pub(super) fn open(options: &OpenOptions, remote: &Remote, path: &Path) -> Result<File> {
    match url(path) {
        Some(url) => remote.open_with(options, url),
        None => options.open(path),
    }
}
