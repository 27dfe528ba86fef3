//! One frame in parts that decode alone, with a table of them.

use std::ops::{ControlFlow, Range, RangeInclusive};

use bytes::Bytes;
use zstd::bulk::{Decompressor, compress};

use super::super::buffer::Buffer;
use super::super::declared_size::grow;
use super::super::{Frame, LARGEST_PART, MOST_FRAMES, Piece};
use super::blocks::{FrameHeader, LARGEST, MAGIC, mark_last};
use super::independent::{independent, is_independent, raw, raw_size};
use crate::error::{Error, Result};
use crate::source::Source;
use crate::threads::Threads;

/// The bytes of the frame header: magic, descriptor, window, and the size of the data.
const FRAME_HEADER: usize = 14;

/// The descriptor of a frame with a window and a size of 8 bytes, without a checksum.
const DESCRIPTOR: u8 = 0xc0;

/// The first bytes of the table.
const NAME: [u8; 4] = *b"part";

/// The stored bytes of a byte of the table: the header of a byte that repeats 0 times, and the byte.
const BYTE: usize = 4;

/// The stored bytes before the ends of the parts.
const TABLE: usize = FRAME_HEADER + (NAME.len() + 8) * BYTE;

/// The stored bytes of the end of a part.
const END: usize = 8 * BYTE;

/// The bytes that are read to find a table.
const FIRST: u64 = 4096;

/// Smaller parts are not compressed: that would save a few bytes at most.
const WORTH_COMPRESSING: usize = 32;

/// Encodes data as one frame of parts with `chunk` bytes of data each; the last can have fewer. Passes on the stored bytes
/// in pieces. Returns `false` if the data are not more than one part.
///
/// ```text
/// frame header
/// table         each byte in a block without data, which decoders skip:
///     name      "part"
///     chunk     u64, little-endian    bytes of data in each part but the last
///     ends      u64 for each part     its end in the stored bytes
/// parts         blocks that refer only to blocks of the same part
/// ```
pub(super) fn encode(
    data: &[u8],
    chunk: usize,
    level: i32,
    threads: Threads,
    out: &mut dyn FnMut(Bytes) -> Result<()>,
) -> Result<bool> {
    if data.len() <= chunk {
        return Ok(false);
    }
    let (mut parts, mut window) = (Vec::new(), chunk.min(LARGEST) as u64);
    threads.for_bytes(data.len() as u64).in_order(
        data.chunks(chunk).enumerate(),
        |(number, data)| part(data, level, number == 0),
        |done| {
            let (part, needed) = done?;
            window = window.max(needed);
            parts.push(part);
            out(Bytes::new())?;
            Ok::<_, Error>(ControlFlow::Continue(()))
        },
    )?;
    if let Some(last) = parts.last_mut() {
        mark_last(last, true);
    }
    let mut at = (TABLE + parts.len() * END) as u64;
    let ends = parts.iter().map(|part| {
        at += part.len() as u64;
        at
    });
    let log = window.next_power_of_two().ilog2().clamp(10, 31);
    let window = u8::try_from(log - 10).unwrap_or_default() << 3;
    let mut head = frame_header(window, data.len() as u64);
    let numbers = std::iter::once(chunk as u64).chain(ends).flat_map(u64::to_le_bytes);
    NAME.into_iter().chain(numbers).for_each(|byte| head.extend([2, 0, 0, byte]));
    out(head.into())?;
    parts.into_iter().try_for_each(|part| out(part.into()))?;
    Ok(true)
}

/// Encodes a part, which is not marked as the last one. Returns the size of the window that it needs too.
fn part(data: &[u8], level: i32, is_first: bool) -> Result<(Vec<u8>, u64)> {
    let raw = || raw(data).ok_or_else(|| Error::limit("compressing with zstd: a part is too large"));
    if data.len() < WORTH_COMPRESSING {
        return Ok((raw()?, 0));
    }
    let frame = compress(data, level).map_err(|e| Error::io("compressing with zstd", e))?;
    let compressed = || {
        let header = FrameHeader::parse(&frame)?;
        let blocks = frame.get(header.length..)?;
        let mut part = if is_first { blocks.to_vec() } else { independent(blocks, data.len())? };
        let is_changed = part != blocks;
        mark_last(&mut part, false)?;
        let is_right = part.len() <= raw_size(data.len()) && (!is_changed || decodes_to(&part, data));
        is_right.then_some((part, header.window))
    };
    if let Some(part) = compressed() {
        return Ok(part);
    }
    Ok((raw()?, 0))
}

