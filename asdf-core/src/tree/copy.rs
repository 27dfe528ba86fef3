//! Copying a node and everything below it from one tree into another.

use std::collections::HashMap;

use super::{NodeId, NodeRef, Span, Tree};
use crate::error::Result;

impl Tree {
    /// Copies a node and everything reachable from it into this tree.
    ///
    /// Tags, styles, anchors, sharing and cycles are kept. Arrays keep their data: blocks of the other tree
    /// are attached to this tree, and the `source` of each copy gets the new number.
    ///
    /// # Errors
    /// Returns an error if a block that the copied nodes refer to does not exist in the other tree.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::yaml;
    ///
    /// let source = yaml::parse("wcs: {crpix: [1, 2]}")?;
    /// let mut target = yaml::parse("name: M31")?;
    /// let copy = target.graft(source.at("/wcs")?)?;
    /// target.edit("/wcs").set(copy)?;
    /// assert_eq!(target.at("/wcs")?, source.at("/wcs")?);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn graft(&mut self, node: NodeRef<'_>) -> Result<NodeId> {
        let made = self.graft_all(node.tree(), vec![node.id()])?;
        Ok(made.get(&node.id()).copied().unwrap_or_else(|| self.add_null()))
    }

    /// Copies several nodes of one tree and returns the new id of each. Nodes that they share stay shared.
    pub(crate) fn graft_all(
        &mut self,
        from: &Tree,
        mut pending: Vec<NodeId>,
    ) -> Result<HashMap<NodeId, NodeId>> {
        // Create each node without children first, so that cycles can refer to it.
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

    /// Sets the `source` of a copied array to the block's number in this tree.
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
