//! The evidence for the places of blocks: magics, the sizes in headers, and the block index.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use memchr::memmem;

use super::super::block::FileBlock;
use super::super::reading::Reading;
use super::needs::Needs;
use crate::block::{Header, MAGIC, Md5, index};
use crate::error::Result;
use crate::source::Source;

/// The number of bytes that are read at once.
const PIECE: u64 = 1 << 20;
/// The length of a header.
pub(super) const HEADER: u64 = Header::LEN as u64;

/// The sizes of headers without padding, or with that of the usual alignment.
const USUAL_SIZES: RangeInclusive<u16> = Header::MIN_SIZE..=Header::MIN_SIZE + 7;

/// The evidence in a file.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    reading: &'a Arc<Reading>,
    pub(super) needs: &'a Needs,
    /// The byte from which blocks can be found.
    pub(super) start: u64,
    /// The byte at which the index begins, or the end of the file.
    pub(super) end: u64,
    /// Whether the text of an index begins at [`end`](Self::end).
    pub(super) has_index: bool,
    /// The offsets in the index, if it can be parsed.
    pub(super) index: Option<Vec<u64>>,
    /// The offsets of magics, once they were searched, and the header of each.
    magics: Vec<(u64, Option<Header>)>,
    /// Whether each magic leads from block to block to the end.
    confirmed: Vec<bool>,
}

impl<'a> Evidence<'a> {
    pub(super) fn of(reading: &'a Arc<Reading>, start: u64, needs: &'a Needs) -> Result<Self> {
        let source = reading.source.as_ref();
        let found = last_index(source, start)?;
        let (end, index) = match found {
            Some((at, index)) => (at, index),
            None => (source.len(), None),
        };
        let has_index = end < source.len();
        Ok(Self { reading, needs, start, end, has_index, index, magics: Vec::new(), confirmed: Vec::new() })
    }

    pub(super) fn source(&self) -> &dyn Source {
        self.reading.source.as_ref()
    }

    pub(super) fn len(&self) -> u64 {
        self.source().len()
    }

    /// The number of zeros that can replace missing bytes.
    pub(super) fn most_zeros(&self) -> u64 {
        self.reading.limits.total(self.len())
    }

    /// A block with a header, which can differ from the one in the file.
    pub(super) fn block(&self, number: usize, offset: u64, header: Header) -> FileBlock {
        FileBlock::new(self.reading.clone(), number as u64, offset, header, None)
    }

    /// Whether a codec of this build or of the program can decode a block.
    pub(super) fn has_codec(&self, header: &Header) -> bool {
        self.reading.codecs().find(header.compression).is_ok()
    }

    /// Whether a header, apart from its magic, is that of a streamed block that an array needs.
    pub(super) fn is_stream(&self, header: &Header) -> bool {
        let sizes = [header.allocated_size, header.used_size, header.data_size];
        let is_usual = USUAL_SIZES.contains(&header.header_size) && header.flags == Header::STREAMED;
        is_usual && header.compression.is_none() && sizes == [0; 3] && self.needs.has_stream()
    }

    /// Whether the label in a header is unknown.
    pub(super) fn is_odd(&self, header: &Header) -> bool {
        !header.compression.is_known() && !self.has_codec(header)
    }

    /// The limit on the number of blocks.
    pub(super) fn most_blocks(&self) -> u64 {
        self.reading.limits.blocks
    }

    /// The header at an offset, whatever its magic is. A `header_size` that is too small becomes the smallest one.
    pub(super) fn header(&self, at: u64) -> Result<Option<Header>> {
        let Some(end) = at.checked_add(HEADER).filter(|&end| end <= self.len()) else { return Ok(None) };
        Ok(header_of(&self.source().read(at..end)?))
    }

    /// The end of the block at an offset, if its header is valid apart from the magic and the end is in the file.
    fn end_of_hidden(&self, at: u64) -> Result<Option<u64>> {
        let Some(header) = self.header(at)? else { return Ok(None) };
        Ok(end_of_sound(&header, at).filter(|&end| end <= self.end && header.flags == 0))
    }

    /// Whether all bytes of a range are zeros or white space.
    pub(super) fn is_blank(&self, range: Range<u64>) -> Result<bool> {
        self.all(range, |byte| b"\0 \t\r\n".contains(&byte))
    }

    /// Whether all bytes of a range are ASCII text, such as a damaged index.
    pub(super) fn is_text(&self, range: Range<u64>) -> Result<bool> {
        self.all(range, |byte| matches!(byte, b'\0' | b'\t' | b'\n' | b'\r' | b' '..=b'~'))
    }

    fn all(&self, range: Range<u64>, is_so: impl Fn(u8) -> bool) -> Result<bool> {
        let mut at = range.start;
        while at < range.end {
            let next = range.end.min(at.saturating_add(PIECE));
            if !self.source().read(at..next)?.iter().all(|&byte| is_so(byte)) {
                return Ok(false);
            }
            at = next;
        }
        Ok(true)
    }

