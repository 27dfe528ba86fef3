//! Conversion between Rust values and nodes, used by derived, generated and hand-written types alike.
//!
//! [`FromNode`] and [`ToNode`] are implemented here for numbers, strings, options, lists, maps, sets and
//! nodes. `#[derive(Asdf)]` implements them for your types. Only types with binary data or a grammar
//! implement them by hand: arrays, complex numbers, big integers.
//!
//! Some fields keep what a type does not know, so that it is written back. An [`Extra`] field keeps unknown
//! properties, a [`Tagged`] or [`Node`] field keeps values with unknown tags, and a [`KeptTag`] field keeps
//! the version of a tag. A [`TagPattern`] limits the tags that a [`Tagged`] accepts.
//!
//! A shared node is read once for each alias, and a recursive type can be read from a node that contains
//! itself. A value is a [`Limit`](crate::error::Kind::Limit) error if it has more than 128 levels. So is one
//! with more nodes than four times those of the tree plus a million.
//!
//! Types of other crates are supported behind features with the names of the crates: dates and times of
//! `chrono`, `jiff` and `time` (timestamps), `uuid::Uuid` and `url::Url` (strings), and `ndarray::Array`
//! (arrays in blocks). Those of `chrono` and `jiff` also convert to and from [`Timestamp`]. Always available
//! are `half::f16` and `half::bf16` (numbers), and `num_complex::Complex64` (`core/complex-1.0.0`).
//!
//! # Writing `FromNode` and `ToNode` by hand
//!
//! `#[derive(Asdf)]` is the right choice for structs and enums whose fields are properties. Implement the
//! traits by hand if a type has a grammar (`"2026-W07"`), if several forms in the file mean the same value,
//! or if values must be checked. Here is a complete example of a tagged type that is written as text:
//!
//! ```
//! use asdf_core::value::description::Form;
//! use asdf_core::value::{Description, OwnTag, Kinds};
//! use asdf_core::{Asdf, File, FromNode, NodeId, NodeRef, Result, ToNode, Tree, yaml};
//!
//! /// A range of channels, `FIRST..LAST`.
//! #[derive(Debug, PartialEq)]
//! struct Channels {
//!     first: u32,
//!     last: u32,
//! }
//!
//! impl Channels {
//!     fn parse(text: &str) -> Option<Self> {
//!         let (first, last) = text.split_once("..")?;
//!         let channels = Self { first: first.parse().ok()?, last: last.parse().ok()? };
//!         (channels.first <= channels.last).then_some(channels)
//!     }
//! }
//!
//! impl Asdf for Channels {
//!     const TAG: &'static str = "asdf://example.org/tags/channels-1.0.0";
//!     const ACCEPTS: &'static [&'static str] = &[];
//! }
//!
//! impl FromNode for Channels {
//!     // The kinds of node: checked by enums that choose a variant, and compared with schemas.
//!     const TYPES: Kinds = Kinds::STRING;
//!     // The tag that values are written with, for the same comparison.
//!     const OWN_TAG: OwnTag = OwnTag::OneOf(&[Self::TAG]);
//!
//!     fn from_node(node: NodeRef<'_>) -> Result<Self> {
//!         // `expected` creates the error: what was found, what was expected, line and column. The
//!         // caller adds the path and the file.
//!         let channels = node.as_str().and_then(Self::parse);
//!         channels.ok_or_else(|| node.expected("channels such as '3..17'"))
//!     }
//!
//!     // Without this, a node with a tag is rejected, because the tag would be lost.
//!     fn accepts_tag(tag: &str) -> bool {
//!         tag == Self::TAG
//!     }
//!
//!     // For schemas that are generated from types.
//!     fn describe() -> Description {
//!         Description { tag: Some(Self::TAG), ..Description::new(Form::Kinds(Self::TYPES)) }
//!     }
//! }
//!
//! impl ToNode for Channels {
//!     fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
//!         let id = tree.add_str(&format!("{}..{}", self.first, self.last));
//!         tree.set_tag(id, Some(Self::TAG));
//!         Ok(id)
//!     }
//! }
//!
//! let mut file = File::new();
//! file.set("/channels", &Channels { first: 3, last: 17 })?;
//! let file = File::from_bytes(file.to_bytes()?)?;
//! assert_eq!(file.get::<Channels>("/channels")?, Channels { first: 3, last: 17 });
//! assert_eq!(file.at("/channels")?.own_tag(), Some(Channels::TAG));
//!
//! let wrong = yaml::parse("{channels: 17..3}")?;
//! assert_eq!(
//!     wrong.get::<Channels>("/channels").unwrap_err().to_string(),
//!     "line 1, column 12: /channels: found the string '17..3', expected channels such as '3..17'"
//! );
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! - To read the parts of a mapping, call [`read`] on the nodes of its values, which checks their tags. Add
//!   the key to each error with [`Error::under`](crate::Error::under).
//! - A type whose property can be missing defines `OPTIONAL` and `from_absent`, and `is_absent` in
//!   [`ToNode`].
//! - A type that is read from several tags keeps the tag that it was read with in a [`KeptTag`].
//! - Integers beyond 64 bits with a sign are read into `i128`, `u128` and `BigInt`, but cannot be written:
//!   use [`Integer`](crate::array::Integer).
//! - A type of another crate does not need a new type: `#[asdf(with = module)]` on a field names a module
//!   with the functions `from_node` and `to_node`.
//!
//! Types without tags can use serde instead: see the module `serde`, behind the feature of that name.

