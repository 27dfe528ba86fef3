//! Changes of mappings and sequences.

use std::convert::Infallible;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{File, NodeId, Tree};
use pyo3::exceptions::{
    PyAttributeError, PyIndexError, PyKeyError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyString, PyTuple};

use crate::array::Array;
use crate::build::{build, build_key};
use crate::built::{Built, Value};
use crate::error::Failure;
use crate::mapping::Mapping;
use crate::sequence::Sequence;
use crate::shared::Shared;

/// The prefix of the tags that are a type of Python. A value of another type does not get them.
const TYPES: [&str; 3] = [
    "tag:stsci.edu:asdf/core/ndarray-",
    "tag:stsci.edu:asdf/core/complex-",
    "tag:stsci.edu:asdf/core/integer-",
];

/// Adds a value to the tree of a file, to be put in place of another.
///
/// The value gets the tag of the old one, so that a time stays a time, unless it has a tag itself or is of another kind.
fn put(tree: &mut Tree, value: &Built, old: Option<NodeId>) -> Result<NodeId, Failure> {
    let node = value.put(tree)?;
    let Some(old) = old.map(|old| tree.node(old)) else { return Ok(node) };
    let new = tree.node(node);
    let alike = new.kind() == old.kind() || (new.kind().is_scalar() && old.kind().is_scalar());
    let tag = old
        .own_tag()
        .filter(|tag| alike && new.own_tag().is_none() && !TYPES.iter().any(|own| tag.starts_with(own)));
    // A node that is elsewhere in the tree has the tag that it has there.
    if let Some(tag) = tag.filter(|_| !value.is_own()).map(str::to_owned) {
        tree.set_tag(node, Some(&tag));
    }
    Ok(node)
}

/// Makes the mapping of a file without a tree its root.
fn root(file: &mut File, id: NodeId) {
    if file.tree().root().is_some() {
        return;
    }
    let tag = File::new().tree().root().and_then(|root| root.tag()).map(str::to_owned);
    file.tree_mut().set_root(id);
    file.tree_mut().set_tag(id, tag.as_deref());
}

/// Finds the last entry of a mapping with a key.
fn entry_of(node: NodeRef<'_>, wanted: &Value) -> Option<usize> {
    let is = |key: NodeRef<'_>| match wanted {
        Value::Text(text) | Value::TaggedText(text, _) => key.as_str() == Some(text),
        // For Python 1 and True are one key.
        Value::Int(int) => key.as_i64().or_else(|| key.as_bool().map(i64::from)) == Some(*int),
        Value::Bool(bool) => key.as_bool().map(i64::from).or_else(|| key.as_i64()) == Some(i64::from(*bool)),
        _ => false,
    };
    let keys: Vec<_> = node.entries().map(|(key, _)| key).collect();
    keys.into_iter().rposition(is)
}

impl Mapping {
    fn set<'py>(&self, key: &Bound<'py, PyAny>, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let key = build_key(key)?;
        let value = build(value, Some(&self.shared))?;
        let id = self.id;
        let done = self.shared.change(|file| {
            let tree = file.tree_mut();
            let old = entry_of(tree.node(id), &key).and_then(|at| tree.node(id).entries().nth(at));
            let old = old.map(|(key, value)| (key.id(), value.id()));
            let node = put(tree, &value, old.map(|(_, value)| value))?;
            let key = match old {
                Some((key, _)) => key,
                None => Built::of(key).put(tree)?,
            };
            tree.insert_entry(id, key, node);
            root(file, id);
            Ok::<_, Failure>(())
        });
        Ok(done?)
    }

    /// Sets the value of a key that is an identifier, or the tag.
    pub(crate) fn set_attribute(
        this: &Bound<'_, Self>,
        name: &Bound<'_, PyString>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if name == "tag" {
            let tag: Option<String> = value.extract()?;
            let place = this.get();
            set_tag(&place.shared, place.id, tag.as_deref());
            return Ok(());
        }
        check_name(this.get_type().as_any(), name.to_str()?)?;
        this.get().set(name.as_any(), value)
    }

    /// Removes a key that is an identifier.
    pub(crate) fn remove_attribute(this: &Bound<'_, Self>, name: &Bound<'_, PyString>) -> PyResult<()> {
        check_name(this.get_type().as_any(), name.to_str()?)?;
        match this.get().remove(name.as_any())? {
            true => Ok(()),
            false => Err(PyAttributeError::new_err(format!("the mapping has no key '{name}'"))),
        }
    }

    /// Removes a key, and returns whether it existed.
    fn remove(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        key.hash()?;
        let Ok(key) = build_key(key) else { return Ok(false) };
        let removed = self.shared.change(|file| {
            let tree = file.tree_mut();
            let mut found = Err(());
            // A key that is there twice would show its other value.
            while let Some(at) = entry_of(tree.node(self.id), &key) {
                tree.remove_entry(self.id, at);
                found = Ok(());
            }
            found
        });
        Ok(removed.is_ok())
    }
}

