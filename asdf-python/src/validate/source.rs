//! What is validated: a file by its path or URL, its bytes, an open one, or a tree.

use std::path::{Path, PathBuf};

use asdf_core::{File, OpenOptions, Result};
use asdf_remote::Remote;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyMapping;

use crate::file::PyFile;
use crate::open::Place;
use crate::shared::Shared;

/// The size of a file that is validated faster than a thread starts.
const SMALL: u64 = 64 << 10;

/// What is validated.
pub(super) enum Source {
    /// The path or URL of a file.
    Path(PathBuf),
    /// An open file, with its tree as it is now.
    File(Shared),
    /// The bytes of a file, or a file object of Python with its name.
    Bytes(Place, Option<String>),
}

impl Source {
    pub(super) fn of(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(file) = source.cast::<PyFile>() {
            return Ok(Self::File(file.get().shared().clone()));
        }
        if let Ok(path) = source.extract() {
            return Ok(Self::Path(path));
        }
        if source.cast::<PyMapping>().is_ok() {
            let file = source.py().get_type::<PyFile>().call1((source,))?;
            return Ok(Self::File(file.cast::<PyFile>()?.get().shared().clone()));
        }
        let has_bytes = source.hasattr("read")? || PyBuffer::<u8>::get(source).is_ok();
        if !has_bytes {
            let kind = source.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "found {kind}, expected a path, a URL, bytes, a binary file object, an asdfast.File or a dict"
            )));
        }
        Ok(Self::Bytes(Place::of(source, None)?, name(source)))
    }

    /// Returns the name for reports.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Self::Path(path) => Some(path.display().to_string()),
            Self::File(_) => None,
            Self::Bytes(_, name) => name.clone(),
        }
    }

    /// Returns whether it is the URL of a file on a server.
    pub(super) fn is_remote(&self) -> bool {
        matches!(self, Self::Path(path) if url(path).is_some())
    }

    /// Whether it takes less time than a thread takes to start, so that Ctrl-C can wait for it.
    pub(super) fn is_small(&self) -> bool {
        match self {
            Self::Path(path) => {
                std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() < SMALL)
            }
            Self::Bytes(Place::Memory(bytes), _) => (bytes.len() as u64) < SMALL,
            Self::File(_) | Self::Bytes(..) => false,
        }
    }
}

/// Returns the name of a file object: the path of those of Python, and the URL or the path of those of fsspec.
fn name(file: &Bound<'_, PyAny>) -> Option<String> {
    // The name of a file that was opened by its descriptor is a number.
    ["full_name", "name", "path"].iter().find_map(|name| file.getattr(*name).ok()?.extract().ok())
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
