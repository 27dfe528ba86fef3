//! Nodes as values of Python.

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::value::FromNode as _;
use asdf_core::{NdArray, NodeId};
use num_bigint::BigInt;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyComplex, PyString};

use crate::array::Array;
use crate::error::Failure;
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
    Array(Box<NdArray>),
    Mapping(NodeId),
    Sequence(NodeId),
}

impl Found {
    /// Finds what a node is.
    pub(crate) fn of(node: NodeRef<'_>) -> Result<Self, Failure> {
        if let Some(name) = node.own_tag().and_then(|tag| tag.strip_prefix(CORE)) {
            if name.starts_with("ndarray-") {
                return Ok(Self::Array(Box::new(NdArray::from_node(node)?)));
            }
            if name.starts_with("complex-") {
                let complex = asdf_core::array::Complex::from_node(node)?.value();
                return Ok(Self::Complex(complex.re, complex.im));
            }
            if name.starts_with("integer-") {
                return Ok(Self::Large(asdf_core::array::Integer::from_node(node)?.value().clone()));
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
            Kind::Mapping => Self::Mapping(node.id()),
            Kind::Sequence => Self::Sequence(node.id()),
            Kind::String => match (node.as_bytes(), node.own_tag()) {
                (Some(bytes), _) => Self::Bytes(bytes),
                (None, Some(tag)) => {
                    Self::TaggedText(node.text().unwrap_or_default().to_owned(), tag.to_owned())
                }
                (None, None) => Self::Text(node.text().unwrap_or_default().to_owned()),
            },
        })
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
            Self::Array(array) => Array::new(*array, shared.clone()).into_bound_py_any(py),
            Self::Mapping(id) => Mapping::new(shared.clone(), id).into_bound_py_any(py),
            Self::Sequence(id) => Sequence::new(shared.clone(), id).into_bound_py_any(py),
        }
    }
}
