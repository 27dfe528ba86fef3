//! Whether two small nodes are the same but for some scalars.

use super::{Kind, NodeId, NodeRef, Record, Tree};

/// So many nodes are compared at most, keys among them.
const MOST_NODES: usize = 64;

/// So many collections are inside each other at most.
const MOST_LEVELS: usize = 8;

impl<'a> NodeRef<'a> {
    /// Whether another node, of the same tree, says the same, but for scalars that `alike` lets pass: kinds, tags
    /// and the order of keys are the same everywhere, and of each two scalars of one kind whose texts differ
    /// `alike(scalar of this node, scalar of the other)` says whether that matters. Keys are scalars
    /// too, and never differ. Style, anchors and sharing do not matter.
    ///
    /// It is meant for small nodes that a file has by the thousand, and costs a few nanoseconds for each node below:
    /// where more than 64 nodes or eight levels are compared, or the other node is of another tree, the answer is no.
    ///
    /// ```
    /// let tree = asdf_core::yaml::parse("[{source: 0, shape: [2]}, {source: 1, shape: [2]}, {source: 1, shape: [3]}]")?;
    /// let root = tree.root().unwrap();
    /// let source = root.at("/0/source")?;
    /// let like = |index| root.item(0).unwrap().is_like(root.item(index).unwrap(), |own, _| own.id() == source.id());
    /// assert_eq!((like(1), like(2)), (true, false));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn is_like(self, other: Self, mut alike: impl FnMut(Self, Self) -> bool) -> bool {
        let mut pair = Pair { tree: self.tree(), nodes: MOST_NODES, alike: &mut alike };
        std::ptr::eq(self.tree(), other.tree()) && pair.is_like(self.id(), other.id(), MOST_LEVELS, false)
    }
}

/// Two nodes of a tree that are compared.
struct Pair<'a, 'f> {
    tree: &'a Tree,
    /// So many may still be compared.
    nodes: usize,
    /// What is asked about two scalars whose texts differ.
    alike: &'f mut dyn FnMut(NodeRef<'a>, NodeRef<'a>) -> bool,
}

impl Pair<'_, '_> {
    #[inline]
    fn is_like(&mut self, one: NodeId, other: NodeId, levels: usize, is_key: bool) -> bool {
        let (a, b) = (self.tree.record(one), self.tree.record(other));
        if self.nodes == 0 || !a.has_kind_and_tag_of(b) {
            return false;
        }
        self.nodes -= 1;
        if !a.kind().is_scalar() {
            return self.are_like(a, b, levels, is_key);
        }
        same_bytes(self.tree.content(a), self.tree.content(b))
            || (!is_key && (self.alike)(self.tree.node(one), self.tree.node(other)))
    }

    /// The children of two collections of one kind.
    fn are_like(&mut self, a: &Record, b: &Record, levels: usize, is_key: bool) -> bool {
        let (ids, others) = (self.tree.child_ids(a), self.tree.child_ids(b));
        let Some(levels) = levels.checked_sub(1).filter(|_| ids.len() == others.len()) else { return false };
        // A mapping's keys and values by turns.
        let has_keys = a.kind() == Kind::Mapping;
        let mut keys = has_keys;
        for (&one, &other) in ids.iter().zip(others) {
            if !self.is_like(one, other, levels, is_key || keys) {
                return false;
            }
            keys = has_keys && !keys;
        }
        true
    }
}

/// Most words are so short that calling a function to compare them takes longer than that.
fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    fn ends<const N: usize>(bytes: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
        Some((bytes.first_chunk()?, bytes.last_chunk()?))
    }
    match a.len() {
        length if length != b.len() => false,
        0..4 => a.iter().zip(b).all(|(a, b)| a == b),
        4..8 => ends::<4>(a) == ends(b),
        8..=16 => ends::<8>(a) == ends(b),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    /// Whether the two items of a list are like each other, when integers do not matter.
    fn alike(list: &str) -> bool {
        let tree = parse(list).unwrap();
        let root = tree.root().unwrap();
        let (one, other) = (root.item(0).unwrap(), root.item(1).unwrap());
        let integers = |a: NodeRef<'_>, b: NodeRef<'_>| a.kind() == Kind::Int && b.kind() == Kind::Int;
        assert_eq!(one.is_like(other, integers), other.is_like(one, integers), "{list}");
        one.is_like(other, integers)
    }

    #[test]
    fn only_scalars_that_are_let_pass_may_differ() {
        for (list, expected) in [
            ("[{a: 1, b: [x]}, {a: 22, b: ['x']}]", true),
            ("[&one {a: 1}, *one]", true),
            ("[{a: 1}, {a: 1.0}]", false),
            ("[{a: 1}, {a: !x 1}]", false),
            ("[{a: 1}, {b: 1}]", false),
            ("[{a: 1, b: 2}, {b: 2, a: 1}]", false),
            ("[{a: 1}, {a: 1, b: 1}]", false),
            ("[{a: x}, {a: y}]", false),
            ("[{a: x}, {a: xy}]", false),
            ("[[], {}]", false),
            ("[!x {}, !y {}]", false),
            // Keys never differ, whatever their kind.
            ("[{1: a}, {2: a}]", false),
            ("[{? [1] : a}, {? [2] : a}]", false),
            ("[{? [1] : a}, {? [1] : a}]", true),
        ] {
            assert_eq!(alike(list), expected, "{list}");
        }
    }

    #[test]
    fn what_is_large_or_deep_is_not_compared() {
        let pair = |item: String| format!("[{item}, {item}]");
        let wide = |count: usize| pair(format!("[{}]", vec!["1"; count].join(", ")));
        assert_eq!((alike(&wide(63)), alike(&wide(64))), (true, false));
        let deep = |levels: usize| pair(format!("{}{}", "[".repeat(levels), "]".repeat(levels)));
        assert_eq!((alike(&deep(8)), alike(&deep(9))), (true, false));
        assert!(!alike("[&one [*one], &two [*two]]"));
    }
}
