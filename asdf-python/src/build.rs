//! Conversion of Python objects to nodes: the opposite of `value.rs`.

use std::collections::HashMap;

use asdf_core::tree::Path;
use asdf_core::{Error, Node, NodeId};
use num_bigint::BigInt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyComplex, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyMapping,
    PySequence, PySet, PyString, PyTuple, PyType,
};

use crate::array::Array;
use crate::built::{Built, Number, Value};
use crate::error::Failure;
use crate::lent;
use crate::mapping::Mapping;
use crate::sequence::Sequence;
use crate::shared::Shared;

/// The levels of nested collections that readers accept by default.
const DEPTH: usize = 512;

/// The integers that the standard allows as literals.
const LITERALS: std::ops::RangeInclusive<i64> = i64::MIN + 2..=i64::MAX;

/// The tag of the root of a file, without its version.
const ROOT: &str = "tag:stsci.edu:asdf/core/asdf-";

/// Converts an object of Python and everything in it.
///
/// Views of the file `own` become the same nodes, and views of other files become copies. An object that is used twice
/// becomes one node.
pub(crate) fn build(value: &Bound<'_, PyAny>, own: Option<&Shared>) -> PyResult<Built> {
    let mut builder = Builder {
        built: Built::default(),
        own,
        path: Vec::new(),
        made: HashMap::new(),
        views: HashMap::new(),
        kept: Vec::new(),
    };
    builder.value(value)?;
    Ok(builder.built)
}

/// Converts a key of a mapping.
pub(crate) fn build_key(key: &Bound<'_, PyAny>) -> PyResult<Value> {
    match scalar(key)? {
        Some(value @ (Value::Text(_) | Value::TaggedText(..) | Value::Int(_) | Value::Bool(_))) => Ok(value),
        _ => Err(PyTypeError::new_err(format!(
            "found the key {} of type `{}`, expected a string, an integer of 64 bits or a boolean",
            key.repr()?.to_string_lossy(),
            name_of(key),
        ))),
    }
}

struct Builder<'py, 'a> {
    built: Built,
    own: Option<&'a Shared>,
    /// The keys and indices that lead to the object.
    path: Vec<String>,
    /// The values of collections and arrays, by the addresses of their objects.
    made: HashMap<usize, Number>,
    /// The copies of nodes of other files, by the file and the node.
    views: HashMap<(usize, NodeId), Number>,
    /// The objects in `made`, so that no other object gets the same address.
    kept: Vec<Bound<'py, PyAny>>,
}

