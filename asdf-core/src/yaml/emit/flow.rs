//! Collections in `[...]` and `{...}`.

use super::super::quote::Place;
use super::{Emitter, MAX_DEPTH, too_deep};
use crate::error::Result;
use crate::tree::{Kind, NodeRef};

impl<'t> Emitter<'t> {
    pub(super) fn flow(&mut self, node: NodeRef<'t>, indent: usize, depth: usize) -> Result<()> {
        let sequence = node.kind() == Kind::Sequence;
        self.out.push(if sequence { '[' } else { '{' });
        let indent = indent.max(1);
        for (index, item) in node.items().enumerate() {
            self.separate(index, indent);
            self.flow_value(item, indent, depth + 1)?;
        }
        for (index, (key, value)) in node.entries().enumerate() {
            self.separate(index, indent);
            self.key(key, indent, depth, true)?;
            self.out.push_str(": ");
            self.flow_value(value, indent, depth + 1)?;
        }
        self.out.push(if sequence { ']' } else { '}' });
        Ok(())
    }

    fn separate(&mut self, index: usize, indent: usize) {
        if index == 0 {
            return;
        }
        if self.column() >= self.options.width {
            self.out.push(',');
            self.newline(indent);
        } else {
            self.out.push_str(", ");
        }
    }

    pub(super) fn flow_value(&mut self, node: NodeRef<'t>, indent: usize, depth: usize) -> Result<()> {
        if depth >= MAX_DEPTH && !node.kind().is_scalar() {
            return Err(too_deep());
        }
        let shared = self.survey.is_shared(node.id());
        if shared && self.alias(node, false) {
            return Ok(());
        }
        if self.properties(node, shared, false) {
            self.out.push(' ');
        }
        if node.kind().is_scalar() {
            self.scalar(node, indent, Place { flow: true, key: false });
            return Ok(());
        }
        self.flow(node, indent, depth)
    }
}
