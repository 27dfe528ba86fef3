//! `lz4f`: one LZ4 frame.

use lz4_flex::block::{DecompressError, compress_into, decompress_into_with_dict, get_maximum_output_size};

use super::promise::{make_room, promise};
use super::xxh32::xxh32;
use super::{Codec, Encoding};
use crate::block::Label;
use crate::error::{Error, Result};

/// One LZ4 frame (version 1), and nothing after it:
///
/// ```text
/// 04 22 4d 18
/// flags, block size, [content size u64], [dictionary u32], check     the descriptor
/// size u32 (top bit: stored as it is), LZ4 block, [checksum u32]     the blocks
/// 0 u32, [checksum u32]                                              the end
/// ```
///
/// All numbers are little-endian. Blocks may refer to the 64 KiB before them; those written here do
/// not, hold 4 MiB each, and the content size is there. Dictionaries and the legacy frame are not
/// supported.
#[derive(Debug)]
#[cfg(feature = "lz4f")]
pub(super) struct Lz4f;

/// What a frame begins with.
pub(super) const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

#[cfg(feature = "lz4f")]
impl Codec for Lz4f {
    fn label(&self) -> Label {
        Label::LZ4F
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        how.whole(self.label())?;
        how.level(self.label(), std::ops::RangeInclusive::new(1, 0), 0)?;
        encode(data)
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        decode(self, stored, data_size)
    }

    /// A byte of a match's length stands for 255 bytes.
    fn max_expansion(&self) -> u64 {
        255
    }
}

#[cfg(feature = "lz4f")]
fn encode(data: &[u8]) -> Result<Vec<u8>> {
    const BLOCK: usize = 4 << 20;
    let fail = |e: &dyn std::fmt::Display| Error::limit(format!("compressing with lz4f: {e}"));
    let mut stored = MAGIC.to_vec();
    // Version 1, independent blocks, content size; blocks of 4 MiB.
    stored.extend([0b0110_1000, 0b0111_0000]);
    stored.extend((data.len() as u64).to_le_bytes());
    stored.push(check(stored.get(MAGIC.len()..).unwrap_or_default()));
    let mut block = vec![0; get_maximum_output_size(data.len().min(BLOCK))];
    for chunk in data.chunks(BLOCK) {
        let len = compress_into(chunk, &mut block).map_err(|e| fail(&e))?;
        let (bytes, flag) =
            if len < chunk.len() { (block.get(..len).unwrap_or_default(), 0) } else { (chunk, PLAIN) };
        let size = u32::try_from(bytes.len()).map_err(|e| fail(&e))?;
        stored.extend((size | flag).to_le_bytes());
        stored.extend_from_slice(bytes);
    }
    stored.extend([0; 4]);
    Ok(stored)
}

/// The bit of a block's size that says that it is not compressed.
const PLAIN: u32 = 1 << 31;

/// The byte that checks a frame's descriptor.
fn check(descriptor: &[u8]) -> u8 {
    xxh32(descriptor).to_le_bytes()[1]
}

/// What a frame says of its blocks.
struct Frame {
    linked: bool,
    block_checksums: bool,
    content_checksum: bool,
    content_size: Option<u64>,
    /// The most bytes that a block decodes to.
    block: usize,
}

