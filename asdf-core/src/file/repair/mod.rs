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
mod mended;
mod needs;
mod output;
mod survey;

pub use losses::{Damage, Loss, LossKind};
pub use mended::Mended;
use needs::Needs;
pub use output::Repair;

use super::File;
use crate::error::{Error, Hint, Result};

/// How a file is repaired.
#[derive(Debug, Clone, Default)]
pub struct RepairOptions {
    checksums: bool,
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
    /// [`Unsupported`](crate::error::Kind::Unsupported) for a draft of the format, [`Usage`](crate::error::Kind::Usage)
    /// for a file that was not opened; when the file cannot be read.
    pub fn plan(&self, file: &File) -> Result<Repair> {
        let Some(blocks) = &file.blocks else {
            return Err(Error::usage("cannot repair a new file, only one that was opened"));
        };
        if blocks.is_draft() {
            return Err(file.named(
                Error::unsupported("cannot repair a file of the pre-release format 0.1.0")
                    .with_hint(Hint::Convert),
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
