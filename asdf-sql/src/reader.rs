//! Reads files and makes record batches of them.

use std::sync::Arc;
use std::time::SystemTime;

use asdf_core::{Error, File, Result as FileResult};
use asdf_tables::catalog::{Found, Layout, Row};
use datafusion::arrow::array::{Array as _, AsArray as _, BooleanArray, RecordBatch};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_expr::PhysicalExpr;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::{ObjectMeta, ObjectStore};

use crate::contents::Contents;
use crate::failure::failure;
use crate::object_source::Files;
use crate::open_file::open_file;
use crate::options::AsdfOptions;
use crate::pattern::name;
use crate::problems::Problems;
use crate::{blocks, rows, violations};

/// What is read of each file, and where from.
pub(crate) struct Reader {
    pub(crate) url: ObjectStoreUrl,
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) files: Files,
    pub(crate) options: AsdfOptions,
    pub(crate) problems: Arc<Problems>,
    /// The contents with the columns of `schema` alone.
    pub(crate) contents: Contents,
    /// The columns that are read: those of the result, and those of the filters.
    pub(crate) schema: SchemaRef,
    /// A filter that needs only columns of the listing.
    pub(crate) listed_filter: Option<(Layout, Arc<dyn PhysicalExpr>)>,
    pub(crate) filter: Option<Arc<dyn PhysicalExpr>>,
    /// The columns of the result in `schema`.
    pub(crate) output: Vec<usize>,
    /// Whether files are opened at all.
    pub(crate) opens: bool,
    /// The files that are opened at the same time.
    pub(crate) parallel: usize,
    /// The most rows of a batch.
    pub(crate) rows: usize,
}

/// The batches of one file.
pub(crate) type Batches = BoxStream<'static, Result<RecordBatch>>;

impl Reader {
    /// Reads some files.
    pub(crate) fn read(self: Arc<Self>, files: Vec<ObjectMeta>) -> Batches {
        let parallel = self.parallel;
        let files = match self.listed(files) {
            Ok(files) => files,
            Err(error) => return stream::once(async { Err(error) }).boxed(),
        };
        match &self.contents {
            Contents::Files(layout) => {
                // Rows of several files are one batch, since batches of one row take longer than reading it.
                let parts: Vec<Vec<ObjectMeta>> = files.chunks(self.rows.max(1)).map(<[_]>::to_vec).collect();
                let layout = Arc::new(layout.clone());
                let batches = stream::iter(parts).then(move |part| {
                    let (reader, layout) = (self.clone(), layout.clone());
                    async move { reader.files(&layout, part).await }
                });
                batches.boxed()
            }
            Contents::Violations => {
                let batches = stream::iter(files).map(move |meta| self.clone().violations(meta));
                batches.buffered(parallel).boxed()
            }
            Contents::Rows(_) | Contents::Blocks => {
                let batches = stream::iter(files);
                batches.flat_map_unordered(parallel, move |meta| self.clone().on_threads(&meta)).boxed()
            }
        }
    }

    /// The files for which the listing does not already exclude all rows.
    fn listed(&self, files: Vec<ObjectMeta>) -> Result<Vec<ObjectMeta>> {
        let Some((layout, filter)) = &self.listed_filter else { return Ok(files) };
        let row = |meta: &ObjectMeta| layout.listed(&found(&self.name(meta), meta));
        let batch = layout.plain_batch(files.iter().map(row).collect()).map_err(failure)?.rows;
        let mask = mask(&batch, filter)?;
        let is_kept = |at: usize| mask.is_valid(at) && mask.value(at);
        Ok(files.into_iter().enumerate().filter(|(at, _)| is_kept(*at)).map(|(_, meta)| meta).collect())
    }

    /// Makes a batch with one row for each file.
    async fn files(&self, layout: &Layout, files: Vec<ObjectMeta>) -> Result<RecordBatch> {
        let rows = stream::iter(files).map(|meta| async move {
            let name = self.name(&meta);
            let file = match self.opens {
                true => self.open(&name, &meta).await.map(Some),
                false => Ok(None),
            };
            self.problems.count();
            self.row(layout, found(&name, &meta), file)
        });
        let rows: Vec<Row> = rows.buffered(self.parallel).try_collect().await?;
        self.finish(layout.plain_batch(rows).map_err(failure)?.rows)
    }