fn set_tag(shared: &Shared, id: NodeId, tag: Option<&str>) {
    let Ok(()) = shared.change(|file| {
        file.tree_mut().set_tag(id, tag);
        Ok::<_, Infallible>(())
    });
}

/// Refuses names that are not keys when they are read.
fn check_name(class: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    if name.starts_with("__") || class.hasattr(name)? {
        return Err(PyAttributeError::new_err(format!(
            "'{name}' is an attribute of the class\n  hint: set the key with [{name:?}]"
        )));
    }
    Ok(())
}

#[pymethods]
impl Mapping {
    fn __setitem__(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(key, value)
    }

    fn __delitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        match self.remove(key)? {
            true => Ok(()),
            false => Err(PyKeyError::new_err(key.clone().unbind())),
        }
    }

    fn __setattr__(
        this: &Bound<'_, Self>,
        name: &Bound<'_, PyString>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        Self::set_attribute(this, name, value)
    }

    fn __delattr__(this: &Bound<'_, Self>, name: &Bound<'_, PyString>) -> PyResult<()> {
        Self::remove_attribute(this, name)
    }

    /// Sets the values of another mapping, or of pairs of keys and values.
    ///
    /// Examples
    /// --------
    /// >>> import asdfast
    /// >>> file = asdfast.File({"meta": {"gain": 2}})
    /// >>> file["meta"].update({"gain": 2.5}, target="M31")
    /// >>> file["meta"] == {"gain": 2.5, "target": "M31"}
    /// True
    #[pyo3(signature = (other=None, /, **values))]
    fn update(
        this: &Bound<'_, Self>,
        other: Option<&Bound<'_, PyAny>>,
        values: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let py = this.py();
        let all = PyDict::new(py);
        if let Some(other) = other {
            // A view of a file is a mapping, but its attribute `keys` may be a key.
            let pairs = other.hasattr("keys")?;
            let other = if pairs { other.clone() } else { py.get_type::<PyDict>().call1((other,))? };
            all.update(other.cast()?)?;
        }
        if let Some(values) = values {
            all.update(values.as_mapping())?;
        }
        for (key, value) in all {
            this.get().set(&key, &value)?;
        }
        Ok(())
    }

    /// Removes a key and returns its value, or the default if the key does not exist.
    #[pyo3(signature = (key, default=None, /))]
    fn pop<'py>(
        this: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let value = this.as_any().get_item(key);
        match (value, default) {
            (Ok(value), _) => {
                this.get().__delitem__(key)?;
                Ok(value)
            }
            (Err(error), Some(default)) if error.is_instance_of::<PyKeyError>(this.py()) => Ok(default),
            (Err(error), _) => Err(error),
        }
    }

    /// Removes the last entry, and returns its key and its value.
    fn popitem<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = this.py();
        let keys = py.get_type::<PyList>().call1((this,))?;
        let Ok(key) = keys.get_item(-1) else {
            return Err(PyKeyError::new_err("the mapping is empty"));
        };
        let value = this.as_any().get_item(&key)?;
        this.get().__delitem__(&key)?;
        PyTuple::new(py, [key, value])
    }

    /// Returns the value of a key. Sets it to the default first if the key does not exist.
    #[pyo3(signature = (key, default=None, /))]
    fn setdefault<'py>(
        this: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !this.as_any().contains(key)? {
            let default = default.unwrap_or_else(|| this.py().None().into_bound(this.py()));
            this.get().set(key, &default)?;
        }
        this.as_any().get_item(key)
    }

    /// Removes all entries.
    fn clear(&self) {
        let Ok(()) = self.shared.change(|file| {
            let tree = file.tree_mut();
            for at in (0..tree.node(self.id).len()).rev() {
                tree.remove_entry(self.id, at);
            }
            Ok::<_, Infallible>(())
        });
    }
}

