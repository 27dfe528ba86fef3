//! The plan of an update: where new parts of the file go. Unchanged parts do not move.

use std::collections::{BTreeMap, BTreeSet};
use std::io::SeekFrom;
use std::ops::Range;

use super::WriteOptions;
use super::atomic::Output;
use super::block::FileBlock;
use super::prepared::{Prepared, Slot, zeros};
use crate::block::{self, index};
use crate::error::{Error, Result};

/// The free space before the first block that is wiped at most. For more, the file is written again.
const MOST_WIPED: u64 = 64 << 20;

/// The offset of the allocated size in a block header.
const ALLOCATED: u64 = 14;

/// A change of the file: what is written, and where.
#[derive(Debug)]
pub(super) enum Change {
    Bytes(u64, Vec<u8>),
    Zeros(Range<u64>),
    Block(Slot, Prepared),
}

impl Change {
    pub(super) fn range(&self) -> Range<u64> {
        match self {
            Self::Bytes(at, bytes) => *at..at.saturating_add(bytes.len() as u64),
            Self::Zeros(range) => range.clone(),
            Self::Block(slot, _) => slot.offset..slot.end(),
        }
    }

    /// Whether all bytes of the change are in memory.
    pub(super) fn is_here(&self) -> bool {
        !matches!(self, Self::Block(_, block) if !block.is_here())
    }

    pub(super) fn write(&self, out: &mut dyn Output) -> Result<()> {
        let io = |error| Error::io("writing", error);
        out.seek(SeekFrom::Start(self.range().start)).map_err(io)?;
        match self {
            Self::Bytes(_, bytes) => out.write_all(bytes).map_err(io),
            Self::Zeros(range) => zeros(range.end.saturating_sub(range.start), out),
            Self::Block(slot, block) => match block.write(*slot, out)? {
                Some(checksum) => checksum.finish(out),
                None => Ok(()),
            },
        }
    }
}

/// The blocks of an updated file, and the changes to write.
#[derive(Debug)]
pub(super) struct UpdatePlan {
    pub(super) changes: Vec<Change>,
    /// The new number of each block that is kept, by its old number.
    pub(super) numbers: BTreeMap<u64, u64>,
    /// The offset of the first block; `None` without blocks.
    first: Option<u64>,
    /// The byte after the last block; `None` if nothing moved, so that the bytes after it stay.
    tail: Option<u64>,
    offsets: Vec<u64>,
}

/// Free space, and the new blocks in it.
struct Free {
    /// The number of old blocks before it.
    place: usize,
    range: Range<u64>,
    last: bool,
    taken: Vec<(u64, Slot, Prepared)>,
}

impl UpdatePlan {
    /// Finds places for new blocks: those of blocks that are not used any more, or the end.
    ///
    /// `None` if the whole file has to be written again.
    pub(super) fn find(
        old: &[std::sync::Arc<FileBlock>],
        len: u64,
        kept: &BTreeSet<u64>,
        new: Vec<(u64, Prepared)>,
        options: &WriteOptions,
    ) -> Result<Option<Self>> {
        let dead = old.iter().filter(|block| !kept.contains(&block.number())).count();
        if dead == 0 && new.is_empty() {
            let numbers = old.iter().map(|block| (block.number(), block.number())).collect();
            let first = old.first().map(|block| block.offset());
            return Ok(Some(Self { changes: Vec::new(), numbers, first, tail: None, offsets: Vec::new() }));
        }
        let mut ends = Vec::with_capacity(old.len());
        for block in old {
            match block.header().end(block.offset()) {
                Ok(Some(end)) if end <= len => ends.push(end),
                // No block can follow a streamed block, which ends with the file, or a damaged one.
                _ => return Ok(None),
            }
        }
        let mut frees = free_spaces(old, &ends, kept);
        let mut changes = Vec::new();
        let mut appended = Vec::new();
        let mut end = ends.last().copied().unwrap_or(0);
        for (number, prepared) in new {
            let mut room = find(&mut frees, options, prepared.used());
            if room.is_none() && options.alignment.is_none() {
                room = find(&mut frees, &options.clone().alignment(1), prepared.used());
            }
            match room {
                Some((free, slot)) => {
                    free.range.start = slot.end();
                    free.taken.push((number, slot, prepared));
                }
                None => appended.push((number, prepared)),
            }
        }
        for free in &mut frees {
            let left = free.range.end - free.range.start;
            let before = free.place.checked_sub(1).and_then(|before| old.get(before));
            if free.last {
                end = free.range.start;
            } else if left == 0 {
            } else if let Some((_, slot, _)) = free.taken.last_mut() {
                slot.allocated += left;
            } else if let Some(before) = before {
                let data = before.header().data_offset(before.offset())?;
                let allocated = free.range.end - data;
                changes.push(Change::Bytes(before.offset() + ALLOCATED, allocated.to_be_bytes().to_vec()));
            } else if left > MOST_WIPED {
                return Ok(None);
            } else {
                // Readers would find a block if the free space before the first block looked like one.
                changes.push(Change::Zeros(free.range.clone()));
            }
        }
        let mut space =
            Self { changes, numbers: BTreeMap::new(), first: None, tail: None, offsets: Vec::new() };
        let mut frees = frees.into_iter().peekable();
        for (place, block) in old.iter().enumerate() {
            while let Some(free) = frees.next_if(|free| free.place <= place) {
                space.put(free.taken);
            }
            if kept.contains(&block.number()) {
                space.count(block.number(), block.offset());
            }
        }
        space.put(frees.flat_map(|free| free.taken).collect());
        for (number, prepared) in appended {
            if space.offsets.is_empty() {
                // Without another block only the end of the tree limits where the first one can be.
                return Ok(None);
            }
            let slot = options.slot(end, prepared.used())?;
            end = slot.end();
            space.put(vec![(number, slot, prepared)]);
        }
        space.tail = Some(end);
        Ok(Some(space))
    }

