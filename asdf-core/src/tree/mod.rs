//! The tree: an arena of tagged nodes over blocks of bytes.
//!
//! A [`Tree`] owns the text that it was parsed from, and its scalars point into that text. Nodes are 32-bit
//! ids into vectors. Aliases therefore share one node, cycles are safe, and a tree of a million nodes needs
//! only a handful of allocations. [`NodeRef`] reads a node in a tree. [`Node`] owns a node together with a
//! tree of its own.
//!
//! # Editing
//!
//! [`Tree::edit`] selects a path and changes the value there. [`yaml::write`](crate::yaml::write) returns the
//! text, in which only the necessary bytes have changed. [`File::write`](crate::File::write) writes a file in
//! the same way.
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
//! | the same, and create missing mappings above it | `tree.edit(at).set_with_parents(value)` |
//! | create the missing mappings above a path | `tree.edit(at).make_parents()` |
//! | insert before an item | `tree.edit(at).insert(value)` |
//! | append to a sequence | `tree.edit(at).push(value)` |
//! | remove | `tree.edit(at).remove()` |
//! | rename a key | `tree.edit(at).rename(key)` |
//! | move | `tree.edit(at).move_to(to)` |
//! | merge two mappings | `tree.edit(at).merge(other, winner)` |
//! | set or remove a tag | `tree.edit(at).tag(tag)` |
//!
//! The `add_` methods, such as [`Tree::add_str`], and [`Tree::graft`] create nodes that are not attached
//! anywhere. Attach one by its [`NodeId`]: `tree.edit(at).set(id)`. Programs that traverse a tree themselves
//! can use the methods that take the id of a node: [`Tree::insert`], [`Tree::push`], [`Tree::remove`],
//! [`Tree::remove_item`], [`Tree::order_entries`], [`Tree::set_tag`], [`Tree::set_style`],
//! [`Tree::set_anchor`]. [`Tree::assign`] changes a scalar in all places that share it and keeps its tag and
//! anchor.

mod anchors;
mod blocks;
mod copy;
mod diff;
mod dotted;
mod duplicates;
mod edit;
mod expansion;
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
mod renumber;
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
pub(crate) use blocks::REPEATED_ELEMENTS;
pub(crate) use diff::{ColumnPair, Special};
use expansion::Expansion;
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
/// Get one from [`yaml::parse`](crate::yaml::parse) or [`File::open`](crate::File::open), or create an empty
/// one with [`Tree::new`]. Cloning copies the nodes and shares the text and the blocks.
///
/// # Examples
/// ```
/// use asdf_core::{Tree, yaml};
///
/// let mut tree = yaml::parse("{target: M31, filters: [F158, F184]}")?;
/// assert_eq!(tree.get::<String>("/filters/1")?, "F184");
/// tree.set("/exposure_time", &12.5)?;
///
/// // Nodes can also be created first and attached later.
/// let note = tree.add_str("checked");
/// tree.edit("/note").set(note)?;
/// assert_eq!(tree.root().map(|root| root.len()), Some(4));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "AsdfObject")]
#[doc(alias = "TaggedDict")]
#[derive(Clone, Default)]
pub struct Tree {
    /// The text that was parsed; scalars point into it.
    text: Arc<str>,
    origin: Origin,
    /// Text of scalars that are not a slice of the parsed text: unescaped, folded, or made by a program.
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
    /// What aliases made of the tree when an array was first read from its lists.
    expansion: OnceLock<Expansion>,
    full: bool,
}

impl Tree {
    /// Creates an empty tree.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty tree over a text, for the parser to fill.
    pub(crate) fn over(text: Arc<str>, origin: Origin) -> Self {
        Self { text, origin, ..Self::default() }
    }

    /// Reserves address space for the nodes of a text of this many bytes. Unused space takes no memory.
    pub(crate) fn make_room(&mut self, text: usize) {
        // Short words need eight bytes per node. If the address space is not available, the vectors grow as
        // needed.
        let _ = self.nodes.try_reserve(text / 8);
        let _ = self.places.try_reserve(text / 16);
        let _ = self.children.try_reserve(text / 8);
    }

