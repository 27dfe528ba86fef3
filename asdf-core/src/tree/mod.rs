//! The tree: an arena of tagged nodes over blocks of bytes.
//!
//! A [`Tree`] owns the text that it was parsed from, and its scalars point into that text. Nodes
//! are 32-bit ids into vectors, so aliases share one node, cycles are possible and harmless, and a
//! tree of a million nodes is a handful of allocations. [`NodeRef`] is how one looks at a node;
//! [`Node`] owns a tree of its own and is how one keeps a node.
//!
//! # Editing
//!
//! [`Tree::edit`] goes to a place and changes what is there; [`yaml::write`](crate::yaml::write) gives the text,
//! in which only the bytes that must have changed. A file is written like that by
//! [`File::write`](crate::File::write).
//!
//! ```
//! use asdf_core::yaml::{parse, write};
//!
//! let mut tree = parse("# made by hand\nmeta: {gain: 2,  old_time: 12.5} # e-\nlist:\n- a # first\n- b\n")?;
//! tree.edit("/meta/gain").set(2.5)?;
//! tree.edit("/meta/old_time").rename("exposure_time")?;
//! tree.edit("/meta/note").set("checked")?;
//! tree.edit("/list").push("c")?;
//! tree.edit("/list/1").remove()?;
//! assert_eq!(
//!     write(&tree)?,
//!     "# made by hand\nmeta: {gain: 2.5,  exposure_time: 12.5, note: checked} # e-\nlist:\n- a # first\n- c\n"
//! );
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! | to | |
//! |---|---|
//! | set a value, or add one | `tree.edit(at).set(value)`, or [`Tree::set`] |
//! | the same, with the mappings above it | `tree.edit(at).set_with_parents(value)` |
//! | make the mappings above a place | `tree.edit(at).make_parents()` |
//! | insert before an item | `tree.edit(at).insert(value)` |
//! | append to a sequence | `tree.edit(at).push(value)` |
//! | remove | `tree.edit(at).remove()` |
//! | give another key | `tree.edit(at).rename(key)` |
//! | move | `tree.edit(at).move_to(to)` |
//! | merge two mappings | `tree.edit(at).merge(other, winner)` |
//! | set or remove a tag | `tree.edit(at).tag(tag)` |
//!
//! The `add_` methods, such as [`Tree::add_str`], and [`Tree::graft`] make nodes that are not at any place yet. A
//! [`NodeId`] is a value too: `tree.edit(at).set(id)`. The methods that take the id of a collection or scalar are for
//! programs that go through a tree themselves: [`Tree::insert`], [`Tree::push`], [`Tree::remove`],
//! [`Tree::remove_item`], [`Tree::order_entries`], [`Tree::set_tag`], [`Tree::set_style`], [`Tree::set_anchor`].
//! [`Tree::assign`] changes a scalar at all the places that share it; its tag and anchor stay.

mod anchors;
mod blocks;
mod copy;
mod diff;
mod dotted;
mod duplicates;
mod edit;
mod index;
mod keys;
mod kind;
mod merge;
mod node;
mod owned;
mod pointer;
mod rearrange;
mod record;
mod reference;
mod scalar;
mod schema;
mod search;
mod seed;
mod span;
mod tag;
mod tagged;
mod tags;
mod tolerance;
pub(crate) mod uri;
mod walk;

use std::sync::{Arc, OnceLock};

pub(crate) use asdf_schema_model::nearest;
pub use blocks::{Block, BlockTable, Blocks, Stored};
pub use diff::{ArrayDifference, Change, Difference, Differences, ElementsDifference, ShapeDifference};
pub use duplicates::{DuplicateKey, DuplicateKeys};
pub use kind::{Kind, Style};
pub use merge::Winner;
pub use node::{Entries, Items, NodeId, NodeRef};
pub use owned::Node;
pub use pointer::Path;
pub use reference::References;
pub use search::{Match, Search, Sought};
pub use span::{Origin, Span};
pub use tag::tag_matches;
pub use tolerance::{DifferenceOptions, Tolerance};
pub use walk::Walk;

