//! The blocks of a damaged file, found by all of its evidence.

use super::evidence::{Evidence, HEADER};
use super::mended::Mended;
use crate::block::Header;
use crate::error::Result;
use crate::file::plan::{USUAL_ALIGNMENT, aligned_header};

/// A block that was found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The offset of its header in the file. For a missing block, the offset at which it was expected.
    pub(super) offset: u64,
    /// Its repaired header.
    pub(super) header: Header,
    /// The number of bytes of the file after the header that belong to it.
    pub(super) room: u64,
    pub(super) state: State,
    /// The changes of its header.
    pub(super) fixes: Vec<Mended>,
}

/// The parts of a block that the file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The header and all bytes.
    Whole,
    /// The header and a part of the bytes.
    Cut {
        /// Whether the missing part is the end.
        at_end: bool,
    },
    /// The bytes without a header.
    Headless,
    /// None: the block is missing.
    Gone,
}

impl Found {
    /// The offset of its data in the file.
    pub(super) fn data(&self) -> u64 {
        self.header.data_offset(self.offset).unwrap_or(u64::MAX)
    }

    /// The byte of the file at which it ends.
    pub(super) fn end(&self) -> u64 {
        if self.state == State::Gone { self.offset } else { self.data().saturating_add(self.room) }
    }

    fn gone(offset: u64) -> Self {
        let header = Header {
            header_size: Header::MIN_SIZE,
            flags: 0,
            compression: crate::block::Label::NONE,
            allocated_size: 0,
            used_size: 0,
            data_size: 0,
            checksum: [0; 16],
        };
        Self { offset, header, room: 0, state: State::Gone, fixes: Vec::new() }
    }
}

/// All blocks of a file.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) blocks: Vec<Found>,
    /// Whether readers find the same blocks.
    pub(super) is_plain: bool,
}

/// Finds the blocks as readers do. If these do not explain the whole file, finds them by all evidence.
pub(super) fn survey(evidence: &mut Evidence<'_>) -> Result<Survey> {
    let (mut plain, explains) = plain(evidence)?;
    for (number, found) in plain.iter_mut().enumerate() {
        if found.state == State::Whole && !found.header.is_streamed() {
            mend(evidence, found, number)?;
        }
    }
    if explains && plain.len() as u64 >= evidence.needs.count() {
        return Ok(Survey { blocks: plain, is_plain: true });
    }
    evidence.look_for_magics()?;
    let mut found = walk(evidence)?;
    missed(evidence, &mut found);
    // Blocks that fit the arrays worse are never used.
    if score(evidence, &found) < score(evidence, &plain) {
        return Ok(Survey { blocks: plain, is_plain: true });
    }
    Ok(Survey { blocks: found, is_plain: false })
}

/// Rates how well the blocks fit the arrays.
fn score(evidence: &Evidence<'_>, blocks: &[Found]) -> u64 {
    let count = blocks.len() as u64;
    let each = evidence.needs.arrays.iter().map(|wanted| {
        let number = wanted.block(count).and_then(|number| usize::try_from(number).ok());
        let block = number.and_then(|number| blocks.get(number));
        let is_there = |block: &&Found| {
            let is_sound = block.header.check(block.offset, u64::MAX).is_ok();
            is_sound && matches!(block.state, State::Whole | State::Cut { .. })
        };
        let Some(block) = block.filter(is_there) else { return 0 };
        match &wanted.bytes {
            Some(bytes) if bytes.end > block.header.data_size => 0,
            Some(bytes) if bytes.end == block.header.data_size => 2,
            _ => 1,
        }
    });
    each.sum()
}

