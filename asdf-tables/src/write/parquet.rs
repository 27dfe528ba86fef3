//! Writes tables as Parquet files.

use std::io::Write;
use std::sync::Arc;

use asdf_core::{Error, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::output;
use crate::Columns;
use crate::arrow::{batches, schema};
use crate::written::Written;

/// Writes the rows, one piece at a time.
pub(super) fn table(columns: &Columns, out: &mut dyn Write) -> Result<()> {
    let schema = Arc::new(schema(columns)?);
    // Every Parquet reader supports snappy.
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("asdf ", env!("CARGO_PKG_VERSION")).to_owned());
    let written = Written::default();
    let mut writer =
        ArrowWriter::try_new(written.clone(), schema, Some(properties.build())).map_err(refused)?;
    for batch in batches(columns)? {
        writer.write(&batch?).map_err(refused)?;
        // The maximum memory for a group of rows.
        const GROUP: usize = 128 << 20;
        if writer.in_progress_size() > GROUP {
            writer.flush().map_err(refused)?;
        }
        out.write_all(&written.take()).map_err(output)?;
    }
    writer.close().map_err(refused)?;
    out.write_all(&written.take()).map_err(output)
}

fn refused(error: ParquetError) -> Error {
    Error::unsupported(format!("cannot write the table: {error}"))
}