    /// Searches all magics, for files whose blocks do not follow each other as they should.
    pub(super) fn look_for_magics(&mut self) -> Result<()> {
        let mut at = self.start;
        while at < self.end && (self.magics.len() as u64) < self.most_blocks() {
            let next = self.end.min(at.saturating_add(PIECE));
            let bytes = self.source().read(at..next)?;
            for found in memmem::find_iter(&bytes, &MAGIC) {
                let place = at + found as u64;
                self.magics.push((place, None));
            }
            // A magic can begin in the last three bytes.
            at = if next == self.end { next } else { next - 3 };
        }
        for place in 0..self.magics.len() {
            let Some(at) = self.magics.get(place).map(|(at, _)| *at) else { break };
            let header = self.header(at)?;
            if let Some(entry) = self.magics.get_mut(place) {
                entry.1 = header;
            }
        }
        self.confirmed = vec![false; self.magics.len()];
        for place in (0..self.magics.len()).rev() {
            let end = self.magics.get(place).and_then(|(at, header)| {
                let header = header.as_ref()?;
                if self.is_stream(header) { Some(self.len()) } else { end_of_sound(header, *at) }
            });
            let is_so = match end {
                Some(end) if self.is_end(end) => true,
                Some(end) => self.place_of(end).is_some_and(|next| self.confirmed.get(next) == Some(&true)),
                None => false,
            };
            if let Some(confirmed) = self.confirmed.get_mut(place) {
                *confirmed = is_so;
            }
        }
        Ok(())
    }

    fn place_of(&self, at: u64) -> Option<usize> {
        self.magics.binary_search_by_key(&at, |(at, _)| *at).ok()
    }

    fn is_end(&self, at: u64) -> bool {
        at == self.end || at == self.len()
    }

    pub(super) fn is_listed(&self, at: u64) -> bool {
        self.index.as_ref().is_some_and(|index| index.binary_search(&at).is_ok())
    }

    /// Whether the index lists an offset without a magic, and is right about the next block.
    ///
    /// If bytes were inserted or removed before, the index is wrong about all later blocks.
    fn is_credible(&self, at: u64) -> bool {
        let Some(index) = self.index.as_ref().filter(|_| self.is_listed(at)) else { return false };
        match index.iter().find(|&&next| next > at) {
            Some(next) => self.place_of(*next).is_some(),
            None => self.magics.last().is_none_or(|(last, _)| *last < at),
        }
    }

    /// The credible offsets in a range that the index lists.
    pub(super) fn credible(&self, range: Range<u64>) -> Vec<u64> {
        self.listed(range).into_iter().filter(|&at| self.is_credible(at)).collect()
    }

    /// The offsets in a range that the index lists.
    fn listed(&self, range: Range<u64>) -> Vec<u64> {
        self.index.iter().flatten().copied().filter(|at| range.contains(at)).collect()
    }

    /// Whether a magic begins a block: the index lists it, or its header has no contradictions.
    fn is_block(&self, place: usize) -> bool {
        let Some((at, header)) = self.magics.get(place) else { return false };
        self.is_listed(*at)
            || header
                .as_ref()
                .is_some_and(|header| end_of_sound(header, *at).is_some() || self.is_stream(header))
    }

    /// The next block from an offset on; `first` if none was found so far.
    pub(super) fn next_block(&self, from: u64, first: bool) -> Option<u64> {
        let begin = self.magics.partition_point(|(at, _)| *at < from);
        let mut places = begin..self.magics.len();
        // The first magic is a block for readers, whatever its header says.
        let found = places.find(|&place| {
            first || self.is_block(place) || self.magics.get(place).is_some_and(|(at, _)| *at == from)
        });
        found.and_then(|place| self.magics.get(place)).map(|(at, _)| *at)
    }

    /// The next block inside of one with doubtful sizes.
    ///
    /// The index lists it, or all blocks from there lead to the end, each as large as its arrays need it.
    pub(super) fn next_inside(&self, from: u64, number: usize) -> Option<u64> {
        let begin = self.magics.partition_point(|(at, _)| *at < from);
        let places = begin..self.magics.len();
        let found = places.into_iter().find(|&place| {
            let listed = self.magics.get(place).is_some_and(|(at, _)| self.is_listed(*at));
            listed || (self.confirmed.get(place) == Some(&true) && self.fits(place, number))
        });
        found.and_then(|place| self.magics.get(place)).map(|(at, _)| *at)
    }

    /// Whether the blocks from a magic on, numbered from `number`, are large enough for their arrays.
    fn fits(&self, place: usize, number: usize) -> bool {
        let (mut place, mut number) = (Some(place), number);
        while let Some((at, Some(header))) = place.and_then(|place| self.magics.get(place)) {
            let need = self.needs.block(number).bytes;
            if need.is_some_and(|need| need > header.data_size) {
                return false;
            }
            place = end_of_sound(header, *at).and_then(|end| self.place_of(end));
            number += 1;
        }
        true
    }

