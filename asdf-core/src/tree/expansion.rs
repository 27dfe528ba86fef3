//! The size of a tree's lists with all aliases expanded.

use std::collections::{HashMap, HashSet};

use super::{Kind, NodeId, NodeRef, Tree};
use crate::error::{Code, Error, Hint, LimitName, Result};

/// What aliases make of the lists of a tree.
#[derive(Debug, Clone, Default)]
pub(super) struct Expansion {
    /// The items of all lists, once for each place that they can be reached from.
    items: u64,
    /// The nodes that contain themselves.
    endless: HashSet<NodeId>,
}

/// A collection whose children are being counted.
struct Open<'a> {
    node: NodeRef<'a>,
    next: usize,
    items: u64,
}

impl<'a> Open<'a> {
    fn new(node: NodeRef<'a>) -> Self {
        let items = if node.kind() == Kind::Sequence { node.len() as u64 } else { 0 };
        Self { node, next: 0, items }
    }
}

impl Expansion {
    /// Counts in one pass. Only nodes with anchors can be reached from several places.
    fn of(tree: &Tree) -> Self {
        let mut endless = HashSet::new();
        // The items below each shared node; `None` before they are counted.
        let mut shared: HashMap<NodeId, Option<u64>> = HashMap::new();
        let mut open: Vec<Open<'_>> = tree.root().map(Open::new).into_iter().collect();
        shared.extend(open.iter().map(|root| (root.node.id(), None)));
        let mut items = 0;
        while let Some(last) = open.last_mut() {
            let Some(&id) = last.node.child_ids().get(last.next) else {
                items = last.items;
                let id = last.node.id();
                open.pop();
                if let Some(counted) = shared.get_mut(&id) {
                    *counted = Some(items);
                }
                if let Some(above) = open.last_mut() {
                    above.items = above.items.saturating_add(items);
                }
                continue;
            };
            last.next += 1;
            let child = tree.node(id);
            if child.kind().is_scalar() {
                continue;
            }
            match shared.get(&id) {
                Some(Some(counted)) => last.items = last.items.saturating_add(*counted),
                Some(None) => {
                    endless.insert(id);
                }
                None => {
                    if child.anchor().is_some() {
                        shared.insert(id, None);
                    }
                    open.push(Open::new(child));
                }
            }
        }
        Self { items, endless }
    }
}

impl Tree {
    /// How often each node of the tree can stand in a list before its items count as repeated.
    const FREE: u64 = 4;

    /// The nodes that are free in a small tree, whatever it repeats.
    const SMALL: u64 = 1024;

    /// The bytes that a repeated item counts as. Parsing it takes much longer than reading an element of a block.
    const ITEM: u64 = 256;

    fn expansion(&self) -> Option<&Expansion> {
        let has_anchors = self.anchors.iter(&self.text).next().is_some();
        has_anchors.then(|| self.expansion.get_or_init(|| Expansion::of(self)))
    }

    /// Checks that aliases do not repeat the lists of this tree too often, before a list is parsed as an array.
    ///
    /// A list is parsed once for each array that contains it, so a small file could take hours.
    pub(crate) fn check_aliases(&self) -> Result<()> {
        let Some(&Expansion { items, .. }) = self.expansion() else { return Ok(()) };
        let free = (self.len() as u64 + Self::SMALL).saturating_mul(Self::FREE);
        let bytes = items.saturating_sub(free).saturating_mul(Self::ITEM);
        let most = self.blocks.most_repeated();
        if bytes <= most {
            return Ok(());
        }
        let items = if items == u64::MAX { "more than 2^64".to_owned() } else { items.to_string() };
        Err(Error::limit(format!(
            "aliases repeat lists: their {items} items count as {bytes} bytes, which is larger than the limit of {most} bytes"
        ))
        .with_code(Code::RepeatedElements)
        .with_hint(Hint::Raise { limit: LimitName::RepeatedElements, from: most, to: Some(bytes) }))
    }

    /// Whether a node contains itself, by an alias.
    pub(crate) fn is_endless(&self, id: NodeId) -> bool {
        self.expansion().is_some_and(|expansion| expansion.endless.contains(&id))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::yaml::parse;

    fn of(text: &str) -> (u64, usize) {
        let tree = parse(text).unwrap();
        tree.expansion().map_or((0, 0), |found| (found.items, found.endless.len()))
    }

    #[test]
    fn items_count_once_for_each_place() {
        assert_eq!(of("[1, 2, [3]]"), (0, 0), "without anchors, nothing is counted");
        assert_eq!(of("a: &a [1, 2]\nb: *a\nc: {d: [*a]}"), (2 + 2 + 1 + 2, 0));
        assert_eq!(of("a: &a {b: [1, 2], c: 3}\nd: [*a, *a]\ne: [&s 1, *s]"), (2 + 2 + 2 * 2 + 2, 0));
    }

    #[test]
    fn nodes_that_contain_themselves_are_found() {
        assert_eq!(of("a: &a [1, *a]\nb: *a"), (2 + 2, 1));
        assert_eq!(of("&a {b: &b [*a, &c [*b, *c]]}"), (2 + 2, 3));
    }

    #[test]
    fn growth_without_end_is_refused_and_the_hint_names_the_limit() {
        let mut text = String::from("- &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n");
        let grown = |text: &str| parse(text).unwrap().check_aliases();
        for level in 1..70 {
            assert_eq!(grown(&text).is_ok(), level < 19, "{level}");
            let above = level - 1;
            writeln!(text, "- &a{level} [*a{above}, *a{above}]").unwrap();
        }
        let error = grown(&text).unwrap_err();
        assert_eq!(error.code(), Some(Code::RepeatedElements));
        assert!(error.message().contains("more than 2^64 items"), "{error}");
        assert!(error.hint().unwrap().to_string().contains("repeated_elements"), "{error}");
    }
}
