//! Writes a catalogue as Parquet.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use asdf_core::{Error, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::Layout;
use crate::output::output;
use crate::written::Written;

/// The key of Parquet's metadata with the layout in JSON.
pub(super) const KEY: &str = "asdf:catalog";

/// The maximum memory for a group of rows.
const GROUP: usize = 32 << 20;

/// A catalogue in Parquet that is being written.
pub(super) struct Parquet<'w> {
    writer: ArrowWriter<Written>,
    written: Written,
    schema: SchemaRef,
    out: &'w mut dyn Write,
}

impl<'w> Parquet<'w> {
    pub(super) fn new(layout: &Layout, out: &'w mut dyn Write) -> Result<Self> {
        let json = serde_json::to_string(layout).map_err(refused)?;
        // Every Parquet reader supports snappy.
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(vec![KeyValue::new(KEY.to_owned(), json)]))
            .set_created_by(concat!("asdf ", env!("CARGO_PKG_VERSION")).to_owned());
        let (written, schema) = (Written::default(), layout.arrow_schema(true));
        let writer = ArrowWriter::try_new(written.clone(), schema.clone(), Some(properties.build()));
        Ok(Self { writer: writer.map_err(failed)?, written, schema, out })
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let batch = RecordBatch::try_new(self.schema.clone(), batch.columns().to_vec()).map_err(refused)?;
        self.writer.write(&batch).map_err(failed)?;
        if self.writer.memory_size() > GROUP {
            self.writer.flush().map_err(failed)?;
        }
        self.out.write_all(&self.written.take()).map_err(output)
    }

    pub(super) fn finish(self) -> Result<()> {
        self.writer.close().map_err(failed)?;
        self.out.write_all(&self.written.take()).map_err(output)
    }
}

fn failed(error: ParquetError) -> Error {
    refused(error)
}

fn refused(error: impl std::fmt::Display) -> Error {
    Error::unsupported(format!("cannot write the catalogue: {error}"))
}
