//! Every reachable node, once.

use super::{NodeId, NodeRef, Path, Tree};

/// Visits each node that can be reached from one, in the order of the text, each once however
/// often it is shared; cycles end. Keys are not visited. Needs no stack of the thread.
#[derive(Debug)]
pub struct Walk<'a> {
    tree: &'a Tree,
    /// Nodes to visit, each with the parent and the place among its children that led there.
    pending: Vec<(NodeId, Option<Edge>)>,
    /// For each node whether it was visited, and by which edge.
    met: Vec<Option<Option<Edge>>>,
    current: Option<Edge>,
}

/// A parent and the place of a node among its children.
type Edge = (NodeId, u32);

impl<'a> Walk<'a> {
    fn new(start: NodeRef<'a>) -> Self {
        let met = vec![None; start.tree().len()];
        Self { tree: start.tree(), pending: vec![(start.id(), None)], met, current: None }
    }

    /// The path from the start of the walk to the node that was visited last: the first path that
    /// leads to it in the order of the text.
    #[must_use]
    pub fn path(&self) -> Path {
        let mut edges = Vec::new();
        let mut at = self.current;
        while let Some(edge) = at {
            edges.push(edge);
            at = self.met.get(edge.0.index()).copied().flatten().flatten();
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

    /// The key under which the node that was visited last stands, if it is in a mapping.
    pub(super) fn key(&self) -> Option<NodeRef<'a>> {
        self.key_of(self.current?)
    }

    fn key_of(&self, (parent, place): Edge) -> Option<NodeRef<'a>> {
        let parent = self.tree.node(parent);
        let place = (place as usize).checked_sub(1).filter(|_| parent.kind() == super::Kind::Mapping)?;
        parent.child_ids().get(place).map(|&key| self.tree.node(key))
    }

    /// The next place in the tree, whether or not its node was visited before: as many as there are
    /// items and entries. What is below a node comes once.
    pub(super) fn next_place(&mut self) -> Option<(NodeRef<'a>, bool)> {
        let (id, edge) = self.pending.pop()?;
        self.current = edge;
        let node = self.tree.node(id);
        let Some(slot @ None) = self.met.get_mut(id.index()) else { return Some((node, false)) };
        *slot = Some(edge);
        // Of a mapping's children every second one is a value; its key stands before it.
        let step = if node.kind() == super::Kind::Mapping { 2 } else { 1 };
        let children = node.child_ids().iter().enumerate().skip(step - 1).step_by(step).rev();
        let edge = |place| Some((id, u32::try_from(place).unwrap_or(u32::MAX)));
        self.pending.extend(children.map(|(place, &child)| (child, edge(place))));
        Some((node, true))
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let last = self.current;
        loop {
            match self.next_place() {
                Some((node, true)) => return Some(node),
                Some(_) => {}
                // What was met again is not what was visited last.
                None => {
                    self.current = last;
                    return None;
                }
            }
        }
    }
}

impl<'a> NodeRef<'a> {
    /// Visits this node and all that can be reached from it.
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
