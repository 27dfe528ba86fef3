//! `lz4`: LZ4 blocks in the chunks of Python's `asdf`.

use std::ops::Range;

use bytes::Bytes;
use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};

use super::buffer::Buffer;
use super::declared_size::{LARGEST_PART, declared_size, make_room};
use super::pieces::{Show, in_pieces, whole};
use super::stored::Stored;
use super::{Codec, Encoding, Frame, Piece, add_frame, copy_whole, frame};
use crate::block::Label;
use crate::error::{Error, Result};
use crate::source::Source;
use crate::threads::Threads;

/// Chunks that follow each other until the stored bytes end:
///
/// ```text
/// N             u32, big-endian     bytes of the chunk after this field
/// size          u32, little-endian  bytes after decoding (python-lz4's `store_size`)
/// LZ4 block     N - 4 bytes
/// ```
///
/// Without data there are no chunks. There is no checksum and no end mark. Each chunk decodes separately.
///
/// ASDF.jl also writes LZ4 frames under this label, like `lz4f`. They are recognised by their magic and can
/// be read.
#[derive(Debug)]
pub(super) struct Lz4;

/// The number of chunks that are passed to find a range.
const MOST_HEADS: u32 = if cfg!(test) { 1 << 6 } else { 1 << 18 };

/// Bytes before the LZ4 block of a chunk.
const HEAD: usize = 8;

/// Bytes of a chunk before its decoded size.
const LENGTH: u64 = 4;

impl Codec for Lz4 {
    fn label(&self) -> Label {
        Label::LZ4
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
        let size = how.chunk(self.label())?;
        let last = data.len() % size;
        let most = |len: usize| HEAD + get_maximum_output_size(len);
        in_pieces(data.len() / size * most(size) + most(last), out, |show| encode(data, how, show))
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        if stored.starts_with(&frame::MAGIC) {
            return frame::decode(self, stored, data_size, &|| Ok(()));
        }
        Ok(decode(Stored::Slice(stored), data_size, Threads::ALL)?.into())
    }

    /// Reads each chunk into a buffer of the thread that decodes it.
    fn decode_from(&self, stored: &dyn Source, data_size: u64, threads: Threads) -> Result<Bytes> {
        // If a read takes long, all bytes are read at once.
        let is_high = stored.cost().is_high();
        let first = stored.read(0..if is_high { stored.len() } else { stored.len().min(4) })?;
        if first.starts_with(&frame::MAGIC) {
            let bytes = stored.read(0..stored.len())?;
            return frame::decode(self, &bytes, data_size, &|| stored.wanted()).map(Bytes::from);
        }
        match is_high {
            true => decode(Stored::Slice(&first), data_size, threads),
            false => decode(Stored::Source(stored), data_size, threads),
        }
    }

    fn decode_into(&self, stored: &dyn Source, out: &mut [u8], threads: Threads) -> Result<()> {
        let is_high = stored.cost().is_high();
        let first = stored.read(0..if is_high { stored.len() } else { stored.len().min(4) })?;
        if first.starts_with(&frame::MAGIC) {
            let bytes = stored.read(0..stored.len())?;
            let data = frame::decode(self, &bytes, out.len() as u64, &|| stored.wanted())?;
            return copy_whole(&data, out);
        }
        let stored = if is_high { Stored::Slice(&first) } else { Stored::Source(stored) };
        let chunks = chunks(stored, out.len() as u64)?;
        fill(stored, chunks, out, threads)
    }

    /// Reads the heads of the chunks up to the range, and decodes the chunks in it.
    fn decode_range(&self, stored: &dyn Source, data_size: u64, range: Range<u64>) -> Result<Option<Piece>> {
        let mut heads = Heads::new(Stored::Source(stored));
        if heads.at(0)?.starts_with(&frame::MAGIC) {
            return Ok(None);
        }
        let (mut at, mut before) = (0, 0);
        let mut piece = Piece { start: 0, data: Vec::new() };
        // The chunks in the range, which are read together.
        let mut chunks = Vec::new();
        for count in 0_u32.. {
            if before >= range.end {
                break;
            }
            // Finding the range among more chunks can take longer than decoding them.
            if count == MOST_HEADS {
                return Ok(None);
            }
            let rest = stored.len() - at;
            if rest == 0 {
                return Err(Error::malformed(format!(
                    "the lz4 chunks hold {before} bytes, expected {data_size}"
                )));
            }
            let head = Head::parse(heads.at(at)?, at, rest, data_size - before)?;
            let next = head.end();
            let size = head.size as u64;
            let step = next - at;
            if before + size > range.start && range.start < range.end {
                if head.size > LARGEST_PART {
                    return Ok(None);
                }
                if chunks.is_empty() {
                    piece.start = before;
                }
                chunks.push(head);
            }
            before += size;
            at = next;
            heads.expect(at, step, range.end.saturating_sub(before).div_ceil(size.max(1)))?;
        }
        for together in chunks.chunks(stored.cost().parallel.max(1)) {
            let ranges: Vec<_> = together.iter().map(Head::block).collect();
            for (head, block) in together.iter().zip(stored.read_many(&ranges)?) {
                let room = piece.data.len() + head.size;
                make_room(&mut piece.data, head.size, room)?;
                let start = piece.data.len();
                piece.data.resize(start + head.size, 0);
                let into = piece.data.get_mut(start..).unwrap_or_default();
                head.decode(&block, into)?;
            }
        }
        Ok(Some(piece))
    }

