//! Reads tables from Arrow IPC files.

use std::io::Cursor;

use arrow_ipc::reader::FileReader;
use asdf_core::source::Bytes;
use asdf_core::{Error, Result};
use asdf_schemas::table::Table;

/// Returns the table of a file.
pub(super) fn table(bytes: Bytes) -> Result<Table> {
    let failed = |error| Error::malformed(format!("cannot read the file as Arrow: {error}"));
    let reader = FileReader::try_new(Cursor::new(bytes), None).map_err(failed)?;
    crate::arrow::table(&reader.schema(), reader.map(|batch| batch.map_err(failed)))
}
