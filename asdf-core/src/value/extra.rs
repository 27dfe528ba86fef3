//! Properties without a field in a type.

use std::fmt;

use super::kinds::entries;
use super::{FromNode, Kinds, OwnTag, ToNode};
use crate::error::Result;
use crate::tree::{Node, NodeId, NodeRef, Tree};

/// The properties of a mapping that have no field in a type, in order and with their tags.
///
/// Use it for the field marked `#[asdf(extra)]`. An empty one takes the memory of a pointer.
///
/// # Examples
/// ```
/// # #[cfg(feature = "derive")] {
/// use asdf_core::value::Extra;
/// use asdf_core::{Asdf, File};
///
/// #[derive(Asdf)]
/// struct Exposure {
///     seconds: f64,
///     #[asdf(extra)]
///     more: Extra,
/// }
///
/// let mut file = File::new();
/// file.set("/e", &std::collections::BTreeMap::from([("seconds", 12.5), ("ramp", 3.0)]))?;
/// let exposure: Exposure = file.get("/e")?;
/// assert_eq!(exposure.more.get("ramp").and_then(|ramp| ramp.as_f64()), Some(3.0));
/// file.set("/e", &exposure)?; // `ramp` is written again
/// assert_eq!(file.get::<f64>("/e/ramp")?, 3.0);
/// # }
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "additionalProperties")]
#[derive(Clone, Default)]
pub struct Extra(Option<Node>);

impl Extra {
    /// Creates an empty list of properties.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns whether the list of properties is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of properties.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |node| node.view().len())
    }

    /// Returns the node of a property.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<NodeRef<'_>> {
        self.0.as_ref()?.view().get(key)
    }

    /// Iterates over keys and values in order. A key can be an integer or a boolean.
    pub fn iter(&self) -> impl Iterator<Item = (NodeRef<'_>, NodeRef<'_>)> {
        self.0.iter().flat_map(|node| node.view().entries())
    }

    /// Sets a property.
    ///
    /// # Errors
    /// Returns an error if the value cannot be written.
    ///
    /// # Examples
    /// ```
    /// let mut extra = asdf_core::value::Extra::new();
    /// extra.insert("ramp", &3.0)?;
    /// assert_eq!(extra.get("ramp").and_then(|node| node.as_f64()), Some(3.0));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn insert<T: ToNode + ?Sized>(&mut self, key: &str, value: &T) -> Result<()> {
        let node = self.0.get_or_insert_with(Node::empty_mapping);
        let id = value.to_node(node.tree_mut())?;
        let root = node.view().id();
        node.tree_mut().insert(root, key, id);
        Ok(())
    }

    /// Copies entries out of their tree.
    pub(crate) fn copy<'a>(entries: impl Iterator<Item = (NodeRef<'a>, NodeRef<'a>)>) -> Result<Self> {
        let mut entries = entries.peekable();
        if entries.peek().is_none() {
            return Ok(Self(None));
        }
        let node = Node::from_fn(|tree| {
            let ids = entries.map(|(key, value)| Ok((tree.graft(key)?, tree.graft(value)?)));
            let ids = ids.collect::<Result<Vec<_>>>()?;
            Ok(tree.add_mapping(ids))
        })?;
        Ok(Self(Some(node)))
    }

    /// Copies the entries into a tree.
    pub(super) fn write(&self, tree: &mut Tree) -> Result<Vec<(NodeId, NodeId)>> {
        self.iter().map(|(key, value)| Ok((tree.graft(key)?, tree.graft(value)?))).collect()
    }
}

impl PartialEq for Extra {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other.iter()).all(|(a, b)| a == b)
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl FromNode for Extra {
    const TYPES: Kinds = Kinds::MAPPING;
    const READS_ALL: Kinds = Self::TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        if node.is_of(Kinds::MAPPING) { Self::copy(entries(node)) } else { node.fail("a mapping") }
    }
}

impl ToNode for Extra {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let entries = self.write(tree)?;
        Ok(tree.add_mapping(entries))
    }
}
