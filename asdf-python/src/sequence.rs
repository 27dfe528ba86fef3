//! `Sequence`: a lazy view of a sequence of the tree.

use asdf_core::NodeId;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice};

use crate::copies;
use crate::error::Failure;
use crate::shared::Shared;
use crate::value::Found;

/// A sequence of the tree, equal to a list with the same items.
///
/// Its items become objects of Python when they are used. A slice is a list.
#[pyclass(frozen, weakref, sequence, module = "asdfast")]
pub(crate) struct Sequence {
    pub(crate) shared: Shared,
    pub(crate) id: NodeId,
}

impl Sequence {
    pub(crate) fn new(shared: Shared, id: NodeId) -> Self {
        Self { shared, id }
    }

    /// The file and the node.
    pub(crate) fn place(&self) -> (&Shared, NodeId) {
        (&self.shared, self.id)
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found: Result<Vec<Found>, Failure> =
            self.shared.with(self.id, |node| node.items().map(Found::of).collect());
        let list = PyList::empty(py);
        for item in found? {
            list.append(item.into_object(py, &self.shared)?)?;
        }
        Ok(list)
    }
}

#[pymethods]
impl Sequence {
    /// The tag as a full URI, or None.
    #[getter]
    fn tag(&self) -> Option<String> {
        self.shared.with(self.id, |node| node.tag().map(str::to_owned))
    }

    fn __len__(&self) -> usize {
        self.shared.with(self.id, |node| node.len())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if key.is_instance_of::<PySlice>() {
            return self.list(py)?.as_any().get_item(key);
        }
        let index: isize = key.extract()?;
        let found = self.shared.with(self.id, |node| {
            let at =
                if index < 0 { node.len().checked_sub(index.unsigned_abs())? } else { index.unsigned_abs() };
            node.item(at).map(Found::of)
        });
        match found {
            Some(found) => found?.into_object(py, &self.shared),
            None => Err(PyIndexError::new_err(format!("the sequence has {} items", self.__len__()))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.as_any().try_iter()
    }

    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.list(py)?.as_any().contains(value)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => self.list(py)?.eq(other.get().list(py)?),
            Err(_) => self.list(py)?.eq(other),
        }
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.list(py)
    }

    fn __deepcopy__<'py>(this: &Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        copies::plain(this.as_any(), memo)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copies::reduce(py, &self.shared, self.id, Vec::new())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("asdfast._html")?.getattr("html")?.call1((slf,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<asdfast.Sequence of {} items: {}>", self.__len__(), self.list(py)?.repr()?))
    }
}
