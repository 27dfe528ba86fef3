//! One chunk: a header, the offsets of its blocks, and the blocks.
//!
//! ```text
//! 0   format of the chunk        1, 2: c-blosc; 3 to 6: c-blosc2
//! 1   format of the codec inside
//! 2   flags    1 shuffled, 2 not encoded, 4 bit-shuffled (both: a pipeline follows), 16 blocks are
//!              not split, and from bit 5 on the number of the codec
//! 3   bytes of an element
//! 4   bytes of data      i32
//! 8   bytes of a block   i32
//! 12  bytes of the chunk i32
//! 16  (c-blosc2: six filters, the codec's number and setting, six settings of filters, flags)
//! ... the offset of each block, i32, from the start of the chunk
//! ... for each block one stream, or one for each byte of an element: its length i32, its bytes
//! ```
//!
//! All numbers are little-endian.

use super::filter::Filter;
use super::inner::{Decoder, Encoder, Inner, Pace};
use crate::block::codec::declared_size::make_room;
use crate::error::{Error, Result};

/// A reason why a chunk cannot be decoded.
#[derive(Debug)]
pub(in super::super) enum Fault {
    /// The chunk is damaged.
    Damaged(String),
    /// The chunk uses something that is not supported.
    Unsupported(String),
    /// There is not enough memory for the chunk.
    Memory(Error),
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self::Damaged(what)
    }
}

impl Fault {
    /// Returns the error for a chunk with this name.
    pub(in super::super) fn of(self, chunk: &str) -> Error {
        match self {
            Self::Damaged(what) => Error::malformed(format!("{chunk} {what}")),
            Self::Unsupported(what) => Error::unsupported(format!("{chunk} {what}")),
            Self::Memory(error) => error,
        }
    }
}

/// The newest format of c-blosc's chunks, and of c-blosc2's.
pub(in super::super) const BLOSC: u8 = 2;
#[cfg(feature = "bls2")]
pub(in super::super) const BLOSC2: u8 = 6;

/// The header of a chunk, with sizes that agree with each other.
#[derive(Debug)]
pub(in super::super) struct Header {
    /// Bytes of data.
    pub(in super::super) size: usize,
    /// Bytes of the chunk.
    pub(in super::super) stored: usize,
    /// Bytes of this header.
    len: usize,
    item: usize,
    block: usize,
    plain: bool,
    split: bool,
    codec: u8,
    old: bool,
    /// In the order in which they are undone.
    filters: Vec<Filter>,
    special: u8,
}

/// Bytes of c-blosc's header, and of c-blosc2's.
pub(in super::super) const LEN: usize = 16;
const LEN2: usize = 32;

impl Header {
    /// Parses the header at the beginning of `bytes`, of a format up to `newest`.
    pub(in super::super) fn parse(bytes: &[u8], newest: u8) -> Result<Self, Fault> {
        let cut = || Fault::Damaged(format!("is truncated: found {} bytes, expected a header", bytes.len()));
        let &[format, _, flags, item, ..] = bytes else { return Err(cut()) };
        let number = |at: usize, what: &str| {
            let word = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or_else(cut)?;
            let number = i32::from_le_bytes(*word);
            usize::try_from(number)
                .map_err(|_| Fault::Damaged(format!("has a negative size: {what} is {number} bytes")))
        };
        let (size, block, stored) = (number(4, "its data")?, number(8, "a block")?, number(12, "it")?);
        if !(1..=newest).contains(&format) {
            return Err(Fault::Unsupported(format!("is of format {format}, expected 1 to {newest}")));
        }
        let item = usize::from(item);
        if size > 0 && (item == 0 || block == 0) {
            return Err(Fault::Damaged(format!("has blocks of {block} bytes with elements of {item} bytes")));
        }
        let extended = format > BLOSC && flags & 5 == 5;
        let old = format <= BLOSC;
        let mut header = Self {
            size,
            stored,
            len: if extended { LEN2 } else { LEN },
            item,
            block: block.min(size),
            plain: flags & 2 != 0,
            split: flags & 16 == 0,
            codec: flags >> 5,
            old,
            filters: Vec::new(),
            special: 0,
        };
        if extended {
            let rest: &[u8; 16] = bytes.get(LEN..).and_then(<[u8]>::first_chunk).ok_or_else(cut)?;
            let [f0, f1, f2, f3, f4, f5, _, _, m0, m1, m2, m3, m4, m5, more, last] = *rest;
            if last & 1 != 0 || last & 0x80 != 0 || more & 1 != 0 || last & 8 != 0 {
                let what = match (last & 1, more & 1, last & 8) {
                    (1, _, _) => "has a dictionary",
                    (_, 1, _) => "has blocks of different lengths",
                    (_, _, 8) => "is not whole (lazy)",
                    _ => "is instrumented",
                };
                return Err(Fault::Unsupported(format!("{what}, which is not supported")));
            }
            header.special = (last >> 4) & 7;
            let filters = [(f5, m5), (f4, m4), (f3, m3), (f2, m2), (f1, m1), (f0, m0)];
            for (number, meta) in filters {
                header.filters.extend(Filter::of(number, meta, item, old).map_err(Fault::Unsupported)?);
            }
        } else if flags & 8 != 0 {
            return Err(Fault::Unsupported("has a flag that is not supported".to_owned()));
        } else if flags & 1 != 0 {
            header.filters.push(Filter::Shuffle(item));
        } else if flags & 4 != 0 {
            header.filters.push(Filter::BitShuffle { item, old });
        }
        let delta = header.filters.iter().position(|filter| matches!(filter, Filter::Delta(_)));
        if delta.is_some_and(|at| at + 1 < header.filters.len()) {
            return Err(Fault::Unsupported("has filters before a delta, which is not supported".to_owned()));
        }
        Ok(header)
    }
}

