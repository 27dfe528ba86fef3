//! `File`: an open file.

use asdf_core::File;
use pyo3::prelude::*;

use crate::mapping::Mapping;
use crate::shared::Shared;

/// An open file: the mapping at the top of its tree, and a context manager.
#[pyclass(frozen, extends = Mapping, weakref, name = "File", module = "asdfast")]
pub(crate) struct PyFile {
    pub(crate) shared: Shared,
}

impl PyFile {
    /// `slow`: whether a read can take long, whatever its size. `lends`: whether arrays borrow the bytes of the file.
    pub(crate) fn new(mut file: File, slow: bool, lends: bool) -> PyClassInitializer<Self> {
        let root = file.tree().root().map(|root| root.id());
        // A file without a tree is an empty mapping. The new node is not part of the tree.
        let root = root.unwrap_or_else(|| file.tree_mut().add_mapping([]));
        let shared = Shared::new(file, slow, lends);
        PyClassInitializer::from(Mapping::new(shared.clone(), root)).add_subclass(Self { shared })
    }
}

#[pymethods]
impl PyFile {
    /// The tree.
    #[getter]
    fn tree(&self) -> Option<Mapping> {
        let id = self.shared.read().tree().root()?.id();
        Some(Mapping::new(self.shared.clone(), id))
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __exit__(&self, _kind: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>, _trace: &Bound<'_, PyAny>) {}
}
