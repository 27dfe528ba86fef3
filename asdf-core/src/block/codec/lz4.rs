//! `lz4`: LZ4 blocks in the chunks of Python's `asdf`.

use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};

use super::{Codec, grow, promise};
use crate::block::Label;
use crate::error::{Error, Result};

/// Chunks that follow each other until the stored bytes end:
///
/// ```text
/// N             u32, big-endian     bytes of the chunk after this field
/// size          u32, little-endian  bytes after decoding (python-lz4's `store_size`)
/// LZ4 block     N - 4 bytes
/// ```
///
/// No bytes are no chunks. There is no checksum and no end mark. LZ4 frames are another label,
/// `lz4f`.
#[derive(Debug)]
pub(super) struct Lz4;

/// The data in one chunk, as Python's `asdf` cuts them.
const CHUNK: usize = 4 << 20;

impl Codec for Lz4 {
    fn label(&self) -> Label {
        Label::LZ4
    }

    fn encode(&self, data: &[u8], level: Option<u32>) -> Result<Vec<u8>> {
        if level.is_some() {
            return Err(Error::usage("lz4 has no levels"));
        }
        let fail = |e: &dyn std::fmt::Display| Error::limit(format!("compressing with lz4: {e}"));
        let mut stored = Vec::new();
        // One buffer for all chunks: touching fresh memory costs more than compressing into it.
        let mut block = vec![0; get_maximum_output_size(data.len().min(CHUNK))];
        for chunk in data.chunks(CHUNK) {
            let len = compress_into(chunk, &mut block).map_err(|e| fail(&e))?;
            let size = u32::try_from(chunk.len()).map_err(|e| fail(&e))?;
            let n = u32::try_from(len + 4).map_err(|e| fail(&e))?;
            stored.extend_from_slice(&n.to_be_bytes());
            stored.extend_from_slice(&size.to_le_bytes());
            stored.extend_from_slice(block.get(..len).unwrap_or_default());
        }
        Ok(stored)
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        let expected = promise(self, stored, data_size)?;
        let mut data = Vec::new();
        let mut rest = stored;
        while !rest.is_empty() {
            let at = stored.len() - rest.len();
            let fail = |what: String| {
                Err(Error::malformed(format!("the lz4 chunk at byte {at} of the block {what}")))
            };
            let Some((n, after)) = rest.split_first_chunk().map(|(n, after)| (u32::from_be_bytes(*n), after))
            else {
                return fail(format!("is cut: found {} bytes, expected the 4 of its length", rest.len()));
            };
            let Some((chunk, after)) = usize::try_from(n).ok().and_then(|n| after.split_at_checked(n)) else {
                return fail(format!("is cut: found {} bytes, expected {n}", after.len()));
            };
            let Some((size, block)) = chunk.split_first_chunk() else {
                return fail(format!("has a length of {n} bytes, expected at least the 4 of its size"));
            };
            rest = after;
            let start = data.len();
            let size = usize::try_from(u32::from_le_bytes(*size)).unwrap_or(usize::MAX);
            if size > expected - start {
                return fail(format!(
                    "holds {size} bytes, but only {} of the expected {expected} are missing",
                    expected - start
                ));
            }
            if size as u64 > (block.len() as u64).saturating_mul(self.max_expansion()) {
                return fail(format!("says that its {} bytes hold {size}: too many", block.len()));
            }
            if data.capacity() < start + size {
                grow(&mut data, size, expected)?;
            }
            data.resize(start + size, 0);
            match decompress_into(block, data.get_mut(start..).unwrap_or_default()) {
                Ok(found) if found == size => {}
                Ok(found) => return fail(format!("holds {found} bytes, expected {size}")),
                Err(e) => return fail(format!("is damaged: {e}")),
            }
        }
        if data.len() != expected {
            return Err(Error::malformed(format!(
                "the lz4 chunks hold {} bytes, expected {expected}",
                data.len()
            )));
        }
        Ok(data)
    }