/// A chunk and its header.
#[derive(Debug)]
pub(in super::super) struct Chunk<'c> {
    header: Header,
    bytes: &'c [u8],
}

impl<'c> Chunk<'c> {
    /// Makes the chunk that is all of `bytes` and holds `size` bytes.
    pub(in super::super) fn new(bytes: &'c [u8], size: usize, newest: u8) -> Result<Self, Fault> {
        let header = Header::parse(bytes, newest)?;
        if header.stored != bytes.len() {
            return Err(Fault::Damaged(format!(
                "has a length of {} bytes, but {} bytes are stored",
                header.stored,
                bytes.len()
            )));
        }
        if header.size != size {
            return Err(Fault::Damaged(format!("holds {} bytes, expected {size}", header.size)));
        }
        Ok(Self { header, bytes })
    }

    /// Appends the data of the chunk to `data`, which will have at most `data_size` bytes.
    pub(in super::super) fn decode(&self, data: &mut Vec<u8>, data_size: usize) -> Result<(), Fault> {
        let header = &self.header;
        let body = self.bytes.get(header.len..).unwrap_or_default();
        if header.special != 0 {
            return special(header, body, data, data_size);
        }
        if header.plain || header.size == 0 {
            if body.len() != header.size {
                let found = body.len();
                return Err(Fault::Damaged(format!(
                    "stores {found} bytes without compression, expected {}",
                    header.size
                )));
            }
            make_room(data, body.len(), data_size).map_err(Fault::Memory)?;
            data.extend_from_slice(body);
            return Ok(());
        }
        let inner = Inner::of(header.codec).ok_or_else(|| {
            Fault::Unsupported(format!("uses the codec {}, which is not supported", header.codec))
        })?;
        let count = header.size.div_ceil(header.block);
        let starts = count
            .checked_mul(4)
            .and_then(|len| body.get(..len))
            .ok_or_else(|| Fault::Damaged(format!("is too short for the offsets of its {count} blocks")))?;
        let mut blocks =
            Blocks { chunk: self, inner, decoder: Decoder::default(), from: Vec::new(), into: Vec::new() };
        let first = data.len();
        for (number, start) in starts.chunks_exact(4).enumerate() {
            let start = start.first_chunk().map_or(0, |start| i32::from_le_bytes(*start));
            let start = usize::try_from(start)
                .ok()
                .filter(|&start| start >= header.len + starts.len())
                .ok_or_else(|| {
                    Fault::Damaged(format!(
                        "has an invalid offset: its block {number} begins at byte {start}"
                    ))
                })?;
            let left = header.size - (data.len() - first);
            blocks.decode(start, header.block.min(left), first, data, data_size).map_err(
                |fault| match fault {
                    Fault::Damaged(what) => {
                        Fault::Damaged(format!("is damaged in its block {number}: {what}"))
                    }
                    other => other,
                },
            )?;
        }
        Ok(())
    }
}

