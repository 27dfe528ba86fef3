//! Repairs damaged files: finds what can be repaired and what is lost, and writes the repaired file.
//!
//! # Examples
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
//! Blocks are found by following them from one to the next, as readers do. If that breaks off, other evidence counts: the
//! block index, later magics, headers that lack only their magic, and the number of bytes that arrays need of each block.
//!
//! No bytes are thrown away, except a damaged block index and the rest of a truncated header. The numbers of blocks change
//! only if the arrays fit better afterwards.

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

/// Options for repairing a file.
///
/// # Examples
/// ```
/// use asdf_core::file::repair::RepairOptions;
/// use asdf_core::{File, NdArray};
///
/// let mut file = File::new();
/// file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3])?)?;
/// let mut bytes = file.to_bytes()?;
/// let at = bytes.windows(3).position(|part| part == [1, 2, 3]).unwrap();
/// bytes[at] = 7; // the checksum does not match any more
/// let damaged = File::from_bytes(bytes)?;
/// assert_eq!(RepairOptions::new().plan(&damaged)?.damages().len(), 1);
///
/// let accepted = RepairOptions::new().accept_checksums(true).plan(&damaged)?;
/// let repaired = File::from_bytes(accepted.to_bytes()?)?;
/// assert!(repaired.verify()?[0].is_ok());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct RepairOptions {
    checksums: bool,
}

impl RepairOptions {
    /// Makes the default options: checksums do not change.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether to accept the data of damaged blocks, by computing new checksums.
    #[must_use]
    pub fn accept_checksums(mut self, yes: bool) -> Self {
        self.checksums = yes;
        self
    }

    /// Finds the faults of the blocks and the block index of a file. Writes nothing yet.
    ///
    /// Reads all blocks that have a checksum or are compressed.
    ///
    /// # Errors
    /// [`Unsupported`](crate::error::Kind::Unsupported) for a file of the pre-release format or in a
    /// [container](crate::OpenOptions::container),
    /// [`Usage`](crate::error::Kind::Usage) for a file that was not opened,
    /// [`Limit`](crate::error::Kind::Limit) if truncated blocks lack more bytes than
    /// [`Limits::decoded_total`](crate::Limits::decoded_total) allows. Fails also if the file cannot be read.
    pub fn plan(&self, file: &File) -> Result<Repair> {
        let Some(blocks) = &file.blocks else {
            return Err(Error::usage("cannot repair a new file, only one that was opened"));
        };
        file.refuse_container()?;
        if blocks.is_draft() {
            return Err(file.named(
                Error::unsupported("cannot repair a file of the pre-release format 0.1.0")
                    .with_hint(Hint::Convert),
            ));
        }
        // Beyond the limit some blocks would be lost.
        if let Some(error) = file.blocks().err().filter(|error| error.kind() == crate::error::Kind::Limit) {
            return Err(error);
        }
        let needs = Needs::of(file.tree());
        let mut evidence = evidence::Evidence::of(blocks.reading(), blocks.start(), &needs)?;
        let survey = survey::survey(&mut evidence)?;
        let mut found = survey.blocks;
        let verdicts = losses::look(&evidence, &mut found, survey.is_plain.then_some(file))?;
        let output = output::lay(&evidence, &found, &verdicts, self.checksums)?;
        // If no block was found, bytes after the tree must be the rest of blocks or of their index.
        let is_sound = output.mended.is_empty()
            && (!found.is_empty() || evidence.is_blank(evidence.start..evidence.len())?);
        let (losses, damages) = losses::find(&needs, &found, &verdicts, self.checksums, is_sound);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{Header, Label, index};
    use crate::error::Kind;
    use crate::{Limits, OpenOptions};

    /// The header of an uncompressed block without a checksum.
    fn header(size: u64) -> Vec<u8> {
        Header {
            header_size: Header::MIN_SIZE,
            flags: 0,
            compression: Label::NONE,
            allocated_size: size,
            used_size: size,
            data_size: size,
            checksum: [0; 16],
        }
        .emit()
    }

    /// A file whose array and block header agree on a size, but which ends after 8 bytes of data.
    fn truncated(size: u64) -> Vec<u8> {
        let array = format!("{{source: 0, datatype: uint8, byteorder: little, shape: [{size}]}}");
        let mut bytes = format!(
            "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
             a: !core/ndarray-1.1.0 {array}\n...\n"
        )
        .into_bytes();
        bytes.extend(header(size));
        bytes.extend([7; 8]);
        bytes
    }

    #[test]
    fn a_file_without_repairs_is_copied() {
        // The header of the last block is lost, and no array says how many bytes the block has.
        let mut bytes = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n--- {a: 1}\n...\n".to_vec();
        let first = bytes.len() as u64;
        bytes.extend(header(3));
        bytes.extend([1, 2, 3]);
        let second = bytes.len() as u64;
        bytes.extend([0xff; Header::LEN]);
        bytes.extend([4, 5, 6]);
        bytes.extend(index::emit(&[first, second]).as_bytes());
        let repair = RepairOptions::new().plan(&File::from_bytes(bytes.clone()).unwrap()).unwrap();
        assert_eq!((repair.mended(), repair.to_bytes().unwrap()), (&[][..], bytes));
    }

    fn planned(size: u64, most: Option<u64>) -> Result<Repair> {
        let limits = Limits { decoded_total: most, ..Limits::default() };
        RepairOptions::new().plan(&OpenOptions::new().limits(limits).open_bytes(truncated(size))?)
    }

    #[test]
    fn an_array_that_does_not_fit_in_memory_is_a_fault() {
        let repair = planned(1 << 63, None).unwrap();
        let [fault] = repair.faults() else { panic!("{:?}", repair.faults()) };
        assert_eq!(fault.to_string(), "/a: an array of shape [9223372036854775808] does not fit in memory");
        // The size that its block should have is unknown.
        assert_eq!(repair.mended().first(), Some(&Mended::Cut { block: 0, zeros: 0 }));
        #[cfg(target_pointer_width = "32")]
        assert_eq!(planned(1 << 39, None).unwrap().faults()[0].kind(), Kind::Limit);
    }

    // Machines of 32 bits have no arrays of this size.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn a_huge_number_of_zeros_is_an_error() {
        let error = planned(1 << 39, None).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit);
        let (from, to) = (16 << 30, Some((1 << 39) - 8));
        assert_eq!(
            error.hint(),
            Some(&Hint::Raise { limit: crate::error::LimitName::DecodedTotal, from, to })
        );
        assert_eq!(
            error.message(),
            "block 0 lacks 549755813880 bytes: 549755813880 zeros in place of missing bytes are more than the limit of \
             17179869184"
        );
    }

    #[test]
    fn zeros_for_missing_bytes_are_limited() {
        assert!(planned(1009, Some(1000)).is_err());
        let repaired = File::from_bytes(planned(1008, Some(1000)).unwrap().to_bytes().unwrap()).unwrap();
        let data = repaired.array("/a").unwrap().read::<u8>().unwrap();
        assert_eq!((data.len(), data.get(..9)), (1008, Some(&[7, 7, 7, 7, 7, 7, 7, 7, 0][..])));
    }
}
