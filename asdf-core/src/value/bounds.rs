//! How far a value may be read into a tree that shares nodes, or contains itself.

use std::cell::Cell;

use crate::error::{Code, Error, Result};
use crate::tree::NodeRef;

/// How many collections inside each other one value is read from. Only a type that holds itself gets there.
const LEVELS: usize = 128;

/// How many nodes may be read beyond four times those of the tree: aliases are read as often as they stand.
const SPARE: u64 = 1_000_000;

thread_local! {
    /// The levels that are open in this thread, and the nodes that may still be read.
    static OPEN: Cell<(usize, u64)> = const { Cell::new((0, 0)) };
}

/// One level of reading.
pub(super) struct Level(());

impl Level {
    /// Goes a level down, to read a node.
    ///
    /// # Errors
    /// [`Limit`](crate::error::Kind::Limit) at too many levels, or nodes.
    pub(super) fn enter(node: NodeRef<'_>) -> Result<Self> {
        let (levels, mut left) = OPEN.get();
        if levels == 0 {
            let nodes = u64::try_from(node.tree().len()).unwrap_or(u64::MAX);
            left = nodes.saturating_mul(4).saturating_add(SPARE);
        }
        if levels >= LEVELS {
            // What is beside this is not read either: it may lead as far.
            OPEN.set((levels, 0));
            return Err(limit(node, format!("the value nests deeper than {LEVELS} levels")));
        }
        let Some(left) = left.checked_sub(1) else {
            return Err(limit(node, "aliases stand for too many nodes".to_owned()));
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
    let error =
        Error::limit(message).with_code(Code::Depth).with_hint("a node may contain itself by an alias");
    match node.position() {
        Some((line, column)) => error.at_position(line, column),
        None => error,
    }
}