    /// A byte of a match's length stands for 255 bytes.
    fn max_expansion(&self) -> u64 {
        255
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 60 bytes in one chunk, written by asdf 6.0.0 with lz4 4.4.5 (Python).
    const ONE: &[u8] = b"\x00\x00\x00\x18\x3c\x00\x00\x00\xaf\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\
        \x0a\x00\x1a\x50\x05\x06\x07\x08\x09";
    /// The same in chunks of 32, `compression_kwargs={"compression_block_size": 32}`.
    const TWO: &[u8] = b"\x00\x00\x00\x17\x20\x00\x00\x00\xad\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\
        \x0a\x00\x50\x07\x08\x09\x00\x01\x00\x00\x00\x17\x1c\x00\x00\x00\xa9\x02\x03\x04\x05\x06\x07\x08\
        \x09\x00\x01\x0a\x00\x50\x05\x06\x07\x08\x09";

    #[test]
    fn what_python_wrote() {
        let data: Vec<u8> = (0..10).cycle().take(60).collect();
        assert_eq!(Lz4.decode(ONE, 60).unwrap(), data);
        assert_eq!(Lz4.decode(TWO, 60).unwrap(), data);
        // Python stores no data as no bytes, and python-lz4 an empty chunk as one token.
        assert!(Lz4.decode(b"", 0).unwrap().is_empty());
        assert!(Lz4.encode(b"", None).unwrap().is_empty());
        assert!(Lz4.decode(b"\0\0\0\x05\0\0\0\0\0", 0).unwrap().is_empty());
    }

    #[test]
    fn chunks_end_at_4_mib() {
        let data: Vec<u8> = (0_u32..1 << 21).flat_map(|i| (i / 3).to_le_bytes()).collect();
        for (len, chunks) in [(CHUNK - 1, 1), (CHUNK, 1), (CHUNK + 1, 2), (2 * CHUNK, 2)] {
            let stored = Lz4.encode(&data[..len], None).unwrap();
            assert!(Lz4.decode(&stored, len as u64).unwrap() == data[..len]);
            let (mut rest, mut found) = (stored.as_slice(), 0);
            while let Some((n, after)) = rest.split_first_chunk() {
                rest = &after[u32::from_be_bytes(*n) as usize..];
                found += 1;
            }
            assert_eq!(found, chunks);
        }
    }

    #[test]
    fn chunks_of_other_sizes() {
        // ASDF.jl writes chunks of 8 MiB, Python whatever it is told.
        let block = lz4_flex::block::compress(&[5; 9 << 20]);
        let mut stored = u32::try_from(block.len() + 4).unwrap().to_be_bytes().to_vec();
        stored.extend((9_u32 << 20).to_le_bytes());
        stored.extend(&block);
        stored.extend(ONE);
        let data = Lz4.decode(&stored, (9 << 20) + 60).unwrap();
        assert!(data[..9 << 20].iter().all(|&b| b == 5) && data.capacity() == data.len());
    }

    #[test]
    fn chunks_that_lie() {
        let bad = |stored: &[u8], size: u64, word: &str| {
            let error = Lz4.decode(stored, size).unwrap_err();
            assert!(error.message().contains(word), "{error}");
        };
        bad(b"\0\0\0\0", 0, "length of 0 bytes");
        bad(b"\0\0\0\x03\0\0\0", 0, "length of 3 bytes");
        bad(b"\0\0\0\x04\0\0\0\0", 0, "damaged");
        bad(&ONE[..3], 60, "expected the 4 of its length");
        bad(&ONE[..27], 60, "found 23 bytes, expected 24");
        bad(b"\xff\xff\xff\xff\x3c\0\0\0", 60, "expected 4294967295");
        bad(&[ONE, &[0, 0]].concat(), 60, "at byte 28");
        bad(ONE, 59, "holds 60 bytes");
        bad(ONE, 61, "hold 60 bytes, expected 61");
        bad(&TWO[..27], 60, "hold 32 bytes, expected 60");
        for (claim, word) in [(59, "damaged"), (61, "holds 60 bytes, expected 61")] {
            let mut stored = ONE.to_vec();
            stored[4] = claim;
            bad(&stored, 61, word);
        }
        // A size that the chunk cannot hold, though the whole block could.
        let mut stored = b"\0\0\0\x05\xff\xff\0\0\0".to_vec();
        stored.extend(vec![0; 10_000]);
        bad(&stored, 1_000_000, "too many");
        // A match before the start of the data.
        bad(b"\0\0\0\x0b\x10\0\0\0\x10a\x02\0\x50abc", 16, "damaged");
    }
}
