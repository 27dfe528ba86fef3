//! Reads tables from Parquet files.

use asdf_core::source::Bytes;
use asdf_core::{Error, Result};
use asdf_schemas::table::Table;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// Returns the table of a file.
pub(super) fn table(bytes: Bytes) -> Result<Table> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(bytes.clone()).map_err(failed)?;
    super::pages::check(&bytes, builder.metadata())?;
    let schema = builder.schema().clone();
    let batches = builder.build().map_err(failed)?;
    crate::arrow::table(&schema, batches.map(|batch| batch.map_err(failed)))
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::malformed(format!("cannot read the file as Parquet: {error}"))
}
