//! Looking up the entries of mappings by key.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use super::{Index, Kind, NodeId, NodeRef, Seed, Tree};

/// In a mapping of up to this many entries, keys are compared one by one, which is as fast as a table.
const FEW: usize = 32;

/// A table is built once this many keys per entry were compared.
///
/// Building it costs about as much as those comparisons. A mapping with few look-ups therefore gets no table,
/// and one that changes after every look-up costs at most twice as much as without.
const WORTH: usize = 8;

/// Tables of the keys of large mappings.
#[derive(Debug, Default)]
pub(super) struct KeyTables(RwLock<HashMap<NodeId, Keys, Seed>>);

/// The keys of a mapping.
#[derive(Debug, Default)]
struct Keys {
    /// The number of keys compared before the table existed.
    compared: usize,
    table: Option<Table>,
}

/// Entry numbers by string key.
#[derive(Debug)]
struct Table {
    index: Index,
    /// Whether all keys are strings.
    all: bool,
}

/// A clone of a tree builds its own tables.
impl Clone for KeyTables {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl KeyTables {
    /// Returns the number of the last entry with a string key in a large mapping.
    fn find(&self, tree: &Tree, mapping: NodeId, ids: &[NodeId], key: &str) -> Option<usize> {
        let is = |entry: u32| ids.get(entry as usize * 2).is_some_and(|&id| tree.node(id).is(key));
        let tables = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = tables.get(&mapping).and_then(|keys| keys.table.as_ref()) {
            return table.index.get(key, is).map(|entry| entry as usize);
        }
        drop(tables);
        let found = scan(tree, ids, key);
        let entries = ids.len() / 2;
        let mut tables = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let keys = tables.entry(mapping).or_default();
        keys.compared = keys.compared.saturating_add(entries - found.unwrap_or(0));
        if keys.table.is_none() && keys.compared / WORTH >= entries {
            keys.table = Table::new(tree, ids);
        }
        found
    }

    /// Returns whether the table of a mapping has all of its keys, so that a key not in it does not exist.
    fn has_all(&self, mapping: NodeId) -> bool {
        let tables = self.0.read().unwrap_or_else(PoisonError::into_inner);
        tables.get(&mapping).and_then(|keys| keys.table.as_ref()).is_some_and(|table| table.all)
    }

    fn tables(&mut self) -> &mut HashMap<NodeId, Keys, Seed> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the table of a mapping whose keys have moved.
    pub(super) fn forget(&mut self, mapping: NodeId) {
        let tables = self.tables();
        if !tables.is_empty() {
            tables.remove(&mapping);
        }
    }

    /// Drops all tables. Needed if a scalar changes, because it can be a key anywhere.
    pub(super) fn forget_all(&mut self) {
        self.tables().clear();
    }
}

impl Table {
    fn new(tree: &Tree, ids: &[NodeId]) -> Option<Self> {
        let mut table = Self { index: Index::with_room(ids.len() / 2), all: true };
        // The last of equal keys counts.
        let pairs = ids.chunks_exact(2).enumerate().rev();
        for (entry, pair) in pairs {
            table.add(tree, ids, entry, *pair.first()?)?;
        }
        Some(table)
    }

    /// Adds an entry by its key. Returns the number of an earlier entry with an equal key, or else the new
    /// number.
    fn add(&mut self, tree: &Tree, ids: &[NodeId], entry: usize, key: NodeId) -> Option<u32> {
        let new = u32::try_from(entry).ok()?;
        let Some(text) = tree.node(key).as_str() else {
            self.all = false;
            return Some(new);
        };
        let is = |entry: u32| ids.get(entry as usize * 2).is_some_and(|&id| tree.node(id).is(text));
        Some(self.index.number(text, new, is))
    }
}

/// Compares keys one by one, starting with the last.
fn scan(tree: &Tree, ids: &[NodeId], key: &str) -> Option<usize> {
    ids.chunks_exact(2).rposition(|pair| pair.first().is_some_and(|&id| tree.node(id).is(key)))
}

impl Tree {
    /// Returns the number of the last entry with a string key.
    pub(super) fn entry_of(&self, mapping: NodeId, key: &str) -> Option<usize> {
        let ids = self.entry_ids(mapping);
        if ids.len() <= 2 * FEW { scan(self, ids, key) } else { self.keys.find(self, mapping, ids, key) }
    }

