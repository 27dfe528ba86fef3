//! `Mapping`: a lazy view of a mapping of the tree.

use asdf_core::NodeId;
use asdf_core::tree::NodeRef;
use pyo3::exceptions::{PyAttributeError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};

use crate::error::Failure;
use crate::shared::Shared;
use crate::value::Found;

/// A mapping of the tree. Its values become objects of Python when they are used.
#[pyclass(frozen, subclass, weakref, mapping, module = "asdfast")]
pub(crate) struct Mapping {
    shared: Shared,
    id: NodeId,
}

impl Mapping {
    pub(crate) fn new(shared: Shared, id: NodeId) -> Self {
        Self { shared, id }
    }

    /// Finds the values of all entries, or of one.
    fn found(&self) -> Result<Vec<(Found, Found)>, Failure> {
        self.shared.with(self.id, |node| {
            node.entries().map(|(key, value)| Ok((Found::of(key)?, Found::of(value)?))).collect()
        })
    }

    fn object<'py>(&self, py: Python<'py>, found: Result<Found, Failure>) -> PyResult<Bound<'py, PyAny>> {
        found?.into_object(py, &self.shared)
    }
}

/// Finds the value of a key: a string, or a number or boolean of Python by its text.
fn value_of<'a>(node: NodeRef<'a>, key: &Bound<'_, PyAny>) -> Option<NodeRef<'a>> {
    let text: String = key.extract().ok()?;
    node.get(&text)
}

#[pymethods]
impl Mapping {
    /// The tag, or None.
    #[getter]
    fn tag(&self) -> Option<String> {
        self.shared.with(self.id, |node| node.tag().map(str::to_owned))
    }

    fn __len__(&self) -> usize {
        self.shared.with(self.id, |node| node.len())
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        self.shared.with(self.id, |node| value_of(node, key).is_some())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match self.shared.with(self.id, |node| value_of(node, key).map(Found::of)) {
            Some(found) => self.object(py, found),
            None => Err(PyKeyError::new_err(key.clone().unbind())),
        }
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.shared.with(self.id, |node| node.get(name).map(Found::of)) {
            Some(found) => self.object(py, found),
            None => Err(PyAttributeError::new_err(format!("the mapping has no key '{name}'"))),
        }
    }

    fn __dir__(&self) -> Vec<String> {
        let is_identifier = |text: &&str| {
            text.chars().all(|c| c == '_' || c.is_alphanumeric())
                && !text.starts_with(|c: char| c.is_numeric())
        };
        let own = ["get", "items", "keys", "tag", "values"].map(str::to_owned);
        let keys = self.shared.with(self.id, |node| {
            node.entries()
                .filter_map(|(key, _)| key.as_str().filter(is_identifier).map(str::to_owned))
                .collect()
        });
        let keys: Vec<String> = keys;
        own.into_iter().chain(keys).collect()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.keys(py)?.as_any().try_iter()
    }

    /// Returns the value of a key, or the default.
    #[pyo3(signature = (key, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.shared.with(self.id, |node| value_of(node, key).map(Found::of)) {
            Some(found) => self.object(py, found),
            None => Ok(default.unwrap_or_else(|| py.None().into_bound(py))),
        }
    }

    /// Returns the keys in their order.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (key, _) in self.found()? {
            list.append(key.into_object(py, &self.shared)?)?;
        }
        Ok(list)
    }

    /// Returns the values in their order.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (_, value) in self.found()? {
            list.append(value.into_object(py, &self.shared)?)?;
        }
        Ok(list)
    }

    /// Returns the pairs of keys and values in their order.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (key, value) in self.found()? {
            list.append((key.into_object(py, &self.shared)?, value.into_object(py, &self.shared)?))?;
        }
        Ok(list)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let own = PyDict::new(py);
        for (key, value) in self.found()? {
            own.set_item(key.into_object(py, &self.shared)?, value.into_object(py, &self.shared)?)?;
        }
        match other.cast::<Self>() {
            Ok(other) if other.get().id == self.id && other.get().shared.is(&self.shared) => Ok(true),
            Ok(other) => own.eq(PyDict::from_sequence(other.get().items(py)?.as_any())?),
            Err(_) => own.eq(other),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let keys = self.keys(py)?;
        Ok(format!("<asdfast.Mapping of {} entries: {}>", keys.len(), keys.repr()?))
    }
}