mod assertion;
mod bounds;
pub mod check;
#[cfg(feature = "chrono")]
mod chrono;
mod clock;
mod collections;
mod converted;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod dates;
pub(crate) mod derived;
pub mod description;
mod edit;
mod extra;
mod field;
mod flatten;
#[cfg(feature = "jiff")]
mod jiff;
mod kept;
mod kinds;
mod literal;
mod marked;
mod moment;
mod name;
mod note;
mod number;
mod own_tag;
mod place_tag;
mod pointers;
mod reach;
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
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;
mod version;

/// Derives `FromNode`, `ToNode` and `Asdf`, or `TagPattern`: see the crate `asdf-derive`.
#[cfg(feature = "derive")]
pub use asdf_derive::{Asdf, TagPattern};
pub use asdf_schema_model::Kinds;
pub use description::Description;
pub use edit::Edit;
pub use extra::Extra;
pub use kept::KeptTag;
pub use moment::Moment;
pub use note::{Note, Noted};
pub use num_bigint::BigInt;
pub use number::Number;
pub use own_tag::OwnTag;
pub use reference::Reference;
pub use tag_pattern::{AnyTag, TagPattern, TaggedNode};
pub use tagged::{Nullable, Tagged};
pub use timestamp::Timestamp;

use crate::error::Result;
use crate::tree::{Node, NodeId, NodeRef, Tree};

/// A type whose values can be read from a node.
///
/// See [how to implement it by hand](self#writing-fromnode-and-tonode-by-hand).
///
/// # Examples
/// ```
/// use asdf_core::value::Kinds;
/// use asdf_core::{FromNode, NodeRef, Result, yaml};
///
/// /// A right ascension, written as degrees.
/// struct Degrees(f64);
///
/// impl FromNode for Degrees {
///     const TYPES: Kinds = Kinds::NUMBER;
///
///     fn from_node(node: NodeRef<'_>) -> Result<Self> {
///         match f64::from_node(node)? {
///             angle @ 0.0..360.0 => Ok(Self(angle)),
///             _ => Err(node.expected("an angle from 0 to 360")),
///         }
///     }
/// }
///
/// let tree = yaml::parse("{ra: 10.7, far: 400}")?;
/// assert_eq!(tree.get::<Degrees>("/ra")?.0, 10.7);
/// let error = tree.get::<Degrees>("/far").err().unwrap();
/// assert_eq!(error.to_string(), "line 1, column 17: /far: found the integer 400, expected an angle from 0 to 360");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "Converter")]
#[doc(alias = "from_yaml_tree")]
#[doc(alias = "Deserialize")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a node",
    label = "`FromNode` is not implemented for this",
    note = "add `#[derive(Asdf)]` to a type of your own, or `#[asdf(with = module)]` to a field with a type of another crate"
)]
pub trait FromNode: Sized {
    /// The kinds of node from which the type can be read.
    const TYPES: Kinds;

