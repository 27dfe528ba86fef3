//! Parts of a frame that decode without the parts before them.
//!
//! A decoder carries three things from block to block of a frame: the data, which matches copy from; tables; and the last
//! three offsets. A part that was compressed as a frame of its own refers neither to earlier data nor to earlier tables. But
//! its first sequences can repeat the offsets 1, 4 and 8, which are the last ones only at the start of a frame.

use super::blocks::{Block, HEAD, Kind, LARGEST, head};
use super::sequences::{Described, Mode, Repeats, Section, Tables};

/// Returns whether no sequence in the blocks of a part repeats an offset from before the part.
///
/// If it does not, the part decodes to the same data with and without the blocks before it, or with an error.
pub(super) fn is_independent(part: &[u8]) -> bool {
    repeats_known(part).is_some()
}

fn repeats_known(part: &[u8]) -> Option<()> {
    let (mut repeats, mut tables, mut rest) = (Repeats::UNKNOWN, Tables::default(), part);
    while !rest.is_empty() && !repeats.are_known() {
        let block = Block::first(rest)?;
        rest = block.rest;
        if block.kind != Kind::Compressed {
            continue;
        }
        if let Some(section) = Section::parse(block.content, &mut tables)? {
            section.each(|sequence| repeats.decode(&sequence).map(|_| !repeats.are_known()))?;
        }
    }
    Some(())
}

/// Returns the blocks of a frame with data of `size` bytes, changed so that they are [independent](is_independent). `None`
/// if they get larger than a frame can hold.
///
/// Sequences that repeat an offset from before the frame get the offset itself. This changes the last offsets, so that other
/// sequences have to be changed too, until both agree.
pub(super) fn independent(blocks: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(blocks.len());
    let (mut old, mut new) = (Repeats::FIRST, Repeats::UNKNOWN);
    let mut tables = Tables::default();
    // Whether the blocks written last have another table of offsets.
    let mut is_replaced = false;
    let mut rest = blocks;
    while !rest.is_empty() && (old != new || is_replaced) {
        let block = Block::first(rest)?;
        rest = block.rest;
        let section = match block.kind {
            Kind::Compressed => Section::parse(block.content, &mut tables)?,
            Kind::Raw | Kind::Repeated => None,
        };
        let Some(section) = section else {
            out.extend_from_slice(block.whole);
            continue;
        };
        let (mut sequences, mut is_changed) = (Vec::new(), false);
        section.each(|sequence| {
            let offset = old.decode(&sequence)?;
            let encoded = new.encode(sequence, offset)?;
            is_changed |= encoded.offset != sequence.offset;
            sequences.push(encoded);
            Some(true)
        })?;
        let is_repeated = section.offsets_mode() == Mode::Repeated;
        // It would repeat the other table.
        let is_misled = is_repeated && is_replaced;
        if !is_changed && !is_misled {
            out.extend_from_slice(block.whole);
            is_replaced = false;
            continue;
        }
        let own = tables.offsets.as_ref()?;
        let has = |described: &Described| {
            sequences.iter().all(|sequence| described.table.has(sequence.offset_code()))
        };
        let offsets = if !has(own) {
            is_replaced = true;
            Described::of_offsets(&sequences)?
        } else if is_repeated && !is_replaced {
            Described { mode: Mode::Repeated, ..own.clone() }
        } else {
            is_replaced = false;
            own.clone()
        };
        append(&mut out, &section.with_offsets(&sequences, &offsets)?, size.min(LARGEST))?;
    }
    out.extend_from_slice(rest);
    Some(out)
}

/// Appends a compressed block, unless it has more than `most` bytes.
fn append(out: &mut Vec<u8>, content: &[u8], most: usize) -> Option<()> {
    if content.len() > most {
        return None;
    }
    out.extend(head(Kind::Compressed, content.len())?);
    out.extend_from_slice(content);
    Some(())
}

/// Returns data as blocks that are not compressed.
pub(super) fn raw(data: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(raw_size(data.len()));
    for part in data.chunks(LARGEST) {
        out.extend(head(Kind::Raw, part.len())?);
        out.extend_from_slice(part);
    }
    Some(out)
}

/// Returns the bytes of data as blocks that are not compressed.
pub(super) fn raw_size(size: usize) -> usize {
    size.saturating_add(size.div_ceil(LARGEST).saturating_mul(HEAD))
}