    /// Whether a block can end at an offset: another one begins there, or none follows.
    pub(super) fn may_end(&self, at: u64) -> Result<bool> {
        if at > self.end {
            return Ok(at == self.len() && !self.has_index);
        }
        Ok(at == self.end
            || self.place_of(at).is_some()
            || self.is_credible(at)
            || self.end_of_hidden(at)?.is_some()
            || self.header(at)?.is_some_and(|header| self.is_stream(&header))
            || self.is_blank(at..self.end)?)
    }

    /// The blocks in a range that lack only their magic, in ascending order.
    ///
    /// The range ends where a block begins, or after the last block.
    pub(super) fn hidden(&self, range: Range<u64>) -> Result<Vec<u64>> {
        let mut found = Vec::new();
        let mut end = range.end;
        while let Some(at) = self.hidden_before(range.start..end)? {
            found.push(at);
            end = at;
        }
        found.reverse();
        Ok(found)
    }

    /// The offset of a header whose block ends with the range.
    fn hidden_before(&self, range: Range<u64>) -> Result<Option<u64>> {
        for at in [range.start].into_iter().chain(self.listed(range.clone())) {
            if at < range.end && self.end_of_hidden(at)? == Some(range.end) {
                return Ok(Some(at));
            }
        }
        let mut at = range.start;
        while at.saturating_add(HEADER) <= range.end {
            let end = range.end.min(at.saturating_add(PIECE));
            let bytes = self.source().read(at..end)?;
            for (window, place) in bytes.windows(Header::LEN).zip(at..) {
                // Few other bytes look like the usual header sizes.
                let size = window.get(4..6).and_then(|size| size.try_into().ok()).map(u16::from_be_bytes);
                if !size.is_some_and(|size| USUAL_SIZES.contains(&size)) {
                    continue;
                }
                let header = header_of(window).filter(|header| header.flags == 0);
                if header.and_then(|header| end_of_sound(&header, place)) == Some(range.end) {
                    return Ok(Some(place));
                }
            }
            if end == range.end {
                break;
            }
            at = end - HEADER + 1;
        }
        Ok(None)
    }

    /// Whether the checksum in a header matches the stored bytes of a block.
    pub(super) fn matches(&self, at: u64, header: &Header) -> Result<bool> {
        let Ok(start) = header.data_offset(at) else { return Ok(false) };
        let end = start.checked_add(header.used_size).filter(|&end| end <= self.len());
        let Some(end) = end.filter(|_| header.checksum != [0; 16]) else { return Ok(false) };
        Ok(digest(self.source(), start..end)? == header.checksum)
    }
}

/// The MD5 of a range.
pub(super) fn digest(source: &dyn Source, range: Range<u64>) -> Result<[u8; 16]> {
    let mut digest = Md5::new();
    add(&mut digest, source, range)?;
    Ok(digest.finish())
}

/// Adds the bytes of a range to a digest.
pub(super) fn add(digest: &mut Md5, source: &dyn Source, range: Range<u64>) -> Result<()> {
    let mut at = range.start;
    while at < range.end {
        let next = range.end.min(at.saturating_add(PIECE));
        digest.update(&source.read(at..next)?);
        at = next;
    }
    Ok(())
}

/// Parses a header, whatever its magic is.
fn header_of(bytes: &[u8]) -> Option<Header> {
    let mut bytes = bytes.get(..Header::LEN)?.to_vec();
    bytes.get_mut(..MAGIC.len())?.copy_from_slice(&MAGIC);
    if let Ok(header) = Header::parse(&bytes, 0) {
        return Some(header);
    }
    bytes.get_mut(4..6)?.copy_from_slice(&Header::MIN_SIZE.to_be_bytes());
    Header::parse(&bytes, 0).ok()
}

/// The byte at which a block ends, if its header has no contradictions.
fn end_of_sound(header: &Header, at: u64) -> Option<u64> {
    let no_matter = u64::MAX;
    header.check(at, no_matter).ok()?;
    header.end(at).ok()?
}

/// The offset of the last index of a file, and its offsets if it can be parsed. Only text follows it.
fn last_index(source: &dyn Source, start: u64) -> Result<Option<(u64, Option<Vec<u64>>)>> {
    /// The bytes that are read first. If they are all text, more are read.
    const FIRST: u64 = 16 << 10;
    const MOST: u64 = 16 << 20;
    let mut size = FIRST;
    loop {
        let from = source.len().saturating_sub(size).max(start);
        let bytes = source.read(from..source.len())?;
        let is_text =
            |bytes: &[u8]| bytes.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0));
        if let Some(at) = index::find(&bytes) {
            let text = bytes.get(at..).unwrap_or_default();
            return Ok(is_text(text).then(|| (from + at as u64, index::parse(text))));
        }
        if from == start || size >= MOST || !is_text(&bytes) {
            return Ok(None);
        }
        size *= 8;
    }
}
