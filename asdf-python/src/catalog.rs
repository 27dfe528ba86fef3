//! `catalog`: a table with one row for each file.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use asdf_core::error::Kind;
use asdf_core::{Error, File, OpenOptions, Result, Threads};
use asdf_fits::AsdfInFits;
use asdf_remote::Remote;
use asdf_tables::catalog::{Field, Found, Layout, Row};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow_stream::{Batches, schema, stream};
use crate::copy::copy_of;
use crate::error::Failure;
use crate::file::PyFile;
use crate::interrupt::interruptible;
use crate::shared::Shared;
use crate::source::name;

/// The number of files that decide which columns there are.
const SAMPLE: usize = 100;

/// The number of rows of a batch. The first batch decides the types of columns without one.
const ROWS: usize = 1024;

/// The number of files in object stores that are opened at once.
const REMOTE: usize = 32;

/// A file of a catalogue.
enum Item {
    Open(Shared),
    Named(PathBuf),
}

/// Opens files on many threads.
struct Opener {
    options: OpenOptions,
    remote: Remote,
}

/// Make a table with one row for each file; see `asdfast.catalog`.
#[pyfunction]
pub(crate) fn _catalog(
    py: Python<'_>,
    files: Vec<Bound<'_, PyAny>>,
    fields: Option<Vec<String>>,
    threads: Option<usize>,
) -> PyResult<Catalog> {
    let mut items = Vec::with_capacity(files.len());
    for file in files {
        items.push(match file.cast::<PyFile>() {
            Ok(file) => Item::Open(file.get().shared().clone()),
            Err(_) => Item::Named(file.extract()?),
        });
    }
    let layout = fields.map(|fields| {
        let fields = fields.iter().map(|field| field.parse::<Field>()).collect::<Result<Vec<Field>>>()?;
        Layout::new(fields)
    });
    let layout = layout.transpose().map_err(Failure::from)?;
    let made = interruptible(py, move || made(&items, layout, threads))?;
    Ok(made.map_err(Failure::from)?)
}

fn made(items: &[Item], layout: Option<Layout>, threads: Option<usize>) -> Result<Catalog> {
    let opener = Opener {
        options: OpenOptions::new().container(AsdfInFits::format()).threads(Threads::ONE),
        remote: Remote::new(),
    };
    let is_remote = items.iter().any(|item| matches!(item, Item::Named(path) if url(path).is_some()));
    let threads = match threads {
        Some(count) => Threads::new(count),
        None if is_remote => Threads::new(REMOTE),
        None => Threads::ALL,
    };
    let mut layout = match layout {
        Some(layout) => layout,
        None => opener.infer(items)?,
    };
    let (mut batches, mut problems) = (Vec::new(), Vec::new());
    for chunk in items.chunks(ROWS) {
        let mut rows: Vec<Row> = Vec::with_capacity(chunk.len());
        threads.in_order(
            chunk.iter(),
            |item| opener.row(&layout, item),
            |row| {
                let (row, error) = row?;
                rows.push(row);
                problems.extend(error.map(|error| error.to_string()));
                Ok::<_, Error>(ControlFlow::Continue(()))
            },
        )?;
        layout.settle(&rows);
        let batch = layout.plain_batch(rows)?;
        problems.extend(batch.problems.iter().map(ToString::to_string));
        batches.push(batch.rows);
    }
    layout.settle(&[]);
    Ok(Catalog { schema: layout.arrow_schema(false), batches, problems })
}

fn url(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| asdf_remote::is_url(text))
}

impl Opener {
    fn open(&self, path: &Path) -> Result<File> {
        match url(path) {
            Some(url) => self.remote.open_with(&self.options, url),
            None => self.options.open(path),
        }
    }

    /// Finds the columns of the first files.
    fn infer(&self, items: &[Item]) -> Result<Layout> {
        let mut trees = Vec::new();
        let mut first = None;
        for item in items.iter().take(SAMPLE) {
            match item {
                Item::Open(shared) => trees.push(copy_of(&shared.read())?),
                Item::Named(path) => match self.open(path) {
                    Ok(file) => trees.push(file),
                    Err(error) => first = first.or(Some(error.at_file(path))),
                },
            }
        }
        match first {
            Some(error) if trees.is_empty() => Err(error),
            _ => Layout::infer(trees.iter().map(File::tree)),
        }
    }

    /// Reads a row. A file that is not valid ASDF has one, too, with its error.
    fn row(&self, layout: &Layout, item: &Item) -> Result<(Row, Option<Error>)> {
        let path = match item {
            Item::Open(shared) => {
                let found = Found::named(name(shared).unwrap_or_default());
                return Ok((layout.read(&found, &shared.read()), None));
            }
            Item::Named(path) => path,
        };
        let mut found = Found::named(path.to_string_lossy());
        if url(path).is_none() {
            let known = std::fs::metadata(path).ok();
            found.size = known.as_ref().map(std::fs::Metadata::len);
            found.modified = known.and_then(|known| known.modified().ok());
        }
        match self.open(path) {
            Ok(file) => Ok((layout.read(&found, &file), None)),
            Err(error) if error.kind() == Kind::Io => Err(error),
            Err(error) => Ok((layout.unread(&found, &error), Some(error))),
        }
    }
}

/// A table with one row for each file.
///
/// Make one with `asdfast.catalog`. polars, pyarrow, pandas and duckdb accept it, since it has the method
/// ``__arrow_c_stream__``.
///
/// Attributes
/// ----------
/// column_names : list of str
///     The names of the columns.
/// problems : list of str
///     Why values are null although the file has one, or could not be read.
#[pyclass(frozen, module = "asdfast")]
pub(crate) struct Catalog {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    problems: Vec<String>,
}

#[pymethods]
impl Catalog {
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    #[getter]
    fn problems(&self) -> Vec<String> {
        self.problems.clone()
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Return a capsule of the Arrow PyCapsule interface, for libraries that read Arrow.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows to ignore a request that would need a conversion.
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        stream(py, Batches { schema: self.schema.clone(), batches })
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.schema)
    }

    fn __repr__(&self) -> String {
        format!("<asdfast.Catalog of {} files: {}>", self.__len__(), self.column_names().join(", "))
    }
}
