//! Writes the rows of a catalogue in one of the formats.

use std::io::Write;

#[cfg(feature = "parquet")]
use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use asdf_core::{Error, Result};

use super::{Layout, Row};
use crate::output::output;
use crate::{Format, safe_cell};

/// The output of a catalogue, after its layout is settled.
pub(super) enum Sink<'w> {
    Csv(Box<csv::Writer<&'w mut dyn Write>>, bool),
    Arrow(Box<FileWriter<&'w mut dyn Write>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<super::parquet::Parquet<'w>>),
}

impl<'w> Sink<'w> {
    pub(super) fn new(layout: &Layout, format: Format, safe: bool, out: &'w mut dyn Write) -> Result<Self> {
        Ok(match format {
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(out);
                writer.write_record(layout.fields().iter().map(|field| field.name())).map_err(refused)?;
                Self::Csv(Box::new(writer), safe)
            }
            Format::Arrow => {
                let writer = FileWriter::try_new(out, &layout.arrow_schema(false));
                Self::Arrow(Box::new(writer.map_err(crate::arrow::failed)?))
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => Self::Parquet(Box::new(super::parquet::Parquet::new(layout, out)?)),
            other => return Err(unsupported(other)),
        })
    }

    /// Writes rows, and returns their problems.
    pub(super) fn rows(&mut self, layout: &Layout, mut rows: Vec<Row>) -> Result<Vec<Error>> {
        match self {
            Self::Csv(writer, safe) => {
                layout.fit(&mut rows);
                for row in &rows {
                    let cells = row.values.iter().map(|value| value.to_text());
                    let cells = cells.map(|cell| if *safe { safe_cell(&cell).into_owned() } else { cell });
                    writer.write_record(cells.collect::<Vec<_>>()).map_err(refused)?;
                }
                Ok(rows.into_iter().flat_map(|row| row.problems).collect())
            }
            Self::Arrow(writer) => {
                let batch = layout.batch_of(rows, false)?;
                writer.write(&batch.rows).map_err(crate::arrow::failed)?;
                Ok(batch.problems)
            }
            #[cfg(feature = "parquet")]
            Self::Parquet(parquet) => {
                let batch = layout.batch_of(rows, true)?;
                parquet.write(&batch.rows)?;
                Ok(batch.problems)
            }
        }
    }

    /// Writes a batch of an earlier catalogue in Parquet.
    #[cfg(feature = "parquet")]
    pub(super) fn batch(&mut self, batch: &RecordBatch) -> Result<()> {
        match self {
            Self::Parquet(parquet) => parquet.write(batch),
            _ => Err(Error::usage("only a catalogue in Parquet can be updated")),
        }
    }

    pub(super) fn finish(self) -> Result<()> {
        match self {
            Self::Csv(mut writer, _) => writer.flush().map_err(output),
            Self::Arrow(mut writer) => writer.finish().map_err(crate::arrow::failed),
            #[cfg(feature = "parquet")]
            Self::Parquet(parquet) => parquet.finish(),
        }
    }
}

/// Refuses formats that cannot hold a catalogue.
pub(super) fn unsupported(format: Format) -> Error {
    let error = Error::usage(format!("a catalogue cannot be written as {format}"));
    match format {
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => error.with_hint(crate::Advice::Parquet),
        _ => error.with_hint("write parquet, arrow or csv"),
    }
}

fn refused(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => output(error),
        other => Error::unsupported(format!("cannot write the rows: {other:?}")),
    }
}
