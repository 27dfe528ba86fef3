//! Reading a node of a tree.

use std::fmt;
use std::num::NonZeroU32;

use num_bigint::BigInt;

use super::{Kind, Record, Span, Style, Tree, YAML_TAG, scalar};
use crate::error::{Error, Result};

/// The number of a node in its tree.
///
/// # Examples
/// ```
/// use asdf_core::tree::{NodeId, Tree};
///
/// let mut tree = Tree::new();
/// let root: NodeId = tree.add_str("M31");
/// tree.set_root(root);
/// assert_eq!(tree.node(root).as_str(), Some("M31"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    pub(crate) fn from_index(index: usize) -> Option<Self> {
        u32::try_from(index).ok()?.checked_add(1).and_then(NonZeroU32::new).map(Self)
    }

    /// Returns the id as a number that is unique in the tree.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0.get()
    }

    /// Returns the id with a [number](Self::number).
    pub(super) fn new(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }

    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A reference to a node of a tree: two words that are copied freely.
///
/// Everything read through it borrows from the tree.
///
/// # Examples
/// ```
/// use asdf_core::tree::Kind;
/// use asdf_core::yaml;
///
/// let tree = yaml::parse("detector: {gain: 2.5, bits: 16}")?;
/// let detector = tree.at("/detector")?;
/// assert_eq!(detector.kind(), Kind::Mapping);
/// assert_eq!(detector.get("gain").and_then(|gain| gain.as_f64()), Some(2.5));
/// let keys: Vec<_> = detector.entries().filter_map(|(key, _)| key.as_str()).collect();
/// assert_eq!(keys, ["gain", "bits"]);
/// assert_eq!(detector.position(), Some((1, 11))); // line and column, for messages
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "TaggedDict")]
#[doc(alias = "TaggedList")]
#[doc(alias = "TaggedString")]
#[derive(Clone, Copy)]
pub struct NodeRef<'a> {
    tree: &'a Tree,
    id: NodeId,
}

impl<'a> NodeRef<'a> {
    #[inline]
    pub(super) fn new(tree: &'a Tree, id: NodeId) -> Self {
        let _ = tree.record(id);
        Self { tree, id }
    }

