//! The names of nodes that stand at several places.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::survey::Survey;
use crate::tree::{NodeId, Seed, Tree};

/// Longer names from a file are replaced: those of keys count where readers look for a colon.
const LONGEST: usize = 128;

/// The anchors of a text.
#[derive(Debug, Default)]
pub(super) struct Anchors<'t> {
    names: HashMap<NodeId, Name<'t>, Seed>,
    taken: HashSet<&'t str, Seed>,
    counter: usize,
}

#[derive(Debug)]
struct Name<'t> {
    text: Cow<'t, str>,
    written: bool,
}

impl<'t> Anchors<'t> {
    /// Shared nodes keep the names that they have when every reader takes them and no other node has them.
    pub(super) fn new(tree: &'t Tree, survey: &Survey) -> Self {
        let mut anchors = Self::default();
        for (id, name) in tree.anchored().filter(|&(id, _)| survey.is_shared(id)) {
            let fits = (1..=LONGEST).contains(&name.len())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
            if fits && anchors.taken.insert(name) {
                anchors.names.insert(id, Name { text: Cow::Borrowed(name), written: false });
            }
        }
        anchors
    }

    /// The anchor of a node that was written.
    pub(super) fn written(&self, id: NodeId) -> Option<&str> {
        self.names.get(&id).filter(|name| name.written).map(|name| name.text.as_ref())
    }

    /// The anchor of a node that is being written.
    pub(super) fn write(&mut self, id: NodeId) -> &str {
        let (taken, counter) = (&self.taken, &mut self.counter);
        let new = || Name { text: new_name(taken, counter), written: true };
        let name = self.names.entry(id).or_insert_with(new);
        name.written = true;
        &name.text
    }
}

fn new_name<'t>(taken: &HashSet<&'t str, Seed>, counter: &mut usize) -> Cow<'t, str> {
    loop {
        *counter += 1;
        let name = format!("id{counter:03}");
        if !taken.contains(name.as_str()) {
            return Cow::Owned(name);
        }
    }
}
