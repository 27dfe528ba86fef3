//! Repairing damaged files: what can be mended, what is lost, and the mended file.
//!
//! ```
//! use asdf_core::file::repair::RepairOptions;
//! use asdf_core::{File, NdArray};
//!
//! let mut file = File::new();
//! file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3])?)?;
//! let mut bytes = file.to_bytes()?;
//! let at = bytes.windows(4).position(|part| part == b"\xd3BLK").unwrap();
//! bytes[at] = 0;
//! let damaged = File::from_bytes(bytes)?;
//! assert!(damaged.array("/data")?.read::<u8>().is_err());
//! let repair = RepairOptions::new().plan(&damaged)?;
//! assert_eq!(repair.mended()[0].to_string(), format!("block 0 at byte {at}: its magic bytes"));
//! let mended = File::from_bytes(repair.to_bytes()?)?;
//! assert_eq!(mended.array("/data")?.read::<u8>()?, [1, 2, 3]);
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! Blocks are found by following them from one to the next, as readers do. Where that breaks off, the other
//! evidence counts: the block index, magics further on, headers that are whole but for their magic, and which
//! arrays need how many bytes of which block. Bytes are never thrown away, except a damaged index and what
//! is left of a header that was cut; and numbers of blocks change only if the arrays fit better then.

mod evidence;
mod losses;
mod needs;
mod output;
mod survey;

use std::fmt;
use std::sync::Arc;

pub use losses::{Damage, Loss, LossKind};
use needs::Needs;
use output::Piece;

use super::File;
use super::IndexState;
use crate::error::{Error, Result};
use crate::source::Source;
use crate::threads::Threads;

/// How a file is repaired.
#[derive(Debug, Clone, Default)]
pub struct RepairOptions {
    checksums: bool,
}

/// A change that [`Repair`] makes. `Display` says what was wrong.
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
            Self::Field { block, field } => write!(f, "block {block}: the field {field} of its header"),
            Self::Header { block, offset } => {
                write!(f, "block {block} at byte {offset}: its header, made again without a checksum")
            }
            Self::Space { block, bytes } => {
                write!(f, "block {block}: the {bytes} bytes after it, now part of its unused space")
            }
            Self::Cut { block, zeros: 0 } => write!(f, "block {block}, which was cut"),
            Self::Cut { block, zeros } => {
                write!(f, "block {block}, which was cut: {zeros} missing bytes are zeros now")
            }
            Self::Gone { block } => {
                write!(f, "block {block}, which is gone: an empty block keeps the numbers of those after it")
            }
            Self::Checksum { block } => write!(f, "block {block}: its checksum"),
            Self::Index { found: true } => f.write_str("the block index, which was wrong"),
            Self::Index { found: false } => f.write_str("the block index, which was missing"),
        }
    }
}

/// What can be mended in a file, and what cannot. Nothing is written before one of the methods is
/// called that do so.
#[derive(Debug)]
pub struct Repair {
    source: Arc<dyn Source>,
    mended: Vec<Mended>,
    losses: Vec<Loss>,
    damages: Vec<Damage>,
    faults: Vec<Error>,
    pieces: Vec<Piece>,
    threads: Threads,
}

impl RepairOptions {
    /// The defaults: checksums stay as they are.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to accept the data of all blocks as they are: their checksums become those of their bytes.
    #[must_use]
    pub fn accept_checksums(mut self, yes: bool) -> Self {
        self.checksums = yes;
        self
    }

    /// Finds out what is wrong with the blocks and the index of a file. Reads all blocks that have a
    /// checksum or are compressed.
    ///
    /// # Errors
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for a draft of the format, [`Usage`](crate::ErrorKind::Usage)
    /// for a file that was not opened; when the file cannot be read.
    pub fn plan(&self, file: &File) -> Result<Repair> {
        let Some(blocks) = &file.blocks else {
            return Err(Error::usage("a file that was not opened has nothing to repair"));
        };
        if blocks.is_draft() {
            return Err(file.named(
                Error::unsupported("drafts of the format are not repaired")
                    .with_hint("write the file for today's standard first, as `asdf convert` does"),
            ));
        }
        // With some of its blocks only, the file would be worse.
        if let Some(error) = file.blocks().err().filter(|error| error.kind() == crate::error::Kind::Limit) {
            return Err(error);
        }
        let needs = Needs::of(file.tree());
        let mut evidence = evidence::Evidence::of(blocks.reading(), blocks.start(), &needs)?;
        let survey = survey::survey(&mut evidence)?;
        let mut found = survey.blocks;
        let verdicts = losses::look(&evidence, &mut found, survey.is_plain.then_some(file))?;
        let output = output::lay(&evidence, &found, &verdicts, self.checksums)?;
        // Without any block, bytes behind the tree were blocks or their index.
        let is_sound = output.mended.is_empty()
            && (!found.is_empty() || evidence.is_blank(evidence.start..evidence.len())?);
        let (losses, damages) = losses::tell(&needs, &found, &verdicts, self.checksums, is_sound);
        Ok(Repair {
            source: blocks.reading().source.clone(),
            mended: output.mended,
            losses,
            damages,
            faults: needs.faults,
            pieces: output.pieces,
            threads: file.threads(),
        })
    }
}

impl Repair {
    /// What will be mended: if that is nothing, writing the file would copy it.
    #[must_use]
    pub fn mended(&self) -> &[Mended] {
        &self.mended
    }

    /// The data that is lost, mended or not.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// The blocks whose checksum does not match, and is left as it is.
    #[must_use]
    pub fn damages(&self) -> &[Damage] {
        &self.damages
    }

    /// The arrays that the tree describes wrongly, with their paths. They are left as they are.
    #[must_use]
    pub fn faults(&self) -> &[Error] {
        &self.faults
    }
}

/// Whether the index in a file is the right one, of these.
fn state(evidence: &evidence::Evidence<'_>, is_right: bool) -> IndexState {
    match evidence.has_index {
        _ if is_right => IndexState::Right,
        true => IndexState::Wrong,
        false => IndexState::Absent,
    }
}