/// The data of a frame that is all of `stored`: exactly `data_size` bytes.
pub(super) fn decode(codec: &dyn Codec, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
    let expected = promise(codec, stored, data_size)?;
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
        return Err(Error::malformed(format!(
            "the lz4 frame says that it holds {size} bytes, expected {expected}"
        )));
    }
    let mut data = Vec::new();
    let cut = || "it is cut".to_owned();
    loop {
        let start = rest;
        let Some(size) = word(&mut rest) else { return fail(start, cut()) };
        if size == 0 {
            break;
        }
        let len = usize::try_from(size & !PLAIN).unwrap_or(usize::MAX);
        let Some((block, after)) = rest.split_at_checked(len) else { return fail(start, cut()) };
        rest = after;
        if len > frame.block {
            return fail(start, format!("a block of {len} bytes, expected at most {}", frame.block));
        }
        if frame.block_checksums {
            match word(&mut rest) {
                None => return fail(start, cut()),
                Some(sum) if sum != xxh32(block) => {
                    return fail(start, "the block's checksum is wrong".to_owned());
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
        // No more than the block can hold, so that a lie takes no memory.
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
            Some(sum) if sum != xxh32(&data) => return fail(start, "the checksum is wrong".to_owned()),
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

/// The next number.
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
    /// Takes the magic and the descriptor off.
    fn parse(rest: &mut &[u8]) -> Result<Self, Fault> {
        let damaged = |what: &str| Fault::Damaged(what.to_owned());
        let Some(after) = rest.strip_prefix(&MAGIC) else {
            return Err(Fault::Damaged(format!(
                "found \"{}\", expected the magic \"{}\"",
                rest.get(..4).unwrap_or(rest).escape_ascii(),
                MAGIC.escape_ascii()
            )));
        };
        let cut = || damaged("it is cut");
        let &[flags, sizes, ..] = after else { return Err(cut()) };
        if flags >> 6 != 1 {
            return Err(Fault::Unsupported(format!("is of version {}, expected 1", flags >> 6)));
        }
        if flags & 2 != 0 || sizes & 0b1000_1111 != 0 {
            return Err(damaged("reserved bits are set"));
        }
        let block = match sizes >> 4 {
            code @ 4..=7 => 1 << (2 * code + 8),
            code => return Err(Fault::Damaged(format!("block size {code}, expected 4 to 7"))),
        };
        let has_size = flags & 8 != 0;
        let has_dictionary = flags & 1 != 0;
        let len = 2 + if has_size { 8 } else { 0 } + if has_dictionary { 4 } else { 0 };
        let (descriptor, after) = after.split_at_checked(len).ok_or_else(cut)?;
        let (&sum, after) = after.split_first().ok_or_else(cut)?;
        if sum != check(descriptor) {
            return Err(damaged("the descriptor's checksum is wrong"));
        }
        if has_dictionary {
            return Err(Fault::Unsupported("needs a dictionary, which is not in the file".to_owned()));
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

#[cfg(all(test, feature = "lz4f"))]
mod tests {
    use super::*;
    use crate::error::Kind;

    /// lz4 4.4.5 (Python): lz4.frame.compress(bytes(range(10)) * 6)
    const LINKED: &[u8] = b"\x04\x22\x4d\x18\x68\x40\x3c\x00\x00\x00\x00\x00\x00\x00\x33\x14\x00\x00\x00\xaf\
        \x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x00\x1a\x50\x05\x06\x07\x08\x09\x00\x00\x00\x00";
    /// The same with all checksums, without the size.
    const CHECKED: &[u8] = b"\x04\x22\x4d\x18\x74\x40\xbd\x14\x00\x00\x00\xaf\x00\x01\x02\x03\x04\x05\x06\
        \x07\x08\x09\x0a\x00\x1a\x50\x05\x06\x07\x08\x09\x7d\x20\x63\x93\x00\x00\x00\x00\x19\x1f\x06\x8f";

    #[test]
    fn what_python_wrote() {
        let data: Vec<u8> = (0..10).cycle().take(60).collect();
        assert_eq!(Lz4f.decode(LINKED, 60).unwrap(), data);
        assert_eq!(Lz4f.decode(CHECKED, 60).unwrap(), data);
    }

    #[test]
    fn every_changed_byte_is_seen_where_there_are_checksums() {
        for at in 0..CHECKED.len() {
            for bit in 0..8 {
                let mut stored = CHECKED.to_vec();
                stored[at] ^= 1 << bit;
                assert!(Lz4f.decode(&stored, 60).is_err(), "{at} {bit}");
            }
        }
    }

    #[test]
    fn what_is_not_supported_or_wrong() {
        let error = |descriptor: &[u8], blocks: &[u8]| {
            let mut stored = [MAGIC.as_slice(), descriptor].concat();
            stored.push(check(descriptor));
            stored.extend(blocks);
            Lz4f.decode(&stored, 5).unwrap_err()
        };
        assert_eq!(error(&[0xa0, 0x40], b"").kind(), Kind::Unsupported);
        assert_eq!(error(&[0x61, 0x40, 1, 2, 3, 4], b"").kind(), Kind::Unsupported);
        let says = |descriptor: &[u8], blocks: &[u8], word: &str| {
            let error = error(descriptor, blocks);
            assert!(error.kind() == Kind::Malformed && error.message().contains(word), "{error}");
        };
        says(&[0x62, 0x40], b"", "reserved");
        says(&[0x60, 0x30], b"", "block size 3");
        says(&[0x60, 0x40], b"\x06\0\0\x80hello!\0\0\0\0", "more than the expected 5");
        says(&[0x60, 0x40], b"\x01\0\x01\0hello", "it is cut");
        says(&[0x60, 0x40], b"\0\0\0\0hello", "ends after");
        says(&[0x60, 0x40], &[vec![1, 0, 1, 0], vec![0; 70_000]].concat(), "expected at most 65536");
        says(&[0x68, 0x40, 6, 0, 0, 0, 0, 0, 0, 0], b"\x05\0\0\x80hello\0\0\0\0", "says that it holds 6");
    }

    #[test]
    fn linked_blocks_refer_to_those_before() {
        // Two blocks: "hello" as it is, then a match of 5 bytes at distance 5 and 5 literals.
        let mut stored = [MAGIC.as_slice(), &[0x40, 0x40]].concat();
        stored.push(check(&[0x40, 0x40]));
        stored.extend(b"\x05\0\0\x80hello\x09\0\0\0\x01\x05\0\x50world\0\0\0\0");
        assert_eq!(Lz4f.decode(&stored, 15).unwrap(), b"hellohelloworld");
        stored[4] = 0x60;
        stored[6] = check(&[0x60, 0x40]);
        assert!(Lz4f.decode(&stored, 15).is_err());
    }
}