    #[inline]
    fn record(self) -> &'a Record {
        self.tree.record(self.id)
    }

    /// Returns the tree of the node.
    #[must_use]
    #[inline]
    pub fn tree(self) -> &'a Tree {
        self.tree
    }

    /// Returns the node's id. Two references to a shared node have the same id.
    #[must_use]
    #[inline]
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Returns the kind of the node.
    #[must_use]
    #[inline]
    pub fn kind(self) -> Kind {
        self.record().kind()
    }

    /// Returns the style in which the node was written or will be written.
    #[must_use]
    pub fn style(self) -> Style {
        self.record().style()
    }

    /// Returns the explicit tag as a full URI, whatever handle it was written with.
    #[doc(alias = "_tag")]
    #[must_use]
    #[inline]
    pub fn tag(self) -> Option<&'a str> {
        let index = (self.record().tag() as usize).checked_sub(1)?;
        self.tree.tags.get(index)
    }

    /// Returns the number of the tag among the tags of the tree, from 0.
    ///
    /// Use it as an index into tables of tags.
    #[must_use]
    #[inline]
    pub fn tag_index(self) -> Option<usize> {
        (self.record().tag() as usize).checked_sub(1)
    }

    /// Returns the tag unless it is one of YAML's own, such as `!!str` and `!!set`.
    #[must_use]
    #[inline]
    pub fn own_tag(self) -> Option<&'a str> {
        self.tag().filter(|tag| !tag.starts_with(YAML_TAG))
    }

    /// Returns the name of the node's anchor, to which aliases refer.
    #[doc(alias = "alias")]
    #[must_use]
    pub fn anchor(self) -> Option<&'a str> {
        self.tree.anchors.get(self.id, &self.tree.text)
    }

    /// Returns the range of the tree's text that the node was read from, without tag and anchor.
    ///
    /// The range is empty for a node made by a program.
    #[must_use]
    pub fn span(self) -> Span {
        self.record().span(&self.tree.places)
    }

    /// Returns line and column in the file, both from 1, with the column in characters.
    ///
    /// Returns `None` for a node made by a program.
    #[must_use]
    pub fn position(self) -> Option<(u32, u32)> {
        let span = self.span();
        (!self.tree.text.is_empty() && (span.end > 0)).then(|| self.tree.position(span.start))
    }

    /// Returns line and column of the end of the node, counted as in [`position`](Self::position).
    #[must_use]
    pub fn end_position(self) -> Option<(u32, u32)> {
        let span = self.span();
        (!self.tree.text.is_empty() && (span.end > 0)).then(|| self.tree.position(span.end))
    }

    /// Returns a scalar's content, unescaped and unfolded, whatever its kind; `None` for a collection.
    #[must_use]
    #[inline]
    pub fn text(self) -> Option<&'a str> {
        let record = self.record();
        if !record.kind().is_scalar() {
            return None;
        }
        let buffer = if record.side() { self.tree.side.as_str() } else { &self.tree.text };
        let content = record.content(&self.tree.places);
        buffer.get(content.start..content.start + content.len)
    }

    /// Returns a string's content; `None` for every other kind.
    #[must_use]
    #[inline]
    pub fn as_str(self) -> Option<&'a str> {
        if self.kind() == Kind::String { self.text() } else { None }
    }

    /// Returns whether the node is null.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Returns a boolean's value.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        if self.kind() == Kind::Bool { scalar::to_bool(self.text()?) } else { None }
    }

    /// Returns an integer's value if it fits.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.as_i128()?.try_into().ok()
    }

    /// Returns an integer's value if it fits.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.as_i128()?.try_into().ok()
    }

    /// Returns an integer's value if it fits.
    #[must_use]
    pub fn as_i128(self) -> Option<i128> {
        if self.kind() == Kind::Int { scalar::to_i128(self.text()?) } else { None }
    }

    /// Returns an integer's value if it has up to 20,000 digits.
    #[must_use]
    pub fn as_bigint(self) -> Option<BigInt> {
        if self.kind() == Kind::Int { scalar::to_bigint(self.text()?) } else { None }
    }

    /// Returns a float's value, or the float nearest to an integer's value.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        match self.kind() {
            Kind::Float => scalar::to_f64(self.text()?),
            Kind::Int => match self.as_i128() {
                #[allow(clippy::cast_precision_loss, reason = "the nearest float is what is promised")]
                Some(value) => Some(value as f64),
                None => self.as_bigint()?.to_string().parse().ok(),
            },
            _ => None,
        }
    }

    /// Returns the bytes of a `!!binary` scalar, decoded from base64.
    #[must_use]
    pub fn as_bytes(self) -> Option<Vec<u8>> {
        use base64::Engine as _;
        if self.tag() != Some(concat!("tag:yaml.org,2002:", "binary")) {
            return None;
        }
        let text: String = self.text()?.split_ascii_whitespace().collect();
        base64::engine::general_purpose::STANDARD.decode(text).ok()
    }

    /// Returns the number of items or entries; 0 for a scalar.
    #[must_use]
    #[inline]
    pub fn len(self) -> usize {
        let record = self.record();
        match record.kind() {
            Kind::Sequence => record.len(),
            Kind::Mapping => record.len() / 2,
            _ => 0,
        }
    }

    /// Returns whether the node has no items or entries.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the ids of a collection's children: items, or keys and values in turn.
    #[inline]
    pub(crate) fn child_ids(self) -> &'a [NodeId] {
        let record = self.record();
        if record.kind().is_scalar() { &[] } else { self.tree.child_ids(record) }
    }

    /// Iterates over a sequence's items in order; nothing for other kinds.
    #[must_use]
    #[inline]
    pub fn items(self) -> Items<'a> {
        let ids = if self.kind() == Kind::Sequence { self.child_ids() } else { &[] };
        Items { tree: self.tree, ids: ids.iter() }
    }

    /// Iterates over a mapping's keys and values in the order of the file; nothing for other kinds.
    #[must_use]
    #[inline]
    pub fn entries(self) -> Entries<'a> {
        let ids = if self.kind() == Kind::Mapping { self.child_ids() } else { &[] };
        Entries { tree: self.tree, ids: ids.chunks_exact(2) }
    }

    /// Returns a mapping's values in the order of the file; nothing for other kinds.
    #[must_use]
    pub fn values(self) -> Vec<NodeRef<'a>> {
        self.entries().map(|(_, value)| value).collect()
    }

    /// Returns the bytes of a scalar's [text](Self::text), without checking character boundaries.
    #[inline]
    pub(super) fn content(self) -> &'a [u8] {
        self.tree.content(self.record())
    }

    /// Returns a sequence's item by index, from 0.
    #[must_use]
    pub fn item(self, index: usize) -> Option<NodeRef<'a>> {
        self.items().nth(index)
    }

    /// Creates an error at this node: "found X, expected ..." with line and column.
    #[must_use]
    pub fn expected(self, what: impl fmt::Display) -> Error {
        self.error(format!("found {}, expected {what}", self.describe()))
    }

    /// Creates a [`Mismatch`](crate::error::Kind::Mismatch) error at this node with a custom message.
    #[must_use]
    pub fn error(self, message: impl Into<String>) -> Error {
        self.place(Error::mismatch(message))
    }

    /// Adds the line and column of this node to an error that has none.
    #[must_use]
    pub fn place(self, error: Error) -> Error {
        match self.position() {
            Some((line, column)) => error.at_position(line, column),
            None => error,
        }
    }

    /// Describes the node in a few words for messages: `the string 'abc'`, `a sequence of 3 items`.
    #[must_use]
    pub fn describe(self) -> String {
        const SHOWN: usize = 60;
        let kind = match (self.kind(), self.text()) {
            (Kind::Null, _) => "null".to_owned(),
            (Kind::Sequence, _) => format!("a sequence of {}", plural(self.len(), "item")),
            (Kind::Mapping, _) => format!("a mapping of {}", plural(self.len(), "entry")),
            (kind, text) => {
                let text = text.unwrap_or_default();
                let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
                if text.chars().nth(SHOWN).is_some() {
                    shown.push('…');
                }
                let noun = kind.to_string();
                let noun = noun.trim_start_matches("a ").trim_start_matches("an ").to_owned();
                if kind == Kind::String {
                    format!("the {noun} '{shown}'")
                } else {
                    format!("the {noun} {shown}")
                }
            }
        };
        match self.own_tag() {
            Some(tag) => format!("{kind} tagged {}", tag.escape_debug()),
            None => kind,
        }
    }

    /// Fails with [`expected`](Self::expected).
    ///
    /// # Errors
    /// Always returns the error.
    pub fn fail<T>(self, what: impl fmt::Display) -> Result<T> {
        Err(self.expected(what))
    }
}

