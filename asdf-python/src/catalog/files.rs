//! The files of a catalogue.

use std::sync::Arc;

use asdf_core::{File, Result, Threads};
use asdf_schemas::Validator;
use asdf_tables::catalog::{Found, Known, Layout, Reader, Reading};

use crate::files::{Item, Opener, threads, url};
use crate::source::name;

/// The files of a catalogue.
pub(super) struct Files {
    pub(super) items: Vec<Item>,
    pub(super) opener: Opener,
    pub(super) validator: Option<Arc<Validator>>,
}

impl Files {
    /// Lists the files on servers, and returns the number of files to open at once.
    pub(super) fn list(&mut self, given: Option<usize>) -> Result<Threads> {
        self.items = self.opener.listed(std::mem::take(&mut self.items))?;
        Ok(threads(given, &self.items))
    }

    /// Finds the columns of the first files.
    pub(super) fn infer(&self) -> Result<Layout> {
        Layout::infer_files(self.items.iter().map(|item| self.open(item)))
    }

    /// Returns the files that a thread takes at once.
    pub(super) fn together(&self, reader: &Reader<'_>) -> impl Iterator<Item = &[Item]> {
        self.items.chunks(reader.files_at_once(self.items.iter().any(Item::is_remote)))
    }

    /// Returns a reader of the columns, and of what an earlier catalogue has.
    pub(super) fn reader<'a>(&'a self, layout: &'a Layout, known: Option<&'a Known>) -> Reader<'a> {
        Reader::new(layout).known(known).validator(self.validator.as_deref())
    }

    /// Reads a row, or finds it in an earlier catalogue.
    pub(super) fn read(&self, reader: &Reader<'_>, item: &Item) -> Result<Reading> {
        reader.read(found(item), || self.open(item))
    }

    fn open(&self, item: &Item) -> Result<Arc<File>> {
        match item {
            Item::Open(shared) => Ok(shared.read()),
            Item::Named(path, _) => self.opener.open(path).map(Arc::new),
        }
    }
}

/// Returns what is known of a file without opening it.
fn found(item: &Item) -> Found {
    let (path, listed) = match item {
        Item::Open(shared) => return Found::named(name(shared).unwrap_or_default()),
        Item::Named(path, listed) => (path, *listed),
    };
    let mut found = Found::named(path.to_string_lossy());
    let known = match url(path) {
        Some(_) => listed,
        // Opening reports a file that does not exist.
        None => std::fs::metadata(path).and_then(|known| Ok((known.len(), known.modified()?))).ok(),
    };
    (found.size, found.modified) = known.unzip();
    found
}
