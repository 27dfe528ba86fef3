//! A pass over all nodes before the first one is written.

use crate::tree::{Kind, NodeId, NodeRef, Style, Tree};

/// A visited collection, or a visited scalar with an anchor.
const MET: u8 = 1;
/// Visited more than once, so it needs an anchor.
const SHARED: u8 = 2;
/// A collection without a style that contains only single-line scalars.
const LEAF: u8 = 4;
/// A scalar that had an anchor when it was read. Other shared scalars are written in each place.
const ANCHORED: u8 = 8;

/// The result of one pass over the reachable nodes.
#[derive(Debug)]
pub(super) struct Survey {
    /// The marks by node number.
    marks: Vec<u8>,
    /// Whether any node has an anchor name.
    anchors: bool,
    /// Whether any node is shared.
    shared: bool,
    /// The number of nodes with each tag, by tag number.
    tags: Vec<usize>,
}

/// A collection whose children are being visited.
struct Open<'t> {
    id: NodeId,
    children: std::slice::Iter<'t, NodeId>,
    /// Whether it can still be a leaf.
    leaf: bool,
}

impl Survey {
    pub(super) fn new(tree: &Tree) -> Self {
        let mut survey = Self {
            marks: vec![0; tree.len() + 1],
            anchors: false,
            shared: false,
            tags: vec![0; tree.tags().len()],
        };
        for (id, _) in tree.anchored() {
            survey.anchors = true;
            survey.mark(id, ANCHORED);
        }
        let mut open: Vec<Open<'_>> = Vec::new();
        open.extend(tree.root().and_then(|root| survey.meet(root)));
        while let Some(top) = open.last_mut() {
            let Some(&id) = top.children.next() else {
                if top.leaf {
                    let id = top.id;
                    survey.mark(id, LEAF);
                }
                open.pop();
                continue;
            };
            let child = tree.node(id);
            top.leaf = top.leaf && is_line(child);
            if let Some(below) = survey.meet(child) {
                open.push(below);
            }
        }
        survey
    }

    /// Returns whether a node needs an anchor.
    #[inline]
    pub(super) fn is_shared(&self, id: NodeId) -> bool {
        self.shared && self.marks(id) & SHARED != 0
    }

    /// Returns whether a collection without a style contains only single-line scalars.
    pub(super) fn is_leaf(&self, id: NodeId) -> bool {
        self.marks(id) & LEAF != 0
    }

    /// Returns the number of nodes with each tag, by tag number.
    pub(super) fn tags(&self) -> &[usize] {
        &self.tags
    }

    /// Counts a node. Returns a collection on its first visit, to visit its children.
    #[inline]
    fn meet<'t>(&mut self, node: NodeRef<'t>) -> Option<Open<'t>> {
        let collection = !node.kind().is_scalar();
        if collection || self.anchors {
            let marks = self.marks.get_mut(node.id().number() as usize)?;
            if *marks & MET != 0 {
                self.shared = true;
                *marks |= SHARED;
                return None;
            }
            if collection || *marks & ANCHORED != 0 {
                *marks |= MET;
            }
        }
        if let Some(count) = node.tag_index().and_then(|index| self.tags.get_mut(index)) {
            *count += 1;
        }
        collection.then(|| Open {
            id: node.id(),
            children: node.child_ids().iter(),
            leaf: !matches!(node.style(), Style::Block | Style::Flow),
        })
    }

    #[inline]
    fn marks(&self, id: NodeId) -> u8 {
        self.marks.get(id.number() as usize).copied().unwrap_or(0)
    }

    fn mark(&mut self, id: NodeId, mark: u8) {
        if let Some(marks) = self.marks.get_mut(id.number() as usize) {
            *marks |= mark;
        }
    }
}

/// Returns whether a node is a scalar without line breaks that is not written as a block.
fn is_line(node: NodeRef<'_>) -> bool {
    match node.kind() {
        Kind::Sequence | Kind::Mapping => false,
        Kind::String if matches!(node.style(), Style::Literal | Style::Folded) => false,
        Kind::String => !node.text().is_some_and(|text| text.as_bytes().contains(&b'\n')),
        _ => true,
    }
}