    /// Makes a batch with the findings of a file.
    async fn violations(self: Arc<Self>, meta: ObjectMeta) -> Result<RecordBatch> {
        let name = self.name(&meta);
        let file = self.open(&name, &meta).await.map(Some);
        self.problems.count();
        let report = violations::report(&self.options.schemas, file).map_err(failure)?;
        self.finish(violations::batch(&name, &report, &self.schema)?)
    }

    async fn open(&self, name: &str, meta: &ObjectMeta) -> FileResult<File> {
        // Reading a local file does not wait, but other tasks also need the thread.
        tokio::task::consume_budget().await;
        open_file(&self.url, &self.store, name, meta).await
    }

    fn name(&self, meta: &ObjectMeta) -> String {
        name(&self.url, &meta.location)
    }

    /// Reads the row of a file.
    fn row(&self, layout: &Layout, mut found: Found, file: FileResult<Option<File>>) -> Result<Row> {
        let validates = layout.has_valid();
        Ok(match file {
            Ok(None) => layout.listed(&found),
            Ok(Some(file)) => {
                if validates {
                    let report = violations::validate(&self.options.schemas, &file).map_err(failure)?;
                    found.valid = Some(report.is_valid());
                }
                let row = layout.read(&found, &file);
                for problem in row.problems() {
                    self.problems.add(problem);
                }
                row
            }
            Err(error) => {
                self.report(&error)?;
                found.valid = Some(false);
                layout.unread(&found, &error)
            }
        })
    }

    /// Makes batches on a thread that can block, one after another as they are needed.
    fn on_threads(self: Arc<Self>, meta: &ObjectMeta) -> Batches {
        let name = self.name(meta);
        self.problems.count();
        let (sender, receiver) = tokio::sync::mpsc::channel::<Result<RecordBatch>>(1);
        let send = move |batch: Result<RecordBatch>| sender.blocking_send(batch).is_ok();
        tokio::task::spawn_blocking(move || {
            let each = |batch: RecordBatch| send(self.finish(batch));
            let done = self.files.open(&name).and_then(|file| match &self.contents {
                Contents::Rows(path) => rows::read(&file, path, &name, &self.schema, each),
                _ => blocks::read(&file, &name, &self.schema, each),
            });
            if let Err(error) = done {
                let error = if error.file().is_none() { error.at_file(&name) } else { error };
                if let Err(error) = self.report(&error) {
                    send(Err(error));
                }
            }
        });
        stream::unfold(receiver, |mut receiver| async { Some((receiver.recv().await?, receiver)) }).boxed()
    }

    /// Notes the error of a file. It ends the query if the options are strict.
    fn report(&self, error: &Error) -> Result<()> {
        self.problems.add(error);
        if self.options.strict {
            return Err(failure(copy(error)));
        }
        Ok(())
    }

    /// Filters a batch and selects the columns of the result.
    fn finish(&self, batch: RecordBatch) -> Result<RecordBatch> {
        let batch = match &self.filter {
            Some(filter) => filter_record_batch(&batch, &mask(&batch, filter)?)?,
            None => batch,
        };
        Ok(batch.project(&self.output)?)
    }
}

/// Copies an error without those that caused it.
fn copy(error: &Error) -> Error {
    let mut copy = Error::new(error.kind(), error.message());
    copy = match (error.line(), error.column(), error.offset()) {
        (Some(line), Some(column), _) => copy.at_position(line, column),
        (_, _, Some(offset)) => copy.at_offset(offset),
        _ => copy,
    };
    copy = match error.path() {
        Some(path) => copy.at_path(path),
        None => copy,
    };
    match error.file() {
        Some(file) => copy.at_file(file),
        None => copy,
    }
}

/// What the listing says about a file.
fn found(name: &str, meta: &ObjectMeta) -> Found {
    let mut found = Found::named(name);
    found.size = Some(meta.size);
    // A listing without times has that of 1970.
    let is_known = meta.last_modified.timestamp() != 0;
    found.modified = is_known.then(|| SystemTime::from(meta.last_modified));
    found
}

/// Returns for which rows a filter is true.
fn mask(batch: &RecordBatch, filter: &Arc<dyn PhysicalExpr>) -> Result<BooleanArray> {
    let mask = filter.evaluate(batch)?.into_array(batch.num_rows())?;
    let mask = mask.as_boolean_opt().cloned();
    mask.ok_or_else(|| failure(Error::usage("the filter is not a condition")))
}
