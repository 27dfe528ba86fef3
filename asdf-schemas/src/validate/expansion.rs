//! How large and how deep a tree is when its aliases are written out.

use std::collections::{HashMap, HashSet};

use asdf_core::tree::{NodeId, NodeRef};

/// What is below a collection, every alias counted as often as it stands; saturating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Expansion {
    /// The number of nodes, with the collection itself.
    pub(super) nodes: u64,
    /// How many collections are inside each other, with the collection itself.
    pub(super) levels: u32,
}

impl Expansion {
    const LEAF: Self = Self { nodes: 1, levels: 0 };

    /// Nothing is known of a collection that is open still: it is inside itself, and counts once.
    const CYCLE: Self = Self { nodes: 1, levels: 1 };
}

/// What is below each collection. Schemas walk trees like that, by recursion, so a tree that is out of all
/// proportion is not given to them.
pub(super) fn expansions(root: NodeRef<'_>) -> HashMap<NodeId, Expansion> {
    let tree = root.tree();
    let mut known: HashMap<NodeId, Expansion> = HashMap::new();
    let mut open: HashSet<NodeId> = HashSet::new();
    let mut pending = vec![(root.id(), false)];
    while let Some((id, done)) = pending.pop() {
        let node = tree.node(id);
        let children = || node.items().chain(node.entries().flat_map(|(key, value)| [key, value]));
        if done {
            let below = children().map(|child| match child.kind().is_scalar() {
                true => Expansion::LEAF,
                false => known.get(&child.id()).copied().unwrap_or(Expansion::CYCLE),
            });
            let all = below.fold(Expansion { nodes: 1, levels: 1 }, |all, child| Expansion {
                nodes: all.nodes.saturating_add(child.nodes),
                levels: all.levels.max(child.levels.saturating_add(1)),
            });
            open.remove(&id);
            known.insert(id, all);
        } else if !known.contains_key(&id) && open.insert(id) {
            pending.push((id, true));
            pending.extend(
                children().filter(|child| !child.kind().is_scalar()).map(|child| (child.id(), false)),
            );
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_count_as_often_as_they_stand() {
        let tree =
            asdf_core::yaml::parse("a: &a [1, 2]\nb: &b [*a, *a]\nc: [*b, *b, *b]\nd: &d [*d]\n").unwrap();
        let known = expansions(tree.root().unwrap());
        let at = |pointer: &str| known[&tree.at(pointer).unwrap().id()];
        let nodes = |pointer| at(pointer).nodes;
        assert_eq!((nodes("/a"), nodes("/b"), nodes("/c"), nodes("/d")), (3, 7, 22, 2));
        let levels = |pointer| at(pointer).levels;
        assert_eq!((levels("/a"), levels("/b"), levels("/c"), levels("/d")), (1, 2, 3, 2));
    }
}
