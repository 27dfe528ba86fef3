//! The changes that repair a file.

use std::fmt;

/// A change that [`Repair`](super::Repair) makes. `Display` describes the fault.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mended {
    /// The magic: the first four bytes of a block.
    Magic {
        /// The number of the block in the repaired file.
        block: u64,
        /// The offset of the block in the damaged file.
        offset: u64,
    },
    /// A field of a block's header, by its name in the standard.
    Field {
        /// The number of the block in the repaired file.
        block: u64,
        /// The name of the field.
        field: &'static str,
    },
    /// A whole header, rebuilt from the block index and the arrays.
    Header {
        /// The number of the block in the repaired file.
        block: u64,
        /// The offset of the block in the damaged file.
        offset: u64,
    },
    /// Bytes between blocks, which are now unused space of the block before them.
    Space {
        /// The number of the block in the repaired file.
        block: u64,
        /// The number of bytes.
        bytes: u64,
    },
    /// A truncated block.
    Cut {
        /// The number of the block in the repaired file.
        block: u64,
        /// The number of missing bytes, which are now zeros.
        zeros: u64,
    },
    /// A missing block, replaced by an empty one.
    Gone {
        /// The number of the block in the repaired file.
        block: u64,
    },
    /// A checksum, computed again from the bytes as they are.
    Checksum {
        /// The number of the block in the repaired file.
        block: u64,
    },
    /// The block index.
    Index {
        /// Whether the damaged file had one.
        found: bool,
    },
}

impl fmt::Display for Mended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic { block, offset } => write!(f, "block {block} at byte {offset}: its magic bytes"),
            Self::Field { block, field } => write!(f, "block {block}: the field `{field}` of its header"),
            Self::Header { block, offset } => {
                write!(f, "block {block} at byte {offset}: its header, rebuilt without a checksum")
            }
            Self::Space { block, bytes } => {
                write!(f, "block {block}: the {bytes} bytes after it, now part of its unused space")
            }
            Self::Cut { block, zeros: 0 } => write!(f, "block {block}, which was truncated"),
            Self::Cut { block, zeros } => {
                write!(f, "block {block}, which was truncated: {zeros} missing bytes are now zeros")
            }
            Self::Gone { block } => {
                write!(
                    f,
                    "block {block}, which is missing: an empty block keeps the numbers of the blocks after it"
                )
            }
            Self::Checksum { block } => write!(f, "block {block}: its checksum"),
            Self::Index { found: true } => f.write_str("the block index, which was wrong"),
            Self::Index { found: false } => f.write_str("the block index, which was missing"),
        }
    }
}
