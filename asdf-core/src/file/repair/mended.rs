//! The changes that mend a file.

use std::fmt;

/// A change that [`Repair`](super::Repair) makes. `Display` says what was wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mended {
    /// The four bytes that a block begins with.
    Magic {
        /// The number of the block in the mended file.
        block: u64,
        /// Where it is in the damaged file.
        offset: u64,
    },
    /// A field of a block's header, by its name in the standard.
    Field {
        /// The number of the block in the mended file.
        block: u64,
        /// The name of the field.
        field: &'static str,
    },
    /// A whole header, made again from what the index and the arrays say.
    Header {
        /// The number of the block in the mended file.
        block: u64,
        /// Where it is in the damaged file.
        offset: u64,
    },
    /// Bytes that belonged to no block and that the one before them has now as unused space.
    Space {
        /// The number of the block in the mended file.
        block: u64,
        /// How many bytes there are.
        bytes: u64,
    },
    /// A block that was cut.
    Cut {
        /// The number of the block in the mended file.
        block: u64,
        /// How many bytes are zeros now.
        zeros: u64,
    },
    /// A block that is gone, with one without data in its place.
    Gone {
        /// The number of the block in the mended file.
        block: u64,
    },
    /// A checksum, which is now that of the bytes as they are.
    Checksum {
        /// The number of the block in the mended file.
        block: u64,
    },
    /// The block index.
    Index {
        /// Whether there was one.
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
