//! Loads YAML as the loader of Python's asdf does: objects of Python at once, without views.
//!
//! The result is equal to that of PyYAML, or there is none and the caller uses PyYAML. Rare forms are left to
//! PyYAML on purpose: merge keys, sets, pairs, binary values, keys that cannot be hashed, and all errors.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use asdf_core::NodeId;
use asdf_core::tree::{Kind, NodeRef, Style, YAML_TAG};
use asdf_core::yaml::{ParseOptions, parse_with};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::merge;

/// Integers of more digits are left to PyYAML, because Python refuses to convert very long ones.
const MAX_INTEGER: usize = 1000;

/// Keys up to this length are made once and shared.
const SHARED_KEY: usize = 32;

/// The classes of Python's asdf for nodes with a tag: of mappings, of sequences, of strings, and `OrderedDict`.
pub(crate) type Classes<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Loads a YAML document. Returns a tuple of the document, or None if PyYAML must load it.
///
/// Without `classes`, a document with tags that are not those of YAML is left to PyYAML.
#[pyfunction]
#[pyo3(signature = (content, classes=None))]
pub(crate) fn load_yaml<'py>(
    py: Python<'py>,
    content: &Bound<'py, PyAny>,
    classes: Option<Classes<'py>>,
) -> PyResult<Option<(Bound<'py, PyAny>,)>> {
    let text = match (content.cast::<PyBytes>(), content.cast::<PyString>()) {
        (Ok(bytes), _) => std::str::from_utf8(bytes.as_bytes()).ok().map(Arc::<str>::from),
        (_, Ok(text)) => text.to_cow().ok().map(Arc::<str>::from),
        _ => None,
    };
    let Some(text) = text.filter(|text| is_usual(text)) else { return Ok(None) };
    let Ok(tree) = py.detach(|| parse_with(text, ParseOptions::default())) else { return Ok(None) };
    match tree.root() {
        // PyYAML refuses some texts of a scalar only.
        Some(root) if root.kind().is_scalar() => Ok(None),
        Some(root) => finish(Builder::new(py, classes).object(root)),
        None => Ok(Some((py.None().into_bound(py),))),
    }
}

/// Makes the objects of a node of a file. Returns a tuple of the node, or None if PyYAML must load its text.
pub(crate) fn load_tree<'py>(
    py: Python<'py>,
    node: NodeRef<'_>,
    classes: Classes<'py>,
) -> PyResult<Option<(Bound<'py, PyAny>,)>> {
    let mut builder = Builder::new(py, Some(classes));
    builder.merges = true;
    finish(builder.object(node))
}

/// Makes plain objects of a node of a schema.
pub(crate) fn load_plain<'py>(py: Python<'py>, node: NodeRef<'_>) -> PyResult<Bound<'py, PyAny>> {
    match Builder::new(py, None).object(node) {
        Ok(object) => Ok(object),
        // A form that only PyYAML knows is shown as text.
        Err(Stop::Unusual) => Ok(PyString::new(py, &node.describe()).into_any()),
        Err(Stop::Python(error)) => Err(error),
    }
}

fn finish(object: Result<Bound<'_, PyAny>, Stop>) -> PyResult<Option<(Bound<'_, PyAny>,)>> {
    match object {
        Ok(object) => Ok(Some((object,))),
        Err(Stop::Unusual) => Ok(None),
        Err(Stop::Python(error)) => Err(error),
    }
}

/// Returns whether our parser and PyYAML agree on the text, apart from rare forms that only PyYAML refuses.
fn is_usual(text: &str) -> bool {
    let mut directives = text.lines().take_while(|line| line.is_empty() || line.starts_with(['%', '#']));
    // PyYAML makes a string of a node that is only `!`.
    let is_alone = |(at, _): (usize, &str)| {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        let starts =
            before.chars().next_back().is_none_or(|last| last.is_whitespace() || "[{,".contains(last));
        let next = behind.trim_start_matches(' ').chars().next();
        starts && next.is_none_or(|next| next.is_whitespace() || "#,:]}".contains(next))
    };
    // A byte order mark has rules of its own. PyYAML refuses some tabs and unknown directives.
    !text.starts_with('\u{feff}')
        && !text.match_indices('!').any(is_alone)
        && !text.contains('\t')
        && directives
            .all(|line| !line.starts_with('%') || line.starts_with("%YAML ") || line.starts_with("%TAG "))
}