/// The blocks that readers find, and whether they explain the whole file.
fn plain(evidence: &Evidence<'_>) -> Result<(Vec<Found>, bool)> {
    let mut blocks = Vec::new();
    let mut at = match first_magic(evidence)? {
        Some(at) => at,
        None => return Ok((blocks, evidence.is_blank(evidence.start..evidence.end)?)),
    };
    let mut explains = at == evidence.start || evidence.is_blank(evidence.start..at)?;
    loop {
        if at.saturating_add(HEADER) > evidence.len() || blocks.len() as u64 >= evidence.most_blocks() {
            break;
        }
        let bytes = evidence.source().read(at..at + HEADER)?;
        let Ok(header) = Header::parse(&bytes, at) else { break };
        let mut found =
            Found { offset: at, room: 0, header: header.clone(), state: State::Whole, fixes: Vec::new() };
        // The header ends after the end of the file.
        if found.data() > evidence.len() {
            return Ok((blocks, false));
        }
        let end = found.header.end(at).ok();
        match end {
            Some(None) => {
                found.room = evidence.len().saturating_sub(found.data());
                let number = blocks.len();
                blocks.push(found);
                let is_usual = !evidence.has_index && is_plain_stream(&header);
                let is_meant = evidence.needs.block(number).streamed || is_usual;
                return Ok((blocks, explains && is_meant));
            }
            Some(Some(end)) if end <= evidence.len() => {
                found.room = found.header.allocated_size;
                blocks.push(found);
                at = end;
            }
            _ => {
                found.room = evidence.len().saturating_sub(found.data());
                let is_whole = found.header.used_size <= found.room && !evidence.has_index;
                if is_whole && found.header.end(found.offset).is_ok() {
                    // Only a part of the unused space is missing.
                    found.fixes.push(Mended::Field { block: blocks.len() as u64, field: "allocated_size" });
                    blocks.push(found);
                    return Ok((blocks, explains));
                }
                blocks.push(found);
                return Ok((blocks, false));
            }
        }
    }
    explains &= at == evidence.len()
        || at == evidence.end
        || (at < evidence.end && evidence.is_blank(at..evidence.end)?);
    Ok((blocks, explains))
}

/// Whether a header is that of a streamed block, without contradictions.
fn is_plain_stream(header: &Header) -> bool {
    header.flags == Header::STREAMED && header.compression.is_none()
}

fn first_magic(evidence: &Evidence<'_>) -> Result<Option<u64>> {
    const PIECE: u64 = 64 << 10;
    let mut at = evidence.start;
    while at < evidence.len() {
        let next = evidence.len().min(at.saturating_add(PIECE));
        let bytes = evidence.source().read(at..next)?;
        if let Some(found) = memchr::memmem::find(&bytes, &crate::block::MAGIC) {
            return Ok(Some(at + found as u64));
        }
        at = if next == evidence.len() { next } else { next - 3 };
    }
    Ok(None)
}

/// Goes from block to block, across damaged parts.
fn walk(evidence: &Evidence<'_>) -> Result<Vec<Found>> {
    let mut out: Vec<Found> = Vec::new();
    let mut at = evidence.start;
    while (out.len() as u64) < evidence.most_blocks() {
        let next = evidence.next_block(at, out.is_empty());
        let anchor = next.unwrap_or(evidence.end);
        if anchor > at {
            bridge(evidence, at, anchor, next.is_none(), &mut out)?;
        }
        let Some(next) = next else { break };
        let Some(found) = block(evidence, next, out.len())? else { break };
        at = found.end();
        out.push(found);
        if at >= evidence.end {
            break;
        }
    }
    Ok(out)
}

