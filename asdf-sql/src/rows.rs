//! The rows of a table in a file.

use std::sync::Arc;

use asdf_core::error::Kind;
use asdf_core::{Error, File, Result};
use asdf_tables::{Columns, Dataset, arrow};
use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray, new_null_array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::contents::FILE;

/// The most rows of a batch without columns of the table.
const BATCH: usize = 8192;

/// Returns the columns of the table at a path, with `_file`. `None` if the file has nothing there.
///
/// # Errors
/// If the value at the path is not a table or an array.
pub(crate) fn schema(file: &File, path: &str) -> Result<Option<SchemaRef>> {
    let Some(columns) = columns(file, path)? else { return Ok(None) };
    let own = arrow::schema(&columns)?;
    let mut fields = vec![Field::new(FILE, DataType::Utf8, false)];
    fields.extend(own.fields().iter().map(|field| field.as_ref().clone()));
    Ok(Some(Arc::new(Schema::new(fields))))
}

/// Returns the columns of the table at a path. An array is a table with one column, named after the last step.
fn columns(file: &File, path: &str) -> Result<Option<Columns>> {
    match Dataset::at(file, path) {
        Ok(Dataset::Table { columns, .. }) => Ok(Some(columns)),
        Ok(Dataset::Array { array, unit, .. }) => {
            let name = path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("value");
            Columns::from_array(name, &array, unit.as_deref()).map(Some)
        }
        Ok(Dataset::Fits(_)) => {
            Err(Error::mismatch("found a FITS file, expected a table or an array").at_path(path))
        }
        Err(error) if error.kind() == Kind::Missing => Ok(None),
        Err(error) => Err(error),
    }
}

/// Passes the rows of the table at a path to a function in batches, with the columns of a schema, until it is false.
///
/// Columns that the table does not have are null. Nothing is read of columns that the schema does not have.
///
/// # Errors
/// If the value at the path is not a table, or has other types.
pub(crate) fn read(
    file: &File,
    path: &str,
    name: &str,
    schema: &SchemaRef,
    mut each: impl FnMut(RecordBatch) -> bool,
) -> Result<()> {
    let Some(columns) = columns(file, path)? else { return Ok(()) };
    let needed = columns.as_slice().iter().filter(|column| schema.index_of(&column.name).is_ok());
    let needed: Vec<_> = needed.cloned().collect();
    if needed.is_empty() {
        let mut left =
            usize::try_from(columns.rows()).map_err(|_| Error::limit("the table has too many rows"))?;
        while left > 0 {
            let count = left.min(BATCH);
            left -= count;
            if !each(fit(None, count, name, schema)?) {
                break;
            }
        }
        return Ok(());
    }
    let needed = Columns::new(needed)?;
    for batch in arrow::batches(&needed)? {
        let batch = batch?;
        if !each(fit(Some(&batch), batch.num_rows(), name, schema)?) {
            break;
        }
    }
    Ok(())
}

/// Returns the rows of a batch with the columns of a schema.
fn fit(batch: Option<&RecordBatch>, rows: usize, name: &str, schema: &SchemaRef) -> Result<RecordBatch> {
    let mismatch = |error: datafusion::arrow::error::ArrowError| Error::mismatch(error.to_string());
    let mut columns: Vec<ArrayRef> = Vec::new();
    for field in schema.fields() {
        let found = batch.and_then(|batch| batch.column_by_name(field.name()));
        columns.push(match found {
            _ if field.name() == FILE => Arc::new(StringArray::from(vec![name; rows])),
            Some(array) if array.data_type() == field.data_type() => array.clone(),
            Some(array) => {
                cast(array, field.data_type()).map_err(|error| mismatch(error).under(field.name()))?
            }
            None => new_null_array(field.data_type(), rows),
        });
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options).map_err(mismatch)
}
