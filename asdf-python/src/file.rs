//! `File`: an open file.

use pyo3::prelude::*;

use crate::error::Failure;
use crate::mapping::Mapping;
use crate::shared::Shared;
use crate::value::Found;

/// An open file: the mapping at the top of its tree, and a context manager.
///
/// The file is closed when neither it nor one of its nodes is in use.
#[pyclass(frozen, extends = Mapping, weakref, name = "File", module = "asdfast")]
pub(crate) struct PyFile {
    pub(crate) shared: Shared,
}

impl PyFile {
    /// Returns the file of a view.
    pub(crate) fn of<'py>(py: Python<'py>, shared: &Shared) -> PyResult<Bound<'py, PyAny>> {
        let id = shared.root();
        shared.view(py, id, || {
            let file = PyClassInitializer::from(Mapping::new(shared.clone(), id));
            Ok(Bound::new(py, file.add_subclass(Self { shared: shared.clone() }))?.into_any())
        })
    }

    /// Returns the file that the views share.
    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }
}

#[pymethods]
impl PyFile {
    /// The mapping at the top of the tree, which is the file itself.
    #[getter]
    fn tree(this: Py<Self>) -> Py<Self> {
        this
    }

    /// Returns the node at a path, a JSON Pointer such as ``/roman/meta``, which is what errors name.
    fn at<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = self.shared.read().at(path).map_err(Failure::from).and_then(Found::of);
        found?.into_object(py, &self.shared)
    }

    /// Does nothing: the file is closed when neither it nor one of its nodes is in use.
    fn close(&self) {
        let _ = self;
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __exit__(&self, _kind: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>, _trace: &Bound<'_, PyAny>) {
        self.close();
    }
}