    fn has_chunks(&self) -> bool {
        true
    }

    /// Reads the heads of all chunks.
    fn frames(&self, stored: &dyn Source, data_size: u64) -> Result<Option<Vec<Frame>>> {
        let mut heads = Heads::new(Stored::Source(stored));
        if heads.at(0)?.starts_with(&frame::MAGIC) {
            return Ok(None);
        }
        let mut frames = Vec::new();
        let (mut at, mut before) = (0, 0);
        while at < stored.len() {
            let head = Head::parse(heads.at(at)?, at, stored.len() - at, data_size - before)?;
            let (end, after) = (head.end(), before + head.size as u64);
            // The decoded size is a part of what other programs decode.
            add_frame(&mut frames, Frame { stored: at + LENGTH..end, data: before..after })?;
            (at, before) = (end, after);
        }
        if before < data_size {
            return Err(Error::malformed(format!(
                "the lz4 chunks hold {before} bytes, expected {data_size}"
            )));
        }
        Ok(Some(frames))
    }

    /// Returns 255: one byte of a match's length represents up to 255 bytes.
    fn max_expansion(&self) -> u64 {
        255
    }
}

/// Encodes all chunks on several threads, and shows each in order.
fn encode(data: &[u8], how: &Encoding, show: Show<'_>) -> Result<()> {
    how.own_level(Label::LZ4, 0)?;
    let size = how.chunk(Label::LZ4)?;
    let fail = |e: &dyn std::fmt::Display| Error::limit(format!("compressing with lz4: {e}"));
    // Buffers are reused: touching fresh memory costs more than compressing into it.
    let most = HEAD + get_maximum_output_size(data.len().min(size));
    let work = |chunk: &[u8], mut buffer: Vec<u8>| {
        if buffer.len() < most {
            // New zeros are untouched pages. A chunk that becomes small touches few of them.
            buffer = vec![0; most];
        }
        let (head, block) = buffer.split_at_mut(HEAD);
        let len = compress_into(chunk, block).map_err(|e| fail(&e))?;
        let size = u32::try_from(chunk.len()).map_err(|e| fail(&e))?;
        let n = u32::try_from(len + 4).map_err(|e| fail(&e))?;
        head.iter_mut()
            .zip(n.to_be_bytes().into_iter().chain(size.to_le_bytes()))
            .for_each(|(to, from)| *to = from);
        Ok((len, buffer))
    };
    how.threads.for_bytes(data.len() as u64).in_order_with_buffers(
        data.chunks(size),
        work,
        |done: Result<_>| {
            let (len, buffer) = done?;
            show(buffer.get(..HEAD + len).unwrap_or_default())?;
            Ok(buffer)
        },
    )
}

/// The head of a chunk, before its LZ4 block.
struct Head {
    /// The offset of the chunk in the stored bytes.
    at: u64,
    /// Bytes of the LZ4 block.
    stored: usize,
    /// Bytes after decoding.
    size: usize,
}