impl<'py> Builder<'py, '_> {
    fn value(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Number> {
        if let Some(scalar) = scalar(object).map_err(|error| self.placed(error, object))? {
            return Ok(self.built.add(scalar));
        }
        let address = object.as_ptr().addr();
        if let Some(&known) = self.made.get(&address) {
            return Ok(known);
        }
        if let Some(known) = self.view(object)? {
            return Ok(known);
        }
        if self.path.len() >= DEPTH {
            let error = Error::limit(format!("collections are nested more than {DEPTH} levels deep"));
            return Err(Failure::from(error.at_path(self.pointer().as_str())).into());
        }
        // The number of a collection is needed before its items: they can refer to it.
        let number = self.built.add(Value::Null);
        self.made.insert(address, number);
        self.kept.push(object.clone());
        let value = self.collection(object)?;
        self.built.fill(number, value);
        Ok(number)
    }

    /// Converts a view of a node of a file.
    fn view(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<Number>> {
        let (shared, id) = if let Ok(mapping) = object.cast::<Mapping>() {
            (&mapping.get().shared, mapping.get().id)
        } else if let Ok(sequence) = object.cast::<Sequence>() {
            (&sequence.get().shared, sequence.get().id)
        } else {
            return Ok(self.own_array(object).map(|id| self.built.add(Value::Own(id))));
        };
        if self.own.is_some_and(|own| own.is(shared)) {
            return Ok(Some(self.built.add(Value::Own(id))));
        }
        if let Some(&known) = self.views.get(&(shared.address(), id)) {
            return Ok(Some(known));
        }
        let mut node = shared.with(id, Node::from_ref).map_err(Failure::from)?;
        if node.view().own_tag().is_some_and(|tag| tag.starts_with(ROOT)) {
            let root = node.view().id();
            node.tree_mut().set_tag(root, None);
        }
        let number = self.built.add(Value::Copied(Box::new(node)));
        self.views.insert((shared.address(), id), number);
        self.kept.push(object.clone());
        Ok(Some(number))
    }

    /// The node of an array of the file itself.
    fn own_array(&self, object: &Bound<'py, PyAny>) -> Option<NodeId> {
        let array = object.cast::<Array>().ok()?.get();
        let (id, own) = array.node().zip(self.own.filter(|own| own.is(&array.shared)))?;
        // After an update, a node that was removed is a null, but its array can still be read.
        own.with(id, |node| !node.kind().is_scalar()).then_some(id)
    }

    fn collection(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Value> {
        if let Ok(dict) = object.cast_exact::<PyDict>() {
            return Ok(Value::Mapping(self.entries(dict.items())?, None));
        }
        if object.is_exact_instance_of::<PyList>() || object.is_exact_instance_of::<PyTuple>() {
            return Ok(Value::Sequence(self.items(object)?, None));
        }
        if let Ok(array) = object.cast::<Array>() {
            return Ok(Value::Array(Box::new(array.get().array.clone())));
        }
        if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
            return self.set(object);
        }
        if is_array(object)? {
            let array = lent::array(object).map_err(|error| self.placed(error, object))?;
            return Ok(Value::Array(Box::new(array)));
        }
        let tag = tag_of(object)?;
        if let Ok(mapping) = object.cast::<PyMapping>() {
            return Ok(Value::Mapping(self.entries(mapping.items()?)?, tag));
        }
        if object.cast::<PySequence>().is_ok() {
            return Ok(Value::Sequence(self.items(object)?, tag));
        }
        Err(self.placed(unknown(object), object))
    }

    fn entries(&mut self, pairs: Bound<'py, PyList>) -> PyResult<Vec<(Number, Number)>> {
        let mut entries = Vec::with_capacity(pairs.len());
        for pair in pairs.iter() {
            let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = pair.extract()?;
            let name = self.key(&key)?;
            self.path.push(key.str()?.to_string_lossy().into_owned());
            let value = self.value(&value)?;
            self.path.pop();
            entries.push((name, value));
        }
        Ok(entries)
    }

    /// Converts a key of a mapping. The standard allows three types.
    fn key(&mut self, key: &Bound<'py, PyAny>) -> PyResult<Number> {
        let key = build_key(key).map_err(|error| self.placed(error, key))?;
        Ok(self.built.add(key))
    }

    fn items(&mut self, items: &Bound<'py, PyAny>) -> PyResult<Vec<Number>> {
        let mut numbers = Vec::new();
        for (index, item) in items.try_iter()?.enumerate() {
            self.path.push(index.to_string());
            numbers.push(self.value(&item?)?);
            self.path.pop();
        }
        Ok(numbers)
    }

    /// Converts a set. The order of its items in the file is that of their values, if they have one.
    fn set(&mut self, set: &Bound<'py, PyAny>) -> PyResult<Value> {
        let list = PyList::empty(set.py());
        for item in set.try_iter()? {
            list.append(item?)?;
        }
        // Items of several types have no order.
        let _ = list.sort();
        Ok(Value::Set(self.items(list.as_any())?))
    }

    fn pointer(&self) -> Path {
        let mut path = Path::root();
        self.path.iter().for_each(|step| path.push(step));
        path
    }

    /// Adds the path to the exception of an object that cannot be converted.
    fn placed(&self, error: PyErr, object: &Bound<'py, PyAny>) -> PyErr {
        let py = object.py();
        let path = self.pointer();
        if !error.get_type(py).is(py.get_type::<PyTypeError>()) || path.as_str().is_empty() {
            return error;
        }
        let error = PyTypeError::new_err(format!("{}: {}", path.as_str(), error.value(py)));
        // The message has the path too.
        let _ = error.value(py).setattr("path", path.as_str());
        error
    }
}

/// Converts an object that is not a collection; `None` if it is one, or unknown.
fn scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    if object.is_none() {
        return Ok(Some(Value::Null));
    }
    if let Ok(bool) = object.cast::<PyBool>() {
        return Ok(Some(Value::Bool(bool.is_true())));
    }
    if object.is_instance_of::<PyInt>() {
        return integer(object).map(Some);
    }
    if let Ok(float) = object.cast::<PyFloat>() {
        return Ok(Some(Value::Float(float.value())));
    }
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.to_str()?.to_owned();
        return Ok(Some(match tag_of(object)? {
            Some(tag) => Value::TaggedText(text, tag),
            None => Value::Text(text),
        }));
    }
    if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
        return Ok(Some(Value::Bytes(object.extract()?)));
    }
    if let Ok(complex) = object.cast::<PyComplex>() {
        return Ok(Some(Value::Complex(complex.real(), complex.imag())));
    }
    if object.is_exact_instance_of::<PyDict>() || object.is_exact_instance_of::<PyList>() {
        return Ok(None);
    }
    other_scalar(object)
}