    /// Whether a property of this type can be missing, that is, whether [`from_absent`](Self::from_absent)
    /// returns a value.
    const OPTIONAL: bool = false;

    /// The tag with which values are written.
    const OWN_TAG: OwnTag = OwnTag::Unknown;

    /// The kinds of node of which the type reads every one without a tag, whatever its value.
    ///
    /// With [`Kinds::ANY`] it also reads every node with a tag. Enums reject variants after one that reads
    /// all they write.
    const READS_ALL: Kinds = Kinds::NONE;

    /// Reads the value.
    ///
    /// The caller has checked the node's own tag, as [`read`] does, or ignores it.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) with line, column and the path below this node:
    /// what was found and what was expected. One error has all faults of a mapping.
    fn from_node(node: NodeRef<'_>) -> Result<Self>;

    /// Reads a node whose tag [`accepts_tag`](Self::accepts_tag) accepts.
    ///
    /// The inner error is for a valid value of another version of the tag that this type cannot represent.
    /// [`Tagged`] then keeps the node.
    ///
    /// # Errors
    /// Same as [`from_node`](Self::from_node).
    fn from_version(node: NodeRef<'_>) -> Result<Result<Self>> {
        Self::from_node(node).map(Ok)
    }

    /// Returns the value of a missing property, if it can be missing.
    #[must_use]
    fn from_absent() -> Option<Self> {
        None
    }

    /// Returns whether a node with this tag can be read without losing the tag.
    #[must_use]
    fn accepts_tag(_tag: &str) -> bool {
        false
    }

    /// Returns what a node must be, in a few words for messages: "a number", "a mapping tagged ...".
    #[must_use]
    fn expected() -> String {
        Self::TYPES.to_string()
    }

    /// Describes the type's values, for schemas that are generated from types.
    #[must_use]
    fn describe() -> Description {
        Description::from_type::<Self>()
    }

    /// Returns whether the node looks like a value, by kind and tag alone. Enums choose a variant with it.
    #[must_use]
    fn matches(node: NodeRef<'_>) -> bool {
        node.is_of(Self::TYPES) && node.own_tag().is_none_or(Self::accepts_tag)
    }
}

/// A type whose values can be written as a node.
///
/// See [how to implement it by hand](self#writing-fromnode-and-tonode-by-hand).
///
/// # Examples
/// ```
/// use asdf_core::{File, NodeId, Result, ToNode, Tree};
///
/// /// Written as `YEAR-WEEK`.
/// struct Week(u16, u8);
///
/// impl ToNode for Week {
///     fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
///         Ok(tree.add_str(&format!("{}-{:02}", self.0, self.1)))
///     }
/// }
///
/// let mut file = File::new();
/// file.set("/observed", &Week(2026, 7))?;
/// assert_eq!(file.get::<String>("/observed")?, "2026-07");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "Converter")]
#[doc(alias = "to_yaml_tree")]
#[doc(alias = "Serialize")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a node",
    label = "`ToNode` is not implemented for this",
    note = "add `#[derive(Asdf)]` to a type of your own, or `#[asdf(with = module)]` to a field with a type of another crate"
)]
pub trait ToNode {
    /// Adds the value to a tree and returns its node.
    ///
    /// # Errors
    /// Returns an error if the value cannot be written, such as an array whose bytes cannot be read.
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId>;

    /// Returns whether a property with this value is left out.
    #[must_use]
    fn is_absent(&self) -> bool {
        false
    }
}

