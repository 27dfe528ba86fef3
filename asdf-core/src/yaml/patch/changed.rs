//! The nodes of an edited tree that differ from the parsed tree.

use crate::tree::{NodeId, NodeRef, Tree};

/// The changed nodes, and those above them.
pub(super) struct Changed(Vec<bool>);

impl Changed {
    /// Compares the reachable nodes with those of the same number in the parsed tree. Editing keeps numbers.
    pub(super) fn new(old: &Tree, root: NodeRef<'_>) -> Self {
        let tree = root.tree();
        let mut changed = vec![false; tree.len()];
        let mut met = vec![false; tree.len()];
        // From each child to its parents.
        let mut up: Vec<(NodeId, NodeId)> = Vec::new();
        let mut pending = vec![root.id()];
        let mut rising = Vec::new();
        while let Some(id) = pending.pop() {
            if std::mem::replace(slot(&mut met, id), true) {
                continue;
            }
            let node = tree.node(id);
            if number(id) >= old.len() || differs(old.node(id), node) {
                *slot(&mut changed, id) = true;
                rising.push(id);
            }
            up.extend(node.child_ids().iter().map(|&child| (child, id)));
            pending.extend(node.child_ids());
        }
        if !rising.is_empty() {
            up.sort_unstable();
        }
        while let Some(id) = rising.pop() {
            let first = up.partition_point(|(child, _)| *child < id);
            for &(_, parent) in up.iter().skip(first).take_while(|(child, _)| *child == id) {
                if !std::mem::replace(slot(&mut changed, parent), true) {
                    rising.push(parent);
                }
            }
        }
        Self(changed)
    }

    /// Returns whether a node, or one below it, changed.
    pub(super) fn contains(&self, node: NodeRef<'_>) -> bool {
        self.0.get(number(node.id())).copied().unwrap_or(true)
    }
}

fn number(id: NodeId) -> usize {
    id.number() as usize - 1
}

#[allow(clippy::indexing_slicing, reason = "the ids are of the tree that the list was made for")]
fn slot(list: &mut [bool], id: NodeId) -> &mut bool {
    &mut list[number(id)]
}

fn differs(old: NodeRef<'_>, new: NodeRef<'_>) -> bool {
    old.kind() != new.kind()
        || old.tag() != new.tag()
        || old.text() != new.text()
        || old.child_ids() != new.child_ids()
}
