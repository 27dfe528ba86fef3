//! Nodes that own their tree.

use std::fmt;

use super::{NodeId, NodeRef, Tree};
use crate::error::Result;

/// A node with everything below it, in a tree of its own. It can hold values of any tag and shape.
///
/// Nodes are equal if their [`NodeRef`]s are: same kinds, values, tags and order of keys, whatever the style.
///
/// # Examples
/// ```
/// use asdf_core::{File, Node};
///
/// let mut file = File::new();
/// file.set("/wcs", &Node::new(&vec![1.0, 2.0])?)?;
///
/// // A value of an unknown type moves from one file to another with its tags and blocks.
/// let wcs: Node = file.get("/wcs")?;
/// let mut other = File::new();
/// other.set("/meta_wcs", &wcs)?;
/// assert_eq!(other.get::<Node>("/meta_wcs")?, wcs);
/// assert_eq!(wcs.view().items().count(), 2);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Node(Box<Tree>);

impl Node {
    /// Copies a node out of its tree. Blocks are shared, not copied.
    ///
    /// # Errors
    /// See [`Tree::graft`].
    pub fn from_ref(node: NodeRef<'_>) -> Result<Self> {
        let mut tree = Tree::new();
        let root = tree.graft(node)?;
        tree.set_root(root);
        Ok(Self(Box::new(tree)))
    }

    /// Creates a node with a function that adds nodes to an empty tree and returns the root.
    ///
    /// # Errors
    /// Returns the error of the function.
    ///
    /// # Examples
    /// ```
    /// let node = asdf_core::Node::from_fn(|tree| Ok(tree.add_str("M31")))?;
    /// assert_eq!(node.view().as_str(), Some("M31"));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn from_fn(make: impl FnOnce(&mut Tree) -> Result<NodeId>) -> Result<Self> {
        let mut tree = Tree::new();
        let root = make(&mut tree)?;
        tree.set_root(root);
        Ok(Self(Box::new(tree)))
    }

    /// Returns a reference for reading the node.
    #[must_use]
    #[allow(clippy::missing_panics_doc, clippy::expect_used, reason = "both constructors set the root")]
    pub fn view(&self) -> NodeRef<'_> {
        self.0.root().expect("an owned node has a root")
    }

    /// Returns the tree whose root is the node.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.0
    }

    /// Returns the tree whose root is the node, for changes.
    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.0
    }

    pub(crate) fn empty_mapping() -> Self {
        let mut tree = Tree::new();
        let root = tree.add_mapping([]);
        tree.set_root(root);
        Self(Box::new(tree))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.view() == other.view()
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.view().describe())
    }
}
