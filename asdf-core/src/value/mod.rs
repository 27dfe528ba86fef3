//! Rust values and nodes: the one mechanism behind derived and generated types.
//!
//! [`FromNode`] and [`ToNode`] are implemented here for numbers, strings, options, lists, maps,
//! sets and nodes, by `#[derive(Asdf)]` for your types, and by hand for the few with bytes or a grammar
//! behind them (arrays, complex numbers, big integers).
//!
//! An unknown property is kept in an [`Extra`] field, an unknown tag in a [`Tagged`] or [`Node`]
//! field, and the version of a tag in a [`KeptTag`] field, so that what was read is written back. A [`TagPattern`]
//! says which tags a [`Tagged`] takes.
//!
//! Aliases are read as often as they stand, and a type that holds itself can be read from a node that does:
//! a value of more than 128 levels, or of more nodes than four times those of the tree and a million, is an
//! error of the kind [`Limit`](crate::ErrorKind::Limit).
//!
//! Types of other crates, each behind the feature of its name: dates and times of `chrono` and `time`
//! (timestamps), `uuid::Uuid` and `url::Url` (strings), `ndarray::Array` (arrays in blocks). Always there are
//! `half::f16`, `half::bf16` (numbers) and `num_complex::Complex64` (`core/complex-1.0.0`).
//!
//! Types without tags can go through serde instead: the module `serde`, with the feature of that name.

mod bounds;
pub mod check;
#[cfg(feature = "chrono")]
mod chrono;
mod collections;
#[cfg(any(feature = "chrono", feature = "time"))]
mod dates;
pub mod derived;
pub mod description;
mod edit;
mod extra;
mod flatten;
mod kept;
mod moment;
mod nearest;
mod note;
mod number;
mod own_tag;
mod pointers;
mod reference;
mod scalars;
#[cfg(feature = "serde")]
pub mod serde;
mod sets;
mod tag_pattern;
mod tagged;
#[cfg(feature = "time")]
mod time;
mod timestamp;
mod types;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;
mod version;

pub use description::Description;
pub use edit::Edit;
pub use extra::Extra;
pub use kept::KeptTag;
pub use moment::Moment;
pub use nearest::nearest;
pub use note::{Note, Noted};
pub use number::Number;
pub use own_tag::OwnTag;
pub use reference::Reference;
pub use tag_pattern::{AnyTag, TagPattern, TaggedNode};
pub use tagged::{Nullable, Tagged};
pub use timestamp::Timestamp;
pub use types::Types;

use crate::error::Result;
use crate::tree::{Node, NodeId, NodeRef, Tree};

/// A value that can be read from a node.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a node",
    label = "no `FromNode` for this",
    note = "a type of your own can `#[derive(Asdf)]`; for one of another crate there is `#[asdf(with = module)]` on fields"
)]
pub trait FromNode: Sized {
    /// The kinds of node that this can be read from.
    const TYPES: Types;

    /// Whether a property that holds this may be missing: whether there is a value
    /// [`from_absent`](Self::from_absent).
    const OPTIONAL: bool = false;

    /// With which tag values are written.
    const OWN_TAG: OwnTag = OwnTag::Unknown;

