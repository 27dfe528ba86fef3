//! Reads the rows of files, on many threads.

use std::sync::Arc;

use asdf_core::error::Kind;
use asdf_core::{Error, File, Result};
use asdf_schemas::Validator;
use asdf_tables::catalog::{Found, Known, Layout, Row};

use crate::copy::copy_of;
use crate::files::{Item, Opener, url};
use crate::source::name;

/// The number of files that decide which columns there are.
const SAMPLE: usize = 100;

/// What was read from a file.
pub(super) enum Reading {
    /// The number of the row in the earlier catalogue.
    Kept(u64),
    /// A new row, and why the file could not be read.
    New(Row, Option<Error>),
}

/// Reads rows.
pub(super) struct Reader {
    pub(super) opener: Opener,
    pub(super) validator: Option<Arc<Validator>>,
}

impl Reader {
    /// Finds the columns of the first files.
    pub(super) fn infer(&self, items: &[Item]) -> Result<Layout> {
        let mut trees = Vec::new();
        let mut first = None;
        for item in items.iter().take(SAMPLE) {
            match item {
                Item::Open(shared) => trees.push(copy_of(&shared.read())?),
                Item::Named(path, _) => match self.opener.open(path) {
                    Ok(file) => trees.push(file),
                    Err(error) => first = first.or(Some(error)),
                },
            }
        }
        match first {
            Some(error) if trees.is_empty() => Err(error),
            _ => Layout::infer(trees.iter().map(File::tree)),
        }
    }

    /// Reads a row, or finds it in an earlier catalogue. A file that is not valid ASDF has a row with its error.
    pub(super) fn read(&self, layout: &Layout, known: Option<&Known>, item: &Item) -> Result<Reading> {
        let (path, listed) = match item {
            Item::Open(shared) => {
                let mut found = Found::named(name(shared).unwrap_or_default());
                let file = shared.read();
                found.valid = self.is_valid(&file);
                return Ok(Reading::New(layout.read(&found, &file), None));
            }
            Item::Named(path, listed) => (path, *listed),
        };
        let mut found = Found::named(path.to_string_lossy());
        let (size, modified) = match url(path) {
            Some(_) => listed.unzip(),
            None => {
                let own = std::fs::metadata(path).ok();
                (own.as_ref().map(std::fs::Metadata::len), own.and_then(|own| own.modified().ok()))
            }
        };
        (found.size, found.modified) = (size, modified);
        if let Some(row) = known.and_then(|known| known.row(&found)) {
            return Ok(Reading::Kept(row));
        }
        match self.opener.open(path) {
            Ok(file) => {
                found.valid = self.is_valid(&file);
                Ok(Reading::New(layout.read(&found, &file), None))
            }
            Err(error) if error.kind() == Kind::Io => Err(error),
            Err(error) => {
                found.valid = self.validator.as_ref().map(|_| false);
                Ok(Reading::New(layout.unread(&found, &error), Some(error)))
            }
        }
    }

    fn is_valid(&self, file: &File) -> Option<bool> {
        self.validator.as_ref().map(|validator| validator.validate_file(file).is_valid())
    }
}
