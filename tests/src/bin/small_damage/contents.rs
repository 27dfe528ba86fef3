//! Everything that can be read from a file, errors included.

use std::collections::BTreeMap;

use asdf_core::array::ByteOrder;
use asdf_core::block::Checksum;
use asdf_core::error::Kind;
use asdf_core::{Error, File, FromNode as _, NdArray};

/// The most bytes of one array that are read.
const MOST: u64 = 1 << 20;

/// The packed elements of each array, or the error, by path.
pub(crate) type Arrays = BTreeMap<String, Result<Vec<u8>, String>>;

/// What was read.
#[derive(Debug, PartialEq)]
pub(crate) struct Contents {
    pub(crate) arrays: Arrays,
    /// The verdicts of all blocks: whether there is a checksum, or the error.
    pub(crate) blocks: Result<Vec<Result<bool, String>>, String>,
    /// The verdicts of all blocks one by one.
    singly: Result<Vec<Result<bool, String>>, String>,
}

impl Contents {
    /// Reads all arrays, then all blocks, or in the opposite order.
    pub(crate) fn of(file: &File, blocks_first: bool) -> Self {
        if blocks_first {
            let (blocks, singly) = blocks(file);
            Self { arrays: arrays(file, true), blocks, singly }
        } else {
            let arrays = arrays(file, false);
            let (blocks, singly) = blocks(file);
            Self { arrays, blocks, singly }
        }
    }

    /// Returns whether a block or an array has an error.
    pub(crate) fn has_error(&self) -> bool {
        let is_wrong = |blocks: &Vec<Result<bool, String>>| blocks.iter().any(Result::is_err);
        self.blocks.as_ref().map_or(true, is_wrong) || self.arrays.values().any(Result::is_err)
    }

    /// Returns which blocks have an error.
    pub(crate) fn damaged(&self) -> Option<Vec<bool>> {
        Some(self.blocks.as_ref().ok()?.iter().map(Result::is_err).collect())
    }

    /// Describes the first difference.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self.blocks != other.blocks {
            return Some(format!("verify: {:?}, then {:?}", self.blocks, other.blocks));
        }
        if self.singly != other.singly {
            return Some(format!("blocks: {:?}, then {:?}", self.singly, other.singly));
        }
        let changed =
            |(path, array): &(&String, &Result<Vec<u8>, String>)| other.arrays.get(*path) != Some(array);
        let (path, array) = self.arrays.iter().find(changed)?;
        Some(format!("{path}: {:.300?}, then {:.300?}", array, other.arrays.get(path)))
    }
}

type Blocks = Result<Vec<Result<bool, String>>, String>;

fn blocks(file: &File) -> (Blocks, Blocks) {
    let has_checksum = |found: Checksum| found != Checksum::Absent;
    let verdict = |found: asdf_core::Result<Checksum>| found.map(has_checksum).map_err(|error| shown(&error));
    let together = file.verify().map_err(|error| shown(&error));
    let singly = file.blocks().map_err(|error| shown(&error));
    (
        together.map(|blocks| blocks.into_iter().map(verdict).collect()),
        singly.map(|blocks| blocks.iter().map(|block| verdict(block.verify())).collect()),
    )
}

/// Returns what must be the same each time that the error is found. The total of decoded bytes depends on what was read
/// before.
fn shown(error: &Error) -> String {
    if error.kind() == Kind::Limit { "larger than a limit".to_owned() } else { error.to_string() }
}

/// Reads all arrays in the order of the tree, or the last one first.
fn arrays(file: &File, backwards: bool) -> Arrays {
    let mut nodes = Vec::new();
    if let Some(root) = file.tree().root() {
        let mut walk = root.walk();
        while let Some(node) = walk.next() {
            let path = walk.path().to_string();
            // A damaged key can equal another one. The first of them counts.
            let is_new = nodes.iter().all(|(known, _)| *known != path);
            if is_new && node.tag().is_some_and(NdArray::accepts_tag) {
                nodes.push((path, node));
            }
        }
    }
    if backwards {
        nodes.reverse();
    }
    nodes
        .into_iter()
        .map(|(path, node)| (path, NdArray::from_node(node).and_then(|array| packed(&array))))
        .map(|(path, array)| (path, array.map_err(|error| shown(&error))))
        .collect()
}

fn packed(array: &NdArray) -> asdf_core::Result<Vec<u8>> {
    let elements = array.shape().iter().try_fold(1_u64, |elements, axis| elements.checked_mul(*axis));
    let bytes =
        elements.zip(array.datatype().size().ok()).and_then(|(elements, size)| elements.checked_mul(size));
    if bytes.is_none_or(|bytes| bytes > MOST) {
        return Err(Error::limit("the array is larger than the limit of this test"));
    }
    array.packed_bytes(ByteOrder::Little)
}
