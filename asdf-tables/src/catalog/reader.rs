//! `Reader`: reads the rows of files, or finds them in an earlier catalogue.

use std::borrow::Borrow;

use asdf_core::error::Kind;
use asdf_core::{Error, File, Result};
use asdf_schemas::Validator;

#[cfg(feature = "parquet")]
use super::Known;
use super::{Found, Layout, Row};

/// What a [`Reader`] found for a file.
#[derive(Debug)]
pub enum Reading {
    /// The number of the row in the earlier catalogue, for [`Writer::keep`](super::Writer::keep).
    Kept(u64),
    /// A new row, for [`Writer::push`](super::Writer::push), and why the file is not valid ASDF.
    New(Row, Option<Error>),
}

/// Reads the rows of files, or finds them in an earlier catalogue. Several threads can share it.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    layout: &'a Layout,
    #[cfg(feature = "parquet")]
    known: Option<&'a Known>,
    validator: Option<&'a Validator>,
}

impl<'a> Reader<'a> {
    /// Creates a reader of the columns of a layout.
    #[must_use]
    pub fn new(layout: &'a Layout) -> Self {
        Self {
            layout,
            #[cfg(feature = "parquet")]
            known: None,
            validator: None,
        }
    }

    /// Sets the earlier catalogue. Files that have not changed since are not opened.
    #[cfg(feature = "parquet")]
    #[must_use]
    pub fn known(mut self, known: Option<&'a Known>) -> Self {
        self.known = known;
        self
    }

    /// Sets the validator of the column `_valid`. Without that column, files are not validated.
    #[must_use]
    pub fn validator(mut self, validator: Option<&'a Validator>) -> Self {
        self.validator = validator.filter(|_| self.layout.has_valid());
        self
    }

    /// Returns the number of files that a thread should take at once.
    ///
    /// It is 1 for files on servers, which are waited for at the same time. An update only looks up most files, which
    /// takes less time than giving them to a thread one by one.
    #[must_use]
    pub fn files_at_once(&self, are_remote: bool) -> usize {
        #[cfg(feature = "parquet")]
        let is_update = self.known.is_some();
        #[cfg(not(feature = "parquet"))]
        let is_update = false;
        match is_update {
            _ if are_remote => 1,
            true => 128,
            false => 8,
        }
    }

    /// Reads a row from a file that `open` opens, or finds it in the earlier catalogue. A file that is not valid ASDF also
    /// has a row, with its error.
    ///
    /// # Errors
    /// Fails with the error of `open` if the file cannot be read; its kind is [`Io`](Kind::Io).
    pub fn read<F: Borrow<File>>(
        &self,
        mut found: Found,
        open: impl FnOnce() -> Result<F>,
    ) -> Result<Reading> {
        #[cfg(feature = "parquet")]
        if let Some(row) = self.known.and_then(|known| known.row(&found)) {
            return Ok(Reading::Kept(row));
        }
        match open() {
            Ok(file) => {
                let file = file.borrow();
                found.valid = self.validator.map(|validator| validator.validate_file(file).is_valid());
                Ok(Reading::New(self.layout.read(&found, file), None))
            }
            Err(error) if error.kind() == Kind::Io => Err(error),
            Err(error) => {
                found.valid = self.validator.map(|_| false);
                Ok(Reading::New(self.layout.unread(&found, &error), Some(error)))
            }
        }
    }
}
