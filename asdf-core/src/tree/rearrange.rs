//! Inserting, removing, renaming and moving by pointer, and ordering entries.

use std::collections::HashMap;

use super::record::Content;
use super::{Kind, NodeId, NodeRef, Path, Tree, pointer};
use crate::error::{Error, Result};

impl Tree {
    /// Inserts a node at a JSON Pointer, before the item at that index.
    pub(crate) fn insert_at(&mut self, pointer: &str, value: NodeId) -> Result<()> {
        let Some((parent, last, _)) = self.parent(pointer)? else {
            self.set_root(value);
            return Ok(());
        };
        let node = self.node(parent);
        match node.kind() {
            Kind::Sequence => {
                let index = if last == "-" { Some(node.len()) } else { pointer::index(&last) };
                let index = index
                    .filter(|&index| index <= node.len())
                    .ok_or_else(|| no_place(node, &last).at_path(pointer))?;
                self.insert_children(parent, index, &[value]);
            }
            _ => match self.key_place(parent, &last) {
                Some(place) => self.set_child(parent, place + 1, value),
                None => self.insert(parent, &last, value),
            },
        }
        Ok(())
    }

    /// Removes the entry or item at a JSON Pointer and returns its node, which stays in the arena.
    pub(crate) fn remove_at(&mut self, pointer: &str) -> Result<NodeId> {
        let taken = self.take_at(pointer)?;
        Ok(taken.value)
    }

    /// Renames a key of a mapping. The entry keeps its position.
    pub(crate) fn rename_key(&mut self, pointer: &str, key: &str) -> Result<()> {
        self.at(pointer)?;
        let Some((parent, last, path)) = self.parent(pointer)? else {
            return Err(Error::usage("cannot rename the root: it has no key"));
        };
        let node = self.node(parent);
        let Some(place) = self.key_place(parent, &last) else {
            return Err(node.expected("a mapping whose key could be renamed").at_path(path.as_str()));
        };
        if last != key && self.key_place(parent, key).is_some() {
            let key = key.escape_debug();
            return Err(Error::usage(format!("the key '{key}' already exists"))
                .at_path(path.as_str())
                .with_hint("remove it first, or choose another name"));
        }
        let style = node.child_ids().get(place).map(|&old| self.node(old).style());
        let new = self.add_str(key);
        self.set_style(new, style.unwrap_or_default());
        self.set_child(parent, place, new);
        Ok(())
    }

    /// Sets the value of a key of any kind. A new key is added at the end.
    ///
    /// Keys are equal if their kinds and values are, so `1` and `"1"` are different keys. [`insert`](Self::insert) is for
    /// string keys.
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::yaml::parse("{1: a}")?;
    /// let root = tree.root().unwrap().id();
    /// for (key, value) in [(1, "b"), (2, "c")] {
    ///     let (key, value) = (tree.add_int(key), tree.add_str(value));
    ///     tree.insert_entry(root, key, value);
    /// }
    /// assert_eq!(tree.root().unwrap(), asdf_core::yaml::parse("{1: b, 2: c}")?.root().unwrap());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the node is not a mapping.
    pub fn insert_entry(&mut self, mapping: NodeId, key: NodeId, value: NodeId) {
        let node = self.node(mapping);
        assert_eq!(node.kind(), Kind::Mapping, "insert_entry is for mappings");
        let wanted = self.node(key);
        if let Some(text) = wanted.as_str().filter(|_| wanted.own_tag().is_none()) {
            match self.place(mapping, text) {
                Some(_) => {
                    let text = text.to_owned();
                    self.insert(mapping, &text, value);
                }
                None => self.append(mapping, &[key, value]),
            }
            return;
        }
        let found =
            node.entries().enumerate().filter(|(_, (old, _))| old.kind() == wanted.kind() && *old == wanted);
        match found.last() {
            Some((at, _)) => self.set_child(mapping, at * 2 + 1, value),
            None => self.append(mapping, &[key, value]),
        }
    }

    /// Removes the entry of a mapping at an index, and returns its value.
    pub fn remove_entry(&mut self, mapping: NodeId, index: usize) -> Option<NodeId> {
        let node = self.node(mapping);
        let (_, value) = node.entries().nth(index).filter(|_| node.kind() == Kind::Mapping)?;
        let value = value.id();
        self.remove_children(mapping, index * 2, 2);
        Some(value)
    }

