//! Makes the rows of a catalogue, in memory or in a file.

use std::ops::ControlFlow;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use asdf_core::{Error, Result};
use asdf_tables::catalog::{Known, Layout, Previous, Reading, Row, Writer};
use pyo3::PyResult;

use super::files::Files;
use super::options::{Named, Output};
use crate::error::Failure;
use crate::files::Item;
use crate::interrupt::{Progress, Reporter, Stop};

/// The number of rows of a batch. The first batch decides the types of columns without one.
const ROWS: usize = 1024;

/// Makes a catalogue of files.
pub(super) struct Work {
    pub(super) files: Files,
    pub(super) named: Option<Named>,
    /// Whether each file is validated.
    pub(super) validates: bool,
    pub(super) threads: Option<usize>,
    pub(super) csv_safe: bool,
}

/// A catalogue in memory.
pub(super) struct Rows {
    pub(super) schema: SchemaRef,
    pub(super) batches: Vec<RecordBatch>,
    pub(super) problems: Vec<String>,
    pub(super) left_out: Vec<String>,
}

/// What was written to a file.
#[derive(Default)]
pub(super) struct Written {
    /// The number of files that were read.
    pub(super) read: u64,
    /// The number of rows of the earlier catalogue that were kept, and of the others.
    pub(super) kept: u64,
    pub(super) removed: u64,
    pub(super) problems: Vec<String>,
    pub(super) left_out: Vec<String>,
}

impl Work {
    /// Returns the columns, and the values of schemas that have none.
    fn layout(&mut self, known: Option<&Known>) -> Result<(Layout, Vec<String>)> {
        let valid = |layout: Layout| if self.validates { layout.with_valid() } else { layout };
        match (self.named.take(), known) {
            (Some((layout, left_out)), _) => Ok((valid(layout), left_out)),
            (None, Some(known)) => Ok((known.layout().clone(), Vec::new())),
            (None, None) => Ok((valid(self.files.infer()?), Vec::new())),
        }
    }

    /// Makes the rows in memory.
    pub(super) fn rows(mut self, stop: &Stop, progress: &Reporter) -> Result<Rows> {
        let threads = self.files.list(self.threads)?;
        let (mut layout, left_out) = self.layout(None)?;
        let (mut batches, mut problems) = (Vec::new(), Vec::new());
        let mut done = Counter::new(self.files.items.len(), progress);
        for chunk in self.files.items.chunks(ROWS) {
            let mut rows: Vec<Row> = Vec::with_capacity(chunk.len());
            let reader = self.files.reader(&layout, None);
            threads.in_order(
                chunk.iter(),
                |item| self.files.read(&reader, item),
                |reading| {
                    if let Reading::New(row, error) = reading? {
                        rows.push(row);
                        problems.extend(error.map(|error| error.to_string()));
                    }
                    Ok::<_, Error>(done.next(stop))
                },
            )?;
            layout.settle(&rows);
            let batch = layout.plain_batch(rows)?;
            problems.extend(batch.problems.iter().map(ToString::to_string));
            batches.push(batch.rows);
        }
        layout.settle(&[]);
        Ok(Rows { schema: layout.arrow_schema(false), batches, problems, left_out })
    }

    /// Writes the rows to a file. Those of files that have not changed are kept for an update.
    pub(super) fn write(mut self, output: &Output, stop: &Stop, progress: &Reporter) -> PyResult<Written> {
        let threads = self.files.list(self.threads).map_err(Failure::from)?;
        let path = output.target.path().filter(|_| output.update);
        let previous = path.map_or(Ok(None), Previous::open_file).map_err(Failure::from)?;
        let known = previous.as_ref().map(|(_, known)| known);
        let (layout, left_out) = self.layout(known).map_err(Failure::from)?;
        // Other columns need all files to be read.
        let previous = previous.filter(|(_, known)| layout.matches(known.layout()));
        let (previous, known) = previous.unzip();
        let layout = known.as_ref().map_or(layout, |known: &Known| known.layout().clone());
        let reader = self.files.reader(&layout, known.as_ref());
        let mut written = Written { left_out, ..Written::default() };
        let is_unchanged = std::cell::Cell::new(false);
        let done = output.target.write_detached(|out| {
            let mut writer = Writer::new(layout.clone(), output.format, out)?.safe_cells(self.csv_safe);
            if let Some(previous) = previous {
                writer = writer.previous(previous);
            }
            let mut done = Counter::new(self.files.items.len(), progress);
            let mut problems = Vec::new();
            let read = |item: &Item| self.files.read(&reader, item);
            threads.in_order(
                self.files.together(&reader),
                |items| items.iter().map(read).collect::<Vec<_>>(),
                |readings| {
                    for reading in readings {
                        match reading? {
                            Reading::Kept(row) => problems.extend(writer.keep(row)?),
                            Reading::New(row, error) => {
                                problems.extend(error);
                                problems.extend(writer.push(row)?);
                            }
                        }
                        if done.next(stop).is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                    Ok::<_, Error>(ControlFlow::Continue(()))
                },
            )?;
            if stop.is_set() {
                return Err(Error::usage("interrupted"));
            }
            (written.read, written.kept) = (writer.pushed(), writer.kept());
            if writer.is_unchanged() {
                // An error leaves the earlier catalogue as it is.
                is_unchanged.set(true);
                return Err(Error::usage("nothing changed"));
            }
            problems.extend(writer.finish()?);
            written.problems = problems.iter().map(ToString::to_string).collect();
            Ok(())
        });
        if !is_unchanged.get() {
            done?;
        }
        written.removed = known.map_or(0, |known| (known.len() as u64).saturating_sub(written.kept));
        Ok(written)
    }
}

/// Counts the files that are done.
struct Counter<'a> {
    done: usize,
    total: usize,
    progress: &'a Reporter,
}

impl<'a> Counter<'a> {
    fn new(total: usize, progress: &'a Reporter) -> Self {
        Self { done: 0, total, progress }
    }

    /// Counts a file, and returns whether to go on.
    fn next(&mut self, stop: &Stop) -> ControlFlow<()> {
        self.done += 1;
        self.progress.report(Progress { done: self.done, total: self.total });
        if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