    /// Returns the number of the last entry whose key is not a string but has this text.
    ///
    /// Call it only if [`entry_of`](Self::entry_of) found nothing.
    pub(super) fn other_entry_of(&self, mapping: NodeId, text: &str) -> Option<usize> {
        let ids = self.entry_ids(mapping);
        if ids.len() > 2 * FEW && self.keys.has_all(mapping) {
            return None;
        }
        let is = |pair: &[NodeId]| {
            #[cfg(test)]
            tests::count();
            pair.first().is_some_and(|&id| self.node(id).text() == Some(text))
        };
        ids.chunks_exact(2).rposition(is)
    }

    /// Returns a mapping's keys and values in turn; nothing for other kinds.
    fn entry_ids(&self, mapping: NodeId) -> &[NodeId] {
        let record = self.record(mapping);
        if record.kind() == Kind::Mapping { self.child_ids(record) } else { &[] }
    }

    /// Adds the entries of a mapping from a number on to its table, if there is one.
    pub(super) fn note_appended(&mut self, mapping: NodeId, from: usize) {
        let tables = self.keys.tables();
        if tables.is_empty() {
            return;
        }
        let Some(mut keys) = tables.remove(&mapping) else { return };
        let ids = self.entry_ids(mapping);
        let added = ids.chunks_exact(2).enumerate().skip(from / 2);
        if let Some(table) = &mut keys.table {
            for (entry, pair) in added {
                let Some(&key) = pair.first() else { return };
                // The key exists already, and the table would find the first one instead of the last: drop it.
                if table.add(self, ids, entry, key).is_none_or(|known| known as usize != entry) {
                    return;
                }
            }
        }
        self.keys.tables().insert(mapping, keys);
    }
}

impl<'a> NodeRef<'a> {
    /// Returns the value of a string key. If the key occurs twice, the last one counts, as in PyYAML.
    ///
    /// Takes constant time. Keys of a mapping of up to 32 entries are compared one by one. A larger mapping
    /// gets a hash table after some look-ups, at 10 to 20 bytes per entry. The tree keeps the table until
    /// entries are removed, moved or renamed. A clone of the tree builds its own.
    #[must_use]
    #[inline]
    pub fn get(self, key: &str) -> Option<NodeRef<'a>> {
        if self.len() > FEW {
            return self.entry(self.tree().entry_of(self.id(), key)?);
        }
        self.entries().rev().find(|(name, _)| name.is(key)).map(|(_, value)| value)
    }