    /// Replaces an item of a sequence, and returns the old one; `None` if the sequence is shorter.
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::yaml::parse("[a, b]")?;
    /// let (root, new) = (tree.root().unwrap().id(), tree.add_str("c"));
    /// assert!(tree.set_item(root, 1, new).is_some());
    /// assert_eq!(tree.get::<Vec<String>>("")?, ["a", "c"]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn set_item(&mut self, sequence: NodeId, index: usize, item: NodeId) -> Option<NodeId> {
        let node = self.node(sequence);
        let old = node.item(index)?.id();
        self.set_child(sequence, index, item);
        Some(old)
    }

    /// Inserts an item into a sequence before an index, or at the end if the sequence is shorter.
    ///
    /// # Panics
    /// Panics if the node is not a sequence.
    pub fn insert_item(&mut self, sequence: NodeId, index: usize, item: NodeId) {
        let node = self.node(sequence);
        assert_eq!(node.kind(), Kind::Sequence, "insert_item is for sequences");
        match index < node.len() {
            true => self.insert_children(sequence, index, &[item]),
            false => self.push(sequence, item),
        }
    }

    /// Reorders the entries of a mapping.
    ///
    /// Entries with the given string keys come first, in the order of `keys`. All others follow in their
    /// present order. Keys that do not exist are ignored.
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::yaml::parse("{c: 1, a: 2, b: 3}\n")?;
    /// let root = tree.root().unwrap().id();
    /// tree.order_entries(root, &["b", "x", "a"])?;
    /// let keys: Vec<_> = tree.root().unwrap().entries().filter_map(|(key, _)| key.as_str()).collect();
    /// assert_eq!(keys, ["b", "a", "c"]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if the node is not a mapping.
    pub fn order_entries<S: AsRef<str>>(&mut self, mapping: NodeId, keys: &[S]) -> Result<()> {
        let node = self.node(mapping);
        if node.kind() != Kind::Mapping {
            return node.fail("a mapping");
        }
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, key) in keys.iter().enumerate() {
            places.entry(key.as_ref()).or_insert(place);
        }
        let place = |key: NodeRef<'_>| key.as_str().and_then(|key| places.get(key)).copied();
        let mut entries: Vec<_> = node
            .entries()
            .map(|(key, value)| (place(key).unwrap_or(keys.len()), [key.id(), value.id()]))
            .collect();
        entries.sort_by_key(|(place, _)| *place);
        let ids = entries.into_iter().flat_map(|(_, ids)| ids);
        for (slot, id) in self.children_mut(mapping).iter_mut().zip(ids) {
            *slot = id;
        }
        self.keys.forget(mapping);
        Ok(())
    }

    /// Moves the entry or item at one JSON Pointer to another. Nothing moves on an error.
    pub(crate) fn move_to(&mut self, from: &str, to: &str) -> Result<()> {
        if from == to {
            return self.at(from).map(|_| ());
        }
        if to.strip_prefix(from).is_some_and(|rest| rest.starts_with('/')) {
            return Err(Error::usage(format!("cannot move '{from}' below itself, to '{to}'")));
        }
        let taken = self.take_at(from)?;
        self.insert_at(to, taken.value).inspect_err(|_| {
            self.insert_children(taken.parent, taken.place, &taken.children);
        })
    }

    /// Returns the collection that holds the node at a pointer, the last step, and the path of the
    /// collection; `None` for the root.
    pub(super) fn parent(&self, pointer: &str) -> Result<Option<(NodeId, String, Path)>> {
        let steps = pointer::steps(pointer)?;
        let Some((last, above)) = steps.split_last() else { return Ok(None) };
        let path: Path = above.iter().collect();
        let parent = self.above(&steps)?;
        if parent.kind().is_scalar() {
            return Err(parent.expected("a mapping or a sequence").at_path(path.as_str()));
        }
        Ok(Some((parent.id(), last.to_string(), path)))
    }

    fn take_at(&mut self, pointer: &str) -> Result<Taken> {
        let value = self.at(pointer)?.id();
        let Some((parent, last, _)) = self.parent(pointer)? else {
            return Err(Error::usage("cannot remove the root").with_hint("use `set_root` to replace it"));
        };
        let (place, count) = match self.key_place(parent, &last) {
            Some(place) => (place, 2),
            None => (pointer::index(&last).unwrap_or(usize::MAX), 1),
        };
        let children = self.node(parent).child_ids();
        let children = children.iter().skip(place).take(count).copied().collect();
        self.remove_children(parent, place, count);
        Ok(Taken { parent, place, children, value })
    }

    /// Returns the index of a key among a mapping's children. Finds the same key as [`NodeRef::child`].
    pub(super) fn key_place(&self, mapping: NodeId, key: &str) -> Option<usize> {
        let node = self.node(mapping);
        if node.kind() != Kind::Mapping {
            return None;
        }
        let entry = self.entry_of(mapping, key).or_else(|| self.other_entry_of(mapping, key));
        entry.map(|entry| entry * 2)
    }

    fn children_mut(&mut self, id: NodeId) -> &mut [NodeId] {
        let Content { start, len } = self.record(id).content(&self.places);
        self.children.get_mut(start..start + len).unwrap_or_default()
    }

    /// Replaces nodes by others everywhere in the tree.
    pub(crate) fn exchange(&mut self, others: &HashMap<NodeId, NodeId>) {
        self.keys.forget_all();
        for id in (0..self.len()).map_while(NodeId::from_index) {
            if self.record(id).kind().is_scalar() {
                continue;
            }
            for slot in self.children_mut(id) {
                if let Some(&other) = others.get(slot) {
                    *slot = other;
                }
            }
        }
        let root = self.root().and_then(|root| others.get(&root.id()));
        if let Some(&other) = root {
            self.set_root(other);
        }
    }

    pub(super) fn set_child(&mut self, id: NodeId, place: usize, child: NodeId) {
        if let Some(slot) = self.children_mut(id).get_mut(place) {
            *slot = child;
        }
        // In a mapping, every second child is a key.
        if place % 2 == 0 {
            self.keys.forget(id);
        }
    }

    fn insert_children(&mut self, id: NodeId, place: usize, added: &[NodeId]) {
        self.append(id, added);
        self.keys.forget(id);
        if let Some(tail) = self.children_mut(id).get_mut(place..) {
            tail.rotate_right(added.len());
        }
    }

    fn remove_children(&mut self, id: NodeId, place: usize, count: usize) {
        let Some(tail) = self.children_mut(id).get_mut(place..).filter(|tail| tail.len() >= count) else {
            return;
        };
        tail.rotate_left(count);
        self.keys.forget(id);
        let record = self.record_mut(id);
        record.set_len(record.len() - count);
    }
}