/// Converts dates, scalars of numpy and large integers of Python's asdf.
fn other_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    static DATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DATETIME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static GENERIC: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = object.py();
    if object.is_instance(DATETIME.import(py, "datetime", "datetime")?)? {
        return Ok(Some(Value::Timestamp(object.call_method1("isoformat", (" ",))?.extract()?)));
    }
    if object.is_instance(DATE.import(py, "datetime", "date")?)? {
        return Ok(Some(Value::Timestamp(object.call_method0("isoformat")?.extract()?)));
    }
    let module = object.get_type().module()?;
    // Large integers of asdf before they are written.
    if module.to_str()? == "asdf.tags.core.integer" {
        return Ok(Some(Value::Large(py.get_type::<PyInt>().call1((object,))?.extract()?)));
    }
    if !object.is_instance(GENERIC.import(py, "numpy", "generic")?)? {
        return Ok(None);
    }
    let kind: String = object.getattr("dtype")?.getattr("kind")?.extract()?;
    Ok(Some(match kind.as_str() {
        "b" => Value::Bool(object.is_truthy()?),
        "i" | "u" => return integer(&py.get_type::<PyInt>().call1((object,))?).map(Some),
        "f" => Value::Float(object.extract()?),
        "c" => {
            let complex = py.get_type::<PyComplex>().call1((object,))?;
            Value::Complex(complex.getattr("real")?.extract()?, complex.getattr("imag")?.extract()?)
        }
        _ => {
            let dtype = object.getattr("dtype")?.str()?.to_string();
            let hint = if kind == "V" { "tolist()" } else { "str()" };
            let message =
                format!("ASDF has no type for scalars of `{dtype}`\n  hint: convert it with `{hint}`");
            return Err(PyTypeError::new_err(message));
        }
    }))
}

fn integer(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    match object.extract::<i64>().ok().filter(|int| LITERALS.contains(int)) {
        Some(int) => Ok(Value::Int(int)),
        None => Ok(Value::Large(object.extract::<BigInt>()?)),
    }
}

/// Whether an object is an array of numpy that loses nothing as one.
fn is_array(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static ARRAY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = object.py();
    if !object.is_instance(ARRAY.import(py, "numpy", "ndarray")?)? {
        return Ok(false);
    }
    // Subclasses of other packages have more than elements: a unit, a name, coordinates.
    let module = object.get_type().module()?;
    Ok(module.to_str()?.split('.').next() == Some("numpy"))
}

/// The tag of a tagged object of this package or of Python's asdf.
fn tag_of(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let class = object.get_type();
    let module = class.module()?;
    match module.to_str()? {
        "asdfast._tagged" => object.getattr("tag")?.extract(),
        "asdf.tagged" => object.getattr("_tag")?.extract(),
        _ => Ok(None),
    }
}

fn unknown(object: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "cannot write an object of type `{}`\n  hint: convert it to a dict, a list, a scalar or an array of numpy, or write \
         the file with the package `asdf`, which has converters for more types",
        name_of(object)
    ))
}

/// The full name of an object's type.
fn name_of(object: &Bound<'_, PyAny>) -> String {
    let class = object.get_type();
    class.fully_qualified_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
