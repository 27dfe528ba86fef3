//! Types for other versions of a type's tag.

use super::derived::{accepts, brief, check_tag, foreign_kept_tag, set_tag};
use super::{FromNode, KeptTag};
use crate::error::{Hint, Kind as ErrorKind, Result};
use crate::tree::{NodeId, NodeRef, Tree};

/// The type of another version of a tag.
#[derive(Debug)]
pub struct Version {
    name: fn() -> &'static str,
    accepts: fn(&str) -> bool,
    /// Returns an error if a node is not a valid value of the version.
    check: fn(NodeRef<'_>) -> Result<()>,
}

impl Version {
    /// Creates the version that a type reads.
    #[must_use]
    pub const fn of<T: FromNode>() -> Self {
        Self {
            name: std::any::type_name::<T>,
            accepts: T::accepts_tag,
            check: |node| T::from_node(node).map(drop),
        }
    }
}

/// The tags of a type: its own, patterns of others that it accepts, and types of other versions.
#[derive(Debug, Clone, Copy)]
pub struct Versions<'a> {
    /// The tag of new values.
    pub own: &'a str,
    /// Further tags that the type accepts.
    pub accepts: &'a [&'a str],
    /// The types of other versions.
    pub others: &'a [Version],
}

impl Versions<'_> {
    /// Returns the type of another version that has this tag.
    fn other(&self, tag: &str) -> Option<&Version> {
        if accepts(self.own, self.accepts, tag) {
            return None;
        }
        self.others.iter().find(|version| (version.accepts)(tag))
    }

    /// Returns whether the type reads nodes with this tag, or attempts to.
    #[must_use]
    pub fn accepts(&self, tag: &str) -> bool {
        accepts(self.own, self.accepts, tag) || self.other(tag).is_some()
    }

    /// Reads a node of any of the versions: see [`FromNode::from_version`].
    ///
    /// A node of another version must be valid for that version.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if the tag does not belong to any version, or the
    /// value is not valid.
    pub fn read<T>(&self, node: NodeRef<'_>, read: impl FnOnce() -> Result<T>) -> Result<Result<T>> {
        let Some((tag, other)) = node.own_tag().and_then(|tag| Some((tag, self.other(tag)?))) else {
            check_tag(node, self.own, self.accepts)?;
            return read().map(Ok);
        };
        (other.check)(node)?;
        match read() {
            Err(error) if error.kind() == ErrorKind::Mismatch => {
                let (tag, own) = (tag.escape_debug(), self.own);
                let message =
                    format!("a value with the tag {tag} cannot be read as one of {own}: {}", brief(&error));
                Ok(Err(node.error(message).with_hint(Hint::UseType((other.name)().into()))))
            }
            result => result.map(Ok),
        }
    }

    /// Sets the tag of a written node to the kept one, if the value is still valid for that version.
    ///
    /// # Errors
    /// Returns [`Usage`](ErrorKind::Usage) if the type does not accept the kept tag. Otherwise same as
    /// [`set_tag`].
    pub fn apply(&self, kept: &KeptTag, tree: &mut Tree, id: NodeId) -> Result<()> {
        let other = match kept {
            KeptTag::As(tag) if !self.accepts(tag) => {
                return Err(foreign_kept_tag(tag, self.own, self.accepts));
            }
            KeptTag::As(tag) => self.other(tag),
            KeptTag::Newest | KeptTag::Untagged => None,
        };
        set_tag(tree, id, kept.tag(self.own))?;
        if other.is_some_and(|other| (other.check)(tree.node(id)).is_err()) {
            tree.set_tag(id, Some(self.own));
        }
        Ok(())
    }
}
