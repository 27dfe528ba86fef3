//! The bytes of an array that consists of chunks.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::datatype::to_usize;
use super::needs::Needs;
use super::{ByteOrder, Datatype, NdArray, Slice, layout};
use crate::block::Compression;
use crate::error::{Error, Result};
use crate::threads::Threads;
use crate::tree::{Block, Blocks, Stored};

/// The elements of a chunked array, packed in C order and in this machine's byte order. The bytes are
/// assembled when they are read.
#[derive(Debug)]
pub(super) struct ChunkedBlock {
    shape: Vec<u64>,
    item: u64,
    size: u64,
    chunks: Vec<(Vec<u64>, NdArray)>,
    /// The total number of bytes of all chunks.
    stored: u64,
    /// The threads of the first chunk: all chunks belong to one tree.
    threads: Threads,
}

/// The bytes of chunks that are requested together from a remote file, and their maximum number.
const TOGETHER: u64 = 16 << 20;
const MOST: usize = 1 << 12;

/// For each axis, the first index and the index after the last.
type Region = Vec<Range<u64>>;

/// The part of a chunk that is in a region.
struct Piece {
    /// Its place in the region.
    inside: Region,
    array: NdArray,
}

/// The slices of a chunk that is partly in a region.
struct Cut {
    /// Its place in the region.
    inside: Region,
    slices: Vec<Slice>,
}

impl Cut {
    fn new(start: &[u64], array: &NdArray, region: &Region) -> Option<Self> {
        let mut cut = Self { inside: Region::new(), slices: Vec::new() };
        for ((range, &start), &n) in region.iter().zip(start).zip(array.shape()) {
            let (from, to) = (range.start.max(start), range.end.min(start.saturating_add(n)));
            if from >= to {
                return None;
            }
            let index = |at: u64| i64::try_from(at - start).ok();
            cut.slices.push(Slice::Range { start: index(from), end: index(to), step: 1 });
            cut.inside.push(from - range.start..to - range.start);
        }
        Some(cut)
    }
}

/// Announces the blocks of these arrays to the remote files that they are in.
pub(super) fn prefetch_blocks<'a>(arrays: impl Iterator<Item = &'a NdArray>) -> Result<()> {
    let mut needs: Vec<(&dyn Blocks, Vec<u64>)> = Vec::new();
    for (blocks, number) in arrays.filter_map(NdArray::numbered_block) {
        match needs.iter_mut().find(|(known, _)| std::ptr::addr_eq(*known, blocks)) {
            Some((_, numbers)) => numbers.push(number),
            None => needs.push((blocks, vec![number])),
        }
    }
    needs.iter().try_for_each(|(blocks, numbers)| blocks.prefetch(numbers))
}

/// Announces what reads of these pieces need to the remote files that they are in.
fn prefetch(pieces: &[Piece]) -> Result<()> {
    let mut all: Vec<Needs> = Vec::new();
    for piece in pieces {
        let Some(needs) = piece.array.needs()? else { continue };
        match all.iter_mut().find(|known| Arc::ptr_eq(&known.source, &needs.source)) {
            Some(known) => known.ranges.extend(needs.ranges),
            None => all.push(needs),
        }
    }
    all.iter().try_for_each(|needs| needs.source.prefetch(&needs.ranges))
}

impl ChunkedBlock {
    pub(super) fn new(datatype: &Datatype, shape: &[u64], chunks: Vec<(Vec<u64>, NdArray)>) -> Result<Self> {
        let item = datatype.size()?;
        let count = shape.iter().try_fold(1_u64, |product, &n| product.checked_mul(n));
        let size = count.and_then(|count| count.checked_mul(item)).ok_or_else(|| {
            Error::limit(format!(
                "a chunked array of shape {shape:?} and datatype {datatype} is larger than 2^64 bytes"
            ))
        })?;
        let stored = chunks.iter().map(|(_, array)| array.len().saturating_mul(item));
        let stored = stored.fold(0, u64::saturating_add);
        let threads = chunks.first().map_or(Threads::ALL, |(_, array)| array.threads());
        Ok(Self { shape: shape.to_vec(), item, size, chunks, stored, threads })
    }

    #[allow(clippy::unused_self, reason = "the order is the block's affair")]
    pub(super) fn byteorder(&self) -> ByteOrder {
        ByteOrder::NATIVE
    }

    /// Copies the parts of all chunks that lie in a region into the packed bytes of the region.
    fn fill(&self, region: &Region, out: &mut [u8]) -> Result<()> {
        let cuts =
            self.chunks.iter().filter_map(|(start, array)| Some((array, Cut::new(start, array, region)?)));
        let cuts: Vec<_> = cuts.collect();
        prefetch_blocks(cuts.iter().map(|(array, _)| *array))?;
        let mut pieces = Vec::new();
        let mut size = 0_u64;
        for (array, cut) in cuts {
            let piece = Piece { inside: cut.inside, array: array.slice(&cut.slices)? };
            size = size.saturating_add(piece.array.len().saturating_mul(self.item));
            pieces.push(piece);
            if size >= TOGETHER || pieces.len() == MOST {
                self.lay(&std::mem::take(&mut pieces), region, out)?;
                size = 0;
            }
        }
        self.lay(&pieces, region, out)
    }