/// Handles the bytes between two blocks, before the first, or after the last.
fn bridge(evidence: &Evidence<'_>, at: u64, anchor: u64, is_last: bool, out: &mut Vec<Found>) -> Result<()> {
    if evidence.is_blank(at..anchor)? {
        if !is_last {
            enlarge(out, anchor);
        }
        return Ok(());
    }
    let hidden = evidence.hidden(at..anchor)?;
    if let Some(&first) = hidden.first() {
        enlarge(out, first);
        for offset in hidden {
            let Some(header) = evidence.header(offset)? else { continue };
            let room = header.allocated_size;
            let fixes = vec![Mended::Magic { block: out.len() as u64, offset }];
            out.push(Found { offset, header, room, state: State::Whole, fixes });
        }
        return Ok(());
    }
    if let Some(header) = evidence.header(at)?.filter(|header| is_last && evidence.is_stream(header)) {
        let fixes = vec![Mended::Magic { block: out.len() as u64, offset: at }];
        let mut found = Found { offset: at, header, room: 0, state: State::Whole, fixes };
        found.room = evidence.len().saturating_sub(found.data());
        out.push(found);
        return Ok(());
    }
    let mut begins = evidence.credible(at..anchor.saturating_sub(HEADER));
    let need = evidence.needs.block(out.len()).bytes;
    if begins.is_empty() && size_of_header(at, anchor, need).is_some() {
        begins.push(at);
    }
    match begins.first() {
        Some(&first) => {
            enlarge(out, first);
            let ends = begins.iter().skip(1).copied().chain([anchor]).collect::<Vec<u64>>();
            for (offset, end) in begins.into_iter().zip(ends) {
                let found = headless(evidence, offset, end, out.len());
                out.push(found);
            }
        }
        None if is_last && evidence.is_text(at..anchor)? => {}
        None => enlarge(out, anchor),
    }
    Ok(())
}

/// Extends the last block up to a byte, because each block begins where the one before it ends.
fn enlarge(out: &mut [Found], to: u64) {
    let number = out.len().saturating_sub(1) as u64;
    let Some(last) = out.last_mut().filter(|last| last.end() < to && last.state != State::Gone) else {
        return;
    };
    let more = to - last.end();
    last.room += more;
    last.header.allocated_size = last.header.allocated_size.max(last.room);
    last.fixes.push(Mended::Space { block: number, bytes: more });
}

/// The sizes of most headers at an offset: without padding, and with the padding that aligns the data.
fn usual_sizes(offset: u64) -> [u16; 2] {
    [Header::MIN_SIZE, aligned_header(offset, USUAL_ALIGNMENT)]
}

/// The usual header size with which a block between two offsets has exactly the bytes that arrays need.
fn size_of_header(offset: u64, end: u64, need: Option<u64>) -> Option<u16> {
    let whole = end.checked_sub(offset)?.checked_sub(Header::PREFIX as u64)?;
    usual_sizes(offset)
        .into_iter()
        .find(|&size| whole.checked_sub(size.into()) == Some(need.unwrap_or(u64::MAX)))
}

/// A block without a header. The header is rebuilt if the size of the data is known.
fn headless(evidence: &Evidence<'_>, offset: u64, end: u64, number: usize) -> Found {
    let mut found = Found { state: State::Headless, ..Found::gone(offset) };
    let size = size_of_header(offset, end, evidence.needs.block(number).bytes);
    found.header.header_size = size.unwrap_or(Header::MIN_SIZE);
    let room = end.saturating_sub(found.data());
    found.room = room;
    found.header.allocated_size = room;
    if size.is_some() {
        found.header.used_size = room;
        found.header.data_size = room;
        found.state = State::Whole;
        found.fixes.push(Mended::Header { block: number as u64, offset });
    }
    found
}

