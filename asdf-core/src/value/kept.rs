//! The tag that a value was read with.

use std::sync::Arc;

use crate::tree::{NodeId, Tree};

/// The tag that a value was read with, so that it is written back with the same version. A new value has the
/// newest.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum KeptTag {
    /// The type's own tag, `Asdf::TAG`.
    #[default]
    Newest,
    /// Another tag that the type accepts. A value with a tag that its type does not accept is not written.
    As(Arc<str>),
    /// No tag: the value stands where a schema does not ask for one.
    Untagged,
}

impl KeptTag {
    /// Keeps what a node has, for a type whose own tag is given.
    #[must_use]
    pub fn of(tag: Option<&str>, own: &str) -> Self {
        match tag {
            None => Self::Untagged,
            Some(tag) if tag == own => Self::Newest,
            Some(tag) => Self::As(tag.into()),
        }
    }

    /// The tag to write, for a type whose own tag is given.
    #[must_use]
    pub fn tag<'a>(&'a self, own: &'a str) -> Option<&'a str> {
        match self {
            Self::Newest => Some(own),
            Self::As(tag) => Some(tag),
            Self::Untagged => None,
        }
    }

    /// Sets the tag on a written node, for [`ToNode`](crate::ToNode) written by hand. Does not check that the type accepts
    /// the tag, as derived types do.
    pub fn apply(&self, tree: &mut Tree, id: NodeId, own: &str) {
        tree.set_tag(id, self.tag(own));
    }
}