    /// Reads the value. The node's own tag was checked by [`read`], or is of no interest to the caller.
    ///
    /// # Errors
    /// [`Mismatch`](crate::ErrorKind::Mismatch) with line, column and the path below this node: what was found
    /// and what was expected. All faults of a mapping are in one error.
    fn from_node(node: NodeRef<'_>) -> Result<Self>;

    /// Reads a node whose tag [`accepts_tag`](Self::accepts_tag). The inner error is for a valid value of another
    /// version of the tag that this type cannot hold; [`Tagged`] then keeps the node.
    ///
    /// # Errors
    /// Those of [`from_node`](Self::from_node).
    fn from_version(node: NodeRef<'_>) -> Result<Result<Self>> {
        Self::from_node(node).map(Ok)
    }

    /// The value for a property that is not there, if it may be missing.
    #[must_use]
    fn from_absent() -> Option<Self> {
        None
    }

    /// Whether a node with this tag can be read without losing the tag.
    #[must_use]
    fn accepts_tag(_tag: &str) -> bool {
        false
    }

    /// What a node has to be, in a few words for messages: "a number", "a mapping tagged ...".
    #[must_use]
    fn expected() -> String {
        Self::TYPES.to_string()
    }

    /// What the type says about its values, for schemas that are made from types.
    #[must_use]
    fn describe() -> Description {
        Description::of::<Self>()
    }

    /// Whether the node looks like one of these, by kind and tag alone: how enums choose a variant.
    #[must_use]
    fn matches(node: NodeRef<'_>) -> bool {
        Self::TYPES.fit(node) && node.own_tag().is_none_or(Self::accepts_tag)
    }
}

/// A value that can be written as a node.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a node",
    label = "no `ToNode` for this",
    note = "a type of your own can `#[derive(Asdf)]`; for one of another crate there is `#[asdf(with = module)]` on fields"
)]
pub trait ToNode {
    /// Adds the value to a tree and gives its node.
    ///
    /// # Errors
    /// When the value cannot be written, such as an array whose bytes cannot be read.
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId>;

    /// Whether the property that holds this is left out.
    #[must_use]
    fn is_absent(&self) -> bool {
        false
    }
}

/// A type with a tag of its own. `#[derive(Asdf)]` implements it when the attribute `tag` is given.
pub trait Asdf: FromNode + ToNode {
    /// The tag that new values are written with.
    const TAG: &'static str;

    /// Further tags, or patterns of tags (see [`tag_matches`](crate::tree::tag_matches)), that are
    /// read as this type.
    const ACCEPTS: &'static [&'static str];
}

/// Reads a value from a node whose own tag, if there is one, the type must be able to keep.
///
/// # Errors
/// As [`FromNode::from_node`]; also when the type would lose the node's tag.
pub fn read<T: FromNode>(node: NodeRef<'_>) -> Result<T> {
    let _level = bounds::Level::enter(node)?;
    match node.own_tag() {
        Some(tag) if !T::accepts_tag(tag) => Err(derived::foreign_tag(node, tag, &T::expected())),
        _ => T::from_node(node),
    }
}

impl Tree {
    /// Reads a value at a JSON Pointer, whatever tag the node itself has: `tree.get::<f64>("/a/b")`.
    ///
    /// # Errors
    /// When there is no such node, or the value is of another type.
    pub fn get<T: FromNode>(&self, pointer: &str) -> Result<T> {
        let node = self.at(pointer)?;
        let slash = if pointer.is_empty() || pointer.starts_with('/') { "" } else { "/" };
        let value = bounds::Level::enter(node).and_then(|_level| T::from_node(node));
        value.map_err(|error| error.at_path(&format!("{slash}{pointer}")))
    }

    /// Writes a value at a JSON Pointer: the last step is a key, new or not, or an index, or `-` for
    /// a new item. A root mapping is made when the tree is empty.
    ///
    /// # Errors
    /// When the steps before the last lead nowhere, or the value cannot be written.
    pub fn set<T: ToNode + ?Sized>(&mut self, pointer: &str, value: &T) -> Result<()> {
        let id = value.to_node(self)?;
        self.set_node(pointer, id)
    }

    fn set_node(&mut self, pointer: &str, id: NodeId) -> Result<()> {
        if self.root().is_none() && !pointer.is_empty() {
            let root = self.add_mapping([]);
            self.set_root(root);
        }
        self.put(pointer, id)
    }
}

impl Node {
    /// A node of a value.
    ///
    /// # Errors
    /// When the value cannot be written.
    pub fn new<T: ToNode + ?Sized>(value: &T) -> Result<Self> {
        Self::make(|tree| value.to_node(tree))
    }
}

impl FromNode for Node {
    const TYPES: Types = Types::ANY;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        Self::copy(node)
    }

    fn accepts_tag(_tag: &str) -> bool {
        true
    }
}

impl ToNode for Node {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        tree.graft(self.view())
    }
}
