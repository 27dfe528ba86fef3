//! The anchors parsed so far.

use std::collections::HashMap;

use crate::tree::{NodeId, Seed};

/// The number of newest anchors that are searched first, because aliases are usually close to their anchors.
const NEWEST: usize = 4;

/// Nodes by anchor name. A repeated name refers to the later node.
#[derive(Debug, Default)]
pub(super) struct Anchors<'t> {
    given: Vec<(&'t str, NodeId)>,
    /// The anchors that were indexed for an alias so far. Anchors without aliases need no table.
    known: HashMap<&'t str, NodeId, Seed>,
    counted: usize,
}

impl<'t> Anchors<'t> {
    pub(super) fn insert(&mut self, name: &'t str, id: NodeId) {
        self.given.push((name, id));
    }

    pub(super) fn get(&mut self, name: &str) -> Option<NodeId> {
        let newest = self.given.iter().rev().take(NEWEST).find(|(given, _)| *given == name);
        if let Some(&(_, id)) = newest {
            return Some(id);
        }
        self.known.extend(self.given.iter().skip(self.counted).copied());
        self.counted = self.given.len();
        self.known.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_of_two_anchors_counts_at_any_distance() {
        let names: Vec<String> = (0..40).map(|n| format!("a{}", n % 30)).collect();
        let id = |n: usize| NodeId::from_index(n).unwrap();
        let mut anchors = Anchors::default();
        for (n, name) in names.iter().enumerate() {
            anchors.insert(name, id(n));
            assert_eq!(anchors.get(name), Some(id(n)));
            assert_eq!(anchors.get("a0"), Some(id(if n >= 30 { 30 } else { 0 })));
        }
        assert_eq!((anchors.get("a29"), anchors.get("a30")), (Some(id(29)), None));
    }
}
