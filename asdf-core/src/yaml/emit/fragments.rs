//! Pieces of a tree's text.

use super::super::quote::Place;
use super::{EmitOptions, Emitter};
use crate::error::Result;
use crate::tree::NodeRef;

/// Writes pieces of a tree, to be put into a text at a place of their own.
#[derive(Debug)]
pub(in super::super) struct Fragments<'t>(Emitter<'t>);

impl<'t> Fragments<'t> {
    pub(in super::super) fn new(tree: &'t crate::tree::Tree) -> Result<Self> {
        // The text has its handles already.
        Emitter::new(tree, EmitOptions::new().handles(false)).map(Self)
    }

    /// A value in one line, with its tag.
    pub(in super::super) fn inline(&mut self, node: NodeRef<'t>, place: Place) -> Result<Option<String>> {
        self.piece(&[node], |emitter| {
            if emitter.properties(node, false, false) {
                emitter.out.push(' ');
            }
            emitter.content(node, place)
        })
    }

    /// A value in one line, without tag and anchor: those of a node that stays are there already.
    pub(in super::super) fn content(
        &mut self,
        node: NodeRef<'t>,
        place: Place,
        stays: bool,
    ) -> Result<Option<String>> {
        let nodes = if stays { &[] } else { std::slice::from_ref(&node) };
        self.piece(nodes, |emitter| emitter.content(node, place))
    }

    /// An entry of a block mapping whose keys stand at a column.
    pub(in super::super) fn entry(
        &mut self,
        key: NodeRef<'t>,
        value: NodeRef<'t>,
        indent: usize,
    ) -> Result<Option<String>> {
        self.piece(&[key, value], |emitter| emitter.entry(key, value, indent, 1))
    }

    /// An entry of a flow mapping.
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

    /// An item of a block sequence whose dashes stand at a column.
    pub(in super::super) fn item(&mut self, item: NodeRef<'t>, indent: usize) -> Result<Option<String>> {
        self.piece(&[item], |emitter| {
            emitter.out.push('-');
            emitter.item(item, indent + 2, 1)
        })
    }

    /// An item of a flow sequence.
    pub(in super::super) fn flow_item(&mut self, item: NodeRef<'t>) -> Result<Option<String>> {
        self.piece(&[item], |emitter| {
            emitter.options.width = usize::MAX;
            emitter.flow_value(item, 1, 1)
        })
    }

    /// `None` when the nodes are shared with others: a piece alone has no anchors.
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

    /// Whether a shared node is among these or below them. Until one is met there are no cycles.
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