/// Decodes a chunk that holds one repeated value.
fn special(header: &Header, body: &[u8], data: &mut Vec<u8>, data_size: usize) -> Result<(), Fault> {
    let value: &[u8] = match (header.special, header.item) {
        // Data that was never written is zeros here.
        (1 | 4, _) => &[0],
        (2, 4) => &f32::NAN.to_le_bytes(),
        (2, 8) => &f64::NAN.to_le_bytes(),
        (3, _) => body,
        (kind, item) => {
            return Err(Fault::Unsupported(format!(
                "holds values of the kind {kind} of {item} bytes, which is not supported"
            )));
        }
    };
    fill(data, value, header.size, data_size)
}

/// Appends a repeated value, `size` bytes in total.
pub(in super::super) fn fill(
    data: &mut Vec<u8>,
    value: &[u8],
    size: usize,
    data_size: usize,
) -> Result<(), Fault> {
    if value.is_empty() || size % value.len() != 0 {
        return Err(Fault::Damaged(format!(
            "repeats a value of {} bytes, which does not divide its {size} bytes",
            value.len()
        )));
    }
    make_room(data, size, data_size).map_err(Fault::Memory)?;
    match value {
        [byte] => data.resize(data.len() + size, *byte),
        _ => data.extend(std::iter::repeat_n(value, size / value.len()).flatten()),
    }
    Ok(())
}

/// Decodes the blocks of a chunk.
struct Blocks<'c> {
    chunk: &'c Chunk<'c>,
    inner: Inner,
    decoder: Decoder,
    /// A block before its filters are undone, and between two filters.
    from: Vec<u8>,
    into: Vec<u8>,
}

impl Blocks<'_> {
    /// Appends the `size` bytes of the block at `start`. The data of the chunk begins at `first`.
    fn decode(
        &mut self,
        start: usize,
        size: usize,
        first: usize,
        data: &mut Vec<u8>,
        data_size: usize,
    ) -> Result<(), Fault> {
        let header = &self.chunk.header;
        let whole = size == header.block;
        // Older c-blosc had no flag for split blocks.
        let worth = !header.old || (header.item <= 16 && header.block / header.item >= 128);
        let splits = if header.split && whole && worth { header.item } else { 1 };
        let part = size / splits;
        if part * splits != size {
            return Err(Fault::Damaged(format!(
                "found {size} bytes, expected a multiple of the element size {splits}"
            )));
        }
        let mut rest = self.chunk.bytes.get(start..).unwrap_or_default();
        self.from.clear();
        for _ in 0..splits {
            self.stream(&mut rest, part)?;
        }
        make_room(data, size, data_size).map_err(Fault::Memory)?;
        let Some((last, others)) = header.filters.split_last() else {
            data.extend_from_slice(&self.from);
            return Ok(());
        };
        for filter in others {
            self.into.resize(self.from.len(), 0);
            filter.undo(&self.from, &mut self.into, None);
            std::mem::swap(&mut self.from, &mut self.into);
        }
        let at = data.len();
        data.resize(at + size, 0);
        let (before, into) = data.split_at_mut(at);
        last.undo(&self.from, into, before.get(first..).filter(|before| !before.is_empty()));
        Ok(())
    }

    /// Splits off one stream, and appends its `size` bytes to the block.
    fn stream(&mut self, rest: &mut &[u8], size: usize) -> Result<(), Fault> {
        let cut = || "it is truncated".to_owned();
        let (len, after) = rest.split_first_chunk().ok_or_else(cut)?;
        let len = i32::from_le_bytes(*len);
        *rest = after;
        if len <= 0 && !self.chunk.header.old {
            // A run of one byte, encoded in the length.
            let byte = u8::try_from(-i64::from(len)).map_err(|_| format!("found a stream of {len} bytes"))?;
            if byte != 0 {
                let (&token, after) = rest.split_first().ok_or_else(cut)?;
                *rest = after;
                if token & 1 == 0 {
                    return Err(Fault::Damaged(format!(
                        "found a stream with the token {token}, expected a run"
                    )));
                }
            }
            return fill(&mut self.from, &[byte], size, size);
        }
        let len = usize::try_from(len).map_err(|_| format!("found a stream of {len} bytes"))?;
        let (stream, after) = rest.split_at_checked(len).ok_or_else(cut)?;
        *rest = after;
        if len == size {
            self.from.try_reserve(size).map_err(|e| e.to_string())?;
            self.from.extend_from_slice(stream);
            return Ok(());
        }
        if size as u64 > (len as u64).saturating_mul(self.inner.max_expansion()) {
            return Err(Fault::Damaged(format!("{len} bytes cannot hold {size}")));
        }
        Ok(self.decoder.decode(self.inner, stream, &mut self.from, size)?)
    }
}

