//! Values with possibly unknown tags, and values that can be null.

use std::borrow::Borrow;
use std::fmt;

use super::derived::{foreign_tag, is_nothing, kind};
use super::description::Form;
use super::tag_pattern::{refuses, tagged};
use super::{AnyTag, Description, FromNode, Kinds, OwnTag, TagPattern, ToNode};
use crate::error::{Error, Result};
use crate::tree::{Node, NodeId, NodeRef, Tree};

/// A value of a tagged type, or the unchanged node if it has another tag.
///
/// The other tag is unknown, or a version that the type cannot read. Both forms are written back as they were
/// read.
///
/// With a [`TagPattern`], only tags that match are accepted, as for `tag: asdf://example.org/tags/filter-1.*`
/// in a schema. This applies to the type's own tags too. A node with any other tag is an error, and so is writing
/// a value with another tag. A node without a tag is read as the type. Generated types have a pattern if the
/// schema gives one.
///
/// # Examples
/// ```
/// # #[cfg(feature = "derive")] {
/// use asdf_core::{Asdf, File, Tagged};
///
/// #[derive(Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/filter-1.0.0")]
/// struct Filter {
///     name: String,
/// }
///
/// let mut file = File::new();
/// file.set("/filter", &Filter { name: "F158".into() })?;
/// match file.get::<Tagged<Filter>>("/filter")? {
///     Tagged::Known(filter) => assert_eq!(filter.name, "F158"),
///     Tagged::Other(node) => println!("a filter of another kind: {:?}", node.view().own_tag()),
/// }
/// # }
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "TaggedDict")]
#[doc(alias = "TaggedList")]
#[doc(alias = "TaggedString")]
pub enum Tagged<T, P: TagPattern = AnyTag> {
    /// A value whose tag the type accepts.
    Known(T),
    /// A node with another tag.
    ///
    /// It is a [`Node`], or with a pattern a [`TaggedNode`](super::TaggedNode) with a matching tag.
    /// [`Tagged::keep`] creates either.
    Other(P::Kept),
}

impl<T, P: TagPattern> Tagged<T, P> {
    /// Keeps a node unchanged.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if there is a pattern and the node has no matching
    /// tag.
    pub fn keep(node: Node) -> Result<Self> {
        P::keep(node).map(Self::Other)
    }

    /// Returns the value if its tag is known.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Other(_) => None,
        }
    }

    /// Returns the node if it has another tag.
    pub fn other(&self) -> Option<&Node> {
        match self {
            Self::Known(_) => None,
            Self::Other(node) => Some(node.borrow()),
        }
    }
}

// Derived implementations would require the same trait of the pattern, which has no values.
impl<T: Clone, P: TagPattern> Clone for Tagged<T, P> {
    fn clone(&self) -> Self {
        match self {
            Self::Known(value) => Self::Known(value.clone()),
            Self::Other(node) => Self::Other(node.clone()),
        }
    }
}

impl<T: PartialEq, P: TagPattern> PartialEq for Tagged<T, P> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Known(one), Self::Known(other)) => one == other,
            (Self::Other(one), Self::Other(other)) => one == other,
            _ => false,
        }
    }
}

impl<T: fmt::Debug, P: TagPattern> fmt::Debug for Tagged<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(value) => f.debug_tuple("Known").field(value).finish(),
            Self::Other(node) => f.debug_tuple("Other").field(node).finish(),
        }
    }
}

impl<T, P: TagPattern> From<T> for Tagged<T, P> {
    fn from(value: T) -> Self {
        Self::Known(value)
    }
}

impl<T: FromNode, P: TagPattern> FromNode for Tagged<T, P> {
    const TYPES: Kinds = Kinds::ANY;
    const OWN_TAG: OwnTag = T::OWN_TAG;

    fn describe() -> Description {
        if refuses::<P>() { Description::new(Form::TagLike(P::PATTERNS)) } else { T::describe() }
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        match node.own_tag() {
            Some(tag) if !P::fits(tag) => Err(foreign_tag(node, tag, &Self::expected())),
            Some(tag) if T::accepts_tag(tag) => match T::from_version(node)? {
                Ok(value) => Ok(Self::Known(value)),
                Err(_) => Self::keep(Node::from_ref(node)?),
            },
            Some(_) => Self::keep(Node::from_ref(node)?),
            None => T::from_node(node).map(Self::Known),
        }
    }

    fn accepts_tag(tag: &str) -> bool {
        P::fits(tag)
    }

    fn expected() -> String {
        if refuses::<P>() { tagged::<P>(&kind(T::TYPES)) } else { T::expected() }
    }

    fn matches(node: NodeRef<'_>) -> bool {
        match node.own_tag() {
            Some(tag) => P::fits(tag) && (!T::accepts_tag(tag) || T::matches(node)),
            None => T::matches(node),
        }
    }
}

impl<T: ToNode, P: TagPattern> ToNode for Tagged<T, P> {
    /// Writes the value, or the node that was kept.
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) if the value has a tag that does not match the pattern.
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let value = match self {
            Self::Known(value) => value,
            Self::Other(node) => return node.borrow().to_node(tree),
        };
        let id = value.to_node(tree)?;
        match tree.node(id).own_tag() {
            Some(tag) if !P::fits(tag) => {
                let message =
                    format!("found a value with the tag {tag}, expected {}", tagged::<P>("a value"));
                Err(Error::usage(message)
                    .with_hint("set the value's `KeptTag` field to a version that the pattern allows"))
            }
            _ => Ok(id),
        }
    }
}

/// A value or null, if null differs from a missing property.
///
/// `Option<Nullable<T>>` distinguishes all three.
///
/// # Examples
/// ```
/// use asdf_core::value::Nullable;
/// use asdf_core::yaml;
///
/// let tree = yaml::parse("[5.5, null]")?;
/// let read: Vec<Nullable<f64>> = tree.get("")?;
/// assert_eq!(read, [Nullable::Value(5.5), Nullable::Null]);
/// assert_eq!(read[1].value(), None);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nullable<T> {
    /// Null.
    #[default]
    Null,
    /// A value.
    Value(T),
}

impl<T> Nullable<T> {
    /// Returns the value unless it is null.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Null => None,
        }
    }
}

impl<T> From<T> for Nullable<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: FromNode> FromNode for Nullable<T> {
    const TYPES: Kinds = T::TYPES.or(Kinds::NULL);
    const READS_ALL: Kinds = T::READS_ALL.or(Kinds::NULL);
    const OWN_TAG: OwnTag = T::OWN_TAG;

    fn describe() -> Description {
        let null = || Description::new(Form::Kinds(Kinds::NULL));
        Description::new(Form::Choice { words: Vec::new(), values: vec![null, T::describe] })
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        if is_nothing(node, T::TYPES) { Ok(Self::Null) } else { T::from_node(node).map(Self::Value) }
    }

    fn from_version(node: NodeRef<'_>) -> Result<Result<Self>> {
        if is_nothing(node, T::TYPES) {
            Ok(Ok(Self::Null))
        } else {
            Ok(T::from_version(node)?.map(Self::Value))
        }
    }

    fn accepts_tag(tag: &str) -> bool {
        T::accepts_tag(tag)
    }

    fn expected() -> String {
        T::expected()
    }

    fn matches(node: NodeRef<'_>) -> bool {
        (node.is_null() && node.own_tag().is_none()) || T::matches(node)
    }
}

impl<T: ToNode> ToNode for Nullable<T> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        match self {
            Self::Value(value) => value.to_node(tree),
            Self::Null => Ok(tree.add_null()),
        }
    }
}
