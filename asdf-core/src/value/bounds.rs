//! Limits on reading values from a tree that shares nodes or contains itself.

use std::cell::Cell;

use crate::error::{Code, Error, Result};
use crate::tree::NodeRef;

/// The maximum depth of collections in one value. Only a recursive type can reach it.
const LEVELS: usize = 128;

/// The number of nodes that can be read beyond four times those of the tree. A shared node counts once per
/// alias.
const SPARE: u64 = 1_000_000;

thread_local! {
    /// The open levels in this thread, and the number of nodes that can still be read.
    static OPEN: Cell<(usize, u64)> = const { Cell::new((0, 0)) };
}

/// One level of reading.
pub(super) struct Level(());

impl Level {
    /// Enters a level to read a node.
    ///
    /// # Errors
    /// Returns [`Limit`](crate::error::Kind::Limit) for too many levels or nodes.
    pub(super) fn enter(node: NodeRef<'_>) -> Result<Self> {
        let (levels, mut left) = OPEN.get();
        if levels == 0 {
            let nodes = u64::try_from(node.tree().len()).unwrap_or(u64::MAX);
            left = nodes.saturating_mul(4).saturating_add(SPARE);
        }
        if levels >= LEVELS {
            // Siblings are not read either, because they can be as deep.
            OPEN.set((levels, 0));
            return Err(limit(node, format!("the value nests deeper than {LEVELS} levels")));
        }
        let Some(left) = left.checked_sub(1) else {
            return Err(limit(node, "aliases expand to too many nodes".to_owned()));
        };
        OPEN.set((levels + 1, left));
        Ok(Self(()))
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        let (levels, left) = OPEN.get();
        OPEN.set((levels.saturating_sub(1), left));
    }
}

fn limit(node: NodeRef<'_>, message: String) -> Error {
    let error = Error::limit(message)
        .with_code(Code::Depth)
        .with_hint("check the aliases: a node can contain itself");
    match node.position() {
        Some((line, column)) => error.at_position(line, column),
        None => error,
    }
}
