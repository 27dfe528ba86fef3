//! Nodes as values of Python.

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::value::FromNode as _;
use asdf_core::{NdArray, NodeId};
use num_bigint::BigInt;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyComplex, PyList, PySet, PyString, PyTuple};

use crate::array::Array;
use crate::error::Failure;
use crate::file::PyFile;
use crate::mapping::Mapping;
use crate::sequence::Sequence;
use crate::shared::Shared;

/// The tags of the standard.
const CORE: &str = "tag:stsci.edu:asdf/core/";

/// What a node is, before it becomes an object of Python.
pub(crate) enum Found {
    Null,
    Bool(bool),
    Int(i64),
    Large(BigInt),
    Float(f64),
    Complex(f64, f64),
    Text(String),
    TaggedText(String, String),
    Bytes(Vec<u8>),
    Timestamp(String),
    Set(Vec<Self>),
    Omap(Vec<(Self, Self)>),
    Pairs(Vec<(Self, Self)>),
    /// A sequence that is a key.
    Tuple(Vec<Self>),
    Array(Box<NdArray>, NodeId),
    Mapping(NodeId),
    Sequence(NodeId),
}

impl Found {
    /// Finds what a node is.
    pub(crate) fn of(node: NodeRef<'_>) -> Result<Self, Failure> {
        if let Some(tag) = node.own_tag() {
            if let Some(name) = tag.strip_prefix(CORE)
                && let Some(found) = Self::of_core(node, name)?
            {
                return Ok(found);
            }
            if node.kind().is_scalar() {
                return Ok(Self::TaggedText(node.text().unwrap_or_default().to_owned(), tag.to_owned()));
            }
        }
        Ok(match node.kind() {
            Kind::Null => Self::Null,
            Kind::Bool => Self::Bool(node.as_bool().unwrap_or_default()),
            Kind::Int => match node.as_i64() {
                Some(int) => Self::Int(int),
                None => Self::Large(node.as_bigint().unwrap_or_default()),
            },
            Kind::Float => Self::Float(node.as_f64().unwrap_or(f64::NAN)),
            Kind::Timestamp => Self::Timestamp(node.text().unwrap_or_default().to_owned()),
            Kind::Mapping => match node.as_set() {
                Some(items) => Self::Set(items.map(Self::of_key).collect::<Result<_, _>>()?),
                None => Self::Mapping(node.id()),
            },
            Kind::Sequence => match (node.as_omap(), node.as_pairs()) {
                (Some(entries), _) => Self::Omap(entries.map(Self::of_entry).collect::<Result<_, _>>()?),
                (None, Some(entries)) => Self::Pairs(entries.map(Self::of_entry).collect::<Result<_, _>>()?),
                (None, None) => Self::Sequence(node.id()),
            },
            Kind::String => match node.as_bytes() {
                Some(bytes) => Self::Bytes(bytes),
                None => Self::Text(node.text().unwrap_or_default().to_owned()),
            },
        })
    }

    /// Finds what a node with a tag of the standard is, if it is more than its form says.
    fn of_core(node: NodeRef<'_>, name: &str) -> Result<Option<Self>, Failure> {
        Ok(if name.starts_with("ndarray-") {
            Some(Self::Array(Box::new(NdArray::from_node(node)?), node.id()))
        } else if name.starts_with("complex-") {
            let complex = asdf_core::array::Complex::from_node(node)?.value();
            Some(Self::Complex(complex.re, complex.im))
        } else if name.starts_with("integer-") {
            Some(Self::Large(asdf_core::array::Integer::from_node(node)?.value().clone()))
        } else {
            None
        })
    }

    /// Finds what a key is. Keys of Python never change, so a sequence becomes a tuple.
    pub(crate) fn of_key(node: NodeRef<'_>) -> Result<Self, Failure> {
        match Self::of(node)? {
            Self::Sequence(_) => Ok(Self::Tuple(node.items().map(Self::of_key).collect::<Result<_, _>>()?)),
            found => Ok(found),
        }
    }

    fn of_entry((key, value): (NodeRef<'_>, NodeRef<'_>)) -> Result<(Self, Self), Failure> {
        Ok((Self::of_key(key)?, Self::of(value)?))
    }

    /// Makes the object of Python.
    pub(crate) fn into_object<'py>(self, py: Python<'py>, shared: &Shared) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Null => Ok(py.None().into_bound(py)),
            Self::Bool(bool) => bool.into_bound_py_any(py),
            Self::Int(int) => int.into_bound_py_any(py),
            Self::Large(int) => int.into_bound_py_any(py),
            Self::Float(float) => float.into_bound_py_any(py),
            Self::Complex(re, im) => Ok(PyComplex::from_doubles(py, re, im).into_any()),
            Self::Text(text) => Ok(PyString::new(py, &text).into_any()),
            Self::TaggedText(text, tag) => {
                py.import("asdfast._tagged")?.getattr("TaggedString")?.call1((text, tag))
            }
            Self::Bytes(bytes) => Ok(PyBytes::new(py, &bytes).into_any()),
            Self::Timestamp(text) => py.import("asdfast._timestamps")?.getattr("parse")?.call1((text,)),
            Self::Set(items) => Ok(PySet::new(py, objects(items, py, shared)?)?.into_any()),
            Self::Tuple(items) => Ok(PyTuple::new(py, objects(items, py, shared)?)?.into_any()),
            Self::Pairs(entries) => Ok(pairs(entries, py, shared)?.into_any()),
            Self::Omap(entries) => {
                let class = py.import("collections")?.getattr("OrderedDict")?;
                class.call1((pairs(entries, py, shared)?,))
            }
            Self::Array(array, id) => {
                shared.view(py, id, || Array::new(*array, shared.clone(), id).into_bound_py_any(py))
            }
            Self::Mapping(id) if id == shared.root() => PyFile::of(py, shared),
            Self::Mapping(id) => {
                shared.view(py, id, || Mapping::new(shared.clone(), id).into_bound_py_any(py))
            }
            Self::Sequence(id) => {
                shared.view(py, id, || Sequence::new(shared.clone(), id).into_bound_py_any(py))
            }
        }
    }
}

fn objects<'py>(items: Vec<Found>, py: Python<'py>, shared: &Shared) -> PyResult<Vec<Bound<'py, PyAny>>> {
    items.into_iter().map(|item| item.into_object(py, shared)).collect()
}

fn pairs<'py>(
    entries: Vec<(Found, Found)>,
    py: Python<'py>,
    shared: &Shared,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (key, value) in entries {
        list.append((key.into_object(py, shared)?, value.into_object(py, shared)?))?;
    }
    Ok(list)
}
