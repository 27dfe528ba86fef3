//! Copying a node and all below it from one tree into another.

use std::collections::HashMap;

use super::{NodeId, NodeRef, Span, Tree};
use crate::error::Result;

impl Tree {
    /// Copies a node and all that can be reached from it into this tree: tags, styles, anchors,
    /// sharing and cycles stay. Arrays keep their data: a block of the other tree is attached here
    /// and the `source` of the copy gives its new number.
    ///
    /// # Errors
    /// When a block that the copied nodes refer to cannot be found in the other tree.
    pub fn graft(&mut self, node: NodeRef<'_>) -> Result<NodeId> {
        let made = self.graft_all(node.tree(), vec![node.id()])?;
        Ok(made.get(&node.id()).copied().unwrap_or_else(|| self.add_null()))
    }

    /// The same for several nodes of one tree, which stay shared where they are: what each node became.
    pub(crate) fn graft_all(
        &mut self,
        from: &Tree,
        mut pending: Vec<NodeId>,
    ) -> Result<HashMap<NodeId, NodeId>> {
        // Each node is made without children first, so that cycles find it.
        let mut made: HashMap<NodeId, NodeId> = HashMap::new();
        let mut order = Vec::new();
        while let Some(id) = pending.pop() {
            if made.contains_key(&id) {
                continue;
            }
            let old = from.node(id);
            let new = match old.text() {
                Some(text) => self.add_scalar(old.kind(), old.style(), text, Span::default()),
                None => self.add_collection(old.kind(), old.style(), [], None),
            };
            self.set_tag(new, old.tag());
            self.set_anchor(new, old.anchor());
            made.insert(id, new);
            if !old.kind().is_scalar() {
                order.push(id);
                pending.extend(old.child_ids().iter().rev());
            }
        }
        for id in order {
            let children: Vec<NodeId> =
                from.node(id).child_ids().iter().filter_map(|child| made.get(child).copied()).collect();
            if let Some(&new) = made.get(&id) {
                self.fill(new, &children, 0);
                self.renumber(from.node(id), new)?;
            }
        }
        Ok(made)
    }

    /// Gives a copied array the number that its block has here.
    fn renumber(&mut self, old: NodeRef<'_>, new: NodeId) -> Result<()> {
        let Some(source) = old.block_reference().and_then(NodeRef::as_i64) else { return Ok(()) };
        let number = self.blocks.adopt(&old.tree().blocks, source)?;
        if number == source {
            return Ok(());
        }
        let number = self.add_int(number);
        self.insert(new, "source", number);
        Ok(())
    }
}