/// The bytes of data in a block written here.
const BLOCK: usize = 256 << 10;

/// Returns the bytes of data in the blocks of a chunk of `len` bytes, with elements of `item` bytes.
pub(in super::super) fn block_size(len: usize, item: u8) -> usize {
    if len > BLOCK { BLOCK - BLOCK % usize::from(item.max(1)) } else { len.max(1) }
}

/// Encodes data with elements of `item` bytes (0 if unknown) as a chunk of c-blosc2 or of c-blosc.
///
/// # Errors
///
/// [`Limit`](crate::error::Kind::Limit) if the data is 2 GiB or more.
pub(in super::super) fn encode(data: &[u8], item: u64, pace: Pace, two: bool) -> Result<Vec<u8>> {
    let len = if two { LEN2 } else { LEN };
    let too_large = || Error::limit(format!("a chunk of {} bytes is too large for blosc", data.len()));
    let number = |number: usize| i32::try_from(number).map(i32::to_le_bytes).map_err(|_| too_large());
    number(data.len().saturating_add(len))?;
    let item = u8::try_from(item).unwrap_or(1).max(1);
    let width = usize::from(item);
    let block = block_size(data.len(), item);
    let head = |flags: u8, stored: usize| -> Result<Vec<u8>> {
        let mut head = vec![if two { 5 } else { BLOSC }, 1, flags, item];
        head.extend([number(data.len())?, number(block)?, number(stored)?].concat());
        if two {
            // A pipeline of one filter, in the last place.
            head.extend([0, 0, 0, 0, 0, u8::from(item > 1), 0, 0]);
            head.extend([0; 8]);
        }
        Ok(head)
    };
    // Blocks are not split: LZ4 and Zstandard compress them better whole.
    let flags = 16 | (pace.number() << 5) | if two { 5 } else { u8::from(item > 1) };
    // c-blosc stores small data without compression.
    let encoder = if data.len() < 128 { None } else { Encoder::new(pace, block)? };
    let body = match encoder {
        Some(encoder) => blocks(data, width, block, len, encoder)?,
        None => None,
    };
    if let Some(body) = body {
        let mut chunk = head(flags, len + body.len())?;
        chunk.extend(body);
        return Ok(chunk);
    }
    let mut chunk = head(flags | 2, len + data.len())?;
    chunk.extend_from_slice(data);
    Ok(chunk)
}

/// Returns the offsets of the blocks and the blocks; `None` if they are not smaller than the data.
fn blocks(
    data: &[u8],
    item: usize,
    block: usize,
    len: usize,
    mut encoder: Encoder,
) -> Result<Option<Vec<u8>>> {
    let mut body = vec![0; data.len().div_ceil(block) * 4];
    let mut shuffled = vec![0; block];
    for (number, plain) in data.chunks(block).enumerate() {
        // Cannot be too large: it is smaller than the data.
        let start = i32::try_from(len + body.len()).unwrap_or(i32::MAX);
        if let Some(place) = body.get_mut(number * 4..number * 4 + 4) {
            place.copy_from_slice(&start.to_le_bytes());
        }
        let block = match shuffled.get_mut(..plain.len()) {
            Some(shuffled) if item > 1 => {
                super::shuffle::shuffle(plain, shuffled, item);
                &*shuffled
            }
            _ => plain,
        };
        let stream = encoder.encode(block)?;
        let stream = if stream.len() < block.len() { stream } else { block };
        body.extend(i32::try_from(stream.len()).unwrap_or(i32::MAX).to_le_bytes());
        body.extend_from_slice(stream);
        if body.len() >= data.len() {
            return Ok(None);
        }
    }
    Ok(Some(body))
}