/// The block that begins with a magic.
fn block(evidence: &Evidence<'_>, offset: u64, number: usize) -> Result<Option<Found>> {
    let Some(read) = evidence.header(offset)? else { return Ok(None) };
    let need = evidence.needs.block(number);
    let changed = |field: &'static str| Mended::Field { block: number as u64, field };
    let mut found = Found { offset, header: read.clone(), room: 0, state: State::Whole, fixes: Vec::new() };
    let written = evidence.source().read(offset + 4..offset + 6)?;
    if written.as_ref() != read.header_size.to_be_bytes() {
        found.fixes.push(changed("header_size"));
    }
    if read.is_streamed() && (need.streamed || !evidence.has_index && read.used_size == 0) {
        found.room = evidence.len().saturating_sub(found.data());
        return Ok(Some(found));
    }
    // The same header without fields that may be wrong.
    let bounded = Header { flags: read.flags & !Header::STREAMED, ..read.clone() };
    let [plain, aligned] = usual_sizes(offset).map(|header_size| Header { header_size, ..bounded.clone() });
    for (header, field) in [(&bounded, "flags"), (&aligned, "header_size"), (&plain, "header_size")] {
        let Ok(Some(end)) = header.end(offset) else { continue };
        if !evidence.may_end(end)? {
            continue;
        }
        if header.header_size != bounded.header_size && evidence.matches(offset, &bounded)? {
            break;
        }
        if *header != read && found.fixes.is_empty() {
            found.fixes.push(changed(field));
        }
        found.header = header.clone();
        found.room = header.allocated_size;
        mend(evidence, &mut found, number)?;
        return Ok(Some(found));
    }
    if is_plain_stream(&read) {
        // The block has no other end than that of the file.
        found.room = evidence.len().saturating_sub(found.data());
        return Ok(Some(found));
    }
    let read = bounded.clone();
    // The sizes are wrong, or bytes were inserted or removed.
    let is_right = evidence.matches(offset, &bounded)?;
    let from =
        if is_right { found.data().saturating_add(read.used_size) } else { offset.saturating_add(HEADER) };
    let claimed = read.end(offset).ok().flatten().unwrap_or(u64::MAX);
    let next = evidence.next_inside(from, number + 1).or_else(|| {
        let next = evidence.next_block(claimed.max(from), false);
        next.filter(|_| claimed < evidence.end)
    });
    let listed =
        evidence.credible(from..evidence.end).first().copied().filter(|_| evidence.is_listed(offset));
    let end = match (next, listed) {
        (Some(next), Some(listed)) => next.min(listed),
        (next, listed) => next.or(listed).unwrap_or(evidence.end),
    };
    let data = found.data();
    if data > end {
        return Ok(Some(headless(evidence, offset, end, number)));
    }
    found.room = end - data;
    if claimed <= end {
        // The bytes after the block are handled with those between blocks.
        found.room = read.allocated_size;
        mend(evidence, &mut found, number)?;
        return Ok(Some(found));
    }
    let fits = need.bytes == Some(found.room) && read.compression.is_none();
    if read.used_size <= found.room || fits {
        found.header.allocated_size = found.room;
        found.fixes.push(changed("allocated_size"));
        mend(evidence, &mut found, number)?;
    } else if evidence.is_odd(&read) {
        return Ok(Some(headless(evidence, offset, end, number)));
    } else {
        found.state = State::Cut { at_end: end == evidence.len() };
    }
    Ok(Some(found))
}

/// Repairs contradictory fields of a header, when the offset and the space of the block are known.
fn mend(evidence: &Evidence<'_>, found: &mut Found, number: usize) -> Result<()> {
    let need = evidence.needs.block(number).bytes;
    sizes(evidence, found, need, number)?;
    if evidence.is_odd(&found.header) && found.header.used_size == found.header.data_size {
        // Compressed data would have another size.
        found.header.compression = crate::block::Label::NONE;
        found.fixes.push(Mended::Field { block: number as u64, field: "compression" });
    }
    Ok(())
}