/// Returns the place of an item, counted from the end if it is negative.
fn place(index: isize, len: usize) -> PyResult<usize> {
    let at = if index < 0 { len.checked_sub(index.unsigned_abs()) } else { Some(index.unsigned_abs()) };
    at.filter(|&at| at < len).ok_or_else(|| PyIndexError::new_err(format!("the sequence has {len} items")))
}

impl Sequence {
    fn length(&self) -> usize {
        self.shared.with(self.id, |node| node.len())
    }

    /// Replaces the items in a slice.
    fn set_slice(&self, slice: &Bound<'_, PySlice>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        // Another view of the same sequence would change while it is read.
        let values: Vec<Bound<'_, PyAny>> = values.try_iter()?.collect::<PyResult<_>>()?;
        let built: Vec<Built> =
            values.iter().map(|value| build(value, Some(&self.shared))).collect::<PyResult<_>>()?;
        let len = self.length();
        let range = slice.indices(isize::try_from(len)?)?;
        let places = places(range.start, range.step, range.slicelength);
        if range.step != 1 && places.len() != built.len() {
            return Err(PyValueError::new_err(format!(
                "found {} values, expected {} for the slice",
                built.len(),
                places.len()
            )));
        }
        let start = usize::try_from(range.start)?;
        self.change(len, |tree, id| {
            if range.step == 1 && places.len() != built.len() {
                let nodes: Vec<NodeId> =
                    built.iter().map(|value| put(tree, value, None)).collect::<Result<_, _>>()?;
                for _ in &places {
                    tree.remove_item(id, start);
                }
                for (at, node) in nodes.into_iter().enumerate() {
                    tree.insert_item(id, start + at, node);
                }
                return Ok(());
            }
            // All or none: only then is it known whether the tree changed.
            let mut nodes = Vec::with_capacity(built.len());
            for (&at, value) in places.iter().zip(&built) {
                let old = tree.node(id).item(at).map(|old| old.id());
                nodes.push((at, put(tree, value, old)?));
            }
            for (at, node) in nodes {
                tree.set_item(id, at, node);
            }
            Ok(())
        })
    }

    fn remove_slice(&self, slice: &Bound<'_, PySlice>) -> PyResult<()> {
        let len = self.length();
        let range = slice.indices(isize::try_from(len)?)?;
        let mut places = places(range.start, range.step, range.slicelength);
        places.sort_unstable();
        self.change(len, |tree, id| {
            for &at in places.iter().rev() {
                tree.remove_item(id, at);
            }
            Ok(())
        })
    }

    /// Changes the sequence, if another thread did not change its length meanwhile.
    fn change(
        &self,
        len: usize,
        work: impl FnOnce(&mut Tree, NodeId) -> Result<(), Failure> + Send,
    ) -> PyResult<()> {
        let done = self.shared.change(|file| {
            if file.tree().node(self.id).len() != len {
                return Err(None);
            }
            work(file.tree_mut(), self.id).map_err(Some)
        });
        done.map_err(|failure| match failure {
            Some(failure) => failure.into(),
            None => PyRuntimeError::new_err("another thread changed the sequence"),
        })
    }

    /// Calls a method of `collections.abc.MutableSequence`, which uses those above.
    fn mixin<'py>(
        this: &Bound<'py, Self>,
        name: &str,
        args: impl pyo3::call::PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = this.py().import("collections.abc")?.getattr("MutableSequence")?;
        class.getattr(name)?.getattr("__get__")?.call1((this,))?.call1(args)
    }
}

/// The places of the items in a slice.
fn places(start: isize, step: isize, count: usize) -> Vec<usize> {
    let mut at = start;
    let mut places = Vec::with_capacity(count);
    for _ in 0..count {
        places.extend(usize::try_from(at));
        at = at.saturating_add(step);
    }
    places
}

#[pymethods]
impl Sequence {
    fn __setitem__(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(slice) = key.cast::<PySlice>() {
            return self.set_slice(slice, value);
        }
        let index: isize = key.extract()?;
        let value = build(value, Some(&self.shared))?;
        let len = self.length();
        let at = place(index, len)?;
        self.change(len, |tree, id| {
            let old = tree.node(id).item(at).map(|old| old.id());
            let node = put(tree, &value, old)?;
            tree.set_item(id, at, node);
            Ok(())
        })
    }

