//! The names of nodes that stand at several places.

use std::collections::{HashMap, HashSet};

use crate::tree::{NodeId, NodeRef};

/// Longer names from a file are replaced: those of keys count where readers look for a colon.
const LONGEST: usize = 128;

/// The anchors written so far.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    written: HashMap<NodeId, String>,
    names: HashSet<String>,
    counter: usize,
}

impl Anchors {
    /// The anchor of a node that was written.
    pub(super) fn written(&self, id: NodeId) -> Option<&str> {
        self.written.get(&id).map(String::as_str)
    }

    /// The anchor of a node that is being written: its own when every reader takes it and no other node
    /// has it.
    pub(super) fn name(&mut self, node: NodeRef<'_>) -> &str {
        let own = node.anchor().filter(|name| {
            (1..=LONGEST).contains(&name.len())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
                && !self.names.contains(*name)
        });
        let name = own.map_or_else(|| self.new_name(), str::to_owned);
        self.names.insert(name.clone());
        self.written.entry(node.id()).or_insert(name)
    }

    fn new_name(&mut self) -> String {
        loop {
            self.counter += 1;
            let name = format!("id{:03}", self.counter);
            if !self.names.contains(&name) {
                return name;
            }
        }
    }
}