impl Head {
    /// Parses the head of the chunk at `at`. `bytes` begin with it, or with what there is of it. From there
    /// on, `rest` bytes are stored, and `missing` bytes of data are still to come.
    fn parse(bytes: &[u8], at: u64, rest: u64, missing: u64) -> Result<Self> {
        let fail = |what: String| Err(fault(at, &what));
        let Some((n, after)) = bytes.split_first_chunk().map(|(n, after)| (u32::from_be_bytes(*n), after))
        else {
            return fail(format!("is truncated: found {rest} bytes, expected the 4 bytes of its length"));
        };
        if u64::from(n) > rest - 4 {
            return fail(format!("is truncated: found {} bytes, expected {n}", rest - 4));
        }
        let block = match n.checked_sub(4).map(usize::try_from) {
            Some(Ok(block)) => block,
            _ => {
                return fail(format!("has a length of {n} bytes, expected at least the 4 bytes of its size"));
            }
        };
        let size = after.first_chunk().map_or(0, |size| u32::from_le_bytes(*size));
        if u64::from(size) > missing {
            return fail(format!("holds {size} bytes, expected at most {missing}"));
        }
        if u64::from(size) > (block as u64).saturating_mul(Lz4.max_expansion()) {
            return fail(format!("claims to hold {size} bytes, too many for {block} stored bytes"));
        }
        Ok(Self { at, stored: block, size: usize::try_from(size).unwrap_or(usize::MAX) })
    }

    /// Returns the range of the LZ4 block in the stored bytes.
    fn block(&self) -> Range<u64> {
        self.at + HEAD as u64..self.end()
    }

    /// Returns the end of the chunk in the stored bytes.
    fn end(&self) -> u64 {
        self.at + (HEAD + self.stored) as u64
    }

    /// Decodes the LZ4 block of the chunk into a slice of its size.
    fn decode(&self, block: &[u8], into: &mut [u8]) -> Result<()> {
        match decompress_into(block, into) {
            Ok(found) if found == self.size => Ok(()),
            Ok(found) => Err(fault(self.at, &format!("holds {found} bytes, expected {}", self.size))),
            Err(e) => Err(fault(self.at, &format!("is damaged: {e}"))),
        }
    }
}

/// Decodes all chunks.
fn decode(stored: Stored<'_>, data_size: u64, threads: Threads) -> Result<Bytes> {
    let expected = declared_size(&Lz4, stored.len(), data_size)?;
    let chunks = chunks(stored, data_size)?;
    // No more than the chunks can hold.
    let mut room = Buffer::new(expected)?;
    fill(stored, chunks, room.bytes(), threads)?;
    Ok(room.into())
}

/// Reads the heads of all chunks, which hold `data_size` bytes together.
fn chunks(stored: Stored<'_>, data_size: u64) -> Result<Vec<Head>> {
    let mut heads = Heads::new(stored);
    let mut chunks = Vec::new();
    let (mut at, mut missing) = (0, data_size);
    while at < stored.len() {
        let head = Head::parse(heads.at(at)?, at, stored.len() - at, missing)?;
        at = head.end();
        missing -= head.size as u64;
        chunks.push(head);
    }
    if missing > 0 {
        let found = data_size - missing;
        return Err(Error::malformed(format!("the lz4 chunks hold {found} bytes, expected {data_size}")));
    }
    Ok(chunks)
}

/// Decodes all chunks into their places, on several threads.
fn fill(stored: Stored<'_>, chunks: Vec<Head>, out: &mut [u8], threads: Threads) -> Result<()> {
    let size = out.len() as u64;
    let mut rest = out;
    let jobs: Vec<_> = chunks
        .into_iter()
        .map(|head| {
            let (into, after) = std::mem::take(&mut rest).split_at_mut(head.size);
            rest = after;
            (head, into)
        })
        .collect();
    let work = |(head, into): (Head, &mut [u8]), mut buffer: Vec<u8>| {
        let done = stored.show(head.block(), &mut buffer, |block| head.decode(block, into));
        (done.and_then(|done| done), buffer)
    };
    threads
        .for_bytes(size)
        .in_order_with_buffers(jobs.into_iter(), work, |(done, buffer)| done.map(|()| buffer))
}

fn fault(at: u64, what: &str) -> Error {
    Error::malformed(format!("the lz4 chunk at byte {at} of the block {what}"))
}

/// Reads the heads of chunks, several at a time if the chunks are small or a read takes long.
struct Heads<'s> {
    stored: Stored<'s>,
    window: Vec<u8>,
    /// The offset of the window in the stored bytes.
    start: u64,
    /// Windows at the places where heads are expected, in ascending order, for a source whose reads take long.
    expected: Vec<(u64, Bytes)>,
}

impl<'s> Heads<'s> {
    fn new(stored: Stored<'s>) -> Self {
        Self { stored, window: Vec::new(), start: 0, expected: Vec::new() }
    }

