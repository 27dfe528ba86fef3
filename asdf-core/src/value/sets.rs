//! Sets: `!!set` in YAML, `set` in Python.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, Hash};

use super::{FromNode, Kinds, OwnTag, ToNode, read};
use crate::error::{Error, Result};
use crate::tree::{Kind, NodeId, NodeRef, Tree, YAML_TAG};

/// The two forms that a set is read from. A repeated item counts once.
const TYPES: Kinds = Kinds::SEQUENCE.or(Kinds::MAPPING);

/// Reads each item. One error has the faults of all items.
fn items<T: FromNode, S: FromIterator<T>>(node: NodeRef<'_>) -> Result<S> {
    let nodes: Vec<NodeRef<'_>> = match node.as_set() {
        Some(items) => items.collect(),
        None if node.kind() == Kind::Sequence => node.items().collect(),
        None => return node.fail(expected()),
    };
    let set = node.kind() == Kind::Mapping;
    let mut fault: Option<Error> = None;
    let mut values = Vec::with_capacity(nodes.len());
    for (index, item) in nodes.into_iter().enumerate() {
        let below = |error: Error| match item.text().filter(|_| set) {
            Some(key) => error.under(key),
            None => error.under(index),
        };
        match read(item).map_err(below) {
            Ok(value) => values.push(value),
            Err(error) => {
                fault = Some(match fault.take() {
                    Some(first) => first.and(error),
                    None => error,
                });
            }
        }
    }
    fault.map_or_else(|| Ok(values.into_iter().collect()), Err)
}

fn expected() -> String {
    "a set: a mapping tagged !!set with null for every value, or a sequence".to_owned()
}

fn matches(node: NodeRef<'_>) -> bool {
    let set = node.tag().and_then(|tag| tag.strip_prefix(YAML_TAG)) == Some("set");
    node.own_tag().is_none() && (node.kind() == Kind::Sequence || (node.kind() == Kind::Mapping && set))
}

fn write<'a, T: ToNode + 'a>(items: impl Iterator<Item = &'a T>, tree: &mut Tree) -> Result<NodeId> {
    let ids = items.map(|item| item.to_node(tree)).collect::<Result<Vec<_>>>()?;
    for &id in &ids {
        let item = tree.node(id);
        if !item.kind().is_scalar() {
            let message = format!("found {} in a set, expected scalars", item.describe());
            return Err(Error::usage(message).with_hint("write a `Vec`; Python has no sets of collections"));
        }
    }
    Ok(tree.add_set(ids))
}

impl<T: FromNode + Ord> FromNode for BTreeSet<T> {
    const TYPES: Kinds = TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    /// Reads a `!!set` or a sequence. A repeated item of a sequence counts once.
    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        items(node)
    }

    fn expected() -> String {
        expected()
    }

    fn matches(node: NodeRef<'_>) -> bool {
        matches(node)
    }
}

impl<T: ToNode> ToNode for BTreeSet<T> {
    /// Writes a `!!set`, which Python reads as a `set`. The items must be scalars.
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        write(self.iter(), tree)
    }
}

impl<T: FromNode + Eq + Hash, S: BuildHasher + Default> FromNode for HashSet<T, S> {
    const TYPES: Kinds = TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    /// Reads a `!!set` or a sequence. A repeated item of a sequence counts once.
    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        items(node)
    }

    fn expected() -> String {
        expected()
    }

    fn matches(node: NodeRef<'_>) -> bool {
        matches(node)
    }
}

impl<T: ToNode + Ord, S> ToNode for HashSet<T, S> {
    /// Writes a `!!set`, which Python reads as a `set`. The items must be scalars.
    ///
    /// Items are sorted, so that equal sets give the same text.
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut items: Vec<_> = self.iter().collect();
        items.sort();
        write(items.into_iter(), tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    #[test]
    fn sets_are_written_as_sets_and_read_from_lists_too() {
        let set = BTreeSet::from(["b".to_owned(), "a".to_owned(), "yes".to_owned()]);
        let mut tree = Tree::new();
        tree.set("/set", &set).unwrap();
        tree.set("/hash", &set.iter().cloned().collect::<HashSet<_>>()).unwrap();
        tree.set("/none", &BTreeSet::<i64>::new()).unwrap();
        let text = yaml::emit(&tree, yaml::EmitOptions::new().directives(false)).unwrap();
        let line = "!!set {a: null, b: null, 'yes': null}";
        assert_eq!(text, format!("set: {line}\nhash: {line}\nnone: !!set {{}}\n"));
        let again = yaml::parse(&text).unwrap();
        assert_eq!(again.get::<BTreeSet<String>>("/set").unwrap(), set);
        assert_eq!(again.get::<HashSet<String>>("/hash").unwrap().len(), 3);
        assert!(again.get::<BTreeSet<i64>>("/none").unwrap().is_empty());
        let list = yaml::parse("[3, 1, 3]").unwrap();
        assert_eq!(list.get::<BTreeSet<u8>>("").unwrap(), BTreeSet::from([1, 3]));
        assert_eq!(list.get::<HashSet<u8>>("").unwrap(), HashSet::from([1, 3]));
    }

    #[test]
    fn wrong_sets_are_reported() {
        let tree =
            yaml::parse("a: {x}\nb: !!set {x: 1}\nc: !!set {x, 5}\nd: [[1], x]\ne: !own [1]\n").unwrap();
        let message = |at: &str| tree.get::<BTreeSet<String>>(at).unwrap_err().to_string();
        for at in ["/a", "/b"] {
            assert!(message(at).contains("expected a set: a mapping tagged !!set"), "{}", message(at));
        }
        assert!(message("/c").contains(": /c/5:"), "{}", message("/c"));
        assert!(message("/d").contains(": /d/0:"), "{}", message("/d"));
        let matches = |at: &str| BTreeSet::<String>::matches(tree.at(at).unwrap());
        assert_eq!(["/a", "/b", "/c", "/d", "/e"].map(matches), [false, true, true, true, false]);
        let error = Tree::new().set("/x", &BTreeSet::from([vec![1_u8]])).unwrap_err();
        assert_eq!(error.kind(), crate::error::Kind::Usage);
        assert!(error.to_string().contains("a sequence of 1 item in a set"), "{error}");
    }
}
