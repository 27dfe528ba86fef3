//! `bls2`: one contiguous frame of c-blosc2.

use std::borrow::Cow;
use std::ops::Range;

use bytes::Bytes;

use super::blosc::{self, BLOSC2, Chunk, Fault, Header, LEN, Pace, fill};
use super::declared_size::{LARGEST_PART, declared_size};
use super::{Codec, Encoding, Piece, Wanted};
use crate::block::Label;
use crate::error::{Error, Result};
use crate::source::Source;
use crate::threads::Threads;

/// One contiguous frame of c-blosc2, as asdf-cxx writes it:
///
/// ```text
/// header    MessagePack: "b2frame", sizes (big-endian), the pipeline, metadata
/// chunks    each as in `blsc`, with a longer header
/// offsets   a chunk of i64 (little-endian): the offset of each chunk after the header; negative
///           for a chunk of one repeated value, which is not stored
/// trailer   MessagePack: metadata, its own length
/// ```
///
/// Not in the standard. Written in chunks of 4 MiB by default, each as in `blsc`.
#[derive(Debug)]
pub(super) struct Bls2;

impl Codec for Bls2 {
    fn label(&self) -> Label {
        Label::BLS2
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        encode(data, how, &mut || Ok(()))
    }

    fn encode_pieces(
        &self,
        data: &[u8],
        how: &Encoding,
        out: &mut dyn FnMut(Bytes) -> Result<()>,
    ) -> Result<()> {
        let stored = encode(data, how, &mut || out(Bytes::new()))?;
        out(stored.into())
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        decode(stored, data_size, &|| Ok(()))
    }

    fn decode_from(&self, stored: &dyn Source, data_size: u64, _threads: Threads) -> Result<Bytes> {
        let bytes = stored.read(0..stored.len())?;
        decode(&bytes, data_size, &|| stored.wanted()).map(Bytes::from)
    }

    /// Decodes the chunks in the range, if all chunks have the same size.
    fn decode_range(&self, stored: &dyn Source, data_size: u64, range: Range<u64>) -> Result<Option<Piece>> {
        let frame = Frame::read(Stored::Source(stored), data_size)?;
        if frame.chunk.is_none_or(|chunk| chunk > LARGEST_PART as u64) {
            return Ok(None);
        }
        let mut data = Vec::new();
        let start = frame.decode(range, &mut data, usize::MAX, &|| stored.wanted())?;
        Ok(Some(Piece { start, data }))
    }

    fn has_chunks(&self) -> bool {
        true
    }

    /// There is no limit: one repeated value takes no space, whatever its count.
    fn max_expansion(&self) -> u64 {
        u64::MAX
    }
}

fn decode(stored: &[u8], data_size: u64, wanted: Wanted<'_>) -> Result<Vec<u8>> {
    let expected = declared_size(&Bls2, stored.len() as u64, data_size)?;
    let frame = Frame::read(Stored::Slice(stored), data_size)?;
    let mut data = Vec::new();
    frame.decode(0..data_size, &mut data, expected, wanted)?;
    if data.len() == expected {
        return Ok(data);
    }
    Err(Error::malformed(format!(
        "the chunks of the blosc2 frame hold {} bytes, expected {expected}",
        data.len()
    )))
}

/// The stored bytes: in memory, or read when they are needed.
#[derive(Clone, Copy)]
enum Stored<'s> {
    Slice(&'s [u8]),
    Source(&'s dyn Source),
}

impl<'s> Stored<'s> {
    fn len(self) -> u64 {
        match self {
            Self::Slice(slice) => slice.len() as u64,
            Self::Source(source) => source.len(),
        }
    }

    /// Returns the bytes of a range; fails if they are outside of the stored bytes.
    fn read(self, range: Range<u64>, what: &str) -> Result<Cow<'s, [u8]>> {
        if range.end > self.len() || range.start > range.end {
            return Err(damaged(format!(
                "{what} is at the bytes {} to {}, but {} bytes are stored",
                range.start,
                range.end,
                self.len()
            )));
        }
        match self {
            Self::Slice(slice) => {
                let (start, end) = (usize::try_from(range.start), usize::try_from(range.end));
                let part = start.ok().zip(end.ok()).and_then(|(start, end)| slice.get(start..end));
                Ok(Cow::Borrowed(part.unwrap_or_default()))
            }
            Self::Source(source) => Ok(Cow::Owned(source.read(range)?.into())),
        }
    }

    /// Returns the chunk that begins at a byte and ends at or before another.
    fn chunk(self, at: u64, end: u64) -> Result<(Header, Cow<'s, [u8]>)> {
        let head = self.read(at..end.min(at.saturating_add(2 * LEN as u64)), "the header of a chunk")?;
        let header = Header::parse(&head, BLOSC2).map_err(|fault| named(fault, at))?;
        let stored = at.saturating_add(header.stored as u64);
        if stored > end {
            return Err(damaged(format!("the chunk at byte {at} ends beyond byte {end}")));
        }
        Ok((header, self.read(at..stored, "a chunk")?))
    }
}

fn damaged(what: String) -> Error {
    Error::malformed(format!("the blosc2 frame is damaged: {what}"))
}