/// A type with a tag of its own. `#[derive(Asdf)]` implements it if the attribute `tag` is given.
///
/// # Examples
/// ```
/// # #[cfg(feature = "derive")] {
/// use asdf_core::{Asdf, File};
///
/// #[derive(Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/filter-1.1.0", accepts = ["asdf://example.org/tags/filter-1.0.0"])]
/// struct Filter {
///     name: String,
/// }
///
/// assert_eq!(Filter::TAG, "asdf://example.org/tags/filter-1.1.0");
/// let mut file = File::new();
/// file.set("/filter", &Filter { name: "F158".into() })?;
/// assert_eq!(file.at("/filter")?.own_tag(), Some(Filter::TAG));
/// # }
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "Converter")]
#[doc(alias = "Extension")]
#[doc(alias = "tags")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tag",
    label = "`Asdf` is not implemented for this",
    note = "add `#[asdf(tag = \"asdf://example.org/tags/name-1.0.0\")]` to the type that has `#[derive(Asdf)]`"
)]
pub trait Asdf: FromNode + ToNode {
    /// The tag of new values.
    const TAG: &'static str;

    /// Further tags, or patterns of tags (see [`tag_matches`](crate::tree::tag_matches)), that are read as
    /// this type.
    const ACCEPTS: &'static [&'static str];
}

/// Reads a value from a node. If the node has a tag, the type must accept it.
///
/// # Errors
/// Same as [`FromNode::from_node`]. Also returns an error if the type would lose the node's tag.
pub fn read<T: FromNode>(node: NodeRef<'_>) -> Result<T> {
    let _level = bounds::Level::enter(node)?;
    match node.own_tag() {
        Some(tag) if !T::accepts_tag(tag) => Err(derived::foreign_tag(node, tag, &T::expected())),
        _ => T::from_node(node),
    }
}

impl Tree {
    /// Reads the value at a JSON Pointer, whatever tag the node has: `tree.get::<f64>("/a/b")`.
    ///
    /// An optional value is `None` if the path does not exist.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::error;
    ///
    /// let tree = asdf_core::yaml::parse("a: {gain: 2.5, name: WFI}")?;
    /// assert_eq!(tree.get::<f64>("/a/gain")?, 2.5);
    /// assert_eq!(tree.get::<Option<f64>>("/a/offset")?, None);
    /// assert_eq!(tree.get::<f64>("/a/offset").unwrap_err().kind(), error::Kind::Missing);
    /// assert_eq!(tree.get::<f64>("/a/name").unwrap_err().kind(), error::Kind::Mismatch);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`at`](Self::at). Also returns [`Mismatch`](crate::error::Kind::Mismatch) if the value has
    /// another type. That includes a value that lacks a required property.
    pub fn get<T: FromNode>(&self, pointer: &str) -> Result<T> {
        let node = match T::OPTIONAL {
            true => self.seek(pointer)?,
            false => Some(self.at(pointer)?),
        };
        let value = match node {
            Some(node) => bounds::Level::enter(node).and_then(|_level| T::from_node(node)),
            None => T::from_absent().map_or_else(|| self.at(pointer).and_then(T::from_node), Ok),
        };
        value.map_err(|error| error.at_path(pointer))
    }

    /// Writes a value at a JSON Pointer.
    ///
    /// The last step is a key, which is added if it does not exist, an index, or `-` for a new item. An empty
    /// tree gets a mapping as its root. [`Tree::edit`] offers all other changes.
    ///
    /// # Errors
    /// - Same as [`at`](Self::at) for the steps before the last. The hint mentions `set_with_parents`.
    /// - [`Mismatch`](crate::error::Kind::Mismatch) if they do not lead to a collection.
    /// - [`Missing`](crate::error::Kind::Missing) if the item does not exist.
    /// - An error if the value cannot be written.
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::Tree::new();
    /// tree.set("/filters", &vec!["F158"])?;
    /// tree.set("/filters/-", "F184")?;
    /// assert_eq!(tree.get::<Vec<String>>("/filters")?, ["F158", "F184"]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
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
    /// Creates a node from a value.
    ///
    /// # Errors
    /// Returns an error if the value cannot be written.
    pub fn new<T: ToNode + ?Sized>(value: &T) -> Result<Self> {
        Self::from_fn(|tree| value.to_node(tree))
    }
}

impl FromNode for Node {
    const TYPES: Kinds = Kinds::ANY;
    const READS_ALL: Kinds = Kinds::ANY;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        Self::from_ref(node)
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
