//! How large a tree is when its aliases are written out.

use std::collections::HashMap;

use asdf_core::tree::{NodeId, NodeRef};

/// The number of nodes below each collection with every alias counted as often as it stands;
/// saturating. A node inside itself counts once. Schemas walk trees like that, so a tree that is
/// out of all proportion is not given to them.
pub(super) fn sizes(root: NodeRef<'_>) -> HashMap<NodeId, u64> {
    let tree = root.tree();
    let mut sizes: HashMap<NodeId, u64> = HashMap::new();
    let mut open: HashMap<NodeId, ()> = HashMap::new();
    let mut pending = vec![(root.id(), false)];
    while let Some((id, done)) = pending.pop() {
        let node = tree.node(id);
        let children = || node.items().chain(node.entries().flat_map(|(key, value)| [key, value]));
        if done {
            let below = children().map(|child| match child.kind().is_scalar() {
                true => 1,
                false => sizes.get(&child.id()).copied().unwrap_or(1),
            });
            let size = below.fold(1_u64, u64::saturating_add);
            open.remove(&id);
            sizes.insert(id, size);
        } else if !sizes.contains_key(&id) && open.insert(id, ()).is_none() {
            pending.push((id, true));
            pending.extend(
                children().filter(|child| !child.kind().is_scalar()).map(|child| (child.id(), false)),
            );
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_count_as_often_as_they_stand() {
        let tree =
            asdf_core::yaml::parse("a: &a [1, 2]\nb: &b [*a, *a]\nc: [*b, *b, *b]\nd: &d [*d]\n").unwrap();
        let sizes = sizes(tree.root().unwrap());
        let at = |pointer: &str| sizes[&tree.at(pointer).unwrap().id()];
        assert_eq!((at("/a"), at("/b"), at("/c"), at("/d")), (3, 7, 22, 2));
    }
}
