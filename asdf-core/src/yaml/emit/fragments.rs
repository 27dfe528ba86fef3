//! Text of individual nodes and entries.

use super::super::quote::Place;
use super::{EmitOptions, Emitter};
use crate::error::Result;
use crate::tree::NodeRef;

/// Writes parts of a tree, which are then inserted into its text.
#[derive(Debug)]
pub(in super::super) struct Fragments<'t>(Emitter<'t>);

impl<'t> Fragments<'t> {
    pub(in super::super) fn new(tree: &'t crate::tree::Tree) -> Result<Self> {
        // The text already declares its handles.
        Emitter::new(tree, EmitOptions::new().handles(false)).map(Self)
    }

    /// Writes a value on one line, with its tag.
    pub(in super::super) fn inline(&mut self, node: NodeRef<'t>, place: Place) -> Result<Option<String>> {
        self.piece(&[node], |emitter| {
            if emitter.properties(node, false, false) {
                emitter.out.push(' ');
            }
            emitter.content(node, place)
        })
    }

    /// Writes a value on one line without tag and anchor, which the text already has if the node stays.
    pub(in super::super) fn content(
        &mut self,
        node: NodeRef<'t>,
        place: Place,
        stays: bool,
    ) -> Result<Option<String>> {
        let nodes = if stays { &[] } else { std::slice::from_ref(&node) };
        self.piece(nodes, |emitter| emitter.content(node, place))
    }

    /// Writes an entry of a block mapping whose keys are at a column.
    pub(in super::super) fn entry(
        &mut self,
        key: NodeRef<'t>,
        value: NodeRef<'t>,
        indent: usize,
    ) -> Result<Option<String>> {
        self.piece(&[key, value], |emitter| emitter.entry(key, value, indent, 1))
    }

    /// Writes an entry of a flow mapping.
    pub(in super::super) fn flow_entry(
        &mut self,
        key: NodeRef<'t>,
        value: NodeRef<'t>,
    ) -> Result<Option<String>> {
        self.piece(&[key, value], |emitter| {
            emitter.options.width = usize::MAX;
            emitter.key(key, 1, 1, true)?;
            emitter.out.push_str(": ");
            emitter.flow_value(value, 1, 1)
        })
    }

    /// Writes an item of a block sequence whose dashes are at a column.
    pub(in super::super) fn item(&mut self, item: NodeRef<'t>, indent: usize) -> Result<Option<String>> {
        self.piece(&[item], |emitter| {
            emitter.out.push('-');
            emitter.item(item, indent + 2, 1)
        })
    }

    /// Writes an item of a flow sequence.
    pub(in super::super) fn flow_item(&mut self, item: NodeRef<'t>) -> Result<Option<String>> {
        self.piece(&[item], |emitter| {
            emitter.options.width = usize::MAX;
            emitter.flow_value(item, 1, 1)
        })
    }

    /// Writes a piece. Returns `None` if it contains nodes shared with the rest, because a piece has no
    /// anchors.
    fn piece(
        &mut self,
        nodes: &[NodeRef<'t>],
        write: impl FnOnce(&mut Emitter<'t>) -> Result<()>,
    ) -> Result<Option<String>> {
        if self.holds_shared(nodes) {
            return Ok(None);
        }
        self.0.out.clear();
        self.0.line_start = 0;
        let width = self.0.options.width;
        write(&mut self.0)?;
        self.0.options.width = width;
        Ok(Some(self.0.out.clone()))
    }

    /// Returns whether any of these nodes, or one below them, is shared. Unshared nodes cannot form a cycle.
    fn holds_shared(&self, nodes: &[NodeRef<'t>]) -> bool {
        let mut pending: Vec<NodeRef<'t>> = nodes.to_vec();
        while let Some(node) = pending.pop() {
            if self.0.survey.is_shared(node.id()) {
                return true;
            }
            pending.extend(node.child_ids().iter().map(|&child| self.0.tree.node(child)));
        }
        false
    }
}