use anchors::Anchors;
pub(crate) use diff::{ColumnPair, Special};
pub(crate) use index::Index;
use keys::KeyTables;
use record::{Place, Record};
pub(crate) use reference::{REF, Target, Trail, follow, percent_decode, percent_encode, reference_uri};
pub(crate) use scalar::{LITERALS, from_f64, has_int, resolve, to_bool, to_f64};
pub(crate) use seed::Seed;
use tags::Tags;

/// The prefix of YAML's own tags (`!!str` is `tag:yaml.org,2002:str`).
pub const YAML_TAG: &str = "tag:yaml.org,2002:";

/// The prefix of the ASDF standard's tags (`!core/ndarray-1.1.0` under `%TAG ! tag:stsci.edu:asdf/`).
pub const ASDF_TAG: &str = "tag:stsci.edu:asdf/";

/// A tree of tagged nodes.
///
/// Made by [`yaml::parse`](crate::yaml::parse), by [`File::open`](crate::File::open), or empty by
/// [`Tree::new`] and filled with the `add_` methods. Cloning copies the arena and shares the text
/// and the blocks.
///
/// ```
/// use asdf_core::{Tree, yaml};
///
/// let mut tree = yaml::parse("{target: M31, filters: [F158, F184]}")?;
/// assert_eq!(tree.get::<String>("/filters/1")?, "F184");
/// tree.set("/exposure_time", &12.5)?;
///
/// // By hand: nodes are added, and then put somewhere.
/// let note = tree.add_str("checked");
/// tree.edit("/note").set(note)?;
/// assert_eq!(tree.root().map(|root| root.len()), Some(4));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Tree {
    /// The text that was parsed; scalars point into it.
    text: Arc<str>,
    origin: Origin,
    /// Where scalars live that are not a slice of the text: unescaped, folded, or made by a program.
    side: String,
    nodes: Vec<Record>,
    places: Vec<Place>,
    children: Vec<NodeId>,
    keys: KeyTables,
    tags: Tags,
    anchors: Anchors,
    root: Option<NodeId>,
    handles: Vec<(String, String)>,
    comments: Vec<Span>,
    blocks: BlockTable,
    standard: Standard,
    lines: OnceLock<Vec<u32>>,
    full: bool,
}

impl Tree {
    /// An empty tree.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty tree over a text, for the parser to fill.
    pub(crate) fn over(text: Arc<str>, origin: Origin) -> Self {
        Self { text, origin, ..Self::default() }
    }

    /// Takes room for the nodes of a text of so many bytes. What is not used costs addresses, no memory.
    pub(crate) fn make_room(&mut self, text: usize) {
        // Short words are eight bytes a node; where there is no such range of addresses, the vectors grow.
        let _ = self.nodes.try_reserve(text / 8);
        let _ = self.places.try_reserve(text / 16);
        let _ = self.children.try_reserve(text / 8);
    }

    /// The first byte of a node's span.
    pub(crate) fn span_start(&self, id: NodeId) -> usize {
        self.record(id).span(&self.places).start as usize
    }

