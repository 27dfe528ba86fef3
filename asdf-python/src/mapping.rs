//! `Mapping`: a lazy view of a mapping of the tree.

use asdf_core::NodeId;
use pyo3::exceptions::{PyAttributeError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyString};

use crate::copies;
use crate::error::Failure;
use crate::merge;
use crate::shared::Shared;
use crate::value::Found;

/// A mapping of the tree, in the order of the file.
///
/// Its values become objects of Python when they are used. Keys that are identifiers are attributes too. A mapping is equal
/// to a dict with the same entries.
///
/// Examples
/// --------
/// >>> import asdfast
/// >>> file = asdfast.File({"meta": {"exposure": 1.5}})
/// >>> file["meta"]["exposure"], file.meta.exposure
/// (1.5, 1.5)
#[pyclass(frozen, subclass, weakref, mapping, module = "asdfast")]
pub(crate) struct Mapping {
    pub(crate) shared: Shared,
    pub(crate) id: NodeId,
}

impl Mapping {
    pub(crate) fn new(shared: Shared, id: NodeId) -> Self {
        Self { shared, id }
    }

    /// The file and the node.
    pub(crate) fn place(&self) -> (&Shared, NodeId) {
        (&self.shared, self.id)
    }

    /// Returns the keys as objects, each once, in their order.
    fn keys_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found: Result<Vec<Found>, Failure> = self.shared.with(self.id, |node| {
            merge::entries(node).into_iter().map(|(key, _)| Found::of_key(key)).collect()
        });
        let keys = PyDict::new(py);
        for key in found? {
            keys.set_item(key.into_object(py, &self.shared)?, py.None())?;
        }
        Ok(keys.keys())
    }

    /// Returns the value of a key, or `None`.
    fn value<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = match key.cast::<PyString>() {
            Ok(text) => {
                let text = text.to_str()?;
                self.shared.with(self.id, |node| merge::get(node, text).map(Found::of))
            }
            Err(_) => self.node_of(py, key)?.map(|id| self.shared.with(id, Found::of)),
        };
        found.map(|found| found?.into_object(py, &self.shared)).transpose()
    }

    /// Finds the value of a key that is not a string. The last of equal keys counts.
    fn node_of(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Option<NodeId>> {
        // As for a dict, a key that has no hash is an error.
        key.hash()?;
        let keys: Result<Vec<(Found, NodeId)>, Failure> = self.shared.with(self.id, |node| {
            let others = merge::entries(node).into_iter().rev().filter(|(key, _)| key.as_str().is_none());
            others.map(|(key, value)| Ok((Found::of_key(key)?, value.id()))).collect()
        });
        for (found, id) in keys? {
            if found.into_object(py, &self.shared)?.eq(key)? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Returns a view of the standard library, such as `KeysView`.
    fn view<'py>(this: &Bound<'py, Self>, class: &str) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("collections.abc")?.getattr(class)?.call1((this,))
    }

    /// Makes a dict with the same entries. Collections below stay views.
    fn dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("builtins")?.getattr("dict")?.call1((this,))
    }
}

#[pymethods]
impl Mapping {
    /// The tag as a full URI, or None.
    #[getter]
    fn tag(&self) -> Option<String> {
        self.shared.with(self.id, |node| node.tag().map(str::to_owned))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let merges = self.shared.with(self.id, |node| node.get("<<").is_some());
        if merges { Ok(self.keys_list(py)?.len()) } else { Ok(self.shared.with(self.id, |node| node.len())) }
    }

    fn __contains__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<bool> {
        match key.cast::<PyString>() {
            Ok(text) => {
                let text = text.to_str()?;
                Ok(self.shared.with(self.id, |node| merge::get(node, text).is_some()))
            }
            Err(_) => Ok(self.node_of(py, key)?.is_some()),
        }
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, key)?.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, name.as_any())?
            .ok_or_else(|| PyAttributeError::new_err(format!("the mapping has no key '{name}'")))
    }

    fn __dir__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let names = this.get_type().dir()?;
        for key in this.get().keys_list(this.py())? {
            let is_name = match key.cast::<PyString>() {
                Ok(key) => key.call_method0("isidentifier")?.extract()?,
                Err(_) => false,
            };
            if is_name {
                names.append(key)?;
            }
        }
        Ok(names)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.keys_list(py)?.as_any().try_iter()
    }

    /// Returns the value of a key, or the default.
    #[pyo3(signature = (key, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.value(py, key)?.or(default).unwrap_or_else(|| py.None().into_bound(py)))
    }

    /// Returns a view of the keys in their order.
    fn keys<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::view(this, "KeysView")
    }

    /// Returns a view of the values in their order.
    fn values<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::view(this, "ValuesView")
    }

    /// Returns a view of the pairs of keys and values in their order.
    fn items<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::view(this, "ItemsView")
    }

    fn __eq__<'py>(this: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) if other.get().id == this.get().id && other.get().shared.is(&this.get().shared) => {
                Ok(true)
            }
            Ok(other) => Self::dict(this)?.eq(Self::dict(other)?),
            Err(_) => Self::dict(this)?.eq(other),
        }
    }

    fn __copy__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::dict(this)
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
        let keys = self.keys_list(py)?;
        Ok(format!("<asdfast.Mapping of {} entries: {}>", keys.len(), keys.repr()?))
    }
}