    /// Returns the bytes at `at`: a whole head, unless fewer bytes are left.
    fn at(&mut self, at: u64) -> Result<&[u8]> {
        const WINDOW: u64 = 4096;
        let end = self.stored.len().min(at + HEAD as u64);
        if let Some(place) = self.expected(at..end) {
            let (start, bytes) = self.expected.get(place).ok_or_else(|| fault(at, "was not read"))?;
            return Ok(bytes.get(offset(at - start)..).unwrap_or_default());
        }
        if at < self.start || end > self.start + self.window.len() as u64 {
            let range = at..self.stored.len().min(at + WINDOW);
            self.window = self.stored.show(range, &mut Vec::new(), <[u8]>::to_vec)?;
            self.start = at;
        }
        // Cannot fail: the window holds it.
        Ok(self.window.get(offset(at - self.start)..).unwrap_or_default())
    }

    /// The number of the expected window that holds a range.
    fn expected(&self, range: Range<u64>) -> Option<usize> {
        let place = self.expected.partition_point(|(start, _)| *start <= range.start).checked_sub(1)?;
        let (start, bytes) = self.expected.get(place)?;
        (range.end <= start + bytes.len() as u64).then_some(place)
    }

    /// Reads the heads of the next `count` chunks at once, if a read takes long.
    ///
    /// The first is at `at`. The chunks are expected to have `step` stored bytes each, as the one before. If they have
    /// not, other heads are read when they are needed.
    fn expect(&mut self, at: u64, step: u64, count: u64) -> Result<()> {
        /// How far from its place a head is looked for, at most. Chunks of noise differ by less, and it is read in a
        /// millisecond.
        const MARGIN: u64 = 64 << 10;
        /// The most heads that are read at once.
        const MOST: u64 = 64;
        let Stored::Source(source) = self.stored else { return Ok(()) };
        let len = source.len();
        let cost = source.cost();
        let is_known = || self.expected(at..len.min(at + HEAD as u64)).is_some();
        if !cost.is_high() || count == 0 || at >= len || is_known() {
            return Ok(());
        }
        // Small chunks differ by fewer bytes.
        let margin = (step / 64).clamp(1 << 10, MARGIN);
        let most = (cost.gap / (2 * margin)).min(MOST).max(cost.parallel as u64);
        let count = count.min(most);
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for number in 0..count {
            let place = at.saturating_add(number.saturating_mul(step));
            if place >= len {
                break;
            }
            let before = if number == 0 { 0 } else { margin.min(step) };
            let range = place - before..place.saturating_add(margin).min(len);
            match ranges.last_mut() {
                Some(last) if last.end + cost.gap / 8 >= range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        let found = source.read_many(&ranges)?;
        self.expected = ranges.into_iter().map(|range| range.start).zip(found).collect();
        Ok(())
    }
}

fn offset(from_start: u64) -> usize {
    usize::try_from(from_start).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemorySource;

    const CHUNK: usize = 4 << 20;

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
        // Python stores empty data as no bytes, and python-lz4 stores an empty chunk as one token.
        assert!(Lz4.decode(b"", 0).unwrap().is_empty());
        assert!(Lz4.encode(b"", &Encoding::new()).unwrap().is_empty());
        assert!(Lz4.decode(b"\0\0\0\x05\0\0\0\0\0", 0).unwrap().is_empty());
    }

    #[test]
    fn chunks_end_at_4_mib() {
        let data: Vec<u8> = (0_u32..1 << 21).flat_map(|i| (i / 3).to_le_bytes()).collect();
        for (len, chunks) in [(CHUNK - 1, 1), (CHUNK, 1), (CHUNK + 1, 2), (2 * CHUNK, 2)] {
            let stored = Lz4.encode(&data[..len], &Encoding::new()).unwrap();
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
        // ASDF.jl writes chunks of 8 MiB, Python chunks of any size.
        let block = lz4_flex::block::compress(&[5; 9 << 20]);
        let mut stored = u32::try_from(block.len() + 4).unwrap().to_be_bytes().to_vec();
        stored.extend((9_u32 << 20).to_le_bytes());
        stored.extend(&block);
        stored.extend(ONE);
        let data = Lz4.decode(&stored, (9 << 20) + 60).unwrap();
        assert!(data[..9 << 20].iter().all(|&b| b == 5));
    }

    #[test]
    fn chunks_with_wrong_sizes_are_refused() {
        let bad = |stored: &[u8], size: u64, word: &str| {
            let error = Lz4.decode(stored, size).unwrap_err();
            assert!(error.message().contains(word), "{error}");
        };
        bad(b"\0\0\0\0", 0, "length of 0 bytes");
        bad(b"\0\0\0\x03\0\0\0", 0, "length of 3 bytes");
        bad(b"\0\0\0\x04\0\0\0\0", 0, "damaged");
        bad(&ONE[..3], 60, "expected the 4 bytes of its length");
        bad(&ONE[..27], 60, "found 23 bytes, expected 24");
        bad(b"\xff\xff\xff\xff\x3c\0\0\0", 60, "expected 4294967295");
        bad(&[ONE, &[0, 0]].concat(), 60, "at byte 28");
        bad(ONE, 59, "holds 60 bytes");
        bad(ONE, 61, "hold 60 bytes, expected 61");
        bad(&TWO[..27], 60, "hold 32 bytes, expected 60");
        for (claim, word) in [(59, "damaged"), (61, "holds 60 bytes, expected 61")] {
            let mut stored = ONE.to_vec();
            stored[4] = claim;
            bad(&stored, claim.into(), word);
        }
        // A size that the chunk cannot hold, although the whole block could.
        let mut stored = b"\0\0\0\x05\xff\xff\0\0\0".to_vec();
        stored.extend(vec![0; 10_000]);
        bad(&stored, 1_000_000, "too many");
        // A match before the start of the data.
        bad(b"\0\0\0\x0c\x10\0\0\0\x10a\x02\0\x50abc", 16, "damaged");
    }

    #[test]
    fn chunks_are_cut_between_rows() {
        let data: Vec<u8> = (0..10_000_u32).flat_map(|i| (i / 7).to_le_bytes()).collect();
        let how = Encoding::new().with_chunk(1000).with_rows(4, 96);
        let stored = Lz4.encode(&data, &how).unwrap();
        assert_eq!(stored[4..8], 960_u32.to_le_bytes());
        assert!(Lz4.decode(&stored, 40_000).unwrap() == data);
    }

    #[test]
    fn a_range_reads_only_its_chunks() {
        let data: Vec<u8> =
            (0..20_000_u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let stored = Lz4.encode(&data, &Encoding::new().with_chunk(5000)).unwrap();
        let source = MemorySource::new(stored.clone());
        for (range, start, len) in [
            (0..1, 0, 5000),
            (4999..5001, 0, 10_000),
            (5000..10_000, 5000, 5000),
            (79_999..80_000, 75_000, 5000),
        ] {
            let piece = Lz4.decode_range(&source, 80_000, range).unwrap().unwrap();
            assert_eq!((piece.start, piece.data.len()), (start as u64, len));
            assert!(piece.data == data[start..start + len]);
        }
        // Damage in other chunks does not matter, if the heads before the range are intact.
        let mut damaged = stored;
        damaged[20] ^= 0xff;
        damaged[10] ^= 0xff;
        let range = |bytes: &[u8], range| Lz4.decode_range(&MemorySource::new(bytes.to_vec()), 80_000, range);
        assert!(range(&damaged, 5000..5001).is_ok());
        let cut = &damaged[..damaged.len() - 1];
        assert!(range(cut, 5000..5001).is_ok());
        assert!(range(cut, 79_000..79_001).unwrap_err().message().contains("is truncated"));
        assert!(range(&damaged[..5000], 79_000..79_001).is_err());
        assert!(range(b"", 0..1).unwrap_err().message().contains("hold 0 bytes"));
    }

    #[test]
    fn a_range_after_many_chunks_is_not_decoded_alone() {
        let chunks = u64::from(MOST_HEADS) + 1;
        let stored =
            Lz4.encode(&vec![1; (MOST_HEADS as usize + 1) * 10], &Encoding::new().with_chunk(10)).unwrap();
        let range = |start: u64| {
            Lz4.decode_range(&MemorySource::new(stored.clone()), chunks * 10, start..start + 10).unwrap()
        };
        assert!(range(0).is_some() && range((chunks - 2) * 10).is_some());
        assert!(range((chunks - 1) * 10).is_none());
    }

    #[test]
    fn frames_with_this_label_are_read() {
        // As ASDF.jl writes them: "hello", stored without compression.
        let stored = b"\x04\x22\x4d\x18\x60\x40\x82\x05\0\0\x80hello\0\0\0\0";
        assert_eq!(Lz4.decode(stored, 5).unwrap(), b"hello");
        assert!(Lz4.decode_range(&MemorySource::new(stored.to_vec()), 5, 1..2).unwrap().is_none());
    }
}
