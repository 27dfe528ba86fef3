//! Anchor names of nodes that occur in several places.

use std::collections::HashMap;

use super::survey::Survey;
use crate::tree::{Index, NodeId, Seed, Tree};

/// Longer names from a file are replaced, because the anchor of a key counts towards the range in which
/// readers look for the colon.
const LONGEST: usize = 128;

/// The anchors of a text.
#[derive(Debug, Default)]
pub(super) struct Anchors<'t> {
    /// Names that are kept, in the order of the nodes' numbers.
    kept: Vec<Name<'t>>,
    /// An index of the kept names. `None` as long as the names are sorted by [`order`].
    ///
    /// Emitters number their anchors, and sorted names do not need an index.
    taken: Option<Index>,
    /// The position among the kept names of the last one found. Nodes are written nearly in the order of
    /// their numbers.
    last: usize,
    /// Generated names of other written nodes.
    made: HashMap<NodeId, String, Seed>,
    counter: usize,
}

#[derive(Debug)]
struct Name<'t> {
    id: NodeId,
    text: &'t str,
    written: bool,
}

impl<'t> Anchors<'t> {
    /// Keeps the names of shared nodes that every reader accepts and that no other node has.
    pub(super) fn new(tree: &'t Tree, survey: &Survey) -> Self {
        let shared = || tree.anchored().filter(|&(id, _)| survey.is_shared(id));
        let mut kept: Vec<Name<'t>> = Vec::new();
        let mut taken: Option<Index> = None;
        for (id, text) in shared() {
            let fits = (1..=LONGEST).contains(&text.len())
                && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
            let Some(new) = u32::try_from(kept.len()).ok().filter(|_| fits) else { continue };
            let behind = kept.last().is_none_or(|last| order(last.text) < order(text));
            if taken.is_some() || !behind {
                let taken = taken.get_or_insert_with(|| indexed(&kept, shared().count()));
                let same = |at: u32| kept.get(at as usize).is_some_and(|name| name.text == text);
                if taken.number(text, new, same) != new {
                    continue;
                }
            }
            kept.push(Name { id, text, written: false });
        }
        Self { kept, taken, ..Self::default() }
    }

    /// Returns the anchor of a node that was already written.
    pub(super) fn written(&mut self, id: NodeId) -> Option<&str> {
        match self.find(id) {
            Some(at) => self.kept.get(at).filter(|name| name.written).map(|name| name.text),
            None => self.made.get(&id).map(String::as_str),
        }
    }

    /// Returns the anchor of a node that is being written.
    pub(super) fn write(&mut self, id: NodeId) -> &str {
        if let Some(name) = self.find(id).and_then(|at| self.kept.get_mut(at)) {
            name.written = true;
            return name.text;
        }
        let (kept, taken, counter) = (&self.kept, self.taken.as_ref(), &mut self.counter);
        self.made.entry(id).or_insert_with(|| new_name(kept, taken, counter))
    }

    /// Returns the position of a node's kept name.
    fn find(&mut self, id: NodeId) -> Option<usize> {
        let near = (self.last..self.last + 2).find(|&at| self.kept.get(at).is_some_and(|name| name.id == id));
        let at = near.or_else(|| self.kept.binary_search_by_key(&id, |name| name.id).ok())?;
        self.last = at;
        Some(at)
    }
}

/// Sorts names like their numbers: `id999` before `id1000`.
fn order(name: &str) -> (usize, &str) {
    (name.len(), name)
}

/// Builds an index of distinct names, with room for more.
fn indexed(kept: &[Name<'_>], room: usize) -> Index {
    let mut index = Index::with_room(room);
    for (name, number) in kept.iter().zip(0..) {
        index.number(name.text, number, |_| false);
    }
    index
}

fn new_name(kept: &[Name<'_>], taken: Option<&Index>, counter: &mut usize) -> String {
    let is_taken = |name: &str| match taken {
        Some(index) => {
            index.get(name, |at| kept.get(at as usize).is_some_and(|kept| kept.text == name)).is_some()
        }
        None => kept.binary_search_by_key(&order(name), |kept| order(kept.text)).is_ok(),
    };
    loop {
        *counter += 1;
        let name = format!("id{counter:03}");
        if !is_taken(&name) {
            return name;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::yaml::{EmitOptions, emit, parse};

    /// Names in any order, some of them repeated, and shared nodes without a name.
    #[test]
    fn kept_names_are_distinct_in_any_order() {
        for names in
            ["id001 id002 id010 id1000 b12345", "id003 id001 id003 id002 id001", "b a", "id001 id001"]
        {
            let count = names.split(' ').count();
            let items: String = names.split(' ').map(|name| format!("- &{name} [x]\n- *{name}\n")).collect();
            let mut tree = parse(&items).unwrap();
            let root = tree.root().unwrap().id();
            for _ in 0..3 {
                let item = tree.add_sequence([]);
                tree.push(root, item);
                tree.push(root, item);
            }
            let text = emit(&tree, EmitOptions::default()).unwrap();
            let again = parse(&text).unwrap();
            assert_eq!(again.root(), tree.root(), "{text}");
            let anchors: Vec<&str> =
                text.split_whitespace().filter_map(|word| word.strip_prefix('&')).collect();
            let different: std::collections::BTreeSet<&str> = anchors.iter().copied().collect();
            assert_eq!((anchors.len(), different.len()), (count + 3, count + 3), "{text}");
            let first: std::collections::BTreeSet<&str> = names.split(' ').collect();
            assert!(first.iter().all(|name| different.contains(name)), "{text}");
        }
    }
}