/// Repairs `used_size` and `data_size`.
fn sizes(evidence: &Evidence<'_>, found: &mut Found, need: Option<u64>, number: usize) -> Result<()> {
    let changed = |field: &'static str| Mended::Field { block: number as u64, field };
    let read = found.header.clone();
    let (used, data) = (read.used_size, read.data_size);
    let plain = found.header.compression.is_none();
    if used <= found.room && !(plain && used != data) {
        return Ok(());
    }
    let choices: Vec<u64> = match plain {
        true => [Some(data), Some(used), need, Some(found.room)].into_iter().flatten().collect(),
        false => vec![found.room],
    };
    let mut best: Option<(u32, Header)> = None;
    for size in choices.into_iter().filter(|&size| size <= found.room) {
        let data_size = if plain { size } else { data };
        let header = Header { used_size: size, data_size, ..found.header.clone() };
        let is_right = evidence.matches(found.offset, &header)?;
        let votes = [used, data, read.allocated_size].iter().filter(|&&other| other == size).count();
        let worth = u32::from(is_right) * 100
            + u32::from(need == Some(size)) * 10
            + u32::try_from(votes).unwrap_or(0);
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, header));
        }
    }
    if let Some((_, header)) = best.filter(|(worth, _)| *worth > 1 || !plain) {
        if header.used_size != used {
            found.fixes.push(changed("used_size"));
        }
        if header.data_size != data {
            found.fixes.push(changed("data_size"));
        }
        found.header = header;
    }
    Ok(())
}

/// Inserts missing blocks where they were, so that the blocks after them keep their numbers.
fn missed(evidence: &Evidence<'_>, blocks: &mut Vec<Found>) {
    let count = evidence.needs.count();
    let Some(missing) = usize::try_from(count).ok().and_then(|count| count.checked_sub(blocks.len())) else {
        return;
    };
    if missing == 0 || count > evidence.most_blocks() {
        return;
    }
    let by_index = by_index(evidence, blocks);
    let Some((place, missing)) = by_index.or_else(|| by_need(evidence, blocks, missing)) else { return };
    let Some(offset) = blocks.get(place).map(|next| next.offset) else { return };
    let gone = std::iter::repeat_with(|| Found::gone(offset)).take(missing);
    blocks.splice(place..place, gone);
}

/// Where blocks are missing, by an index that was right before bytes were removed.
///
/// All blocks before the gap are where the index lists them; all blocks after it are ahead by the same distance. If that
/// leaves a choice, the sizes decide.
fn by_index(evidence: &Evidence<'_>, blocks: &[Found]) -> Option<(usize, usize)> {
    let index = evidence.index.as_deref()?;
    let missing = index.len().checked_sub(blocks.len()).filter(|&missing| missing > 0)?;
    let shift = |number: usize| index.get(number + missing)?.checked_sub(blocks.get(number)?.offset);
    let last = blocks.len().checked_sub(1)?;
    let taken = shift(last)?;
    let first = (0..=last).rev().take_while(|&number| shift(number) == Some(taken)).last()?;
    let end = blocks.iter().zip(index).take_while(|(block, at)| block.offset == **at).count();
    // Rates how well a block fits a number.
    let worth = |place: usize, number: usize| -> u64 {
        let Some(block) = blocks.get(place) else { return 0 };
        let length = index.get(number + 1).zip(index.get(number)).map(|(end, at)| end - at);
        let is_long = length == Some(block.end() - block.offset);
        let need = evidence.needs.block(number).bytes;
        u64::from(is_long) * 2 + u64::from(need == Some(block.header.data_size))
    };
    let mut sum: u64 = (first..=last).map(|place| worth(place, place + missing)).sum();
    let mut best = (sum, first);
    for place in first..end {
        sum = sum + worth(place, place) - worth(place, place + missing);
        if sum >= best.0 {
            best = (sum, place + 1);
        }
    }
    (first <= end && best.1 <= last).then_some((best.1, missing))
}

/// Where blocks are missing, if the sizes of the others are then exactly those that the arrays need.
fn by_need(evidence: &Evidence<'_>, blocks: &[Found], missing: usize) -> Option<(usize, usize)> {
    let is_exact = |number: usize, shift: usize| {
        let size = blocks.get(number).map(|block| block.header.data_size);
        let need = evidence.needs.block(number + shift).bytes;
        need.is_none() || need == size
    };
    let before = (0..blocks.len()).take_while(|&number| is_exact(number, 0)).count();
    let after = (0..blocks.len()).rev().take_while(|&number| is_exact(number, missing)).count();
    (before < blocks.len() && before + after >= blocks.len()).then_some((before, missing))
}
