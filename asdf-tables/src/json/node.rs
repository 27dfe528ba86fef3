//! Writes nodes of a tree as JSON.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io::Write;

use asdf_core::array::{ByteOrder, Complex, Datatype, ReadBudget, Value};
use asdf_core::tree::{Kind, NodeId, NodeRef, Path, Style};
use asdf_core::value::{Asdf as _, FromNode};
use asdf_core::{Error, NdArray, Result};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::{Printable, element, float};
use crate::Advice;
use crate::output::output;

/// The representation of tags and arrays of a tree in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Keeps tags: a tagged node, including an array, is `{"$tag", "$value"}`.
    ///
    /// A mapping with keys that are not strings is `{"$map": [[key, value], ..]}`. NaN and infinity are
    /// `{"$float": "nan"}`, `"inf"` and `"-inf"`.
    Tagged,
    /// Like [`Tagged`](Self::Tagged), but with a digest for each array instead of its elements.
    ///
    /// An array is `{"$tag", "$array": {"datatype", "shape", "sha256"}}`. The digest is that of its elements in C order,
    /// little-endian.
    Digests,
    /// Leaves out tags. Arrays are written as nodes, all keys as text, and merge keys are applied.
    ///
    /// Floats are converted by [`float`], and complex numbers are `{"re", "im"}`.
    Untagged,
    /// Like [`Untagged`](Self::Untagged), but keeps tags.
    ///
    /// A mapping has its tag under the key `$tag`, and other tagged nodes are `{"$tag", "$value"}`.
    TagKeys,
}

/// Writes a node as JSON.
///
/// An alias is written as a copy of its target, or as `{"$cycle": true}` if it is inside its target.
///
/// # Examples
/// ```
/// use asdf_core::yaml;
/// use asdf_tables::json::{Form, write_node};
///
/// let tree = yaml::parse("{z: !<tag:stsci.edu:asdf/core/complex-1.0.0> 1+2j, 1: .nan}")?;
/// let root = tree.at("")?;
/// let text = |form| {
///     let mut out = Vec::new();
///     write_node(root, form, &mut out)?;
///     Ok::<_, asdf_core::Error>(String::from_utf8_lossy(&out).into_owned())
/// };
/// assert_eq!(text(Form::Untagged)?, r#"{"z": {"im":2.0,"re":1.0}, "1": "NaN"}"#);
/// assert!(text(Form::Tagged)?.ends_with(r#"[1, {"$float": "nan"}]]}"#));
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Errors
/// [`Limit`](asdf_core::error::Kind::Limit) if the aliases expand to far more nodes than the tree has, and, for
/// [`Form::Digests`], if the arrays [repeat](ReadBudget) too many elements. Also if an array cannot be read, for
/// [`Form::Digests`], and if the output fails.
pub fn write_node(node: NodeRef<'_>, form: Form, out: &mut dyn Write) -> Result<()> {
    Writer::new(node, form, out).node(node)
}

/// Writes a node as [`Form::Untagged`], and returns the arrays in it with their paths.
///
/// An array with several paths is returned once for each.
///
/// # Errors
/// The errors of [`write_node`].
pub fn write_with_arrays<'a>(node: NodeRef<'a>, out: &mut dyn Write) -> Result<Vec<(Path, NodeRef<'a>)>> {
    let mut writer = Writer::new(node, Form::Untagged, out);
    writer.met = Some((Path::root(), Vec::new()));
    writer.node(node)?;
    Ok(writer.met.map(|(_, arrays)| arrays).unwrap_or_default())
}

/// Converts a node to a value as [`Form::Untagged`]; to a description of the node if it is too large.
#[must_use]
pub fn node(node: NodeRef<'_>) -> Json {
    let mut text = Vec::new();
    match write_node(node, Form::Untagged, &mut text) {
        Ok(()) => serde_json::from_slice(&text).unwrap_or_else(|_| node.describe().into()),
        Err(_) => node.describe().into(),
    }
}

