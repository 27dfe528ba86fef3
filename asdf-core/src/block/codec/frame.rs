//! The LZ4 frame, the format of `lz4f` and of some `lz4` blocks.

use lz4_flex::block::{DecompressError, decompress_into_with_dict};
use twox_hash::XxHash32;

use super::declared_size::{declared_size, make_room};
use super::{Codec, Wanted};
use crate::error::{Error, Result};

/// The first bytes of a frame.
pub(super) const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

/// The bit of a block's size that marks a block without compression.
pub(super) const PLAIN: u32 = 1 << 31;

/// Returns the byte that checks the descriptor of a frame.
pub(super) fn check(descriptor: &[u8]) -> u8 {
    xxh32(descriptor).to_le_bytes()[1]
}

/// Returns the xxHash of 32 bits with seed 0, the checksum inside frames.
fn xxh32(bytes: &[u8]) -> u32 {
    XxHash32::oneshot(0, bytes)
}

/// The properties of the blocks of a frame.
struct Frame {
    linked: bool,
    block_checksums: bool,
    content_checksum: bool,
    content_size: Option<u64>,
    /// The maximum size of a decoded block.
    block: usize,
}

/// Decodes a frame, which is all of `stored`, to exactly `data_size` bytes.
pub(super) fn decode(
    codec: &dyn Codec,
    stored: &[u8],
    data_size: u64,
    wanted: Wanted<'_>,
) -> Result<Vec<u8>> {
    let expected = declared_size(codec, stored.len() as u64, data_size)?;
    let mut rest = stored;
    let fail = |rest: &[u8], what: String| {
        Err(Error::malformed(format!(
            "the lz4 frame is damaged at byte {}: {what}",
            stored.len() - rest.len()
        )))
    };
    let frame = match Frame::parse(&mut rest) {
        Ok(frame) => frame,
        Err(Fault::Unsupported(what)) => return Err(Error::unsupported(format!("the lz4 frame {what}"))),
        Err(Fault::Damaged(what)) => return fail(rest, what),
    };
    if let Some(size) = frame.content_size.filter(|&size| size != data_size) {
        return Err(Error::malformed(format!("the lz4 frame holds {size} bytes, expected {expected}")));
    }
    let mut data = Vec::new();
    let cut = || "it is truncated".to_owned();
    loop {
        wanted()?;
        let start = rest;
        let Some(size) = word(&mut rest) else { return fail(start, cut()) };
        if size == 0 {
            break;
        }
        let len = usize::try_from(size & !PLAIN).unwrap_or(usize::MAX);
        let Some((block, after)) = rest.split_at_checked(len) else { return fail(start, cut()) };
        rest = after;
        if len > frame.block {
            return fail(start, format!("found a block of {len} bytes, expected at most {}", frame.block));
        }
        if frame.block_checksums {
            match word(&mut rest) {
                None => return fail(start, cut()),
                Some(sum) if sum != xxh32(block) => {
                    return fail(start, "block checksum mismatch".to_owned());
                }
                Some(_) => {}
            }
        }
        let room = frame.block.min(expected - data.len());
        if size & PLAIN != 0 {
            if len > room {
                return Err(too_many(expected));
            }
            make_room(&mut data, len, expected)?;
            data.extend_from_slice(block);
            continue;
        }
        // Not more than the block can hold, so a false size takes no memory.
        let room = room.min(len.saturating_mul(255));
        make_room(&mut data, room, expected)?;
        let before = data.len();
        data.resize(before + room, 0);
        let (done, into) = data.split_at_mut(before);
        let window = if frame.linked { done.len().min(1 << 16) } else { 0 };
        let dictionary = done.get(done.len() - window..).unwrap_or_default();
        match decompress_into_with_dict(block, into, dictionary) {
            Ok(found) => data.truncate(before + found),
            Err(DecompressError::OutputTooSmall { .. }) if before + room == expected => {
                return Err(too_many(expected));
            }
            Err(e) => return fail(start, e.to_string()),
        }
    }
    if frame.content_checksum {
        let start = rest;
        match word(&mut rest) {
            None => return fail(start, cut()),
            Some(sum) if sum != xxh32(&data) => return fail(start, "checksum mismatch".to_owned()),
            Some(_) => {}
        }
    }
    if !rest.is_empty() {
        return Err(Error::malformed(format!(
            "the lz4 frame ends after {} bytes, but {} are stored: expected one frame and nothing more",
            stored.len() - rest.len(),
            stored.len()
        )));
    }
    if data.len() != expected {
        return Err(Error::malformed(format!(
            "the lz4 frame holds {} bytes, expected {expected}",
            data.len()
        )));
    }
    Ok(data)
}

fn too_many(expected: usize) -> Error {
    Error::malformed(format!("the lz4 frame holds more than the expected {expected} bytes"))
}

/// Returns the next number.
fn word(rest: &mut &[u8]) -> Option<u32> {
    let (word, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_le_bytes(*word))
}

enum Fault {
    Damaged(String),
    Unsupported(String),
}

impl Frame {
    /// Splits off the magic and the descriptor.
    fn parse(rest: &mut &[u8]) -> Result<Self, Fault> {
        let damaged = |what: &str| Fault::Damaged(what.to_owned());
        let Some(after) = rest.strip_prefix(&MAGIC) else {
            return Err(Fault::Damaged(format!(
                "found \"{}\", expected the magic \"{}\"",
                rest.get(..4).unwrap_or(rest).escape_ascii(),
                MAGIC.escape_ascii()
            )));
        };
        let cut = || damaged("it is truncated");
        let &[flags, sizes, ..] = after else { return Err(cut()) };
        if flags >> 6 != 1 {
            return Err(Fault::Unsupported(format!("is of version {}, expected 1", flags >> 6)));
        }
        if flags & 2 != 0 || sizes & 0b1000_1111 != 0 {
            return Err(damaged("reserved bits are set"));
        }
        let block = match sizes >> 4 {
            code @ 4..=7 => 1 << (2 * code + 8),
            code => return Err(Fault::Damaged(format!("found the block size {code}, expected 4 to 7"))),
        };
        let has_size = flags & 8 != 0;
        let has_dictionary = flags & 1 != 0;
        let len = 2 + if has_size { 8 } else { 0 } + if has_dictionary { 4 } else { 0 };
        let (descriptor, after) = after.split_at_checked(len).ok_or_else(cut)?;
        let (&sum, after) = after.split_first().ok_or_else(cut)?;
        if sum != check(descriptor) {
            return Err(damaged("descriptor checksum mismatch"));
        }
        if has_dictionary {
            return Err(Fault::Unsupported("needs a dictionary, which is not supported".to_owned()));
        }
        let size =
            descriptor.get(2..).and_then(|size| size.first_chunk()).map(|size| u64::from_le_bytes(*size));
        *rest = after;
        Ok(Self {
            linked: flags & 0x20 == 0,
            block_checksums: flags & 0x10 != 0,
            content_checksum: flags & 4 != 0,
            content_size: size.filter(|_| has_size),
            block,
        })
    }
}