    /// Returns the first byte of a node's span.
    pub(crate) fn span_start(&self, id: NodeId) -> usize {
        self.record(id).span(&self.places).start as usize
    }

    /// Returns the root node; `None` if there is none, as in a file without a tree.
    #[must_use]
    pub fn root(&self) -> Option<NodeRef<'_>> {
        self.root.map(|id| self.node(id))
    }

    /// Makes a node the root.
    pub fn set_root(&mut self, id: NodeId) {
        self.root = Some(id);
    }

    /// Returns a node by its id.
    ///
    /// # Panics
    /// Panics if the id belongs to another tree and exceeds the number of nodes in this one.
    #[must_use]
    #[inline]
    pub fn node(&self, id: NodeId) -> NodeRef<'_> {
        NodeRef::new(self, id)
    }

    /// Returns the number of nodes created so far, reachable or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether no node was created yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the text that the tree was parsed from; empty for a tree made by a program.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text, reference counted.
    pub(crate) fn shared_text(&self) -> Arc<str> {
        self.text.clone()
    }

    /// Returns the `%TAG` handles in order, such as (`!`, `tag:stsci.edu:asdf/`).
    #[must_use]
    pub fn handles(&self) -> &[(String, String)] {
        &self.handles
    }

    /// Sets the `%TAG` handles that [`yaml::emit`](crate::yaml::emit) declares and uses.
    pub fn set_handles(&mut self, handles: Vec<(String, String)>) {
        self.handles = handles;
    }

    /// Returns the comments of the text, as byte ranges that begin at `#`.
    #[must_use]
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// Returns all tags that nodes have or had, by number.
    pub(crate) fn tags(&self) -> &Tags {
        &self.tags
    }

    /// Iterates over the nodes with an anchor name, and the names.
    pub(crate) fn anchored(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.anchors.iter(&self.text)
    }

    pub(crate) fn add_comment(&mut self, span: Span) {
        self.comments.push(span);
    }

    /// Returns the blocks that ndarray nodes refer to by number.
    #[must_use]
    pub fn blocks(&self) -> &BlockTable {
        &self.blocks
    }

    /// Returns the blocks for changes, such as attaching another one.
    pub fn blocks_mut(&mut self) -> &mut BlockTable {
        &mut self.blocks
    }

    /// Returns the version of the ASDF Standard for new values.
    ///
    /// This is the version of the file that the tree was read from, or 1.6.0.
    #[must_use]
    pub fn standard(&self) -> (u16, u16, u16) {
        self.standard.0
    }

    /// Sets the version of the ASDF Standard for new values.
    pub fn set_standard(&mut self, version: (u16, u16, u16)) {
        self.standard = Standard(version);
    }

    /// Returns whether the tree ran out of ids or text (4 GiB each).
    ///
    /// Everything added after that is null, and the tree cannot be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Returns line and column of a byte of the text, both from 1 and counted in the whole file.
    pub(crate) fn position(&self, byte: u32) -> (u32, u32) {
        let lines = self.lines.get_or_init(|| span::line_starts(&self.text));
        span::position(&self.text, lines, self.origin, byte)
    }

    /// Returns a line of the text without its line break, by its number in the whole file.
    ///
    /// Lines are numbered as in [`NodeRef::position`].
    ///
    /// # Examples
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

    /// Returns the position in the file at which the text begins.
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

    /// Returns the bytes of a scalar.
    #[inline]
    fn content(&self, record: &Record) -> &[u8] {
        let buffer = if record.side() { self.side.as_bytes() } else { self.text.as_bytes() };
        let content = record.content(&self.places);
        buffer.get(content.start..content.start + content.len).unwrap_or_default()
    }

    /// Returns the children of a collection. For a mapping these are keys and values in turn.
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
