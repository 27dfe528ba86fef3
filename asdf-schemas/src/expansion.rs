//! Computes the size and depth of a tree with its aliases expanded.

use std::collections::{HashMap, HashSet};

use asdf_core::tree::{Kind, NodeId, NodeRef};
use asdf_core::{Error, Result, Tree};

/// The size and depth of a collection with its aliases expanded. The counts saturate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expansion {
    /// The number of nodes, with the collection itself.
    pub(crate) nodes: u64,
    /// The number of nested collections, with the collection itself.
    pub(crate) levels: u32,
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
pub(crate) fn is_small<'a>(root: NodeRef<'a>, most_nodes: u64, most_levels: u32) -> bool {
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
pub(crate) fn expansions(root: NodeRef<'_>) -> HashMap<NodeId, Expansion> {
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

/// The maximum number of nodes of a schema, with aliases expanded.
const MOST_IN_SCHEMA: usize = 1_000_000;

/// The maximum number of nested collections of a schema, with aliases expanded. It is that of YAML texts.
const LEVELS_IN_SCHEMA: usize = 512;

/// Refuses a schema whose aliases expand to too many nodes or levels, since readers of schemas follow every alias.
///
/// # Errors
/// [`Limit`](asdf_core::error::Kind::Limit) if the schema has too many nodes or levels, or contains itself.
pub(crate) fn small_schema(tree: Tree) -> Result<Tree> {
    let mut nodes = 0;
    let mut pending: Vec<(NodeRef<'_>, usize)> = tree.root().map(|root| (root, 1)).into_iter().collect();
    while let Some((node, level)) = pending.pop() {
        if level > LEVELS_IN_SCHEMA {
            let message =
                format!("the schema has more than {LEVELS_IN_SCHEMA} levels, with its aliases expanded");
            return Err(Error::limit(message).with_hint("use `$ref` instead of aliases"));
        }
        nodes += 1 + node.len();
        if nodes > MOST_IN_SCHEMA {
            let message =
                format!("the schema has more than {MOST_IN_SCHEMA} nodes, with its aliases expanded");
            return Err(Error::limit(message).with_hint("use `$ref` instead of aliases, or split the schema"));
        }
        let children = node.items().chain(node.entries().map(|(_, value)| value));
        let collections = children.filter(|child| !child.kind().is_scalar());
        pending.extend(collections.map(|child| (child, level + 1)));
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_with_too_many_nodes_are_refused() {
        let mut bomb = "a0: &a0 {type: object}\n".to_owned();
        for level in 1..40 {
            bomb += &format!("a{level}: &a{level} {{anyOf: [*a{}, *a{}]}}\n", level - 1, level - 1);
        }
        let parse = |text: &str| asdf_core::yaml::parse(text).unwrap();
        let mut chain = "a0: &a0 {type: object}\n".to_owned();
        for level in 1..600 {
            chain += &format!("a{level}: &a{level} {{not: *a{}}}\n", level - 1);
        }
        for text in [bomb.as_str(), &chain, "&a {not: *a}"] {
            let error = small_schema(parse(text)).unwrap_err();
            assert_eq!(error.kind(), asdf_core::error::Kind::Limit, "{text}");
        }
        assert!(small_schema(parse("{a: &a {type: object}, b: [*a, *a]}")).is_ok());
    }

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