    /// The root node; `None` while there is none, as in a file without a tree.
    #[must_use]
    pub fn root(&self) -> Option<NodeRef<'_>> {
        self.root.map(|id| self.node(id))
    }

    /// Makes a node the root.
    pub fn set_root(&mut self, id: NodeId) {
        self.root = Some(id);
    }

    /// A node by its id.
    ///
    /// # Panics
    /// When the id is of another tree and beyond this one's nodes.
    #[must_use]
    #[inline]
    pub fn node(&self, id: NodeId) -> NodeRef<'_> {
        NodeRef::new(self, id)
    }

    /// The number of nodes made so far, reachable or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no node was made yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The text that the tree was parsed from; empty for a tree made by a program.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, shared.
    pub(crate) fn shared_text(&self) -> Arc<str> {
        self.text.clone()
    }

    /// The `%TAG` handles of the text, in their order: (`!`, `tag:stsci.edu:asdf/`).
    #[must_use]
    pub fn handles(&self) -> &[(String, String)] {
        &self.handles
    }

    /// Sets the `%TAG` handles that [`yaml::emit`](crate::yaml::emit) declares and uses.
    pub fn set_handles(&mut self, handles: Vec<(String, String)>) {
        self.handles = handles;
    }

    /// The comments of the text, as byte ranges in it that begin at `#`.
    #[must_use]
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// All tags that nodes have or had, by their numbers.
    pub(crate) fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The nodes that have an anchor's name, and the names.
    pub(crate) fn anchored(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.anchors.iter(&self.text)
    }

    pub(crate) fn add_comment(&mut self, span: Span) {
        self.comments.push(span);
    }

    /// The blocks that ndarray nodes refer to by number.
    #[must_use]
    pub fn blocks(&self) -> &BlockTable {
        &self.blocks
    }

    /// The blocks, to attach another.
    pub fn blocks_mut(&mut self) -> &mut BlockTable {
        &mut self.blocks
    }

    /// The version of the ASDF Standard that new values are written for: 1.6.0, or that of the file
    /// that the tree was read from.
    #[must_use]
    pub fn standard(&self) -> (u16, u16, u16) {
        self.standard.0
    }

    /// Sets the version of the ASDF Standard that new values are written for.
    pub fn set_standard(&mut self, version: (u16, u16, u16)) {
        self.standard = Standard(version);
    }

    /// Whether the tree ran out of ids or text (4 GiB each). What was added after that is null, and
    /// such a tree cannot be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Line and column of a byte of the text, both from 1 and counted in the whole file.
    pub(crate) fn position(&self, byte: u32) -> (u32, u32) {
        let lines = self.lines.get_or_init(|| span::line_starts(&self.text));
        span::position(&self.text, lines, self.origin, byte)
    }

    /// A line of the text without its end, by its number in the whole file, as positions have it.
    ///
    /// ```
    /// let tree = asdf_core::yaml::parse("a: 1\rb: 2\r\nc: 3\n")?;
    /// assert_eq!(tree.line(2), Some("b: 2"));
    /// assert_eq!(tree.find("/c").and_then(|node| node.position()), Some((3, 4)));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn line(&self, number: u32) -> Option<&str> {
        let starts = self.lines.get_or_init(|| span::line_starts(&self.text));
        let index = number.checked_sub(self.origin.line)? as usize;
        let start = *starts.get(index)? as usize;
        let end = starts.get(index + 1).map_or(self.text.len(), |&end| end as usize);
        Some(self.text.get(start..end)?.trim_end_matches(['\r', '\n']))
    }

    /// Where the text begins in its file.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.origin
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "ids are made by this tree; a foreign one is a documented panic"
    )]
    #[inline]
    pub(crate) fn record(&self, id: NodeId) -> &Record {
        &self.nodes[id.index()]
    }

    /// The bytes of a scalar.
    #[inline]
    fn content(&self, record: &Record) -> &[u8] {
        let buffer = if record.side() { self.side.as_bytes() } else { self.text.as_bytes() };
        let content = record.content(&self.places);
        buffer.get(content.start..content.start + content.len).unwrap_or_default()
    }

    /// The children of a collection; a mapping's keys and values by turns.
    #[inline]
    fn child_ids(&self, record: &Record) -> &[NodeId] {
        let content = record.content(&self.places);
        self.children.get(content.start..content.start + content.len).unwrap_or_default()
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "ids are made by this tree; a foreign one is a documented panic"
    )]
    fn record_mut(&mut self, id: NodeId) -> &mut Record {
        &mut self.nodes[id.index()]
    }
}

#[derive(Debug, Clone, Copy)]
struct Standard((u16, u16, u16));

impl Default for Standard {
    fn default() -> Self {
        Self((1, 6, 0))
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree({} nodes, ", self.nodes.len())?;
        match self.root() {
            Some(root) => write!(f, "{root:?})"),
            None => f.write_str("no root)"),
        }
    }
}
