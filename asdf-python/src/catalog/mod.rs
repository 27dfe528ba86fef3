//! `catalog`: a table with one row for each file.

mod files;
mod options;
mod work;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow_stream::{Batches, schema, stream};
use crate::error::Failure;
use crate::files::{Item, Opener};
use crate::interrupt::watched;
use crate::remote::remote;

use files::Files;
use options::Options;
use work::{Rows, Work, Written};

/// Make a table with one row for each file; see `asdfast.catalog`.
///
/// Returns the table, or the numbers of a file that was written: read, kept and removed rows, problems, and values that were
/// left out.
#[pyfunction]
pub(crate) fn _catalog<'py>(
    py: Python<'py>,
    files: Vec<Bound<'py, PyAny>>,
    options: Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let output = options.output()?;
    let is_update = output.as_ref().is_some_and(|output| output.update);
    // An earlier catalogue can have the column of the validator, too.
    let validates = options.validates() || is_update;
    let validator = match validates || options.needs_schemas() {
        true => Some(options.validator(py)?),
        false => None,
    };
    let named = options.named(validator.as_ref().filter(|_| options.needs_schemas()))?;
    let files = Files {
        items: files.iter().map(Item::of).collect::<PyResult<_>>()?,
        opener: Opener::new(remote(options.storage_options.as_ref())?),
        validator: validator.filter(|_| validates),
    };
    let (validates, threads, csv_safe) = (options.validates(), options.threads, options.csv_safe);
    let work = Work { files, named, validates, threads, csv_safe };
    let progress = options.progress.as_ref();
    let Some(output) = output else {
        let made = watched(py, progress, move |stop, reporter| work.rows(stop, reporter))?;
        let Rows { schema, batches, problems, left_out } = made.map_err(Failure::from)?;
        return Catalog { schema, batches, problems, left_out }.into_bound_py_any(py);
    };
    let Written { read, kept, removed, problems, left_out } =
        watched(py, progress, move |stop, reporter| work.write(&output, stop, reporter))??;
    (read, kept, removed, problems, left_out).into_bound_py_any(py)
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
/// left_out : list of str
///     The values of the schemas that have no column, and why.
#[pyclass(frozen, module = "asdfast")]
pub(crate) struct Catalog {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    problems: Vec<String>,
    left_out: Vec<String>,
}

#[pymethods]
impl Catalog {
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    #[getter]
    fn left_out(&self) -> Vec<String> {
        self.left_out.clone()
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
