//! Merging mappings.

use std::collections::{HashMap, HashSet};

use super::{ASDF_TAG, Kind, NodeId, NodeRef, Tree};
use crate::error::{Error, Result};

/// The tree whose value is kept if both have the same key.
///
/// See [`Edit::merge`](crate::value::Edit::merge).
///
/// # Examples
/// ```
/// use asdf_core::tree::Winner;
/// use asdf_core::yaml;
///
/// let mut tree = yaml::parse("meta: {gain: 2}")?;
/// let other = yaml::parse("{gain: 3, mode: fast}")?;
/// tree.edit("/meta").merge(other.at("")?, Winner::Theirs)?;
/// assert_eq!(tree.get::<i32>("/meta/gain")?, 3);
/// assert_eq!(tree.get::<String>("/meta/mode")?, "fast");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Winner {
    /// Keep the value that the tree already has.
    Ours,
    /// Take the value that is merged in.
    Theirs,
}

impl Tree {
    /// Merges a mapping of another tree into one of this tree.
    pub(crate) fn merge(&mut self, pointer: &str, other: NodeRef<'_>, winner: Winner) -> Result<()> {
        let node = self.at(pointer)?;
        if node.kind() != Kind::Mapping {
            return Err(node.expected("a mapping to merge into").at_path(pointer));
        }
        if other.kind() != Kind::Mapping {
            let found = other.describe();
            return Err(Error::mismatch(format!("found {found}, expected a mapping to merge")));
        }
        let ours = node.id();
        let theirs = self.graft(other)?;
        let mut met = HashSet::new();
        let mut pending = vec![(ours, theirs)];
        while let Some((ours, theirs)) = pending.pop() {
            if met.insert((ours, theirs)) {
                pending.extend(self.merge_entries(ours, theirs, winner));
            }
        }
        Ok(())
    }

    /// Merges the entries of two mappings of this tree. Returns the pairs of mappings to merge next.
    fn merge_entries(&mut self, ours: NodeId, theirs: NodeId, winner: Winner) -> Vec<(NodeId, NodeId)> {
        // By kind and text, because the key 1 differs from the key '1'. Of duplicates, the last counts.
        let places: HashMap<(Kind, String), usize> = self
            .node(ours)
            .entries()
            .enumerate()
            .filter_map(|(index, (key, _))| Some(((key.kind(), key.text()?.to_owned()), index * 2)))
            .collect();
        let mut deeper = Vec::new();
        for pair in self.node(theirs).child_ids().to_vec().chunks_exact(2) {
            let &[key, value] = pair else { continue };
            let name = self.node(key).text().map(|text| (self.node(key).kind(), text.to_owned()));
            let Some(&place) = name.and_then(|name| places.get(&name)) else {
                self.append(ours, &[key, value]);
                continue;
            };
            let Some(&old) = self.node(ours).child_ids().get(place + 1) else { continue };
            if mergeable(self.node(old), self.node(value)) {
                deeper.push((old, value));
            } else if winner == Winner::Theirs {
                self.set_child(ours, place + 1, value);
            }
        }
        deeper
    }
}

/// Returns whether two values are merged entry by entry. An array counts as a single value.
fn mergeable(ours: NodeRef<'_>, theirs: NodeRef<'_>) -> bool {
    let array = ours.tag().and_then(|tag| tag.strip_prefix(ASDF_TAG));
    ours.kind() == Kind::Mapping
        && theirs.kind() == Kind::Mapping
        && ours.tag() == theirs.tag()
        && !array.is_some_and(|name| name.starts_with("core/ndarray-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(entries: &[(&str, i64)], tag: Option<&str>) -> Tree {
        let mut tree = Tree::new();
        let inner = tree.add_mapping([]);
        for (key, value) in entries {
            let value = tree.add_int(*value);
            tree.insert(inner, key, value);
        }
        tree.set_tag(inner, tag);
        let root = tree.add_mapping([]);
        tree.insert(root, "inner", inner);
        tree.set_root(root);
        tree
    }

    fn inner(tree: &Tree) -> Vec<(String, i64)> {
        let entries = tree.at("/inner").unwrap().entries();
        entries.map(|(key, value)| (key.text().unwrap().to_owned(), value.as_i64().unwrap())).collect()
    }

    #[test]
    fn mappings_are_merged_and_the_winner_keeps_the_rest() {
        for (winner, b) in [(Winner::Ours, 2), (Winner::Theirs, 20)] {
            let mut ours = tree(&[("a", 1), ("b", 2)], None);
            let theirs = tree(&[("b", 20), ("c", 30)], None);
            ours.merge("", theirs.root().unwrap(), winner).unwrap();
            let expected = [("a", 1), ("b", b), ("c", 30)].map(|(key, value)| (key.to_owned(), value));
            assert_eq!(inner(&ours), expected);
        }
    }

    #[test]
    fn arrays_and_values_of_other_tags_are_one_value() {
        let ndarray = "tag:stsci.edu:asdf/core/ndarray-1.1.0";
        for (left, right) in [(Some(ndarray), Some(ndarray)), (Some("tag:x"), None)] {
            let mut ours = tree(&[("a", 1)], left);
            ours.merge("", tree(&[("b", 2)], right).root().unwrap(), Winner::Theirs).unwrap();
            assert_eq!(inner(&ours), [("b".to_owned(), 2)]);
            assert_eq!(ours.at("/inner").unwrap().tag(), right);
        }
    }

    #[test]
    fn cycles_end_and_wrong_kinds_are_named() {
        let cyclic = || {
            let mut tree = Tree::new();
            let root = tree.add_mapping([]);
            tree.insert(root, "self", root);
            tree.set_root(root);
            tree
        };
        let mut ours = cyclic();
        ours.merge("/self", cyclic().root().unwrap(), Winner::Theirs).unwrap();
        assert_eq!(ours.root(), cyclic().root());
        let mut ours = tree(&[("a", 1)], None);
        let theirs = tree(&[], None);
        assert_eq!(
            ours.merge("/inner/a", theirs.root().unwrap(), Winner::Ours).unwrap_err().to_string(),
            "/inner/a: found the integer 1, expected a mapping to merge into"
        );
    }
}