fn named(fault: Fault, at: u64) -> Error {
    fault.of(&format!("the chunk at byte {at} of the blosc2 frame"))
}

/// A frame whose header was read.
struct Frame<'s> {
    stored: Stored<'s>,
    /// The range of the chunks.
    chunks: Range<u64>,
    /// The size of the data in bytes.
    size: u64,
    /// Bytes of data in each chunk except the last; `None` if they differ.
    chunk: Option<u64>,
    item: u32,
    /// 8 bytes for each chunk: its offset after the header, or the kind of its repeated value.
    offsets: Vec<u8>,
}

/// Bytes of the header of a frame without metadata.
const HEADER: u64 = 87;

impl<'s> Frame<'s> {
    fn read(stored: Stored<'s>, data_size: u64) -> Result<Self> {
        let head = stored.read(0..HEADER, "its header")?;
        if head.get(2..10) != Some(b"b2frame\0") {
            return Err(damaged(format!(
                "it begins with \"{}\", expected \"b2frame\" at byte 2",
                head.get(..10).unwrap_or_default().escape_ascii()
            )));
        }
        // The MessagePack marks between the numbers never differ.
        let int32 =
            |at: usize| head.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |n| i32::from_be_bytes(*n));
        let int64 =
            |at: usize| head.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |n| i64::from_be_bytes(*n));
        let size = |number: i64, what: &str| {
            u64::try_from(number).map_err(|_| damaged(format!("{what} is {number} bytes")))
        };
        let header = size(int32(11).into(), "its header")?;
        let length = size(int64(16), "it")?;
        let data = size(int64(30), "its data")?;
        let chunks = size(int64(39), "the stored size of its data")?;
        // A frame without data need not give this size.
        let chunk = if data > 0 { size(int32(58).into(), "a chunk")? } else { 0 };
        let flags = head.get(25).copied().unwrap_or_default();
        let kind = head.get(26).copied().unwrap_or_default();
        if flags & 15 > 3 || flags & 0x30 != 0x10 || flags & 0x80 != 0 || kind != 0 {
            return Err(Error::unsupported(format!(
                "the blosc2 frame is of version {} with the flags {flags:#x} and of type {kind}, which is not supported",
                flags & 15
            )));
        }
        if length != stored.len() {
            return Err(damaged(format!(
                "its length is {length} bytes, but {} bytes are stored",
                stored.len()
            )));
        }
        if data != data_size {
            return Err(Error::malformed(format!(
                "the blosc2 frame holds {data} bytes, expected {data_size}"
            )));
        }
        let end = header.saturating_add(chunks);
        if header < HEADER || end > length {
            return Err(damaged(format!(
                "its chunks are at the bytes {header} to {end}, but its length is {length} bytes"
            )));
        }
        let chunk = (chunk > 0).then_some(chunk);
        let mut frame = Self {
            stored,
            chunks: header..end,
            size: data,
            chunk,
            item: u32::try_from(int32(48)).unwrap_or(0),
            offsets: Vec::new(),
        };
        if data > 0 {
            frame.offsets = frame.index(length)?;
        }
        Ok(frame)
    }

    /// Reads the chunk of offsets after the other chunks.
    fn index(&self, length: u64) -> Result<Vec<u8>> {
        let at = self.chunks.end;
        let (header, bytes) = self.stored.chunk(at, length)?;
        let count = self.chunk.map_or(header.size as u64 / 8, |chunk| self.size.div_ceil(chunk));
        if count.checked_mul(8) != Some(header.size as u64) {
            return Err(damaged(format!("it has {count} chunks, but {} bytes of offsets", header.size)));
        }
        let mut offsets = Vec::new();
        Chunk::new(&bytes, header.size, BLOSC2)
            .and_then(|chunk| chunk.decode(&mut offsets, header.size))
            .map_err(|fault| named(fault, at))?;
        Ok(offsets)
    }

    /// Appends the data of the chunks that a range touches, and returns the offset of the first. `data` will
    /// have at most `data_size` bytes.
    fn decode(
        &self,
        range: Range<u64>,
        data: &mut Vec<u8>,
        data_size: usize,
        wanted: Wanted<'_>,
    ) -> Result<u64> {
        let (mut before, mut start) = (0, range.start);
        for offset in self.offsets.chunks_exact(8) {
            let offset = offset.first_chunk().map_or(0, |offset| i64::from_le_bytes(*offset));
            let left = self.size - before;
            // Chunks of a known size can be skipped without reading them.
            let known = self.chunk.map(|chunk| chunk.min(left));
            if before >= range.end {
                break;
            }
            if let Some(size) = known.filter(|size| before + size <= range.start) {
                before += size;
                continue;
            }
            wanted()?;
            let size = self.decode_chunk(offset, known, left, (before, &range), data, data_size)?;
            if before <= range.start {
                start = before;
            }
            before += size;
        }
        Ok(start)
    }

    /// Appends the data of one chunk, unless it ends before the range begins, and returns its size.
    fn decode_chunk(
        &self,
        offset: i64,
        known: Option<u64>,
        left: u64,
        (before, range): (u64, &Range<u64>),
        data: &mut Vec<u8>,
        data_size: usize,
    ) -> Result<u64> {
        let memory = |size: u64| usize::try_from(size).map_err(|_| Error::beyond_memory(size));
        let Ok(offset) = u64::try_from(offset) else {
            let size = known.ok_or_else(|| damaged(format!("the chunk {offset:#x} has no size")))?;
            let [.., kind] = offset.to_le_bytes();
            let value: &[u8] = match (kind & 0x7f, self.item) {
                (1 | 4, _) => &[0],
                (2, 4) => &f32::NAN.to_le_bytes(),
                (2, 8) => &f64::NAN.to_le_bytes(),
                _ => return Err(damaged(format!("unknown kind of chunk {kind:#x}"))),
            };
            fill(data, value, memory(size)?, limit(data, size, data_size))
                .map_err(|fault| named(fault, self.chunks.end))?;
            return Ok(size);
        };
        let at = self.chunks.start.saturating_add(offset);
        let (header, bytes) = self.stored.chunk(at, self.chunks.end)?;
        let size = known.unwrap_or(header.size as u64);
        if size > left {
            return Err(damaged(format!(
                "the chunk at byte {at} holds {size} bytes, expected at most {left}"
            )));
        }
        if before + size > range.start {
            let whole = limit(data, size, data_size);
            Chunk::new(&bytes, memory(size)?, BLOSC2)
                .and_then(|chunk| chunk.decode(data, whole))
                .map_err(|fault| named(fault, at))?;
        }
        Ok(size)
    }
}

