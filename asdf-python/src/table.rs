//! `table`: tables as Arrow streams.

use asdf_core::array::Slice;
use asdf_core::{Datatype, Error, File};
use asdf_tables::{Columns, Dataset, arrow};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PySlice};

use crate::array::Array;
use crate::arrow_stream::{rows, schema, stream};
use crate::error::Failure;
use crate::file::PyFile;
use crate::mapping::Mapping;
use crate::shared::Shared;
use crate::source::{located, shared};

/// Take a table of a file: one of astropy, a structured array, or a mapping of columns.
///
/// The rows are read when they are used. The result is an Arrow stream, which polars, pyarrow, pandas and duckdb accept.
///
/// Parameters
/// ----------
/// source : Mapping, Array, File, str or os.PathLike
///     The node of the table, or an open file, or a path or URL.
/// path : str, optional
///     The path of the table in the file, or below the node. Only needed if a file has several tables.
///
/// Returns
/// -------
/// Table
///
/// Raises
/// ------
/// MismatchError
///     If the node is not a table.
///
/// Examples
/// --------
/// >>> import asdfast
/// >>> tree = b"--- {line: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> {data: [1, 2, 4, 8], datatype: int16}}"
/// >>> table = asdfast.table(asdfast.open(b"#ASDF 1.0.0\n%YAML 1.1\n" + tree + b"\n...\n")["line"])
/// >>> table.column_names, len(table)
/// (['values'], 4)
/// >>> polars.DataFrame(table)  # doctest: +SKIP
/// >>> pyarrow.table(table)  # doctest: +SKIP
#[pyfunction]
#[pyo3(signature = (source, path=None))]
pub(crate) fn table(py: Python<'_>, source: &Bound<'_, PyAny>, path: Option<&str>) -> PyResult<Table> {
    if let Ok(array) = source.cast::<Array>() {
        let array = array.get();
        let columns = match array.array.datatype() {
            Datatype::Struct(_) => Columns::from_records(&array.array),
            _ => Columns::from_array("values", &array.array, None),
        };
        let columns = columns.map_err(Failure::from)?;
        return Ok(Table { columns, shared: array.shared.clone() });
    }
    let is_node = source.is_instance_of::<Mapping>() && !source.is_instance_of::<PyFile>();
    let (shared, below) = match source.cast::<Mapping>() {
        Ok(node) if is_node => (node.get().shared.clone(), Some(node.get().id)),
        _ => (shared(source)?, None),
    };
    let found = py.detach(|| {
        let file = shared.read();
        let dataset = match (below, path) {
            (None, None) => only(&file)?,
            (None, Some(path)) => Dataset::at(&file, file.tree().resolve_path(path).as_str())?,
            (Some(id), None) => Dataset::from_node(file.tree().node(id))?,
            (Some(id), Some(path)) => {
                let path = file.tree().resolve_path(path);
                let node = file.tree().node(id).find(path.as_str());
                let node = node.ok_or_else(|| Error::missing(format!("found no node at '{path}'")))?;
                Dataset::from_node(node)?
            }
        };
        Ok(match dataset {
            Dataset::Table { columns, .. } => columns,
            Dataset::Array { array, unit, .. } => Columns::from_array("values", &array, unit.as_deref())?,
            Dataset::Fits(_) => {
                let error = Error::mismatch("found a FITS file, expected one of its tables");
                return Err(error.with_hint("name the table, as in /fits/1/data"));
            }
        })
    });
    let columns = found.map_err(|error| Failure::from(located(&shared, error)))?;
    Ok(Table { columns, shared })
}

/// Returns the only table of a file.
fn only(file: &File) -> Result<Dataset, Error> {
    let mut tables = Vec::new();
    for found in Dataset::all_of(file) {
        let (path, dataset) = found?;
        if matches!(dataset, Dataset::Table { .. }) {
            tables.push((path, dataset));
        }
    }
    let count = tables.len();
    match (tables.pop(), count) {
        (None, _) => Err(Error::mismatch("the file has no table")),
        (Some((_, dataset)), 1) => Ok(dataset),
        (Some((path, _)), _) => Err(Error::usage(format!("the file has {count} tables"))
            .with_hint(format!("name one by its path, such as {path}"))),
    }
}

/// A table: columns of the same length, whose rows are read when they are used.
///
/// Make one with `asdfast.table`. ``table["ra"]`` is a column, and ``table[10:20]`` are rows. polars, pyarrow, pandas and
/// duckdb accept it, since it has the method ``__arrow_c_stream__``.
///
/// Attributes
/// ----------
/// column_names : list of str
///     The names of the columns. Fields of nested records are joined with dots.
/// units : dict of str to str
///     The units of the columns that have one.
#[pyclass(frozen, weakref, module = "asdfast")]
pub(crate) struct Table {
    columns: Columns,
    shared: Shared,
}

#[pymethods]
impl Table {
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.columns.as_slice().iter().map(|column| column.name.clone()).collect()
    }

    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let units = PyDict::new(py);
        for column in self.columns.as_slice() {
            if let Some(unit) = &column.unit {
                units.set_item(&column.name, unit)?;
            }
        }
        Ok(units)
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.columns.rows())?)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = key.extract::<String>() {
            let column = self.columns.find(&name).ok_or_else(|| PyKeyError::new_err(name.clone()))?;
            return Array::part(column.array.clone(), self.shared.clone()).into_bound_py_any(py);
        }
        let Ok(slice) = key.cast::<PySlice>() else {
            return Err(PyTypeError::new_err("expected the name of a column, or a slice of rows"));
        };
        let end = |name: &str| slice.getattr(name)?.extract::<Option<i64>>();
        let step = end("step")?.unwrap_or(1);
        let range = Slice::Range { start: end("start")?, end: end("stop")?, step };
        let columns = self.columns.slice(range).map_err(Failure::from)?;
        Self { columns, shared: self.shared.clone() }.into_bound_py_any(py)
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
        stream(py, rows(self.columns.clone()).map_err(Failure::from)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &arrow::schema(&self.columns).map_err(Failure::from)?)
    }

    fn __repr__(&self) -> String {
        format!("<asdfast.Table of {} rows: {}>", self.columns.rows(), self.column_names().join(", "))
    }
}