    fn __delitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(slice) = key.cast::<PySlice>() {
            return self.remove_slice(slice);
        }
        let len = self.length();
        let at = place(key.extract()?, len)?;
        self.change(len, |tree, id| {
            tree.remove_item(id, at);
            Ok(())
        })
    }

    /// Inserts an item before an index.
    fn insert(&self, index: isize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = build(value, Some(&self.shared))?;
        let done = self.shared.change(|file| {
            let len = file.tree().node(self.id).len();
            let at = if index < 0 { len.saturating_sub(index.unsigned_abs()) } else { index.unsigned_abs() };
            let node = put(file.tree_mut(), &value, None)?;
            file.tree_mut().insert_item(self.id, at, node);
            Ok::<_, Failure>(())
        });
        Ok(done?)
    }

    /// Appends an item.
    ///
    /// Examples
    /// --------
    /// >>> import asdfast
    /// >>> file = asdfast.File({"filters": ["F062"]})
    /// >>> file["filters"].append("F087")
    /// >>> file["filters"] == ["F062", "F087"]
    /// True
    fn append(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.insert(isize::MAX, value)
    }

    /// Appends the items of an iterable.
    fn extend(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let values: Vec<Bound<'_, PyAny>> = values.try_iter()?.collect::<PyResult<_>>()?;
        values.iter().try_for_each(|value| self.append(value))
    }

    fn __iadd__(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        self.extend(values)
    }

    /// Removes an item and returns it.
    #[pyo3(signature = (index=-1))]
    fn pop<'py>(this: &Bound<'py, Self>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let value = this.as_any().get_item(index)?;
        this.as_any().del_item(index)?;
        Ok(value)
    }

    /// Removes the first item with a value.
    fn remove<'py>(this: &Bound<'py, Self>, value: &Bound<'py, PyAny>) -> PyResult<()> {
        Self::mixin(this, "remove", (value,)).map(drop)
    }

    /// Removes all items.
    fn clear(this: &Bound<'_, Self>) -> PyResult<()> {
        this.get().remove_slice(&PySlice::full(this.py()))
    }

    /// Reverses the order of the items.
    fn reverse(&self) -> PyResult<()> {
        let len = self.length();
        self.change(len, |tree, id| {
            let items: Vec<NodeId> = tree.node(id).items().map(|item| item.id()).collect();
            for (at, &item) in items.iter().rev().enumerate() {
                tree.set_item(id, at, item);
            }
            Ok(())
        })
    }

    /// Returns the index of the first item with a value.
    #[pyo3(signature = (value, start=0, stop=None))]
    fn index<'py>(
        this: &Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
        start: isize,
        stop: Option<isize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::mixin(this, "index", (value, start, stop))
    }

    /// Returns the number of items with a value.
    fn count<'py>(this: &Bound<'py, Self>, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Self::mixin(this, "count", (value,))
    }

    fn __setattr__(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if name != "tag" {
            return Err(PyAttributeError::new_err(format!(
                "a sequence has no attribute '{name}' that can be set"
            )));
        }
        let tag: Option<String> = value.extract()?;
        set_tag(&self.shared, self.id, tag.as_deref());
        Ok(())
    }
}

#[pymethods]
impl Array {
    fn __setitem__(&self, _key: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "the elements of an array of a file cannot be changed\n  hint: change a copy and assign it: \
             values = array[...]; values[0] = 1; file[\"data\"] = values",
        ))
    }
}

/// Replaces the tree of a file by the entries of a mapping.
pub(crate) fn replace_root(mapping: &Mapping, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let value = build(value, Some(&mapping.shared))?;
    let done = mapping.shared.change(|file| {
        let tree = file.tree_mut();
        let new = value.put(tree).map_err(|error| Some(Failure::from(error)))?;
        if tree.node(new).kind() != Kind::Mapping {
            return Err(None);
        }
        let entries: Vec<(NodeId, NodeId)> =
            tree.node(new).entries().map(|(key, value)| (key.id(), value.id())).collect();
        for at in (0..tree.node(mapping.id).len()).rev() {
            tree.remove_entry(mapping.id, at);
        }
        entries.into_iter().for_each(|(key, value)| tree.insert_entry(mapping.id, key, value));
        root(file, mapping.id);
        Ok(())
    });
    done.map_err(|failure: Option<Failure>| match failure {
        Some(failure) => failure.into(),
        None => PyTypeError::new_err("the root of a file must be a mapping"),
    })
}