/// Returns whether a part that was changed decodes to its data, alone and after any other part.
fn decodes_to(part: &[u8], data: &[u8]) -> bool {
    /// The descriptor of a window of 128 MiB, the largest that is written.
    const WIDEST: u8 = (27 - 10) << 3;
    let mut found = vec![0; data.len()];
    let decoded = Decompressor::new().ok().and_then(|mut z| decode(&mut z, WIDEST, part, false, &mut found));
    decoded.is_some() && found == data && is_independent(part)
}

fn frame_header(window: u8, size: u64) -> Vec<u8> {
    let mut header = Vec::with_capacity(FRAME_HEADER);
    header.extend(MAGIC);
    header.extend([DESCRIPTOR, window]);
    header.extend(size.to_le_bytes());
    header
}

/// Decodes the blocks of a part as a frame into a slice of its size. `is_last` says whether its last block has to be marked
/// as the last one of the frame.
fn decode(z: &mut Decompressor<'_>, window: u8, part: &[u8], is_last: bool, into: &mut [u8]) -> Option<()> {
    let mut frame = frame_header(window, into.len() as u64);
    frame.extend_from_slice(part);
    mark_last(frame.get_mut(FRAME_HEADER..)?, true).filter(|&was_last| was_last == is_last)?;
    let found = z.decompress_to_buffer(&frame, into).ok()?;
    (found == into.len()).then_some(())
}

/// Decodes the parts in a range. `None` if the frame has no table, or if anything is wrong: decoding the frame as a whole
/// finds out what.
pub(super) fn decode_range(stored: &dyn Source, data_size: u64, range: &Range<u64>) -> Result<Option<Piece>> {
    let Some(table) = Table::read(stored, data_size)? else { return Ok(None) };
    if range.is_empty() {
        return Ok(Some(Piece { start: range.start, data: Vec::new() }));
    }
    let numbers = range.start / table.chunk..=(range.end - 1) / table.chunk;
    let Some(parts) = table.parts(stored, numbers)? else { return Ok(None) };
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Ok(None) };
    let start = first.data.start;
    let Ok(size) = usize::try_from(last.data.end - start) else { return Ok(None) };
    let mut data = Vec::new();
    grow(&mut data, size, size)?;
    data.resize(size, 0);
    let Ok(mut z) = Decompressor::new() else { return Ok(None) };
    let bytes = stored.read(first.stored.start..last.stored.end)?;
    let mut rest = bytes.as_ref();
    for (part, into) in split(&parts, &mut data) {
        stored.wanted()?;
        let len = usize::try_from(part.stored.end - part.stored.start).unwrap_or(usize::MAX);
        let decoded = rest.split_at_checked(len).and_then(|(own, after)| {
            rest = after;
            table.decode(&mut z, part, own, into)
        });
        if decoded.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(Piece { start, data }))
}