    /// Returns the value of a mapping's entry by number.
    pub(super) fn entry(self, number: usize) -> Option<NodeRef<'a>> {
        self.child_ids().get(number * 2 + 1).map(|&id| self.tree().node(id))
    }

    /// Returns whether the node is this string. This is the hottest check on keys, and most keys differ in
    /// length.
    #[inline]
    pub(crate) fn is(self, string: &str) -> bool {
        #[cfg(test)]
        tests::count();
        self.kind() == Kind::String && self.content() == string.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    thread_local! {
        static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts a comparison of keys.
    pub(super) fn count() {
        COMPARED.set(COMPARED.get() + 1);
    }

    fn compared(work: impl FnOnce()) -> usize {
        let before = COMPARED.get();
        work();
        COMPARED.get() - before
    }

    fn name(number: usize) -> String {
        format!("key{number}")
    }

    fn mapping(count: usize) -> Tree {
        let mut tree = Tree::new();
        let entries: Vec<_> = (0..count).map(|n| (tree.add_str(&name(n)), tree.add_int(n as u64))).collect();
        let root = tree.add_mapping(entries);
        tree.set_root(root);
        tree
    }

    #[test]
    fn each_key_of_a_large_mapping_is_found_with_few_comparisons() {
        const COUNT: usize = 50_000;
        let tree = mapping(COUNT);
        let root = tree.root().unwrap();
        let all = compared(|| {
            for n in 0..COUNT {
                assert_eq!(root.get(&name(n)).and_then(NodeRef::as_u64), Some(n as u64));
                assert!(root.get("none").is_none() && root.child("none").is_none());
            }
        });
        // Comparing one by one would take billions of comparisons.
        assert!(all < 20 * COUNT, "{all}");
        assert!(compared(|| assert!(tree.clone().at("/key0").is_ok())) >= COUNT, "a copy has no table yet");
    }

    #[test]
    fn a_large_mapping_grows_with_few_comparisons() {
        const COUNT: usize = 20_000;
        let mut tree = mapping(100);
        let all = compared(|| {
            for n in 0..COUNT {
                tree.set(&format!("/{}", name(n)), &(n as u64)).unwrap();
                assert_eq!(tree.get::<u64>(&format!("/{}", name(n / 2))).unwrap(), n as u64 / 2);
            }
        });
        assert!(all < 20 * COUNT, "{all}");
        assert_eq!(tree.root().unwrap().len(), COUNT);
    }

    #[test]
    fn few_keys_of_a_large_mapping_make_no_table() {
        let tree = mapping(1000);
        for n in 0..4 {
            assert!(tree.root().unwrap().get(&name(n)).is_some());
        }
        assert!(tree.keys.0.read().unwrap().values().all(|keys| keys.table.is_none()));
        assert!(mapping(FEW).root().unwrap().get("none").is_none());
    }

    #[test]
    fn the_last_of_equal_keys_counts_and_other_keys_are_found_by_their_text() {
        let mut tree = mapping(100);
        let root = tree.root().unwrap().id();
        let (again, number) = (tree.add_str("key5"), tree.add_int(7));
        let ask = |tree: &Tree| {
            for _ in 0..1000 {
                assert!(tree.root().unwrap().get("none").is_none());
            }
            let at = |key| tree.root().unwrap().child(key).and_then(NodeRef::as_i64);
            (at("key5"), at("7"))
        };
        assert_eq!(ask(&tree), (Some(5), None));
        let (nine, eight) = (tree.add_int(9), tree.add_int(8));
        tree.append(root, &[again, nine]);
        assert_eq!(ask(&tree), (Some(9), None));
        tree.append(root, &[number, eight]);
        assert_eq!(ask(&tree), (Some(9), Some(8)));
        tree.remove(root, "key5");
        assert_eq!(ask(&tree), (Some(5), Some(8)));
        // The key itself changes here.
        let (key, other) = (tree.node(root).entries().next().unwrap().0.id(), tree.add_str("key5"));
        tree.assign(key, other).unwrap();
        tree.rename_key("/key5", "six").unwrap();
        assert_eq!(ask(&tree), (Some(0), Some(8)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn edits_are_found(steps in prop::collection::vec((0..8_u8, 0..60_usize, 0..60_usize), 0..200)) {
            let mut tree = mapping(40);
            let mut model: Vec<(String, u64)> = (0..40).map(|n| (name(n), n as u64)).collect();
            for (number, (what, at, to)) in (100..).zip(steps) {
                let (key, other) = (name(at), name(to));
                let pointer = format!("/{key}");
                let known = model.iter().position(|(name, _)| *name == key);
                match what {
                    0 | 1 => {
                        tree.set(&pointer, &number).unwrap();
                        match known {
                            Some(known) => model[known].1 = number,
                            None => model.push((key.clone(), number)),
                        }
                    }
                    2 => {
                        prop_assert_eq!(tree.remove_at(&pointer).is_ok(), known.is_some());
                        known.map(|known| model.remove(known));
                    }
                    3 => {
                        let done = tree.rename_key(&pointer, &other).is_ok();
                        let taken = key != other && model.iter().any(|(name, _)| *name == other);
                        prop_assert_eq!(done, known.is_some() && !taken);
                        if let Some(known) = known.filter(|_| done) {
                            model[known].0 = other.clone();
                        }
                    }
                    4 => {
                        let root = tree.root().unwrap().id();
                        tree.order_entries(root, &[&key, &other]).unwrap();
                        let place = |name: &String| if *name == key { 0 } else if *name == other { 1 } else { 2 };
                        model.sort_by_key(|(name, _)| place(name));
                    }
                    5 => if let Some(known) = known {
                        let id = tree.root().unwrap().entries().nth(known).unwrap().0.id();
                        let text = format!("new{number}");
                        let new = tree.add_str(&text);
                        tree.assign(id, new).unwrap();
                        model[known].0 = text;
                    }
                    _ => {}
                }
                // Enough look-ups to get a table.
                for (name, value) in &model {
                    prop_assert_eq!(tree.root().unwrap().get(name).and_then(NodeRef::as_u64), Some(*value));
                }
                let there = model.iter().any(|(name, _)| *name == key);
                prop_assert_eq!(tree.root().unwrap().get(&key).is_some(), there);
            }
        }
    }
}