/// Why a tree did not become objects.
enum Stop {
    /// It has a form that is left to PyYAML.
    Unusual,
    /// Python raised an exception, for example because memory ran out.
    Python(PyErr),
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

/// Makes the objects of a tree.
struct Builder<'py, 'tree> {
    py: Python<'py>,
    classes: Option<Classes<'py>>,
    /// The tags as strings of Python, by their number.
    tags: Vec<Option<Bound<'py, PyString>>>,
    keys: HashMap<&'tree str, Bound<'py, PyString>>,
    /// The objects of nodes with an anchor. An alias is the same object.
    anchored: HashMap<NodeId, Bound<'py, PyAny>>,
    names: HashSet<&'tree str>,
    parse_timestamp: Option<Bound<'py, PyAny>>,
    /// Whether merge keys are resolved here. Otherwise they are left to PyYAML.
    merges: bool,
}

/// What the tag of a node means for PyYAML.
enum Tag<'tree> {
    /// The kind of the node decides.
    Implicit,
    Omap,
    Own(&'tree str, usize),
}

impl<'py, 'tree> Builder<'py, 'tree> {
    fn new(py: Python<'py>, classes: Option<Classes<'py>>) -> Self {
        Self {
            py,
            classes,
            tags: Vec::new(),
            keys: HashMap::new(),
            anchored: HashMap::new(),
            names: HashSet::new(),
            parse_timestamp: None,
            merges: false,
        }
    }

    fn object(&mut self, node: NodeRef<'tree>) -> Result<Bound<'py, PyAny>, Stop> {
        let anchor = node.anchor();
        if let Some(name) = anchor {
            if let Some(object) = self.anchored.get(&node.id()) {
                return Ok(object.clone());
            }
            // PyYAML refuses a name that is used twice, or has other characters.
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
            if !name.bytes().all(is_plain) || !self.names.insert(name) {
                return Err(Stop::Unusual);
            }
        }
        let object = match (tag(node)?, node.kind()) {
            (tag, Kind::Mapping) => return self.mapping(node, tag, anchor.is_some()),
            (Tag::Omap, Kind::Sequence) => return self.omap(node, anchor.is_some()),
            (Tag::Omap, _) => return Err(Stop::Unusual),
            (tag, Kind::Sequence) => return self.sequence(node, tag, anchor.is_some()),
            (Tag::Own(tag, number), _) => self.tagged_string(node, tag, number)?,
            (Tag::Implicit, _) => self.scalar(node)?,
        };
        if anchor.is_some() {
            self.anchored.insert(node.id(), object.clone());
        }
        Ok(object)
    }

    /// Wraps a collection with a tag in the class of asdf.
    fn wrapped(
        &mut self,
        inner: Bound<'py, PyAny>,
        tag: &Tag<'tree>,
        kind: Kind,
    ) -> Result<Bound<'py, PyAny>, Stop> {
        let &Tag::Own(tag, number) = tag else { return Ok(inner) };
        let tag = self.tag_string(tag, number);
        let (dict, list, ..) = self.classes.as_ref().ok_or(Stop::Unusual)?;
        let class = if kind == Kind::Mapping { dict } else { list };
        Ok(class.call1((inner, tag))?)
    }

    fn mapping(
        &mut self,
        node: NodeRef<'tree>,
        tag: Tag<'tree>,
        shared: bool,
    ) -> Result<Bound<'py, PyAny>, Stop> {
        if matches!(tag, Tag::Omap) {
            return Err(Stop::Unusual);
        }
        let dict = PyDict::new(self.py);
        let object = self.wrapped(dict.clone().into_any(), &tag, Kind::Mapping)?;
        if shared {
            // Before its values, which can contain it.
            self.anchored.insert(node.id(), object.clone());
        }
        let merged = if self.merges && node.get("<<").is_some() { merge::entries(node) } else { Vec::new() };
        let own = if merged.is_empty() { Some(node.entries()) } else { None };
        for (key, value) in merged.into_iter().chain(own.into_iter().flatten()) {
            let key = self.key(key)?;
            dict.set_item(key, self.object(value)?)?;
        }
        Ok(object)
    }

