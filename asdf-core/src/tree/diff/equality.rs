//! Equality of nodes.

use std::collections::HashSet;

use crate::tree::{Kind, NodeRef};

impl PartialEq for NodeRef<'_> {
    /// Compares kinds, values, tags and the order of keys, all the way down.
    ///
    /// Style, anchors and sharing are ignored. Numbers are compared by value: `0x10` equals `16`, and `.nan`
    /// equals `.nan`. An integer never equals a float. Cycles end.
    fn eq(&self, other: &Self) -> bool {
        let mut met = HashSet::new();
        let mut pending = vec![(*self, *other)];
        while let Some((a, b)) = pending.pop() {
            let same_tree = std::ptr::eq(a.tree(), b.tree());
            if (same_tree && a.id() == b.id()) || !met.insert((a.id(), b.id())) {
                continue;
            }
            if a.kind() != b.kind() || a.tag() != b.tag() || a.child_ids().len() != b.child_ids().len() {
                return false;
            }
            if !same_scalar(a, b) {
                return false;
            }
            let (left, right) = (a.tree(), b.tree());
            let pairs = a.child_ids().iter().zip(b.child_ids());
            pending.extend(pairs.map(|(&x, &y)| (left.node(x), right.node(y))));
        }
        true
    }
}

pub(super) fn same_scalar(a: NodeRef<'_>, b: NodeRef<'_>) -> bool {
    match a.kind() {
        Kind::Null | Kind::Sequence | Kind::Mapping => true,
        Kind::Bool => a.as_bool() == b.as_bool(),
        Kind::Int => a.text() == b.text() || a.as_bigint() == b.as_bigint(),
        Kind::Float => match (a.as_f64(), b.as_f64()) {
            (Some(x), Some(y)) => x.to_bits() == y.to_bits() || x == y || (x.is_nan() && y.is_nan()),
            (x, y) => x.is_none() && y.is_none(),
        },
        Kind::String | Kind::Timestamp => a.text() == b.text(),
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::Tree;

    #[test]
    fn values_and_tags_count_and_sharing_does_not() {
        let build = |shared: bool, tag: &str| {
            let mut tree = Tree::new();
            let a = tree.add_float(f64::NAN);
            let b = if shared { a } else { tree.add_float(f64::NAN) };
            tree.set_tag(a, Some("tag:x"));
            tree.set_tag(b, Some(tag));
            let root = tree.add_sequence([a, b]);
            tree.set_root(root);
            tree
        };
        assert_eq!(build(true, "tag:x").root(), build(false, "tag:x").root());
        assert_ne!(build(true, "tag:x").root(), build(false, "tag:y").root());
    }

    #[test]
    fn cycles_end() {
        let mut tree = Tree::new();
        let root = tree.add_sequence([]);
        tree.push(root, root);
        tree.set_root(root);
        let copy = tree.clone();
        assert_eq!(tree.root(), copy.root());
    }
}
