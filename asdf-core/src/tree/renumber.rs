//! Ids that stay the same when a tree is read again.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::record::Record;
use super::{Kind, NodeId, NodeRef, Style, Tree};
use crate::error::{Error, Result};

impl Tree {
    /// Gives each node the id that the node at the same path of an older tree has. Other nodes get new ids.
    ///
    /// An id of the older tree whose node is not in this one becomes a null.
    pub(crate) fn renumber_as(&mut self, old: &Self) -> Result<()> {
        let mut ids = self.paired(old);
        let mut count = old.len();
        for id in ids.iter_mut().filter(|id| id.is_none()) {
            *id = NodeId::from_index(count);
            count += 1;
        }
        let Some(ids) = ids.into_iter().collect::<Option<Vec<NodeId>>>() else {
            return Err(Error::limit("the tree has too many nodes"));
        };
        let new = |id: NodeId| ids.get(id.index()).copied().unwrap_or(id);
        let nothing = Record::at(Kind::Null, Style::Any, (0, 0), None, &mut self.places);
        let mut nodes = vec![nothing; count];
        for (record, id) in std::mem::take(&mut self.nodes).into_iter().zip(&ids) {
            if let Some(slot) = nodes.get_mut(id.index()) {
                *slot = record;
            }
        }
        self.nodes = nodes;
        for index in 0..self.nodes.len() {
            let Some(record) = self.nodes.get_mut(index).filter(|record| record.grown()) else { continue };
            // The number before its children, which is not an id, is lost below.
            if let Ok(start) = u32::try_from(record.content(&self.places).start) {
                record.set_start(start, false, &mut self.places);
            }
        }
        self.children.iter_mut().for_each(|child| *child = new(*child));
        self.anchors.renumber(new);
        self.root = self.root.map(new);
        self.keys.forget_all();
        self.expansion = OnceLock::new();
        Ok(())
    }

    /// Returns for each node the id of the node at the same path of another tree.
    fn paired(&self, old: &Self) -> Vec<Option<NodeId>> {
        let mut ids: Vec<Option<NodeId>> = vec![None; self.len()];
        let mut taken = vec![false; old.len()];
        let mut pending: Vec<(NodeRef<'_>, NodeRef<'_>)> = self.root().into_iter().zip(old.root()).collect();
        while let Some((node, before)) = pending.pop() {
            let same = node.kind() == before.kind() || (node.kind().is_scalar() && before.kind().is_scalar());
            let slots = ids.get_mut(node.id().index()).zip(taken.get_mut(before.id().index()));
            let Some((slot, taken)) = slots.filter(|(slot, taken)| same && slot.is_none() && !**taken) else {
                continue;
            };
            *slot = Some(before.id());
            *taken = true;
            match node.kind() {
                Kind::Sequence => pending.extend(node.items().zip(before.items())),
                Kind::Mapping => pair_entries(node, before, &mut pending),
                _ => {}
            }
        }
        ids
    }
}

/// Pairs the keys and the values of equal keys.
fn pair_entries<'a>(node: NodeRef<'a>, old: NodeRef<'a>, pairs: &mut Vec<(NodeRef<'a>, NodeRef<'a>)>) {
    let name = |key: NodeRef<'a>| (key.kind(), key.text());
    let old: Vec<_> = old.entries().collect();
    let mut places = None;
    for (at, (key, value)) in node.entries().enumerate() {
        // Most entries stay where they are.
        let here = old.get(at).filter(|(before, _)| key.kind().is_scalar() && name(*before) == name(key));
        let found = here.or_else(|| {
            let places: &HashMap<_, _> = places.get_or_insert_with(|| {
                let scalars = old.iter().enumerate().filter(|(_, (key, _))| key.kind().is_scalar());
                scalars.map(|(at, (key, _))| (name(*key), at)).collect()
            });
            old.get(*places.get(&name(key))?)
        });
        if let Some((old_key, old_value)) = found {
            pairs.push((key, *old_key));
            pairs.push((value, *old_value));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::yaml::parse;

    #[test]
    fn nodes_at_the_same_path_keep_their_ids() {
        let mut old = parse("{a: &x {c: [1, 2]}, b: *x, d: 1.5}").unwrap();
        let gone = old.at("/d").unwrap().id();
        let paths = ["", "/a", "/a/c", "/a/c/1", "/b", "/e/f"];
        old.edit("/d").remove().unwrap();
        old.edit("/e").set_with_parents("").unwrap();
        let value = old.add_str("new");
        let (mapping, key) = (old.add_mapping([]), old.add_str("f"));
        old.insert_entry(mapping, key, value);
        old.edit("/e").set(mapping).unwrap();
        let text = crate::yaml::write(&old).unwrap();
        // The writer of a file adds keys, here before the others.
        let mut new = parse(&text.replacen('{', "{software: {name: x}, ", 1)).unwrap();
        let expected = parse(&text.replacen('{', "{software: {name: x}, ", 1)).unwrap();
        new.renumber_as(&old).unwrap();
        assert_eq!(new.root().unwrap(), expected.root().unwrap());
        for path in paths {
            assert_eq!(new.at(path).unwrap().id(), old.at(path).unwrap().id(), "{path}");
        }
        assert_eq!(new.at("/a").unwrap().anchor(), Some("x"));
        assert!(new.node(gone).is_null());
        assert!(new.at("/software/name").unwrap().id().index() >= old.len());
        // It can be changed and written as any other.
        new.edit("/a/c").push(3).unwrap();
        new.edit("/software").remove().unwrap();
        assert_eq!(crate::yaml::write(&new).unwrap(), text.replacen("[1, 2]", "[1, 2, 3]", 1));
    }
}
