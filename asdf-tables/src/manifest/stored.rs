//! How a block is stored, from its header and the heads of its frames.

use std::ops::Range;
use std::sync::Arc;

use asdf_core::block::Label;
use asdf_core::file::FileBlock;
use asdf_core::tree::{Block, Stored};
use asdf_core::{Error, Result};

use super::compressor::Compressor;

/// How a block is stored. All ranges are bytes of the file.
#[derive(Debug, Clone)]
pub(super) enum Storage {
    /// Without compression.
    Plain(Range<u64>),
    /// Compressed as a whole.
    Whole { compressor: Compressor, range: Range<u64>, data_size: u64 },
    /// In lz4 frames of `frame` bytes of data each. The last one can be shorter.
    Frames { ranges: Arc<[Range<u64>]>, frame: u64, is_even: bool, data_size: u64 },
}

/// The most bytes that numcodecs decodes from one lz4 block.
const LARGEST_LZ4: u64 = 0x7E00_0000;

impl Storage {
    /// Returns how a block is stored. Reads its header, and what precedes its frames, but no data.
    ///
    /// # Errors
    /// [`Unsupported`](asdf_core::error::Kind::Unsupported) if no codec of numcodecs reads the stored bytes; and if the
    /// block is damaged or cannot be read.
    pub(super) fn of(block: &FileBlock) -> Result<Self> {
        let Stored::InPlace { size, label, data_size, offset, header_size, .. } = block.stored()? else {
            return Err(Error::unsupported("zarr cannot decode the blocks of the pre-release format"));
        };
        // The block is inside the file, so these sums do not overflow.
        let start = offset.saturating_add(6).saturating_add(header_size.into());
        let range = start..start.saturating_add(size);
        let whole = |compressor| Ok(Self::Whole { compressor, range: range.clone(), data_size });
        match label {
            label if label.is_none() => Ok(Self::Plain(range)),
            Label::ZLIB => whole(Compressor::Zlib),
            Label::BZP2 => whole(Compressor::Bz2),
            Label::XZ => whole(Compressor::Lzma),
            Label::ZSTD => {
                let skipped = skipped_by_zstd(block, size, data_size)?;
                let range = range.start.saturating_add(skipped)..range.end;
                Ok(Self::Whole { compressor: Compressor::Zstd, range, data_size })
            }
            Label::BLSC => {
                check_blosc(&block.read_stored(0..size.min(16))?, size, data_size)?;
                whole(Compressor::Blosc)
            }
            Label::LZ4 => Self::of_frames(block, data_size),
            label => Err(Error::unsupported(format!("numcodecs has no codec for {label} blocks"))),
        }
    }

    /// Returns the storage of a block whose file begins at an offset of another file.
    pub(super) fn moved(self, by: u64) -> Self {
        let moved = |range: &Range<u64>| range.start.saturating_add(by)..range.end.saturating_add(by);
        match self {
            Self::Plain(range) => Self::Plain(moved(&range)),
            Self::Whole { compressor, range, data_size } => {
                Self::Whole { compressor, range: moved(&range), data_size }
            }
            Self::Frames { ranges, frame, is_even, data_size } => {
                let ranges = ranges.iter().map(moved).collect();
                Self::Frames { ranges, frame, is_even, data_size }
            }
        }
    }

    fn of_frames(block: &FileBlock, data_size: u64) -> Result<Self> {
        let frames = block.frames()?;
        let Some(frames) = frames.filter(|frames| !frames.is_empty()) else {
            return Err(Error::unsupported("numcodecs has no codec for the LZ4 frame in this lz4 block"));
        };
        let sizes = || frames.iter().map(|frame| frame.data.end - frame.data.start);
        let frame = sizes().next().unwrap_or_default();
        if sizes().any(|size| size > LARGEST_LZ4) {
            return Err(Error::unsupported(format!(
                "numcodecs decodes lz4 frames of up to {LARGEST_LZ4} bytes, and this one is larger"
            )));
        }
        let is_even = sizes().all(|size| size == frame);
        let ranges = frames.into_iter().map(|frame| frame.stored).collect();
        Ok(Self::Frames { ranges, frame, is_even, data_size })
    }
}

/// Returns the number of bytes before the first frame of a zstd block, which decoders skip and numcodecs refuses.
///
/// # Errors
/// [`Unsupported`](asdf_core::error::Kind::Unsupported) if the frame does not say that it holds `data_size` bytes, as
/// numcodecs requires.
fn skipped_by_zstd(block: &FileBlock, size: u64, data_size: u64) -> Result<u64> {
    /// The most bytes of the head of a frame up to its content size.
    const HEAD: u64 = 18;
    let mut at: u64 = 0;
    loop {
        let head = block.read_stored(at..size.min(at.saturating_add(HEAD)))?;
        match Head::parse(&head) {
            Some(Head::Skippable(length)) => at = at.saturating_add(length),
            Some(Head::Frame(Some(found))) if found == data_size => return Ok(at),
            _ => {
                return Err(Error::unsupported(
                    "numcodecs needs one zstd frame that says its size, and this block has none",
                ));
            }
        }
        if at >= size {
            return Err(Error::malformed("the zstd block ends before its frame"));
        }
    }
}

