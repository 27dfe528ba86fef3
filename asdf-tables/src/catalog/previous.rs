//! `Previous`: an earlier catalogue, whose rows are kept if their files have not changed.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int64Type, TimestampMicrosecondType};
use asdf_core::source::Bytes;
use asdf_core::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::arrays::is_of;
use super::parquet::KEY;
use super::{Found, Kind, Layout, Own};
use crate::read::caught;

/// The number of rows that are read at once.
const ROWS: usize = 1024;

/// The rows of an earlier catalogue in Parquet.
pub struct Previous {
    bytes: Bytes,
    reader: Option<ParquetRecordBatchReader>,
    /// The batch that was read last, and the number of its first row.
    batch: Option<(u64, RecordBatch)>,
    /// The number of the first row that the reader has not read.
    next: u64,
    /// The number of rows.
    length: u64,
}

/// The files of an earlier catalogue, by name.
///
/// This takes about 150 bytes of memory for each file.
#[derive(Debug)]
pub struct Known {
    layout: Layout,
    files: HashMap<Box<str>, File>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct File {
    row: u64,
    size: Option<i64>,
    modified: Option<i64>,
}

impl Known {
    /// Returns the columns of the catalogue.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the number of the row of a file whose size and time of the last change are the same.
    #[must_use]
    pub fn row(&self, found: &Found) -> Option<u64> {
        let file = self.files.get(found.name.as_str())?;
        let size = i64::try_from(found.size?).ok()?;
        let is_same = file.size == Some(size) && file.modified == Some(found.modified_microseconds()?);
        is_same.then_some(file.row)
    }

    /// Returns the number of files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns whether the catalogue has no files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

impl Previous {
    /// Opens a catalogue in Parquet; `None` if the file does not exist.
    ///
    /// # Errors
    /// [`Io`](asdf_core::error::Kind::Io) if the file cannot be read, and like [`open`](Self::open).
    pub fn open_file(path: &Path) -> Result<Option<(Self, Known)>> {
        match std::fs::read(path) {
            Ok(bytes) => Self::open(bytes).map(Some).map_err(|error| error.at_file(path)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("reading the catalogue", error).at_file(path)),
        }
    }

    /// Reads the columns and the names of the files of a catalogue in Parquet.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the file is not Parquet;
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if it is not a catalogue of this program.
    pub fn open(bytes: impl Into<Bytes>) -> Result<(Self, Known)> {
        let bytes = bytes.into();
        caught("Parquet", || Self::read(bytes))
    }

    fn read(bytes: Bytes) -> Result<(Self, Known)> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(bytes.clone()).map_err(failed)?;
        crate::read::check_pages(&bytes, builder.metadata())?;
        let pairs = builder.metadata().file_metadata().key_value_metadata();
        let pair = pairs.into_iter().flatten().find(|pair| pair.key == KEY);
        let layout = pair.and_then(|pair| serde_json::from_str::<Layout>(pair.value.as_deref()?).ok());
        let is_same = |layout: &Layout| {
            let fields = builder.schema().fields();
            let text = Kind::String;
            fields.len() == layout.fields.len()
                && fields.iter().zip(&layout.fields).all(|(found, field)| {
                    *found.name() == field.name
                        && is_of(found.data_type(), field.kind.as_ref().unwrap_or(&text))
                })
        };
        let Some(layout) = layout.filter(is_same) else {
            let error = Error::mismatch("the file is not a catalogue that this program wrote");
            return Err(error.with_hint("remove it, or write the catalogue to another file"));
        };
        let own = [Own::File, Own::Size, Own::Modified];
        let columns = own.map(|own| layout.fields.iter().position(|field| field.own() == Some(own)));
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns.into_iter().flatten());
        let reader = builder.with_projection(mask).with_batch_size(ROWS).build().map_err(failed)?;
        let mut files = HashMap::new();
        let mut row = 0;
        for batch in reader {
            let batch = batch.map_err(failed)?;
            let column = |own: Own| batch.column_by_name(own.name());
            let names = column(Own::File).and_then(|array| array.as_string_opt::<i32>());
            let sizes = column(Own::Size).and_then(|array| array.as_primitive_opt::<Int64Type>());
            let times =
                column(Own::Modified).and_then(|array| array.as_primitive_opt::<TimestampMicrosecondType>());
            let (Some(names), Some(sizes), Some(times)) = (names, sizes, times) else {
                return Err(failed("the columns of files are missing"));
            };
            for ((name, size), modified) in names.iter().zip(sizes).zip(times) {
                files.insert(name.unwrap_or_default().into(), File { row, size, modified });
                row += 1;
            }
        }
        Ok((Self { bytes, reader: None, batch: None, next: 0, length: row }, Known { layout, files }))
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> u64 {
        self.length
    }

    /// Returns rows by their numbers.
    pub(super) fn rows(&mut self, mut rows: Range<u64>) -> Result<Vec<RecordBatch>> {
        let mut found = Vec::new();
        while !rows.is_empty() {
            let batch = caught("Parquet", || self.batch(rows.start))?;
            let (first, batch) = batch;
            let skipped = usize::try_from(rows.start - first).unwrap_or(usize::MAX);
            let wanted = usize::try_from(rows.end - rows.start).unwrap_or(usize::MAX);
            let length = batch.num_rows().saturating_sub(skipped).min(wanted);
            if length == 0 {
                return Err(failed("the rows end early"));
            }
            found.push(batch.slice(skipped, length));
            rows.start += length as u64;
        }
        Ok(found)
    }

    /// Returns the batch with a row, and the number of its first row. Rows are mostly asked for in their order.
    fn batch(&mut self, row: u64) -> Result<(u64, RecordBatch)> {
        if let Some((first, batch)) = &self.batch {
            if (*first..*first + batch.num_rows() as u64).contains(&row) {
                return Ok((*first, batch.clone()));
            }
        }
        if self.reader.is_none() || row < self.next {
            let builder = ParquetRecordBatchReaderBuilder::try_new(self.bytes.clone()).map_err(failed)?;
            self.reader = Some(builder.with_batch_size(ROWS).build().map_err(failed)?);
            self.next = 0;
        }
        loop {
            let batch = self.reader.as_mut().and_then(Iterator::next);
            let batch = batch.ok_or_else(|| failed("the rows end early"))?.map_err(failed)?;
            let first = self.next;
            self.next += batch.num_rows() as u64;
            if row < self.next {
                self.batch = Some((first, batch.clone()));
                return Ok((first, batch));
            }
        }
    }
}

impl std::fmt::Debug for Previous {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Previous").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::malformed(format!("cannot read the catalogue: {error}"))
}