struct Writer<'w, 'a> {
    form: Form,
    /// The path of the node that is being written, and the arrays so far; `None` if the caller does not need them.
    met: Option<(Path, Vec<(Path, NodeRef<'a>)>)>,
    out: &'w mut dyn Write,
    /// The collections that are being written, to find cycles. The depth of the tree limits its length.
    open: Vec<NodeId>,
    budget: usize,
    reads: ReadBudget,
    /// The digests of arrays with aliases.
    digests: HashMap<NodeId, Json>,
}

impl<'w, 'a> Writer<'w, 'a> {
    fn new(root: NodeRef<'a>, form: Form, out: &'w mut dyn Write) -> Self {
        let budget = root.tree().len().saturating_mul(16).max(1 << 20);
        let (reads, digests) = (ReadBudget::of(root.tree()), HashMap::new());
        Self { form, met: None, out, open: Vec::new(), budget, reads, digests }
    }

    /// Writes a node below the one that is being written.
    fn child(&mut self, step: &str, node: NodeRef<'a>) -> Result<()> {
        let Some((path, _)) = &mut self.met else { return self.node(node) };
        let before = path.clone();
        path.push(step);
        self.node(node)?;
        if let Some((path, _)) = &mut self.met {
            *path = before;
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).map_err(output)
    }

    fn json(&mut self, value: &Json) -> Result<()> {
        write!(self.out, "{}", Printable(value)).map_err(output)
    }

    fn node(&mut self, node: NodeRef<'a>) -> Result<()> {
        self.budget = self.budget.checked_sub(1).ok_or_else(|| {
            Error::limit("the aliases of the tree expand to too many nodes").with_hint(Advice::Aliases)
        })?;
        if self.open.contains(&node.id()) {
            return self.text("{\"$cycle\": true}");
        }
        let Some(tag) = node.own_tag() else { return self.bare(node) };
        if self.form == Form::TagKeys && node.kind() == Kind::Mapping {
            return self.bare(node);
        }
        if self.form == Form::Untagged {
            if let Some((path, arrays)) = self.met.as_mut().filter(|_| NdArray::accepts_tag(tag)) {
                arrays.push((path.clone(), node));
            }
            return match node
                .text()
                .filter(|_| tag == Complex::TAG)
                .and_then(|text| text.parse::<Complex>().ok())
            {
                Some(number) => self.json(&element(&Value::Complex(number.value()))),
                None => self.bare(node),
            };
        }
        self.text("{\"$tag\": ")?;
        self.json(&tag.into())?;
        if self.form == Form::Digests && NdArray::accepts_tag(tag) {
            self.text(", \"$array\": ")?;
            let array = self.digest(node).map_err(|error| match node.position() {
                Some((line, column)) => error.at_position(line, column),
                None => error,
            })?;
            self.json(&array)?;
        } else {
            self.text(", \"$value\": ")?;
            self.bare(node)?;
        }
        self.text("}")
    }

    /// Returns the digest of an array. That of a node with an anchor is kept for its aliases.
    fn digest(&mut self, node: NodeRef<'a>) -> Result<Json> {
        if let Some(known) = self.digests.get(&node.id()) {
            return Ok(known.clone());
        }
        let array = NdArray::from_node(node)?;
        self.reads.take(&array)?;
        let found = digest(&array)?;
        if node.anchor().is_some() {
            self.digests.insert(node.id(), found.clone());
        }
        Ok(found)
    }

    fn bare(&mut self, node: NodeRef<'a>) -> Result<()> {
        if node.kind().is_scalar() {
            return self.scalar(node);
        }
        self.open.push(node.id());
        let is_text = |key: NodeRef<'_>| key.kind() == Kind::String && key.own_tag().is_none();
        let texts = node.entries().all(|(key, _)| is_text(key));
        if node.kind() == Kind::Sequence {
            self.text("[")?;
            for (index, item) in node.items().enumerate() {
                self.text(if index > 0 { ", " } else { "" })?;
                self.child(&index.to_string(), item)?;
            }
            self.text("]")?;
        } else if matches!(self.form, Form::Untagged | Form::TagKeys) {
            self.text("{")?;
            let tag = node.own_tag().filter(|_| self.form == Form::TagKeys);
            if let Some(tag) = tag {
                self.text("\"$tag\": ")?;
                self.json(&tag.into())?;
                self.text(if node.is_empty() { "" } else { ", " })?;
            }
            for (index, (key, value)) in merged(node).into_iter().enumerate() {
                self.text(if index > 0 { ", " } else { "" })?;
                self.json(&key.as_str().into())?;
                self.text(": ")?;
                self.child(&key, value)?;
            }
            self.text("}")?;
        } else if texts {
            self.text("{")?;
            for (index, (key, value)) in node.entries().enumerate() {
                self.text(if index > 0 { ", " } else { "" })?;
                self.json(&key.text().unwrap_or_default().into())?;
                self.text(": ")?;
                self.node(value)?;
            }
            self.text("}")?;
        } else {
            self.text("{\"$map\": [")?;
            for (index, (key, value)) in node.entries().enumerate() {
                self.text(if index > 0 { ", [" } else { "[" })?;
                self.node(key)?;
                self.text(", ")?;
                self.node(value)?;
                self.text("]")?;
            }
            self.text("]}")?;
        }
        self.open.pop();
        Ok(())
    }

    fn scalar(&mut self, node: NodeRef<'_>) -> Result<()> {
        let text = node.text().unwrap_or_default();
        match node.kind() {
            Kind::Null => self.text("null"),
            Kind::Bool => self.json(&node.as_bool().into()),
            Kind::Int => match (node.as_i128(), node.as_bigint()) {
                (Some(number), _) => self.text(&number.to_string()),
                (None, Some(number)) => self.text(&number.to_string()),
                // The integer is too long to convert. A decimal one is written as its own text.
                (None, None) if text.bytes().all(|byte| byte.is_ascii_digit()) => self.text(text),
                (None, None) => self.json(&text.into()),
            },
            Kind::Float => {
                let value = node.as_f64().unwrap_or(f64::NAN);
                match (value.is_finite(), self.form) {
                    (true, _) => self.text(&format!("{value:?}")),
                    (false, Form::Untagged | Form::TagKeys) => self.json(&float(value)),
                    (false, _) => {
                        let name = if value.is_nan() {
                            "nan"
                        } else if value > 0.0 {
                            "inf"
                        } else {
                            "-inf"
                        };
                        self.text(&format!("{{\"$float\": \"{name}\"}}"))
                    }
                }
            }
            _ => self.json(&text.into()),
        }
    }
}

/// Returns the entries of a mapping by the text of their keys, with merge keys (`<<`) applied. Its own entries take
/// precedence over merged ones, and earlier merged ones over later ones.
fn merged(node: NodeRef<'_>) -> Vec<(String, NodeRef<'_>)> {
    let is_merge = |key: NodeRef<'_>| key.style() == Style::Plain && key.text() == Some("<<");
    let own = node.entries().filter(|(key, _)| !is_merge(*key));
    let mut entries: Vec<(String, NodeRef<'_>)> = own.map(|(key, value)| (key_text(key), value)).collect();
    let sources =
        node.entries().filter(|(key, _)| is_merge(*key)).flat_map(|(_, value)| match value.kind() {
            Kind::Sequence => value.items().collect(),
            _ => vec![value],
        });
    let mut known: HashSet<String> = entries.iter().map(|(key, _)| key.clone()).collect();
    for source in sources {
        for (key, value) in source.entries() {
            let key = key_text(key);
            if known.insert(key.clone()) {
                entries.push((key, value));
            }
        }
    }
    entries
}

/// Converts a key to text. Numbers and booleans are written by their value.
fn key_text(key: NodeRef<'_>) -> String {
    match (key.as_bool(), key.as_i128()) {
        (Some(flag), _) => flag.to_string(),
        (_, Some(number)) => number.to_string(),
        _ => key.text().map_or_else(|| key.describe(), str::to_owned),
    }
}

fn digest(array: &NdArray) -> Result<Json> {
    /// The number of elements that are read at once.
    const PIECE: u64 = 1 << 20;
    let mut digest = Sha256::new();
    for piece in array.pieces(PIECE)? {
        digest.update(piece?.packed_bytes(ByteOrder::Little)?);
    }
    let mut hex = String::with_capacity(64);
    for byte in digest.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    // numpy's contiguous form of a single value has one axis.
    let shape = if array.shape().is_empty() { &[1] } else { array.shape() };
    Ok(serde_json::json!({
        "datatype": datatype(array.datatype()),
        "shape": shape,
        "sha256": hex,
    }))
}

/// Converts a datatype to the form of the standard.
///
/// A structured datatype is a list of its fields, without byte orders.
#[must_use]
pub fn datatype(datatype: &Datatype) -> Json {
    match datatype {
        Datatype::Ascii(length) => serde_json::json!(["ascii", length]),
        Datatype::Ucs4(length) => serde_json::json!(["ucs4", length]),
        Datatype::Struct(fields) => fields
            .iter()
            .map(|field| {
                let mut object = serde_json::Map::new();
                object.insert("name".into(), field.name.clone().into());
                object.insert("datatype".into(), self::datatype(&field.datatype));
                if !field.shape.is_empty() {
                    object.insert("shape".into(), field.shape.clone().into());
                }
                Json::Object(object)
            })
            .collect(),
        _ => datatype.name().into(),
    }
}