/// Children taken out of a collection, and where they were.
struct Taken {
    parent: NodeId,
    place: usize,
    children: Vec<NodeId>,
    value: NodeId,
}

fn no_place(node: NodeRef<'_>, step: &str) -> Error {
    let message = format!("cannot insert at index {} of {}", step.escape_debug(), node.describe());
    node.place(Error::missing(message))
        .with_hint(format!("use an index from 0 to {}, or `-` for the end", node.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(count: i64) -> Tree {
        let mut tree = Tree::new();
        let ids: Vec<NodeId> = (0..count).map(|n| tree.add_int(n)).collect();
        let list = tree.add_sequence(ids);
        let root = tree.add_mapping([]);
        tree.insert(root, "list", list);
        tree.set_root(root);
        tree
    }

    fn list(tree: &Tree) -> Vec<i64> {
        tree.at("/list").unwrap().items().filter_map(NodeRef::as_i64).collect()
    }

    #[test]
    fn keys_are_renamed_in_their_place() {
        let mut tree = numbers(2);
        let (one, key) = (tree.add_int(1), tree.add_int(8));
        let root = tree.root().unwrap().id();
        tree.insert(root, "last", one);
        tree.append(root, &[key, one]);
        tree.rename_key("/list", "items").unwrap();
        tree.rename_key("/8", "eight").unwrap();
        let keys: Vec<_> = tree.root().unwrap().entries().map(|(key, _)| key.text().unwrap()).collect();
        assert_eq!(keys, ["items", "last", "eight"]);
        tree.rename_key("/last", "last").unwrap();
        let message = |result: Result<()>| result.unwrap_err().to_string();
        assert_eq!(
            message(tree.rename_key("/last", "items")),
            "/: the key 'items' already exists\n  hint: remove it first, or choose another name"
        );
        assert_eq!(
            message(tree.rename_key("/items/0", "x")),
            "/items: found a sequence of 2 items, expected a mapping whose key could be renamed"
        );
        assert_eq!(
            message(tree.rename_key("/x", "y")),
            "/x: the key 'x' does not exist at the root\n  hint: use one of items, last, eight"
        );
    }

    #[test]
    fn moving_is_all_or_nothing() {
        let mut tree = numbers(4);
        tree.move_to("/list/0", "/list/3").unwrap();
        assert_eq!(list(&tree), [1, 2, 3, 0]);
        tree.move_to("/list/3", "/list/0").unwrap();
        tree.move_to("/list/1", "/one").unwrap();
        assert_eq!(list(&tree), [0, 2, 3]);
        assert_eq!(tree.at("/one").unwrap().as_i64(), Some(1));
        let before = tree.clone();
        for (from, to, message) in [
            (
                "/list/0",
                "/list/3",
                "/list/3: cannot insert at index 3 of a sequence of 2 items\n  hint: use an index from 0 to 2, or `-` for the end",
            ),
            ("/list/0", "/one/x", "/one: found the integer 1, expected a mapping or a sequence"),
            ("/list", "/list/0", "cannot move '/list' below itself, to '/list/0'"),
            (
                "/list",
                "/nowhere/x",
                "/nowhere/x: the key 'nowhere' does not exist at the root\n  hint: use `set_with_parents` to create the missing mappings",
            ),
            ("", "/x", "cannot move '' below itself, to '/x'"),
        ] {
            assert_eq!(tree.move_to(from, to).unwrap_err().to_string(), message);
            assert_eq!(tree.root(), before.root());
        }
        assert!(tree.remove_at("").unwrap_err().to_string().starts_with("cannot remove the root"));
    }

    #[test]
    fn entries_are_ordered_and_none_is_lost() {
        let mut tree = crate::tree::Tree::new();
        let keys = ["c", "a", "b", "a"];
        let entries: Vec<_> =
            keys.iter().zip(0..).map(|(key, n)| (tree.add_str(key), tree.add_int(n))).collect();
        let number = tree.add_int(7);
        let root = tree.add_mapping(entries.into_iter().chain([(number, number)]));
        let order = |tree: &Tree| -> Vec<String> {
            let text = |node: NodeRef<'_>| node.text().unwrap().to_owned();
            tree.node(root).entries().map(|(key, value)| text(key) + &text(value)).collect()
        };
        tree.order_entries(root, &["7", "b", "a", "b"]).unwrap();
        assert_eq!(order(&tree), ["b2", "a1", "a3", "c0", "77"]);
        tree.order_entries::<&str>(root, &[]).unwrap();
        assert_eq!(order(&tree), ["b2", "a1", "a3", "c0", "77"]);
        assert_eq!(
            tree.order_entries(number, &["a"]).unwrap_err().to_string(),
            "found the integer 7, expected a mapping"
        );
    }

    proptest! {
        #[test]
        fn a_list_changes_as_a_vector_does(steps in prop::collection::vec((any::<bool>(), 0..40_usize), 0..60)) {
            let mut tree = numbers(0);
            let mut model = Vec::new();
            for (number, (remove, place)) in steps.into_iter().enumerate() {
                let number = i64::try_from(number).unwrap();
                if remove {
                    let removed = tree.remove_at(&format!("/list/{place}"));
                    prop_assert_eq!(removed.is_ok(), place < model.len());
                    if place < model.len() {
                        model.remove(place);
                    }
                } else {
                    let item = tree.add_int(number);
                    let inserted = tree.insert_at(&format!("/list/{place}"), item);
                    prop_assert_eq!(inserted.is_ok(), place <= model.len());
                    if place <= model.len() {
                        model.insert(place, number);
                    }
                }
                prop_assert_eq!(list(&tree), model.clone());
            }
        }
    }
}
