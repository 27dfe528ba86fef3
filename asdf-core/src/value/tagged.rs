//! Values whose tag may be unknown, and values that may be null.

use super::derived::is_nothing;
use super::description::Form;
use super::{Description, FromNode, OwnTag, ToNode, Types};
use crate::error::Result;
use crate::tree::{Node, NodeId, NodeRef, Tree};

/// A value of a tagged type, or the node as it stands when its tag is another one: an unknown tag,
/// or a version that the type does not know. Either is written back as it was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Tagged<T> {
    /// A value whose tag the type accepts.
    Known(T),
    /// A node with another tag.
    Other(Node),
}

impl<T> Tagged<T> {
    /// The value, if its tag was known.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Other(_) => None,
        }
    }
}

impl<T> From<T> for Tagged<T> {
    fn from(value: T) -> Self {
        Self::Known(value)
    }
}

impl<T: FromNode> FromNode for Tagged<T> {
    const TYPES: Types = Types::ANY;
    const OWN_TAG: OwnTag = T::OWN_TAG;

    fn describe() -> Description {
        T::describe()
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        match node.own_tag() {
            Some(tag) if !T::accepts_tag(tag) => Node::copy(node).map(Self::Other),
            _ => T::from_node(node).map(Self::Known),
        }
    }

    fn accepts_tag(_tag: &str) -> bool {
        true
    }

    fn expected() -> String {
        T::expected()
    }

    fn matches(node: NodeRef<'_>) -> bool {
        node.own_tag().is_some_and(|tag| !T::accepts_tag(tag)) || T::matches(node)
    }
}

impl<T: ToNode> ToNode for Tagged<T> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        match self {
            Self::Known(value) => value.to_node(tree),
            Self::Other(node) => node.to_node(tree),
        }
    }
}

/// A value or null, where null says something other than a property that is not there: with
/// `Option<Nullable<T>>` all three are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nullable<T> {
    /// Null.
    #[default]
    Null,
    /// A value.
    Value(T),
}

impl<T> Nullable<T> {
    /// The value, unless it is null.
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
    const TYPES: Types = T::TYPES.or(Types::NULL);
    const OWN_TAG: OwnTag = T::OWN_TAG;

    fn describe() -> Description {
        let null = || Description::form(Form::Kinds(Types::NULL));
        Description::form(Form::Choice { words: Vec::new(), values: vec![null, T::describe] })
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        if is_nothing(node, T::TYPES) { Ok(Self::Null) } else { T::from_node(node).map(Self::Value) }
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
