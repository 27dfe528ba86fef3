//! Nodes that were valid, and what follows from them for others.

use asdf_core::tree::{NodeId, NodeRef};

use super::subset;
use super::validator::Compiled;

/// The last nodes with one tag in which nothing was found. A file has such nodes by the thousand, and most differ
/// in a few numbers only, which their schemas cannot [tell apart](super::numbers): those need no second judgement.
#[derive(Debug, Default)]
pub(super) struct Known<'t>(Vec<Valid<'t>>);

/// So many are remembered for each tag.
const MOST: usize = 4;

/// A node in which nothing was found.
#[derive(Debug)]
struct Valid<'t> {
    node: NodeRef<'t>,
    /// Of an array, the node with its block's number, and the size of that block in bytes.
    block: Option<(NodeId, u64)>,
}

/// What is known of a node that is like a valid one. Nothing is wrong below it either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// It is valid.
    Valid,
    /// Its schemas hold. Whether the array fits its block has to be seen.
    Schemas,
}

impl<'t> Known<'t> {
    /// What follows for a node from those that are known; it has their tag. With `data`, it is an array that is
    /// compared with its block: the same array fits another block of the same size.
    pub(super) fn likeness(
        &mut self,
        node: NodeRef<'t>,
        engines: &[Compiled],
        data: bool,
    ) -> Option<Likeness> {
        let (place, likeness) = self
            .0
            .iter()
            .enumerate()
            .find_map(|(place, valid)| Some((place, valid.likeness(node, engines, data)?)))?;
        // What was met last is most likely to be met next.
        self.0.swap(0, place);
        Some(likeness)
    }

    /// Remembers a node in which nothing was found, if it is small and has no tags below.
    pub(super) fn remember(&mut self, node: NodeRef<'t>, data: bool) {
        let is_small = node.is_like(node, |_, _| false);
        if !is_small || !is_plain_below(node) {
            return;
        }
        let block = node.get("source").filter(|_| data).and_then(|source| {
            let block = node.tree().blocks().block(source.as_i64()?).ok()?;
            Some((source.id(), block.size()))
        });
        self.0.truncate(MOST - 1);
        self.0.insert(0, Valid { node, block });
    }
}

impl<'t> Valid<'t> {
    fn likeness(&self, node: NodeRef<'t>, engines: &[Compiled], data: bool) -> Option<Likeness> {
        let (mut source, mut others) = (None, false);
        let is_like = self.node.is_like(node, |own, other| {
            match self.block {
                Some((id, _)) if id == own.id() => source = Some(other),
                _ => others = true,
            }
            engines.iter().flatten().all(|engine| engine.numbers().are_alike(own, other))
        });
        let fits = || match (source, self.block) {
            (Some(source), Some((_, size))) => {
                let block = source.as_i64().and_then(|source| node.tree().blocks().block(source).ok());
                block.is_some_and(|block| block.size() == size)
            }
            _ => true,
        };
        let valid = is_like && (!data || (!others && fits()));
        match (is_like, valid) {
            (false, _) => None,
            (_, true) => Some(Likeness::Valid),
            (_, false) => Some(Likeness::Schemas),
        }
    }
}

/// Whether nothing below a small node has a tag, and the standard has nothing against it.
fn is_plain_below(node: NodeRef<'_>) -> bool {
    let mut below = node.items().chain(node.entries().map(|(_, value)| value));
    below.all(|child| child.tag_index().is_none() && subset::holds(child) && is_plain_below(child))
}