/// The head of a zstd frame.
#[derive(Debug, PartialEq, Eq)]
enum Head {
    /// A frame that decoders skip, with its whole length.
    Skippable(u64),
    /// A frame, with the size of its content if it says that.
    Frame(Option<u64>),
}

impl Head {
    /// Parses the head of a frame (RFC 8878, sections 3.1.1 and 3.1.2).
    fn parse(bytes: &[u8]) -> Option<Self> {
        let (magic, rest) = bytes.split_first_chunk()?;
        let magic = u32::from_le_bytes(*magic);
        if magic & 0xFFFF_FFF0 == 0x184D_2A50 {
            let length = u32::from_le_bytes(*rest.first_chunk()?);
            return Some(Self::Skippable(8 + u64::from(length)));
        }
        if magic != 0xFD2F_B528 {
            return None;
        }
        let (&descriptor, rest) = rest.split_first()?;
        let is_single = descriptor & 0x20 != 0;
        let dictionary = match descriptor & 3 {
            3 => 4,
            length => usize::from(length),
        };
        let size = rest.get(usize::from(!is_single) + dictionary..)?;
        let word = |length: usize| {
            let mut word = [0; 8];
            word.iter_mut().zip(size.get(..length)?).for_each(|(to, from)| *to = *from);
            Some(u64::from_le_bytes(word))
        };
        Some(Self::Frame(match descriptor >> 6 {
            0 if is_single => word(1),
            0 => None,
            1 => word(2).map(|size| size + 256),
            2 => word(4),
            _ => word(8),
        }))
    }
}

/// Checks the header of a chunk of c-blosc: numcodecs reads its first format, with codecs that it has.
fn check_blosc(head: &[u8], size: u64, data_size: u64) -> Result<()> {
    const SNAPPY: u8 = 2;
    let word = |at: usize| {
        head.get(at..).and_then(|rest| rest.first_chunk()).map(|word| u64::from(u32::from_le_bytes(*word)))
    };
    let (Some([version, _, flags, ..]), Some(bytes), Some(stored)) =
        (head.first_chunk::<4>(), word(4), word(12))
    else {
        return Err(Error::malformed(format!("found {size} bytes, expected the 16 of a blosc header")));
    };
    if bytes != data_size || stored != size {
        return Err(Error::malformed(format!(
            "the blosc chunk has {stored} bytes for {bytes}, expected {size} for {data_size}"
        )));
    }
    if *version > 2 || flags >> 5 == SNAPPY || flags >> 5 > 4 {
        return Err(Error::unsupported("numcodecs cannot decode this chunk of blosc"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_zstd_say_their_size() {
        let frame = |rest: &[u8]| Head::parse(&[&[0x28, 0xB5, 0x2F, 0xFD], rest].concat());
        assert_eq!(frame(&[0x20, 7]), Some(Head::Frame(Some(7))));
        assert_eq!(frame(&[0x60, 1, 0]), Some(Head::Frame(Some(257))));
        assert_eq!(frame(&[0x80, 0x50, 1, 0, 0, 0]), Some(Head::Frame(Some(1))));
        assert_eq!(frame(&[0xE0, 1, 0, 0, 0, 0, 0, 0, 0]), Some(Head::Frame(Some(1))));
        assert_eq!(frame(&[0xE0, 1]), Some(Head::Frame(None)));
        assert_eq!(frame(&[0x00, 0x50]), Some(Head::Frame(None)));
        assert_eq!(frame(&[]), None);
        assert_eq!(Head::parse(&[0x5E, 0x2A, 0x4D, 0x18, 4, 0, 0, 0]), Some(Head::Skippable(12)));
        assert_eq!(Head::parse(b"abcdef"), None);
    }

    #[test]
    fn heads_of_blosc_are_checked() {
        let head =
            |version: u8, flags: u8| [[version, 1, flags, 4], [8, 0, 0, 0], [0; 4], [24, 0, 0, 0]].concat();
        assert!(check_blosc(&head(2, 0x21), 24, 8).is_ok());
        assert!(check_blosc(&head(5, 0x21), 24, 8).is_err());
        assert!(check_blosc(&head(2, 0x41), 24, 8).is_err());
        assert!(check_blosc(&head(2, 0x21), 25, 8).is_err());
        assert!(check_blosc(&head(2, 0x21), 24, 9).is_err());
        assert!(check_blosc(&head(2, 0x21)[..15], 24, 8).is_err());
    }
}