/// Returns the maximum length of `data`. For a part of the frame, it is enough for one more chunk.
fn limit(data: &[u8], size: u64, data_size: usize) -> usize {
    if data_size == usize::MAX {
        return data.len().saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
    }
    data_size
}

/// Encodes the data as a frame, in chunks of `chunk` bytes.
fn encode(data: &[u8], how: &Encoding, wanted: &mut dyn FnMut() -> Result<()>) -> Result<Vec<u8>> {
    let level = how.own_level(Label::BLS2, 3)?;
    let chunk = how.chunk(Label::BLS2)?;
    let pace = Pace::of(level);
    let item = u8::try_from(how.item).unwrap_or(1).max(1);
    // Readers count in elements: data that is not a whole number of elements is written as bytes.
    let item = if data.len() % usize::from(item) == 0 { item } else { 1 };
    let mut offsets = Vec::new();
    let mut chunks = Vec::new();
    for part in data.chunks(chunk) {
        wanted()?;
        offsets.extend((chunks.len() as u64).to_le_bytes());
        chunks.extend(blosc::encode(part, item.into(), pace, true)?);
    }
    let index = if data.is_empty() { Vec::new() } else { blosc::encode(&offsets, 8, Pace::Lz4, true)? };
    let int32 = |number: usize| i32::try_from(number).unwrap_or(i32::MAX).to_be_bytes();

    let mut frame = vec![0x9e, 0xa8];
    frame.extend(b"b2frame\0");
    frame.push(0xd2);
    frame.extend(int32(METADATA + 87));
    frame.push(0xcf);
    let length = 87 + METADATA + chunks.len() + index.len() + TRAILER.len();
    frame.extend((length as u64).to_be_bytes());
    // Version 2, offsets of 64 bits; contiguous; the codec and its level; blocks are not split.
    let level = u8::try_from(level).unwrap_or_default();
    frame.extend([0xa4, 0x12, 0, (level << 4) | if pace == Pace::Lz4 { 1 } else { 5 }, 1]);
    frame.push(0xd3);
    frame.extend((data.len() as u64).to_be_bytes());
    frame.push(0xd3);
    frame.extend((chunks.len() as u64).to_be_bytes());
    frame.push(0xd2);
    frame.extend(i32::from(item).to_be_bytes());
    let chunk = if data.is_empty() { chunk } else { chunk.min(data.len()) };
    frame.push(0xd2);
    frame.extend(int32(blosc::block_size(chunk, item)));
    frame.push(0xd2);
    frame.extend(int32(chunk));
    // One thread each way, no metadata at the end.
    frame.extend([0xd1, 0, 1, 0xd1, 0, 1, 0xc2]);
    // The pipeline: six filters, the last of them shuffling, and their settings.
    frame.extend([0xd8, 6, 0, 0, 0, 0, 0, u8::from(item > 1), 0, 0]);
    frame.extend([0; 8]);
    // No metadata: a list of the size of an empty map, the map, and an empty list.
    frame.extend([0x93, 0xcd, 0, 7, 0xde, 0, 0, 0xdc, 0, 0]);
    frame.extend(chunks);
    frame.extend(index);
    frame.extend(TRAILER);
    Ok(frame)
}

/// Bytes of metadata in the header of a frame: they encode that there is none.
const METADATA: usize = 10;

/// The end of a frame: version 1, no metadata, its own length, no fingerprint.
const TRAILER: [u8; 35] = [
    0x94, 1, 0x93, 0xcd, 0, 6, 0xde, 0, 0, 0xdc, 0, 0, 0xce, 0, 0, 0, 35, 0xd8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0,
];
