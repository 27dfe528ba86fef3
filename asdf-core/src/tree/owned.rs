//! A node that owns itself.

use std::fmt;

use super::{NodeId, NodeRef, Tree};
use crate::error::Result;

/// A node with all that is below it, in a tree of its own: how a value of unknown tag or shape is
/// kept. Equal when [`NodeRef`]s are: same kinds, values, tags and key order, whatever the style.
///
/// ```
/// use asdf_core::{File, Node};
///
/// let mut file = File::new();
/// file.set("/wcs", &Node::new(&vec![1.0, 2.0])?)?;
///
/// // A value of unknown type moves from one file to another with its tags and blocks.
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
    /// Copies a node out of its tree. Its blocks are shared, not copied.
    ///
    /// # Errors
    /// See [`Tree::graft`].
    pub fn from_ref(node: NodeRef<'_>) -> Result<Self> {
        let mut tree = Tree::new();
        let root = tree.graft(node)?;
        tree.set_root(root);
        Ok(Self(Box::new(tree)))
    }

    /// A node made by a function that adds to an empty tree.
    ///
    /// # Errors
    /// What the function gives.
    pub fn from_fn(make: impl FnOnce(&mut Tree) -> Result<NodeId>) -> Result<Self> {
        let mut tree = Tree::new();
        let root = make(&mut tree)?;
        tree.set_root(root);
        Ok(Self(Box::new(tree)))
    }

    /// The node, to read it.
    #[must_use]
    #[allow(clippy::missing_panics_doc, clippy::expect_used, reason = "both constructors set the root")]
    pub fn view(&self) -> NodeRef<'_> {
        self.0.root().expect("an owned node has a root")
    }

    /// The tree around it, whose root it is.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.0
    }

    /// The tree around it, to change it.
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