    fn put(&mut self, blocks: Vec<(u64, Slot, Prepared)>) {
        for (number, slot, prepared) in blocks {
            self.count(number, slot.offset);
            self.changes.push(Change::Block(slot, prepared));
        }
    }

    fn count(&mut self, number: u64, offset: u64) {
        self.numbers.insert(number, self.offsets.len() as u64);
        self.first = self.first.or(Some(offset));
        self.offsets.push(offset);
    }

    /// Adds the text of header and tree before the first block, and the block index after the last one.
    ///
    /// The old text ends at `old_text`; the file has `len` bytes. Returns all changes in ascending order and the new length,
    /// or `None` if the text does not fit.
    pub(super) fn finish(
        mut self,
        text: String,
        old_text: u64,
        len: u64,
        with_index: bool,
    ) -> Option<(Vec<Change>, u64)> {
        let text_end = text.len() as u64;
        let new_len = match (self.first, self.tail) {
            (Some(first), _) if text_end > first => return None,
            (None, _) => text_end,
            (Some(_), None) => len,
            (Some(_), Some(tail)) => {
                let index = if with_index { index::emit(&self.offsets) } else { String::new() };
                let end = tail + index.len() as u64;
                self.changes.push(Change::Bytes(tail, index.into_bytes()));
                end
            }
        };
        for change in &mut self.changes {
            if let Change::Zeros(range) = change {
                // Free space before the first block, which the text may use.
                range.start = range.start.max(text_end).min(range.end);
            }
        }
        self.changes.push(Change::Bytes(0, text.into_bytes()));
        if old_text > text_end && self.first.is_some() {
            self.changes.push(Change::Zeros(text_end..old_text));
        }
        // Free space before the first block may have been at the end of the file.
        self.changes.retain(|change| !change.range().is_empty() && change.range().start < new_len);
        self.changes.sort_by_key(|change| change.range().start);
        let apart = self.changes.windows(2).all(|pair| match pair {
            [a, b] => a.range().end <= b.range().start,
            _ => true,
        });
        apart.then_some((self.changes, new_len))
    }
}

/// The runs of blocks that are not used any more.
fn free_spaces(old: &[std::sync::Arc<FileBlock>], ends: &[u64], kept: &BTreeSet<u64>) -> Vec<Free> {
    let mut frees: Vec<Free> = Vec::new();
    let mut run = false;
    for (place, (block, &end)) in old.iter().zip(ends).enumerate() {
        let dead = !kept.contains(&block.number());
        match frees.last_mut().filter(|_| run && dead) {
            Some(free) => free.range.end = end,
            None if dead => {
                frees.push(Free { place, range: block.offset()..end, last: false, taken: Vec::new() });
            }
            None => {}
        }
        run = dead;
    }
    if let Some(free) = frees.last_mut().filter(|_| run) {
        free.last = true;
    }
    frees
}

/// The first free space that a block fits into.
fn find<'f>(frees: &'f mut [Free], options: &WriteOptions, used: u64) -> Option<(&'f mut Free, Slot)> {
    frees.iter_mut().find_map(|free| {
        let slot = fitting(options, &free.range, used)?;
        Some((free, slot))
    })
}

/// A place for a block in free space, with the requested padding if that fits too.
fn fitting(options: &WriteOptions, range: &Range<u64>, used: u64) -> Option<Slot> {
    let slot = options.slot(range.start, used).ok()?;
    let tight = Slot { allocated: used, ..slot };
    debug_assert!(slot.header_size >= block::Header::MIN_SIZE);
    [slot, tight].into_iter().find(|slot| slot.end() <= range.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Padding;

    #[test]
    fn padding_is_left_out_where_only_the_block_fits() {
        let options = WriteOptions::new().padding(Padding::Bytes(100));
        let end = options.slot(0, 50).unwrap().end();
        let allocated = |end| fitting(&options, &(0..end), 50).map(|slot| slot.allocated);
        assert_eq!(allocated(end), Some(150));
        assert_eq!((allocated(end - 1), allocated(end - 100)), (Some(50), Some(50)));
        assert_eq!(allocated(end - 101), None);
    }
}
