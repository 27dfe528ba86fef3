//! The names of anchors, for the nodes that have one.

use super::{NodeId, Span};

/// Names by node, sorted by node number. A parser adds them nearly in that order.
#[derive(Debug, Clone, Default)]
pub(super) struct Anchors(Vec<(NodeId, Name)>);

/// A name in the parsed text, or one that a program set.
#[derive(Debug, Clone)]
pub(super) enum Name {
    Written(Span),
    Made(Box<str>),
}

impl Anchors {
    fn place(&self, id: NodeId) -> Result<usize, usize> {
        match self.0.last() {
            Some((last, _)) if *last >= id => self.0.binary_search_by_key(&id, |(id, _)| *id),
            _ => Err(self.0.len()),
        }
    }

    /// Returns the name of a node.
    pub(super) fn get<'a>(&'a self, id: NodeId, text: &'a str) -> Option<&'a str> {
        let (_, name) = self.0.get(self.place(id).ok()?)?;
        name.text(text)
    }

    /// Names a node.
    pub(super) fn set(&mut self, id: NodeId, name: Name) {
        match self.place(id) {
            Ok(at) => {
                if let Some(entry) = self.0.get_mut(at) {
                    entry.1 = name;
                }
            }
            Err(at) => self.0.insert(at, (id, name)),
        }
    }

    /// Removes a node's name.
    pub(super) fn remove(&mut self, id: NodeId) {
        if let Ok(at) = self.place(id) {
            self.0.remove(at);
        }
    }

    /// Replaces the ids of all nodes.
    pub(super) fn renumber(&mut self, new: impl Fn(NodeId) -> NodeId) {
        self.0.iter_mut().for_each(|(id, _)| *id = new(*id));
        self.0.sort_by_key(|(id, _)| *id);
    }

    /// Iterates over all nodes with a name.
    pub(super) fn iter<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (NodeId, &'a str)> {
        self.0.iter().filter_map(move |(id, name)| Some((*id, name.text(text)?)))
    }
}

impl Name {
    fn text<'a>(&'a self, text: &'a str) -> Option<&'a str> {
        match self {
            Self::Written(span) => text.get(span.start as usize..span.end as usize),
            Self::Made(name) => Some(name),
        }
    }
}