    fn sequence(
        &mut self,
        node: NodeRef<'tree>,
        tag: Tag<'tree>,
        shared: bool,
    ) -> Result<Bound<'py, PyAny>, Stop> {
        let list = PyList::empty(self.py);
        let object = self.wrapped(list.clone().into_any(), &tag, Kind::Sequence)?;
        if shared {
            self.anchored.insert(node.id(), object.clone());
        }
        for item in node.items() {
            list.append(self.object(item)?)?;
        }
        Ok(object)
    }

    fn omap(&mut self, node: NodeRef<'tree>, shared: bool) -> Result<Bound<'py, PyAny>, Stop> {
        let (_, _, _, class) = self.classes.as_ref().ok_or(Stop::Unusual)?;
        let object = class.call0()?;
        if shared {
            self.anchored.insert(node.id(), object.clone());
        }
        for item in node.items() {
            let mut entries = item.entries();
            let (Some((key, value)), None) = (entries.next(), entries.next()) else {
                return Err(Stop::Unusual);
            };
            let key = self.key(key)?;
            object.set_item(key, self.object(value)?)?;
        }
        Ok(object)
    }

    /// Makes a key. Collections and strings with a tag cannot be hashed, which is an error of PyYAML.
    fn key(&mut self, node: NodeRef<'tree>) -> Result<Bound<'py, PyAny>, Stop> {
        let text = match (node.as_str(), node.tag(), node.anchor()) {
            (Some(text), None, None) if text.len() <= SHARED_KEY => text,
            _ if node.own_tag().is_some() || !node.kind().is_scalar() => return Err(Stop::Unusual),
            _ => return self.object(node),
        };
        if let Some(key) = self.keys.get(text) {
            return Ok(key.clone().into_any());
        }
        check_string(node, text)?;
        let key = PyString::new(self.py, text);
        self.keys.insert(text, key.clone());
        Ok(key.into_any())
    }

    fn tagged_string(
        &mut self,
        node: NodeRef<'tree>,
        tag: &'tree str,
        number: usize,
    ) -> Result<Bound<'py, PyAny>, Stop> {
        let tag = self.tag_string(tag, number);
        let (_, _, class, _) = self.classes.as_ref().ok_or(Stop::Unusual)?;
        let object = class.call1((node.text().unwrap_or_default(),))?;
        object.setattr(pyo3::intern!(self.py, "_tag"), tag)?;
        Ok(object)
    }

    fn tag_string(&mut self, tag: &str, number: usize) -> Bound<'py, PyString> {
        if self.tags.len() <= number {
            self.tags.resize(number + 1, None);
        }
        match self.tags.get_mut(number) {
            Some(slot) => slot.get_or_insert_with(|| PyString::new(self.py, tag)).clone(),
            None => PyString::new(self.py, tag),
        }
    }

    fn scalar(&mut self, node: NodeRef<'tree>) -> Result<Bound<'py, PyAny>, Stop> {
        let text = node.text().unwrap_or_default();
        Ok(match node.kind() {
            Kind::Null => self.py.None().into_bound(self.py),
            Kind::Bool => node.as_bool().ok_or(Stop::Unusual)?.into_bound_py_any(self.py)?,
            Kind::Int => match node.as_i64() {
                Some(int) => int.into_bound_py_any(self.py)?,
                None if text.len() > MAX_INTEGER => return Err(Stop::Unusual),
                None => node.as_bigint().ok_or(Stop::Unusual)?.into_bound_py_any(self.py)?,
            },
            Kind::Float => node.as_f64().ok_or(Stop::Unusual)?.into_bound_py_any(self.py)?,
            Kind::Timestamp => self.timestamp(text)?,
            _ => {
                // A tag makes a string of any text, but not of the `:` after it.
                if node.tag().is_none() || text.starts_with(':') {
                    check_string(node, text)?;
                }
                PyString::new(self.py, text).into_any()
            }
        })
    }

    fn timestamp(&mut self, text: &str) -> Result<Bound<'py, PyAny>, Stop> {
        if self.parse_timestamp.is_none() {
            self.parse_timestamp = Some(self.py.import("asdfast._timestamps")?.getattr("parse")?);
        }
        let parse = self.parse_timestamp.as_ref().ok_or(Stop::Unusual)?;
        let object = parse.call1((text,))?;
        // Python has no such date, which is an error of PyYAML.
        if object.is_instance_of::<PyString>() { Err(Stop::Unusual) } else { Ok(object) }
    }
}

/// Returns what a tag means, if it is not one that is left to PyYAML.
fn tag(node: NodeRef<'_>) -> Result<Tag<'_>, Stop> {
    let (Some(tag), Some(number)) = (node.tag(), node.tag_index()) else { return Ok(Tag::Implicit) };
    let Some(name) = tag.strip_prefix(YAML_TAG) else { return Ok(Tag::Own(tag, number)) };
    let kind = node.kind();
    match name {
        "omap" => Ok(Tag::Omap),
        "map" if kind == Kind::Mapping => Ok(Tag::Implicit),
        "seq" if kind == Kind::Sequence => Ok(Tag::Implicit),
        "str" if kind == Kind::String => Ok(Tag::Implicit),
        "int" if kind == Kind::Int => Ok(Tag::Implicit),
        "float" if kind == Kind::Float => Ok(Tag::Implicit),
        "bool" if kind == Kind::Bool => Ok(Tag::Implicit),
        _ => Err(Stop::Unusual),
    }
}

/// Leaves texts to PyYAML that are not strings for it: merge keys, default values, integers without digits such
/// as `0x_`, the indicators of `[?x]` and `{:x}`, and an empty text after a tag.
fn check_string(node: NodeRef<'_>, text: &str) -> Result<(), Stop> {
    let is_number = || {
        let digits = text.trim_start_matches(['-', '+']);
        let digits = digits.strip_prefix("0b").or_else(|| digits.strip_prefix("0x"));
        digits.is_some_and(|digits| digits.bytes().all(|byte| byte == b'_'))
    };
    let unusual = match text.as_bytes() {
        b"<<" | b"=" => true,
        [] | [b'?' | b':', ..] => node.style() == Style::Plain,
        [.., b'_'] => is_number(),
        _ => false,
    };
    if unusual { Err(Stop::Unusual) } else { Ok(()) }
}
