//! Finds quickly that a tree of Python's asdf is valid. Python's asdf validates every tree that may not be.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use asdf_core::{NodeId, Tree};
use asdf_schemas::validate::Code;
use asdf_schemas::{Registry, Validator};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use crate::error::Failure;
use crate::loader::Classes;

/// The levels of nested collections that are converted.
const DEPTH: usize = 256;

/// The integers that Python's asdf accepts without a warning.
const LITERALS: std::ops::RangeInclusive<i64> = i64::MIN + 2..=i64::MAX;

/// A validator with given schemas, for trees of Python's asdf.
#[pyclass(frozen, module = "asdfast")]
pub(crate) struct TreeValidator {
    validator: Validator,
}

#[pymethods]
impl TreeValidator {
    /// Makes a validator of schemas by their ids, and of the schemas of tags.
    #[new]
    fn new(schemas: Vec<(String, String)>, tags: Vec<(String, String)>) -> PyResult<Self> {
        let mut registry = Registry::empty();
        for (id, text) in &schemas {
            registry.add_schema_as(id, text).map_err(Failure::from)?;
        }
        for (tag, schema) in &tags {
            registry.add_tag(tag, schema);
        }
        Ok(Self { validator: Validator::new(Arc::new(registry)).without_blocks() })
    }

    /// Returns whether a tree is certainly valid for Python's asdf too.
    fn is_valid(&self, py: Python<'_>, tree: &TaggedTree) -> bool {
        let report = py.detach(|| self.validator.validate_tree(&tree.tree));
        report.is_complete() && report.findings().all(|finding| finding.code() == Code::UnknownTag)
    }
}

/// A tree of Python's asdf as a tree of the library.
#[pyclass(frozen, module = "asdfast")]
pub(crate) struct TaggedTree {
    tree: Tree,
    tags: HashSet<String>,
}

#[pymethods]
impl TaggedTree {
    /// The tags in the tree.
    #[getter]
    fn tags(&self) -> HashSet<String> {
        self.tags.clone()
    }
}

/// Converts a tree of the classes of Python's asdf; None if a value in it has a meaning of its own there.
#[pyfunction]
pub(crate) fn convert_tagged<'py>(
    root: &Bound<'py, PyAny>,
    classes: Classes<'py>,
) -> PyResult<Option<TaggedTree>> {
    let mut converter =
        Converter { tree: Tree::new(), classes, made: HashMap::new(), tags: HashSet::new(), depth: 0 };
    // The defaults of older standards are in the tree already.
    converter.tree.set_standard((1, 6, 0));
    let Some(id) = converter.node(root)? else { return Ok(None) };
    converter.tree.set_root(id);
    Ok(Some(TaggedTree { tree: converter.tree, tags: converter.tags }))
}

/// Converts a tree of the classes of asdf. `None` is an object that has a meaning of its own for asdf.
struct Converter<'py> {
    tree: Tree,
    classes: Classes<'py>,
    /// The nodes of collections by the addresses of their objects; `None` while their items are converted.
    made: HashMap<usize, Option<NodeId>>,
    tags: HashSet<String>,
    depth: usize,
}

impl<'py> Converter<'py> {
    fn node(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<NodeId>> {
        if let Ok(text) = object.cast_exact::<PyString>() {
            return Ok(Some(self.tree.add_str(text.to_str()?)));
        }
        if object.is_exact_instance_of::<PyInt>() {
            let int = object.extract::<i64>().ok().filter(|int| LITERALS.contains(int));
            return Ok(int.map(|int| self.tree.add_int(int)));
        }
        if let Ok(float) = object.cast_exact::<PyFloat>() {
            // The validators differ about the others.
            let float = Some(float.value()).filter(|float| float.is_finite());
            return Ok(float.map(|float| self.tree.add_float(float)));
        }
        if let Ok(bool) = object.cast_exact::<PyBool>() {
            return Ok(Some(self.tree.add_bool(bool.is_true())));
        }
        if object.is_none() {
            return Ok(Some(self.tree.add_null()));
        }
        let address = object.as_ptr().addr();
        if let Some(known) = self.made.get(&address) {
            // A cycle is left to asdf.
            return Ok(*known);
        }
        self.made.insert(address, None);
        self.depth += 1;
        let node = if self.depth > DEPTH { None } else { self.tagged(object)? };
        self.depth -= 1;
        self.made.insert(address, node);
        Ok(node)
    }

    fn tagged(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<NodeId>> {
        let py = object.py();
        let class = object.get_type();
        let (dict, list, string, _) = &self.classes;
        let inner = if class.is(dict) || class.is(list) {
            object.getattr(pyo3::intern!(py, "data"))?
        } else if class.is(string) {
            object.str()?.into_any()
        } else {
            return self.collection(object);
        };
        let tag: Option<String> = object.getattr(pyo3::intern!(py, "_tag"))?.extract()?;
        let node = match inner.cast_exact::<PyString>() {
            Ok(text) => Some(self.tree.add_str(text.to_str()?)),
            Err(_) => self.collection(&inner)?,
        };
        if let Some(node) = node {
            self.tree.set_tag(node, tag.as_deref());
        }
        if let Some(tag) = tag.filter(|tag| !self.tags.contains(tag)) {
            self.tags.insert(tag);
        }
        Ok(node)
    }

    fn collection(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<NodeId>> {
        if let Ok(dict) = object.cast_exact::<PyDict>() {
            let mut entries = Vec::with_capacity(dict.len());
            for (key, value) in dict.iter() {
                let Ok(key) = key.cast_exact::<PyString>() else { return Ok(None) };
                let key = self.tree.add_str(key.to_str()?);
                let Some(value) = self.node(&value)? else { return Ok(None) };
                entries.push((key, value));
            }
            return Ok(Some(self.tree.add_mapping(entries)));
        }
        let Ok(list) = object.cast_exact::<PyList>() else { return Ok(None) };
        let mut items = Vec::with_capacity(list.len());
        for item in list.iter() {
            let Some(item) = self.node(&item)? else { return Ok(None) };
            items.push(item);
        }
        Ok(Some(self.tree.add_sequence(items)))
    }
}
