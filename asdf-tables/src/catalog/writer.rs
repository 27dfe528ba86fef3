//! `Writer`: writes a catalogue.

use std::io::Write;

use asdf_core::{Error, Result};

#[cfg(feature = "parquet")]
use super::Previous;
use super::sink::{Sink, unsupported};
use super::{Layout, Row};
use crate::Format;

/// The number of rows that are held in memory. The first ones decide the types of columns without one.
const ROWS: usize = 1024;

/// The memory of values at which rows are written, although they are few.
const BYTES: usize = 64 << 20;

/// Writes a catalogue, one row after the other, as Parquet, Arrow or CSV.
///
/// Up to 1,024 rows, or 64 MiB of values, and a part of the output are in memory. The values of one file can take up to
/// 4 MiB; others are null, and problems. In CSV, lists and structs are JSON.
pub struct Writer<'w> {
    layout: Layout,
    format: Format,
    is_safe: bool,
    /// The output before the first rows are written.
    out: Option<&'w mut dyn Write>,
    sink: Option<Sink<'w>>,
    pending: Vec<Row>,
    /// The memory of the values of the pending rows.
    bytes: usize,
    #[cfg(feature = "parquet")]
    previous: Option<Previous>,
    /// The rows of the earlier catalogue to copy next.
    copied: std::ops::Range<u64>,
    pushed: u64,
    #[cfg(feature = "parquet")]
    kept: u64,
    /// Whether the rows that were kept are the first ones of the earlier catalogue, in their order.
    #[cfg(feature = "parquet")]
    in_order: bool,
}

impl<'w> Writer<'w> {
    /// Creates a writer of rows with these columns.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) for a format that cannot hold a catalogue.
    pub fn new(layout: Layout, format: Format, out: &'w mut dyn Write) -> Result<Self> {
        let is_parquet = cfg!(feature = "parquet") && format == Format::Parquet;
        if !is_parquet && !matches!(format, Format::Csv | Format::Arrow) {
            return Err(unsupported(format));
        }
        Ok(Self {
            layout,
            format,
            is_safe: false,
            out: Some(out),
            sink: None,
            pending: Vec::new(),
            bytes: 0,
            #[cfg(feature = "parquet")]
            previous: None,
            copied: 0..0,
            pushed: 0,
            #[cfg(feature = "parquet")]
            kept: 0,
            #[cfg(feature = "parquet")]
            in_order: true,
        })
    }

    /// Sets whether texts in CSV that begin like a formula get a leading `'`, as [`safe_cell`](crate::safe_cell) does.
    #[must_use]
    pub fn safe_cells(mut self, is_safe: bool) -> Self {
        self.is_safe = is_safe;
        self
    }

    /// Uses the rows of an earlier catalogue for [`keep`](Self::keep).
    #[cfg(feature = "parquet")]
    #[must_use]
    pub fn previous(mut self, previous: Previous) -> Self {
        self.previous = Some(previous);
        self
    }

    /// Adds a row. Returns the problems of the rows that were written, if any were.
    ///
    /// # Errors
    /// Fails if the output fails, and like [`Layout::batch`].
    pub fn push(&mut self, row: Row) -> Result<Vec<Error>> {
        self.copy()?;
        self.pushed += 1;
        self.bytes += row.budget.taken();
        self.pending.push(row);
        let is_full = self.pending.len() >= ROWS || self.bytes > BYTES;
        if is_full { self.write() } else { Ok(Vec::new()) }
    }

    /// Adds a row of the earlier catalogue, by its number.
    ///
    /// Rows are copied together if their numbers follow each other.
    ///
    /// # Errors
    /// Fails like [`push`](Self::push), and if the earlier catalogue cannot be read.
    /// [`Usage`](asdf_core::error::Kind::Usage) without an earlier catalogue.
    #[cfg(feature = "parquet")]
    pub fn keep(&mut self, row: u64) -> Result<Vec<Error>> {
        if self.previous.is_none() {
            return Err(Error::usage("no earlier catalogue has rows to keep")
                .with_hint("set it with `Writer::previous`"));
        }
        self.in_order &= row == self.kept;
        self.kept += 1;
        if self.copied.end == row && !self.copied.is_empty() {
            self.copied.end += 1;
            return Ok(Vec::new());
        }
        let problems = self.write()?;
        self.copy()?;
        self.copied = row..row + 1;
        Ok(problems)
    }

    /// Returns the number of rows that were added by [`push`](Self::push).
    #[must_use]
    pub fn pushed(&self) -> u64 {
        self.pushed
    }

    /// Returns the number of rows that were added by [`keep`](Self::keep).
    #[cfg(feature = "parquet")]
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Returns whether the rows are those of the earlier catalogue, in the same order. Such a catalogue need not be written.
    #[cfg(feature = "parquet")]
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        let is_complete = self.previous.as_ref().is_some_and(|previous| previous.len() == self.kept);
        self.pushed == 0 && self.in_order && is_complete
    }

    /// Writes all rows and the end of the output. Returns the problems of the last rows.
    ///
    /// # Errors
    /// Fails like [`push`](Self::push).
    pub fn finish(mut self) -> Result<Vec<Error>> {
        self.copy()?;
        let problems = self.write()?;
        self.open()?;
        if let Some(sink) = self.sink {
            sink.finish()?;
        }
        Ok(problems)
    }

    /// Writes the pending rows.
    fn write(&mut self) -> Result<Vec<Error>> {
        if self.pending.is_empty() {
            return Ok(Vec::new());
        }
        self.open()?;
        self.bytes = 0;
        let rows = std::mem::take(&mut self.pending);
        self.sink.as_mut().map_or(Ok(Vec::new()), |sink| sink.rows(&self.layout, rows))
    }

    /// Starts the output.
    fn open(&mut self) -> Result<()> {
        if let Some(out) = self.out.take() {
            self.layout.settle(&self.pending);
            self.sink = Some(Sink::new(&self.layout, self.format, self.is_safe, out)?);
        }
        Ok(())
    }

    /// Copies rows of the earlier catalogue.
    fn copy(&mut self) -> Result<()> {
        let rows = std::mem::replace(&mut self.copied, 0..0);
        if rows.is_empty() {
            return Ok(());
        }
        self.open()?;
        #[cfg(feature = "parquet")]
        if let (Some(previous), Some(sink)) = (&mut self.previous, &mut self.sink) {
            for batch in previous.rows(rows)? {
                sink.batch(&batch)?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer")
            .field("layout", &self.layout)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}