fn plural(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

impl fmt::Debug for NodeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.describe())
    }
}

/// The items of a sequence.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    tree: &'a Tree,
    ids: std::slice::Iter<'a, NodeId>,
}

impl<'a> Iterator for Items<'a> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.ids.next().map(|&id| self.tree.node(id))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.ids.nth(n).map(|&id| self.tree.node(id))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ids.size_hint()
    }
}

impl ExactSizeIterator for Items<'_> {}

impl DoubleEndedIterator for Items<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.ids.next_back().map(|&id| self.tree.node(id))
    }
}

/// The keys and values of a mapping.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    tree: &'a Tree,
    ids: std::slice::ChunksExact<'a, NodeId>,
}

impl<'a> Entries<'a> {
    fn pair(&self, ids: &[NodeId]) -> Option<(NodeRef<'a>, NodeRef<'a>)> {
        match ids {
            &[key, value] => Some((self.tree.node(key), self.tree.node(value))),
            _ => None,
        }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (NodeRef<'a>, NodeRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.ids.next().and_then(|ids| self.pair(ids))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ids.size_hint()
    }
}

impl ExactSizeIterator for Entries<'_> {}

impl DoubleEndedIterator for Entries<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.ids.next_back().and_then(|ids| self.pair(ids))
    }
}
