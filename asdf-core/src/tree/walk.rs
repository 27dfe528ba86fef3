//! Every reachable node, once.

use super::{NodeId, NodeRef, Path, Tree};

/// Visits each node that can be reached from one, in the order of the text, each once however
/// often it is shared; cycles end. Keys are not visited. Needs no stack of the thread.
#[derive(Debug)]
pub struct Walk<'a> {
    tree: &'a Tree,
    /// Nodes to visit, each with the parent and the place among its children that led there.
    pending: Vec<(NodeId, NodeId, u32)>,
    /// For each node its parent and its place among the parent's children, once it was visited.
    met: Vec<Option<(NodeId, u32)>>,
    start: NodeId,
    current: NodeId,
}

impl<'a> Walk<'a> {
    fn new(start: NodeRef<'a>) -> Self {
        let id = start.id();
        let met = vec![None; start.tree().len()];
        Self { tree: start.tree(), pending: vec![(id, id, 0)], met, start: id, current: id }
    }

    /// The path from the start of the walk to the node that was visited last: the first path that
    /// leads to it in the order of the text.
    #[must_use]
    pub fn path(&self) -> Path {
        let mut steps = Vec::new();
        let mut at = self.current;
        while at != self.start {
            let Some(&Some((parent, place))) = self.met.get(at.index()) else { break };
            steps.push((parent, place));
            at = parent;
        }
        let mut path = Path::root();
        for (parent, place) in steps.into_iter().rev() {
            let parent = self.tree.node(parent);
            match parent.child_ids().get((place as usize).wrapping_sub(1)) {
                Some(&key) if parent.kind() == super::Kind::Mapping => {
                    path.push(self.tree.node(key).text().unwrap_or("?"));
                }
                _ => path.push(&place.to_string()),
            }
        }
        path
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = loop {
            let (id, parent, place) = self.pending.pop()?;
            if let Some(slot @ None) = self.met.get_mut(id.index()) {
                *slot = Some((parent, place));
                break id;
            }
        };
        self.current = id;
        let node = self.tree.node(id);
        // Of a mapping's children every second one is a value; its key stands before it.
        let step = if node.kind() == super::Kind::Mapping { 2 } else { 1 };
        let children = node.child_ids().iter().enumerate().skip(step - 1).step_by(step).rev();
        self.pending
            .extend(children.map(|(place, &child)| (child, id, u32::try_from(place).unwrap_or(u32::MAX))));
        Some(node)
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