/// Decodes all parts on several threads. `None` as for [`decode_range`].
///
/// Together, the parts are all blocks of the frame, and none refers to another. So the data are those of the frame.
pub(super) fn decode_all(stored: &dyn Source, data_size: u64, threads: Threads) -> Result<Option<Bytes>> {
    let Some(table) = Table::read(stored, data_size)? else { return Ok(None) };
    let Some(parts) = table.parts(stored, 0..=table.count - 1)? else { return Ok(None) };
    let Ok(size) = usize::try_from(data_size) else { return Ok(None) };
    let mut room = Buffer::new(size)?;
    let mut is_right = true;
    threads.for_bytes(data_size).in_order(
        split(&parts, room.bytes()).collect::<Vec<_>>().into_iter(),
        |(part, into)| {
            stored.wanted()?;
            let bytes = stored.read(part.stored.clone())?;
            Ok(Decompressor::new().ok().and_then(|mut z| table.decode(&mut z, part, &bytes, into)))
        },
        |done: Result<_>| {
            is_right = done?.is_some();
            Ok::<_, Error>(if is_right { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        },
    )?;
    Ok(is_right.then(|| room.into()))
}

/// Returns each part with its place in the data of all of them.
fn split<'d>(parts: &'d [Frame], data: &'d mut [u8]) -> impl Iterator<Item = (&'d Frame, &'d mut [u8])> {
    let mut rest = data;
    parts.iter().map(move |part| {
        let size = usize::try_from(part.data.end - part.data.start).unwrap_or(usize::MAX);
        let size = size.min(rest.len());
        let (own, after) = std::mem::take(&mut rest).split_at_mut(size);
        rest = after;
        (part, own)
    })
}

/// The table of a frame in parts.
#[derive(Debug)]
struct Table {
    window: u8,
    /// Bytes of data in each part but the last.
    chunk: u64,
    /// The number of parts, at least two.
    count: u64,
    data_size: u64,
    /// The first stored bytes.
    first: Bytes,
    /// The number of all stored bytes.
    len: u64,
}

impl Table {
    /// Reads the first stored bytes. `None` if they are not a table, or not one for `data_size` bytes.
    fn read(stored: &dyn Source, data_size: u64) -> Result<Option<Self>> {
        let len = stored.len();
        let first = stored.read(0..len.min(FIRST))?;
        Ok(Self::parse(first, len, data_size))
    }

    fn parse(first: Bytes, len: u64, data_size: u64) -> Option<Self> {
        let (&descriptor, after) = first.strip_prefix(&MAGIC)?.split_first()?;
        let (&window, after) = after.split_first()?;
        let (size, after) = after.split_first_chunk()?;
        if descriptor != DESCRIPTOR || u64::from_le_bytes(*size) != data_size {
            return None;
        }
        let (name, after) = bytes::<4>(after)?;
        let (chunk, _) = bytes(after)?;
        let chunk = u64::from_le_bytes(chunk);
        if name != NAME || chunk == 0 || chunk > LARGEST_PART as u64 || data_size <= chunk {
            return None;
        }
        let table = Self { window, chunk, count: data_size.div_ceil(chunk), data_size, first, len };
        (table.end_at(table.count)? <= len).then_some(table)
    }

    /// Returns the place of the end of a part in the stored bytes.
    fn end_at(&self, number: u64) -> Option<u64> {
        number.checked_mul(END as u64)?.checked_add(TABLE as u64)
    }

    /// Reads where some parts are. `None` if their sizes are impossible, or if they are too many.
    fn parts(&self, stored: &dyn Source, numbers: RangeInclusive<u64>) -> Result<Option<Vec<Frame>>> {
        let (first, last) = numbers.into_inner();
        // A part begins where the one before it ends.
        let from = self.end_at(first.saturating_sub(1));
        let to = self.end_at(last.saturating_add(1));
        let (Some(from), Some(to)) = (from, to) else { return Ok(None) };
        if last - first >= MOST_FRAMES as u64 || last >= self.count {
            return Ok(None);
        }
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let ends = match self.first.get(place(from)..place(to)) {
            Some(_) => self.first.slice(place(from)..place(to)),
            None => stored.read(from..to)?,
        };
        Ok(self.parts_of(&ends, first, last))
    }

    fn parts_of(&self, ends: &[u8], first: u64, last: u64) -> Option<Vec<Frame>> {
        let mut rest = ends;
        let mut next = || {
            let (number, after) = bytes(rest)?;
            rest = after;
            Some(u64::from_le_bytes(number))
        };
        let mut at = if first == 0 { self.end_at(self.count)? } else { next()? };
        let mut parts = Vec::new();
        for number in first..=last {
            let end = next()?;
            let data = number * self.chunk..self.data_size.min((number + 1).saturating_mul(self.chunk));
            let is_last = number + 1 == self.count;
            let stored = end.checked_sub(at)?;
            let size = data.end - data.start;
            let most = raw_size(usize::try_from(size).ok()?) as u64;
            let fits = stored <= most && size <= stored.saturating_mul(super::MAX_EXPANSION);
            if !fits || end > self.len || is_last != (end == self.len) {
                return None;
            }
            parts.push(Frame { stored: at..end, data });
            at = end;
        }
        Some(parts)
    }

    /// Decodes a part into a slice of its size. `None` if it refers to other parts.
    fn decode(&self, z: &mut Decompressor<'_>, part: &Frame, bytes: &[u8], into: &mut [u8]) -> Option<()> {
        decode(z, self.window, bytes, part.data.end == self.data_size, into)?;
        // Checked last: blocks that do not decode can claim any number of sequences.
        (part.data.start == 0 || is_independent(bytes)).then_some(())
    }
}

/// Returns bytes that are each in a block without data, and the stored bytes after them.
fn bytes<const N: usize>(stored: &[u8]) -> Option<([u8; N], &[u8])> {
    let (own, after) = stored.split_at_checked(N * BYTE)?;
    let mut bytes = [0; N];
    for (byte, block) in bytes.iter_mut().zip(own.chunks_exact(BYTE)) {
        match block {
            [2, 0, 0, found] => *byte = *found,
            _ => return None,
        }
    }
    Some((bytes, after))
}
