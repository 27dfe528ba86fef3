//! Writes results in a format.

use std::io::{self, Write};
use std::sync::Arc;

use asdf_core::printable;
use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::csv;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::json;
use datafusion::common::{DataFusionError, Result};
use datafusion::parquet::arrow::ArrowWriter;

use crate::args::Format;
use crate::grid::Grid;

/// A result that is written batch by batch.
pub(crate) enum Output<W: Write + Send> {
    Table(Grid, W),
    Csv(Box<csv::Writer<W>>, SchemaRef),
    Json(Box<json::LineDelimitedWriter<W>>),
    Parquet(Box<ArrowWriter<W>>),
}

impl<W: Write + Send> Output<W> {
    /// Begins a result with these columns.
    pub(crate) fn new(format: Format, schema: &SchemaRef, mut out: W) -> Result<Self> {
        Ok(match format {
            Format::Table => Self::Table(Grid::new(schema.clone()), out),
            Format::Csv => {
                let flat = flat_schema(schema);
                // Arrow's writer leaves out the header of a result without rows.
                let names: Vec<String> = flat.fields().iter().map(|field| quoted(field.name())).collect();
                writeln!(out, "{}", names.join(","))?;
                Self::Csv(Box::new(csv::WriterBuilder::new().with_header(false).build(out)), flat)
            }
            Format::Json => {
                Self::Json(Box::new(json::WriterBuilder::new().with_explicit_nulls(true).build(out)))
            }
            Format::Parquet => Self::Parquet(Box::new(ArrowWriter::try_new(out, schema.clone(), None)?)),
        })
    }

    /// Writes the rows of a batch.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match self {
            Self::Table(grid, out) => grid.write(batch, out)?,
            Self::Csv(writer, schema) => writer.write(&flat(batch, schema)?)?,
            Self::Json(writer) => writer.write(batch)?,
            Self::Parquet(writer) => writer.write(batch)?,
        }
        Ok(())
    }

    /// Ends the result.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Table(grid, mut out) => {
                grid.finish(&mut out)?;
                out.flush()?;
            }
            Self::Csv(writer, _) => writer.into_inner().flush()?,
            Self::Json(mut writer) => {
                writer.finish()?;
                writer.into_inner().flush()?;
            }
            Self::Parquet(writer) => drop(writer.close()?),
        }
        Ok(())
    }
}

/// Text for a terminal without control characters, else unchanged.
pub(crate) struct Printed<W: Write> {
    out: W,
    escapes: bool,
}

impl<W: Write> Printed<W> {
    pub(crate) fn new(out: W, escapes: bool) -> Self {
        Self { out, escapes }
    }
}

impl<W: Write> Write for Printed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) if self.escapes => self.out.write_all(printable::controls(text).as_bytes())?,
            _ => self.out.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn is_nested(kind: &DataType) -> bool {
    kind.is_nested()
}

/// The columns with texts instead of lists and structs.
fn flat_schema(schema: &SchemaRef) -> SchemaRef {
    let field = |field: &Arc<Field>| match is_nested(field.data_type()) {
        true => Arc::new(Field::new(field.name(), DataType::Utf8, true)),
        false => field.clone(),
    };
    Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
}

/// Converts lists and structs to JSON.
fn flat(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let column = |array: &ArrayRef| match is_nested(array.data_type()) {
        true => json_texts(array),
        false => Ok(array.clone()),
    };
    let columns = batch.columns().iter().map(column).collect::<Result<Vec<_>>>()?;
    Ok(RecordBatch::try_new(schema.clone(), columns)?)
}

/// The values of a column as JSON.
fn json_texts(array: &ArrayRef) -> Result<ArrayRef> {
    let one = RecordBatch::try_from_iter([("v", array.clone())])?;
    let mut lines = Vec::new();
    let mut writer: json::LineDelimitedWriter<_> =
        json::WriterBuilder::new().with_explicit_nulls(true).build(&mut lines);
    writer.write(&one)?;
    writer.finish()?;
    drop(writer);
    let lines = String::from_utf8(lines).map_err(|error| DataFusionError::External(Box::new(error)))?;
    let value = |(row, line): (usize, &str)| {
        let value = line.strip_prefix("{\"v\":").and_then(|rest| rest.strip_suffix('}'));
        value.filter(|_| array.is_valid(row)).map(str::to_owned)
    };
    Ok(Arc::new(lines.lines().enumerate().map(value).collect::<StringArray>()))
}

/// A name as a cell of CSV.
fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

/// The format that belongs to the name of a file.
pub(crate) fn format_of(path: &std::path::Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "csv" => Some(Format::Csv),
        "json" | "jsonl" | "ndjson" => Some(Format::Json),
        "parquet" => Some(Format::Parquet),
        "txt" => Some(Format::Table),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{Int64Array, ListArray};
    use datafusion::arrow::datatypes::Int64Type;

    use super::*;

    fn written(format: Format) -> String {
        let list: ArrayRef =
            Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(1), None]), None]));
        let number: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None]));
        let batch = RecordBatch::try_from_iter([("a,b", list), ("n", number)]).unwrap();
        let mut bytes = Vec::new();
        let mut output = Output::new(format, &batch.schema(), &mut bytes).unwrap();
        output.write(&batch).unwrap();
        output.finish().unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn nested_values_are_json() {
        assert_eq!(written(Format::Csv), "\"a,b\",n\n\"[1,null]\",1\n,\n");
        assert_eq!(written(Format::Json), "{\"a,b\":[1,null],\"n\":1}\n{\"a,b\":null,\"n\":null}\n");
        assert!(written(Format::Parquet).starts_with("PAR1"));
    }
}
