//! `manifest`: references to the bytes of arrays, for programs that read zarr.

use std::path::Path;

use asdf_core::{Error, Result};
use asdf_tables::manifest::Manifest;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Failure;
use crate::interrupt::interruptible;
use crate::shared::Shared;
use crate::source::{name, shared};

/// List where the bytes of arrays are; see `asdfast.manifest`.
///
/// Returns JSON, and why arrays were left out. Groups have names if there are several files.
#[pyfunction]
pub(crate) fn _manifest<'py>(
    py: Python<'py>,
    files: Vec<(Option<String>, Bound<'py, PyAny>)>,
    stack: bool,
) -> PyResult<(Bound<'py, PyBytes>, Vec<String>)> {
    let mut opened = Vec::with_capacity(files.len());
    for (group, file) in files {
        opened.push((group, shared(&file)?));
    }
    let made = interruptible(py, move || made(opened, stack))?;
    let (json, left_out) = made.map_err(Failure::from)?;
    Ok((PyBytes::new(py, &json), left_out))
}

fn made(files: Vec<(Option<String>, Shared)>, stack: bool) -> Result<(Vec<u8>, Vec<String>)> {
    let mut manifests = Vec::with_capacity(files.len());
    for (group, shared) in files {
        let own = name(&shared).ok_or_else(|| {
            Error::usage("the file has no path or URL that a manifest can refer to")
                .with_hint("open the file by its path or URL")
        })?;
        let manifest = Manifest::of(&shared.read(), |other| place(other.unwrap_or(Path::new(&own))));
        manifests.push((group.unwrap_or(own), manifest));
    }
    let mut manifest = match <[_; 1]>::try_from(manifests) {
        Ok([(_, only)]) if !stack => only,
        Ok(one) => Manifest::stacked(one),
        Err(several) if stack => Manifest::stacked(several),
        Err(several) => Manifest::grouped(several),
    };
    let left_out = manifest.take_left_out().iter().map(ToString::to_string).collect();
    if manifest.is_empty() {
        return Err(Error::mismatch("found no array that zarr can read"));
    }
    let mut json = Vec::new();
    manifest.write_json(&mut json)?;
    Ok((json, left_out))
}

/// Returns a URL as it is, and a path of this machine as an absolute one.
fn place(path: &Path) -> Result<String> {
    let text = path.to_str();
    if let Some(url) = text.filter(|text| asdf_remote::is_url(text)) {
        return Ok(url.to_owned());
    }
    let whole = std::path::absolute(path)
        .map_err(|error| Error::io("finding the absolute path", error).at_file(path))?;
    let text = whole.to_str().map(str::to_owned);
    text.ok_or_else(|| Error::unsupported("the path is not UTF-8, as JSON requires").at_file(path))
}
