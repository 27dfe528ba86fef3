//! Arrow streams, by which polars, pyarrow and duckdb take tables without a copy.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use asdf_core::Error;
use asdf_core::array::Slice;
use asdf_tables::{Columns, arrow};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Reads record batches. A batch is read when it is needed.
pub(crate) struct Batches<I> {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: I,
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>>> Iterator for Batches<I> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>>> RecordBatchReader for Batches<I> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// Makes the capsule of the Arrow PyCapsule interface for a stream.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    reader: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
}

/// Makes the capsule of the Arrow PyCapsule interface for a schema.
pub(crate) fn schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let made = FFI_ArrowSchema::try_from(schema).map_err(|error| PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, made, c"arrow_schema")
}

/// Reads the rows of columns in batches of moderate size.
pub(crate) fn rows(columns: Columns) -> Result<impl RecordBatchReader + Send + 'static, Error> {
    let schema: SchemaRef = arrow::schema(&columns)?.into();
    let step = i64::try_from(columns.rows_at_once()?).unwrap_or(i64::MAX);
    let count = i64::try_from(columns.rows()).unwrap_or(i64::MAX);
    let mut start = 0;
    let batches = std::iter::from_fn(move || {
        let end = start + step.min(count - start);
        let batch = (start < end).then(|| batch(&columns, start..end))?;
        start = end;
        Some(batch.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    });
    Ok(Batches { schema, batches })
}

fn batch(columns: &Columns, rows: std::ops::Range<i64>) -> Result<RecordBatch, Error> {
    let piece = columns.slice(Slice::from(rows))?;
    let batch = arrow::batches(&piece)?.next();
    batch.unwrap_or_else(|| Err(Error::mismatch("the table has no rows")))
}
