//! What derived code calls. Not for hand-written code; it may change with the derive.

use super::{Extra, FromNode, ToNode, read};
use crate::error::{Error, Result};
use crate::tree::{Kind, NodeId, NodeRef, Tree, tag_matches};

/// Whether a type with this tag and these further patterns reads a node with that tag.
#[must_use]
pub fn accepts(own: &str, patterns: &[&str], tag: &str) -> bool {
    own == tag || patterns.iter().any(|pattern| tag_matches(pattern, tag))
}

/// Checks that a node has no tag, or one that the type accepts.
///
/// # Errors
/// [`Mismatch`](crate::ErrorKind::Mismatch) when it has another.
pub fn check_tag(node: NodeRef<'_>, own: &str, patterns: &[&str]) -> Result<()> {
    match node.own_tag() {
        Some(tag) if !accepts(own, patterns, tag) => Err(foreign_tag(node, tag, own)),
        _ => Ok(()),
    }
}

/// The error for a tag that the expected type does not accept.
#[must_use]
pub fn foreign_tag(node: NodeRef<'_>, tag: &str, expected: &str) -> Error {
    node.error(format!("found the tag {}, expected {expected}", tag.escape_debug()))
        .with_hint("a field of type `Tagged<T>` or `Node` keeps values of unknown tags and versions")
}

/// Reads the properties of a mapping one by one and remembers every fault.
#[derive(Debug)]
pub struct Fields<'a> {
    node: NodeRef<'a>,
    known: &'static [&'static str],
    fault: Option<Error>,
}

impl<'a> Fields<'a> {
    /// Begins with a node that has to be a mapping; `known` are the keys that have fields.
    ///
    /// # Errors
    /// [`Mismatch`](crate::ErrorKind::Mismatch) when the node is not a mapping.
    pub fn open(node: NodeRef<'a>, type_name: &str, known: &'static [&'static str]) -> Result<Self> {
        if node.kind() == Kind::Mapping {
            Ok(Self { node, known, fault: None })
        } else {
            node.fail(format!("a mapping for `{type_name}`"))
        }
    }

    fn fault(&mut self, error: Error) {
        self.fault = Some(match self.fault.take() {
            Some(first) => first.and(error),
            None => error,
        });
    }

    /// Reads a property. `None` when that failed, which [`finish`](Self::finish) then tells.
    pub fn take<T: FromNode>(&mut self, key: &str) -> Option<T> {
        self.take_or(key, T::from_absent)
    }

    /// Reads a property that has a value when it is not there.
    pub fn take_or<T: FromNode>(&mut self, key: &str, absent: impl FnOnce() -> Option<T>) -> Option<T> {
        self.take_with(key, read, absent)
    }

    /// Reads a property with a function.
    pub fn take_with<T>(
        &mut self,
        key: &str,
        from_node: impl FnOnce(NodeRef<'_>) -> Result<T>,
        absent: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let Some(node) = self.node.get(key) else {
            let value = absent();
            if value.is_none() {
                let error = self.node.error(format!("the required property '{key}' is missing"));
                self.fault(error);
            }
            return value;
        };
        match from_node(node) {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault(error.under(key));
                None
            }
        }
    }

    /// Copies the properties that have no field.
    pub fn rest(&mut self) -> Option<Extra> {
        let (node, known) = (self.node, self.known);
        let named = |key: NodeRef<'_>| key.as_str().is_some_and(|key| known.contains(&key));
        match Extra::copy(node.entries().filter(|(key, _)| !named(*key))) {
            Ok(extra) => Some(extra),
            Err(error) => {
                self.fault(error);
                None
            }
        }
    }

    /// Complains about properties that have no field.
    pub fn deny_rest(&mut self) {
        for (key, _) in self.node.entries() {
            if !key.as_str().is_some_and(|key| self.known.contains(&key)) {
                let list = self.known.join(", ");
                self.fault(
                    key.error(format!("the property {} is not allowed here", key.describe()))
                        .with_hint(format!("the properties are {list}")),
                );
            }
        }
    }

    /// The error of all faults, if there was any; the fallback serves only to make types agree.
    #[must_use]
    pub fn finish(self) -> Option<Error> {
        self.fault
    }
}

/// The error when a value could not be put together; [`Fields::finish`] normally has the reason.
#[must_use]
pub fn incomplete(node: NodeRef<'_>, type_name: &str) -> Error {
    node.expected(format!("a `{type_name}`"))
}

/// The error when a node fits no variant of an enum.
#[must_use]
pub fn no_variant(node: NodeRef<'_>, expected: &str) -> Error {
    node.expected(expected)
}

/// Writes the properties of a mapping one by one.
#[derive(Debug)]
pub struct MappingWriter<'t> {
    tree: &'t mut Tree,
    entries: Vec<(NodeId, NodeId)>,
}

impl<'t> MappingWriter<'t> {
    /// Begins an empty mapping.
    #[must_use]
    pub fn new(tree: &'t mut Tree) -> Self {
        Self { tree, entries: Vec::new() }
    }

    /// Writes a property, unless its value is absent.
    ///
    /// # Errors
    /// When the value cannot be written.
    pub fn put<T: ToNode + ?Sized>(&mut self, key: &str, value: &T) -> Result<()> {
        if value.is_absent() {
            return Ok(());
        }
        self.put_with(key, |tree| value.to_node(tree))
    }

    /// Writes a property with a function.
    ///
    /// # Errors
    /// What the function gives.
    pub fn put_with(&mut self, key: &str, to_node: impl FnOnce(&mut Tree) -> Result<NodeId>) -> Result<()> {
        let value = to_node(self.tree).map_err(|error| error.under(key))?;
        let key = self.tree.add_str(key);
        self.entries.push((key, value));
        Ok(())
    }

    /// Writes the properties that have no field.
    ///
    /// # Errors
    /// See [`Tree::graft`].
    pub fn rest(&mut self, extra: &Extra) -> Result<()> {
        let entries = extra.write(self.tree)?;
        self.entries.extend(entries);
        Ok(())
    }

    /// Adds the mapping to the tree.
    #[must_use]
    pub fn finish(self) -> NodeId {
        self.tree.add_mapping(self.entries)
    }
}
