//! The files of functions that take many.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use asdf_core::{File, OpenOptions, Result, Threads};
use asdf_fits::AsdfInFits;
use asdf_remote::Remote;
use pyo3::prelude::*;

use crate::file::PyFile;
use crate::listing::list;
use crate::open::open_default;
use crate::shared::Shared;

/// The number of files on servers that are opened at once: most of the time is spent waiting.
const REMOTE: usize = 32;

/// One of many files.
pub(crate) enum Item {
    Open(Shared),
    /// A path or URL, with the size and the time of the last change if a listing says them.
    Named(PathBuf, Option<(u64, SystemTime)>),
}

impl Item {
    /// Reads an argument: a path or URL, which is opened later, or an open file, or what else `open` takes.
    pub(crate) fn of(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(file) = file.cast::<PyFile>() {
            return Ok(Self::Open(file.get().shared().clone()));
        }
        match file.extract() {
            Ok(path) => Ok(Self::Named(path, None)),
            Err(_) => Ok(Self::Open(open_default(file)?)),
        }
    }

    /// Returns whether it is the URL of a file on a server.
    pub(crate) fn is_remote(&self) -> bool {
        matches!(self, Self::Named(path, _) if url(path).is_some())
    }
}

/// Returns the URL that a path is, if it is one.
pub(crate) fn url(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| asdf_remote::is_url(text))
}

/// Returns the number of files to open at once.
pub(crate) fn threads<'i>(given: Option<usize>, items: impl IntoIterator<Item = &'i Item>) -> Threads {
    match given {
        Some(count) => Threads::new(count),
        None if items.into_iter().any(Item::is_remote) => Threads::new(REMOTE),
        None => Threads::ALL,
    }
}

/// Opens files on many threads.
pub(crate) struct Opener {
    options: OpenOptions,
    remote: Remote,
}

impl Opener {
    pub(crate) fn new(remote: Remote) -> Self {
        let options = OpenOptions::new().container(AsdfInFits::format()).threads(Threads::ONE);
        Self { options, remote }
    }

    /// Opens a file by its path or URL. Errors name it.
    pub(crate) fn open(&self, path: &Path) -> Result<File> {
        let opened = match url(path) {
            Some(url) => self.remote.open_with(&self.options, url),
            None => self.options.open(path),
        };
        opened.map_err(|error| if error.file().is_some() { error } else { error.at_file(path) })
    }

    /// Lists the files of URLs that are folders or patterns.
    pub(crate) fn listed(&self, items: Vec<Item>) -> Result<Vec<Item>> {
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            match &item {
                Item::Named(path, _) if url(path).is_some() => {
                    let entries = list(&self.remote, url(path).unwrap_or_default())?;
                    all.extend(
                        entries
                            .into_iter()
                            .map(|entry| Item::Named(entry.url.into(), entry.size.zip(entry.modified))),
                    );
                }
                _ => all.push(item),
            }
        }
        Ok(all)
    }
}
