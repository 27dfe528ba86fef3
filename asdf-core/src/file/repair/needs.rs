//! The bytes of blocks that the arrays of a tree need.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::array::NdArray;
use crate::error::{self, Error, Result};
use crate::tree::{Kind, NodeRef, Tree};
use crate::value::FromNode;

/// An array with data in a block of the file.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) path: String,
    /// The number of the block, from the end if it is negative.
    pub(super) source: i64,
    /// The range of the data with the elements, if the node is valid.
    pub(super) bytes: Option<Range<u64>>,
    /// Whether the size of the block gives the number of rows.
    pub(super) streamed: bool,
}

/// The needs of all arrays in one block.
#[derive(Debug, Default, Clone)]
pub(super) struct Need {
    /// The number of bytes that its data must have, if an array says so.
    pub(super) bytes: Option<u64>,
    pub(super) streamed: bool,
}

/// The arrays of a tree with data in blocks of the file.
#[derive(Debug)]
pub(super) struct Needs {
    pub(super) arrays: Vec<Wanted>,
    /// Errors in the nodes of arrays, whatever their blocks have.
    pub(super) faults: Vec<Error>,
    blocks: BTreeMap<u64, Need>,
}

impl Wanted {
    fn of(node: NodeRef<'_>, path: impl Fn() -> String, bytes: Option<Range<u64>>) -> Option<Self> {
        let source = node.block_reference()?.as_i64()?;
        Some(Self { path: path(), source, bytes, streamed: is_streamed(node) })
    }

    /// The number of its block in a file of `count` blocks.
    pub(super) fn block(&self, count: u64) -> Option<u64> {
        match u64::try_from(self.source) {
            Ok(number) => Some(number),
            Err(_) => count.checked_sub(self.source.unsigned_abs()),
        }
    }
}

/// Whether the size of its block gives the number of rows of an array.
fn is_streamed(node: NodeRef<'_>) -> bool {
    let shape = node.get("shape").filter(|shape| shape.kind() == Kind::Sequence);
    shape.and_then(|shape| shape.item(0)).is_some_and(|first| first.as_str() == Some("*"))
}

/// The range of its block with the elements of an array. `None` for a streamed array, whose size only the block has.
fn reach(node: NodeRef<'_>) -> Result<Option<Range<u64>>> {
    if is_streamed(node) {
        return Ok(None);
    }
    let array = NdArray::from_node(node)?;
    if node.block_reference().is_some() { array.reach().map(Some) } else { Ok(None) }
}

impl Needs {
    pub(super) fn of(tree: &Tree) -> Self {
        let (mut arrays, mut faults) = (Vec::new(), Vec::new());
        if let Some(root) = tree.root() {
            let mut walk = root.walk();
            while let Some(node) = walk.next() {
                if !node.tag().is_some_and(NdArray::accepts_tag) {
                    continue;
                }
                let bytes = reach(node).unwrap_or_else(|error| {
                    // An array can be too large for this machine.
                    if matches!(
                        error.kind(),
                        error::Kind::Malformed | error::Kind::Mismatch | error::Kind::Limit
                    ) {
                        faults.push(error.at_path(walk.path().as_str()));
                    }
                    None
                });
                arrays.extend(Wanted::of(node, || walk.path().to_string(), bytes));
            }
        }
        // Numbers from the end do not imply a number of blocks.
        let mut blocks: BTreeMap<u64, Need> = BTreeMap::new();
        for wanted in &arrays {
            let Ok(number) = u64::try_from(wanted.source) else { continue };
            let need = blocks.entry(number).or_default();
            need.streamed |= wanted.streamed;
            need.bytes = need.bytes.max(wanted.bytes.as_ref().map(|bytes| bytes.end));
        }
        Self { arrays, faults, blocks }
    }

    /// Whether an array is streamed, so that its block must be the last.
    pub(super) fn has_stream(&self) -> bool {
        self.arrays.iter().any(|wanted| wanted.streamed)
    }

    /// The needs of the arrays in a block.
    pub(super) fn block(&self, number: usize) -> Need {
        self.blocks.get(&(number as u64)).cloned().unwrap_or_default()
    }

    /// The number of blocks that the file must have.
    pub(super) fn count(&self) -> u64 {
        self.blocks.last_key_value().map_or(0, |(&number, _)| number.saturating_add(1))
    }

    /// The paths of the arrays in a block of a file of `count` blocks.
    pub(super) fn paths(&self, number: u64, count: u64) -> Vec<&str> {
        let arrays = self.arrays.iter().filter(|wanted| wanted.block(count) == Some(number));
        arrays.map(|wanted| wanted.path.as_str()).collect()
    }
}
