//! `lz4f`: one LZ4 frame.

use bytes::Bytes;
use lz4_flex::block::{compress_into, get_maximum_output_size};

use super::frame::{self, MAGIC, PLAIN, check};
use super::pieces::{Show, in_pieces, whole};
use super::{Codec, Encoding};
use crate::block::Label;
use crate::error::{Error, Result};
use crate::source::Source;
use crate::threads::Threads;

/// One LZ4 frame (version 1), and nothing after it:
///
/// ```text
/// 04 22 4d 18
/// flags, block size, [content size u64], [dictionary u32], check     the descriptor
/// size u32 (top bit: stored as it is), LZ4 block, [checksum u32]     the blocks
/// 0 u32, [checksum u32]                                              the end
/// ```
///
/// All numbers are little-endian. Blocks can refer to the 64 KiB before them. Frames written here have
/// independent blocks of 4 MiB and the content size. Dictionaries and the legacy frame are not supported.
#[derive(Debug)]
pub(super) struct Lz4f;

impl Codec for Lz4f {
    fn label(&self) -> Label {
        Label::LZ4F
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        whole(|show| encode(data, how, show))
    }

    fn encode_pieces(
        &self,
        data: &[u8],
        how: &Encoding,
        out: &mut dyn FnMut(Bytes) -> Result<()>,
    ) -> Result<()> {
        in_pieces(data.len(), out, |show| encode(data, how, show))
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        frame::decode(self, stored, data_size, &|| Ok(()))
    }

    fn decode_from(&self, stored: &dyn Source, data_size: u64, _threads: Threads) -> Result<Bytes> {
        let bytes = stored.read(0..stored.len())?;
        frame::decode(self, &bytes, data_size, &|| stored.wanted()).map(Bytes::from)
    }

    /// Returns 255: one byte of a match's length represents up to 255 bytes.
    fn max_expansion(&self) -> u64 {
        255
    }
}

fn encode(data: &[u8], how: &Encoding, show: Show<'_>) -> Result<()> {
    const BLOCK: usize = 4 << 20;
    let fail = |e: &dyn std::fmt::Display| Error::limit(format!("compressing with lz4f: {e}"));
    how.whole(Label::LZ4F)?;
    how.own_level(Label::LZ4F, 0)?;
    let mut head = MAGIC.to_vec();
    // Version 1, independent blocks, content size; blocks of 4 MiB.
    head.extend([0b0110_1000, 0b0111_0000]);
    head.extend((data.len() as u64).to_le_bytes());
    head.push(check(head.get(MAGIC.len()..).unwrap_or_default()));
    show(&head)?;
    let mut block = vec![0; get_maximum_output_size(data.len().min(BLOCK))];
    for chunk in data.chunks(BLOCK) {
        let len = compress_into(chunk, &mut block).map_err(|e| fail(&e))?;
        let (bytes, flag) =
            if len < chunk.len() { (block.get(..len).unwrap_or_default(), 0) } else { (chunk, PLAIN) };
        let size = u32::try_from(bytes.len()).map_err(|e| fail(&e))?;
        show(&(size | flag).to_le_bytes())?;
        show(bytes)?;
    }
    show(&[0; 4])
}

#[cfg(test)]
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
    fn unsupported_and_damaged_frames_are_refused() {
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
        says(&[0x60, 0x40], b"\x01\0\x01\0hello", "it is truncated");
        says(&[0x60, 0x40], b"\0\0\0\0hello", "ends after");
        says(&[0x60, 0x40], &[vec![1, 0, 1, 0], vec![0; 70_000]].concat(), "expected at most 65536");
        says(&[0x68, 0x40, 6, 0, 0, 0, 0, 0, 0, 0], b"\x05\0\0\x80hello\0\0\0\0", "holds 6 bytes");
    }

    #[test]
    fn linked_blocks_refer_to_those_before() {
        // Two blocks: "hello" without compression, then a match of 5 bytes at distance 5 and 5 literals.
        let mut stored = [MAGIC.as_slice(), &[0x40, 0x40]].concat();
        stored.push(check(&[0x40, 0x40]));
        stored.extend(b"\x05\0\0\x80hello\x09\0\0\0\x01\x05\0\x50world\0\0\0\0");
        assert_eq!(Lz4f.decode(&stored, 15).unwrap(), b"hellohelloworld");
        stored[4] = 0x60;
        stored[6] = check(&[0x60, 0x40]);
        assert!(Lz4f.decode(&stored, 15).is_err());
    }
}
