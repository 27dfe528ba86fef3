//! Computes the size and depth of a tree with its aliases expanded.

use std::collections::{HashMap, HashSet};

use asdf_core::Tree;
use asdf_core::tree::{Kind, NodeId, NodeRef};

/// The size and depth of a collection with its aliases expanded. The counts saturate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Expansion {
    /// The number of nodes, with the collection itself.
    pub(super) nodes: u64,
    /// The number of nested collections, with the collection itself.
    pub(super) levels: u32,
}

impl Expansion {
    const LEAF: Self = Self { nodes: 1, levels: 0 };

    /// A collection inside itself. It is counted once, because its size is not known yet.
    const CYCLE: Self = Self { nodes: 1, levels: 1 };
}

/// Nodes of a tree, as bits.
struct Nodes(Vec<u64>);

impl Nodes {
    fn none_of(tree: &Tree) -> Self {
        Self(vec![0; tree.len() / 64 + 1])
    }

    /// Adds a node. Returns whether it is new.
    fn insert(&mut self, node: NodeRef<'_>) -> bool {
        let number = node.id().number();
        let bit = 1 << (number % 64);
        // A node's number is at most the number of nodes.
        let Some(word) = self.0.get_mut(number as usize / 64) else { return false };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

/// Whether no collection below a node has aliases, and the nodes and levels are within the limits.
///
/// Nearly every file is small in this sense, and needs no [expansions]. This takes one pass, and remembers only
/// collections.
pub(super) fn is_small<'a>(root: NodeRef<'a>, most_nodes: u64, most_levels: u32) -> bool {
    let mut met = Nodes::none_of(root.tree());
    let mut nodes = 1_u64;
    let mut pending = vec![(root, 1_u32)];
    while let Some((node, level)) = pending.pop() {
        let children = node.len() as u64;
        nodes = nodes.saturating_add(if node.kind() == Kind::Mapping {
            children.saturating_mul(2)
        } else {
            children
        });
        if !met.insert(node) || level > most_levels || nodes > most_nodes {
            return false;
        }
        let mut add = |child: NodeRef<'a>| {
            if !child.kind().is_scalar() {
                pending.push((child, level + 1));
            }
        };
        node.items().for_each(&mut add);
        for (key, value) in node.entries() {
            add(key);
            add(value);
        }
    }
    true
}

/// Returns the expansion of each collection.
///
/// The engine walks trees by recursion and follows every alias, so trees that are too large or deep are not validated.
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
    fn every_alias_is_counted() {
        let tree =
            asdf_core::yaml::parse("a: &a [1, 2]\nb: &b [*a, *a]\nc: [*b, *b, *b]\nd: &d [*d]\n").unwrap();
        let known = expansions(tree.root().unwrap());
        let at = |pointer: &str| known[&tree.at(pointer).unwrap().id()];
        let nodes = |pointer| at(pointer).nodes;
        assert_eq!((nodes("/a"), nodes("/b"), nodes("/c"), nodes("/d")), (3, 7, 22, 2));
        assert!(!is_small(tree.root().unwrap(), 100, 100));
        let plain = asdf_core::yaml::parse("a: [1, 2]\nb: {c: [3]}\n").unwrap();
        // The root, two keys, two lists with three numbers, a mapping with its key.
        assert!(is_small(plain.root().unwrap(), 10, 3));
        assert!(!is_small(plain.root().unwrap(), 9, 3) && !is_small(plain.root().unwrap(), 10, 2));
        let levels = |pointer| at(pointer).levels;
        assert_eq!((levels("/a"), levels("/b"), levels("/c"), levels("/d")), (1, 2, 3, 2));
    }
}
