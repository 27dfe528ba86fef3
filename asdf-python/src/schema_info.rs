//! What schemas say about the nodes of a file.

use std::collections::HashSet;
use std::sync::Arc;

use asdf_core::tree::{Kind, Node, NodeRef};
use asdf_core::{File, NodeId, Result};
use asdf_schemas::Registry;
use asdf_schemas::described::{Described, Describer};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::error::Failure;
use crate::loader::load_plain;
use crate::shared::Shared;
use crate::validate::registry;

/// Looks up a keyword of the schemas for each node, and nests the answers as in the file.
pub(crate) fn schema_info<'py>(
    py: Python<'py>,
    shared: &Shared,
    key: &str,
    path: Option<&str>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let registry = registry(py, options)?;
    let found = py.detach(|| look_up(&shared.read(), registry, key, path.unwrap_or_default()));
    let nested = PyDict::new(py);
    'answers: for Answer { path, said } in found.map_err(Failure::from)? {
        let mut at = nested.clone();
        for name in path {
            at = match at.get_item(&name)? {
                None => {
                    let inner = PyDict::new(py);
                    at.set_item(&name, &inner)?;
                    inner
                }
                Some(inner) => match inner.cast_into() {
                    Ok(inner) => inner,
                    // A node has the name of the keyword, such as `title`. As in Python's asdf, the answer about the node
                    // around it stays.
                    Err(_) => continue 'answers,
                },
            };
        }
        at.set_item(key, said.into_object(py)?)?;
    }
    Ok(nested)
}

/// What the schemas say about a node.
struct Answer {
    path: Vec<Name>,
    said: Said,
}

/// A key, or the index of an item.
#[derive(Clone, IntoPyObjectRef)]
enum Name {
    Key(String),
    Index(usize),
}

enum Said {
    Text(String),
    /// The values of a keyword, each once.
    Values(Vec<Node>),
}

impl Said {
    fn of(described: &Described, key: &str) -> Option<Self> {
        let text = match key {
            "title" => &described.title,
            "description" => &described.description,
            "unit" => &described.unit,
            _ => return (!described.notes.is_empty()).then(|| Self::Values(described.notes.clone())),
        };
        text.clone().map(Self::Text)
    }

    fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        match self {
            Self::Text(text) => text.into_bound_py_any(py),
            Self::Values(values) => {
                let mut objects = Vec::new();
                for value in &values {
                    objects.push(load_plain(py, value.view())?);
                }
                match (objects.pop(), objects.is_empty()) {
                    (Some(only), true) => Ok(only),
                    (last, _) => PyList::new(py, objects.into_iter().chain(last)).map(Bound::into_any),
                }
            }
        }
    }
}

/// A node with the schemas that apply to it.
struct Place<'a> {
    node: NodeRef<'a>,
    path: Vec<Name>,
    described: Vec<Arc<Described>>,
}

fn look_up(file: &File, registry: Arc<Registry>, key: &str, from: &str) -> Result<Vec<Answer>> {
    let mut describer = Describer::new(registry).keyword(key);
    let from = file.tree().resolve_path(from);
    let top: Option<NodeId> =
        if from.as_str().is_empty() { None } else { Some(file.at(from.as_str())?.id()) };
    let (mut answers, mut seen) = (Vec::new(), HashSet::new());
    // The answers about nodes below the one that was asked for, counted from the start of its path.
    let mut start = if top.is_none() { Some(0) } else { None };
    let root = file.tree().root().map(|node| Place { node, path: Vec::new(), described: Vec::new() });
    let mut open: Vec<Place<'_>> = root.into_iter().collect();
    while let Some(Place { node, path, mut described }) = open.pop() {
        if !node.kind().is_scalar() && !seen.insert(node.id()) {
            continue;
        }
        described.extend(node.own_tag().and_then(|tag| describer.tag(tag)));
        if Some(node.id()) == top {
            start = Some(path.len());
            answers.clear();
            open.clear();
        }
        if let Some(start) = start
            && let Some(said) = described.iter().find_map(|described| Said::of(described, key))
        {
            answers.push(Answer { path: path.get(start..).unwrap_or_default().to_vec(), said });
        }
        let mut inside = Vec::new();
        let place = |name, node, described| {
            let path = path.iter().cloned().chain([name]).collect();
            Place { node, path, described }
        };
        match node.kind() {
            Kind::Mapping => {
                for (name, value) in node.entries() {
                    let Some(name) = name.as_str() else { continue };
                    let named = described.iter().flat_map(|described| &described.properties);
                    let described = named.filter(|(own, _)| own == name).map(|(_, found)| found.clone());
                    inside.push(place(Name::Key(name.to_owned()), value, described.collect()));
                }
            }
            Kind::Sequence => {
                for (index, item) in node.items().enumerate() {
                    let described = described.iter().filter_map(|described| described.items.clone());
                    inside.push(place(Name::Index(index), item, described.collect()));
                }
            }
            _ => {}
        }
        open.extend(inside.into_iter().rev());
    }
    Ok(answers)
}