    fn lay(&self, pieces: &[Piece], region: &Region, out: &mut [u8]) -> Result<()> {
        // A single piece needs no announcement.
        if pieces.len() > 1 {
            prefetch(pieces)?;
        }
        pieces.iter().try_for_each(|piece| self.lay_one(piece, region, out))
    }

    fn lay_one(&self, piece: &Piece, region: &Region, out: &mut [u8]) -> Result<()> {
        let bytes = piece.array.packed_bytes(self.byteorder())?;
        let lengths: Vec<u64> = region.iter().map(|range| range.end - range.start).collect();
        let strides = layout::packed(&lengths, self.item).unwrap_or_default();
        let mut from = bytes.as_slice();
        let mut copy = |at: usize, size: usize| {
            let Some((piece, rest)) = from.split_at_checked(size) else { return };
            if let Some(out) = out.get_mut(at..at + size) {
                out.copy_from_slice(piece);
            }
            from = rest;
        };
        rows(&piece.inside, &strides, to_usize(self.item)?, 0, &mut copy)
    }
}

/// Calls `copy` with offset and size of each run of bytes of a region, in an array with these strides.
fn rows(
    region: &[Range<u64>],
    strides: &[i64],
    item: usize,
    at: usize,
    copy: &mut impl FnMut(usize, usize),
) -> Result<()> {
    let (Some((range, inner)), Some((&stride, below))) = (region.split_first(), strides.split_first()) else {
        copy(at, item);
        return Ok(());
    };
    let stride = to_usize(stride.unsigned_abs())?;
    if inner.is_empty() {
        copy(at + to_usize(range.start)? * stride, to_usize(range.end - range.start)? * item);
        return Ok(());
    }
    for index in range.clone() {
        rows(inner, below, item, at + to_usize(index)? * stride, copy)?;
    }
    Ok(())
}

/// Splits the elements from one place in C order to another into regions, in C order.
fn regions(shape: &[u64], range: Range<u64>, outer: &[Range<u64>], found: &mut Vec<Region>) {
    if range.is_empty() {
        return;
    }
    let Some((&n, inner)) = shape.split_first() else {
        found.push(outer.to_vec());
        return;
    };
    let row: u64 = inner.iter().product::<u64>().max(1);
    let within = |index: u64, part: Range<u64>, found: &mut Vec<Region>| {
        let mut outer = outer.to_vec();
        outer.push(index..index + 1);
        regions(inner, part, &outer, found);
    };
    let (first, last) = (range.start / row, (range.end - 1) / row);
    let (head, tail) = (range.start % row, range.end - last * row);
    if first == last && (head > 0 || tail < row) {
        return within(first, head..tail, found);
    }
    let from = if head > 0 { first + 1 } else { first };
    let to = if tail < row { last } else { (last + 1).min(n) };
    if head > 0 {
        within(first, head..row, found);
    }
    if from < to {
        let mut whole = outer.to_vec();
        whole.push(from..to);
        whole.extend(inner.iter().map(|&n| 0..n));
        found.push(whole);
    }
    if tail < row {
        within(last, 0..tail, found);
    }
}

impl Block for ChunkedBlock {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        const ALLOWED: u64 = 1 << 28;
        if range.start > range.end || range.end > self.size {
            return Err(Error::usage(format!(
                "the bytes {} to {} are outside the chunked array, which has {} bytes",
                range.start, range.end, self.size
            )));
        }
        if range.is_empty() || self.item == 0 {
            return Ok(Bytes::new());
        }
        // Whole elements. Their bytes are cut at the end.
        let elements = range.start / self.item..range.end.div_ceil(self.item);
        let size = (elements.end - elements.start).saturating_mul(self.item);
        if size > ALLOWED && size / 4 > self.stored {
            return Err(Error::limit(format!(
                "cannot read {size} bytes of the chunked array: its chunks have only {}",
                self.stored
            ))
            .with_hint("read slices of the array"));
        }
        let mut out = Vec::new();
        out.try_reserve_exact(to_usize(size)?)
            .map_err(|_| Error::no_memory(format_args!("{size} bytes of a chunked array")))?;
        let mut found = Vec::new();
        regions(&self.shape, elements.clone(), &[], &mut found);
        for region in &found {
            let count =
                region.iter().fold(self.item, |size, range| size.saturating_mul(range.end - range.start));
            let start = out.len();
            out.resize(start + to_usize(count)?, 0);
            self.fill(region, out.get_mut(start..).unwrap_or_default())?;
        }
        let skipped = to_usize(range.start - elements.start * self.item)?;
        let wanted = to_usize(range.end - range.start)?;
        Ok(Bytes::from(out).slice(skipped..skipped + wanted))
    }

    fn threads(&self) -> Threads {
        self.threads
    }

    fn stored(&self) -> Result<Stored> {
        Ok(Stored::Plain { bytes: self.read(0..self.size)?, compression: Compression::NONE })
    }

    fn damage(&self) -> Result<Option<Error>> {
        let mut found = self.chunks.iter().map(|(_, array)| array.damage());
        found.find_map(Result::transpose).transpose()
    }
}
