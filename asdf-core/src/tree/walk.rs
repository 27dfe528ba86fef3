//! Visiting every reachable node once.

use super::{Kind, NodeId, NodeRef, Path, Tree};

/// An iterator over all nodes reachable from one, each once, in the order of the text.
///
/// A shared node is visited once, and cycles end. Keys are not visited. The walk needs no call stack.
#[derive(Debug)]
pub struct Walk<'a> {
    tree: &'a Tree,
    /// The open collections, each with the index of the next child. The start is there as its own edge until
    /// it is visited.
    open: Vec<Edge>,
    /// The edge through which each node was visited, with the parent as its number; zeros if not visited. The
    /// system allocates pages of zeros only when they are written.
    met: Vec<(u32, u32)>,
    current: Edge,
}

/// A parent and the index of a node among its children. The start leads to itself, from [`START`].
type Edge = (NodeId, u32);

/// An index beyond any child and its successor, because there are fewer nodes.
const START: u32 = u32::MAX;

impl<'a> Walk<'a> {
    fn new(start: NodeRef<'a>) -> Self {
        let met = vec![(0, 0); start.tree().len()];
        let edge = (start.id(), START);
        Self { tree: start.tree(), open: vec![edge], met, current: edge }
    }

    /// Returns the path from the start of the walk to the node visited last.
    ///
    /// That is the first path to the node in the order of the text.
    #[must_use]
    pub fn path(&self) -> Path {
        let mut edges = Vec::new();
        let mut at = self.current;
        while at.1 != START {
            edges.push(at);
            let met =
                self.met.get(at.0.index()).and_then(|&(number, place)| Some((NodeId::new(number)?, place)));
            let Some(above) = met else { break };
            at = above;
        }
        let mut path = Path::root();
        for edge in edges.into_iter().rev() {
            match self.key_of(edge) {
                Some(key) => path.push(key.text().unwrap_or("?")),
                None => path.push(&edge.1.to_string()),
            }
        }
        path
    }

    /// Returns the key of the node visited last, if it is in a mapping.
    pub(super) fn key(&self) -> Option<NodeRef<'a>> {
        self.key_of(self.current)
    }

    fn key_of(&self, (parent, place): Edge) -> Option<NodeRef<'a>> {
        let parent = self.tree.node(parent);
        let is_entry = place != START && parent.kind() == Kind::Mapping;
        let place = (place as usize).checked_sub(1).filter(|_| is_entry)?;
        parent.child_ids().get(place).map(|&key| self.tree.node(key))
    }

    /// Moves to the next place in the tree, and says whether its node is visited for the first time.
    ///
    /// There is one place per item and entry. Everything below a node is visited once.
    pub(super) fn next_place(&mut self) -> Option<(NodeRef<'a>, bool)> {
        let edge = loop {
            let top = self.open.last_mut()?;
            let edge = *top;
            if edge.1 == START {
                self.open.pop();
                break edge;
            }
            let parent = self.tree.node(edge.0);
            if (edge.1 as usize) < parent.child_ids().len() {
                top.1 = edge.1.saturating_add(step(parent));
                break edge;
            }
            self.open.pop();
        };
        self.current = edge;
        let id = match self.tree.node(edge.0).child_ids().get(edge.1 as usize) {
            Some(&child) => child,
            None => edge.0,
        };
        let node = self.tree.node(id);
        let Some(slot @ (0, _)) = self.met.get_mut(id.index()) else { return Some((node, false)) };
        *slot = (edge.0.number(), edge.1);
        if !node.kind().is_scalar() {
            self.open.push((id, step(node) - 1));
        }
        Some((node, true))
    }
}

/// Returns the distance between values among the children: every second child of a mapping is a key.
fn step(parent: NodeRef<'_>) -> u32 {
    if parent.kind() == Kind::Mapping { 2 } else { 1 }
}

impl<'a> Iterator for Walk<'a> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let last = self.current;
        loop {
            match self.next_place() {
                Some((node, true)) => return Some(node),
                Some(_) => {}
                // A node met again does not count as visited last.
                None => {
                    self.current = last;
                    return None;
                }
            }
        }
    }
}

impl<'a> NodeRef<'a> {
    /// Visits this node and everything reachable from it.
    ///
    /// # Examples
    /// ```
    /// let tree = asdf_core::yaml::parse("shared: &a [1]\nalias: *a\n")?;
    /// assert_eq!(tree.at("")?.walk().count(), 3); // the root, the shared sequence and its item
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn walk(self) -> Walk<'a> {
        Walk::new(self)
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::Tree;

    #[test]
    fn shared_nodes_and_cycles_are_visited_once_with_their_first_path() {
        let mut tree = Tree::new();
        let one = tree.add_int(1);
        let list = tree.add_sequence([one, one]);
        let root = tree.add_mapping([]);
        tree.insert(root, "a/b", list);
        tree.insert(root, "again", list);
        tree.insert(root, "self", root);
        tree.set_root(root);
        let mut walk = tree.root().unwrap().walk();
        let mut paths = Vec::new();
        while walk.next().is_some() {
            paths.push(walk.path().to_string());
        }
        assert_eq!(paths, ["", "/a~1b", "/a~1b/0"]);
    }
}
