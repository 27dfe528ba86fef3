//! Decoding one block of a bzip2 stream, up to its runs.

use super::bits::Reader;
use super::transform::undo;
use super::{BLOCK, HEAD};

/// The content of a block before its runs are expanded ([`super::runs`]).
pub(super) struct Block {
    /// The checksum of the data with expanded runs.
    pub(super) sum: u32,
    /// The bit after the block.
    pub(super) end: u64,
    pub(super) bytes: Vec<u8>,
}

/// Bits that are looked up at once.
const DIRECT: u32 = 10;
/// The length of the longest code.
const LONGEST: u32 = 20;
/// Symbols in a group, which share one table.
const GROUP: usize = 50;

/// Decodes the block that begins at a bit into a buffer: at least one byte, and at most `room` bytes. `None`
/// for blocks that libbzip2 does not write, whether damaged or not: then decode with libbzip2 itself.
pub(super) fn decode(stored: &[u8], start: u64, room: usize, buffer: Vec<u8>) -> Option<Block> {
    debug_assert!(start >= HEAD);
    let mut reader = Reader::new(stored, start);
    reader.refill();
    if reader.peek(48) != BLOCK {
        return None;
    }
    reader.skip(48);
    let sum = reader.take(32);
    let randomised = reader.take(1);
    let origin = usize::try_from(reader.take(24)).ok()?;
    if randomised != 0 {
        return None;
    }
    let used = used(&mut reader);
    let symbols = used.len() + 2;
    let count = usize::try_from(reader.take(3)).ok()?;
    if used.is_empty() || !(2..=6).contains(&count) {
        return None;
    }
    let selectors = selectors(&mut reader, count)?;
    let codes = (0..count).map(|_| Code::read(&mut reader, symbols)).collect::<Option<Vec<_>>>()?;
    let mut bytes = buffer;
    bytes.clear();
    let mut recent = Recent::new(&used);
    let last = u32::try_from(symbols - 1).ok()?;
    // The length of a run is written in digits of 1 and 2, the lowest first.
    let (mut run, mut digit) = (0_usize, 1_usize);
    for selector in selectors {
        let code = codes.get(usize::from(selector))?;
        for _ in 0..GROUP {
            reader.refill();
            let symbol = code.next(&mut reader)?;
            if symbol < 2 {
                run += digit << symbol;
                digit <<= 1;
                if run > room {
                    return None;
                }
                continue;
            }
            if run > 0 {
                if bytes.len() + run > room {
                    return None;
                }
                bytes.resize(bytes.len() + run, recent.first());
                (run, digit) = (0, 1);
            }
            if symbol == last {
                let end = reader.bit();
                if end > stored.len() as u64 * 8 {
                    return None;
                }
                let bytes = undo(bytes, origin)?;
                return Some(Block { sum, end, bytes });
            }
            if bytes.len() >= room {
                return None;
            }
            bytes.push(recent.take(symbol - 1));
        }
    }
    None
}

/// Returns the bytes that occur, in order.
fn used(reader: &mut Reader<'_>) -> Vec<u8> {
    let ranges = reader.take(16);
    let mut used = Vec::with_capacity(256);
    for range in (0..16_u8).filter(|range| ranges >> (15 - range) & 1 == 1) {
        let bytes = reader.take(16);
        used.extend((0..16_u8).filter(|byte| bytes >> (15 - byte) & 1 == 1).map(|byte| range * 16 + byte));
    }
    used
}

/// Returns the code of each group.
fn selectors(reader: &mut Reader<'_>, codes: usize) -> Option<Vec<u8>> {
    let count = reader.take(15);
    // Other programs wrote more selectors than a block can need.
    if !(1..=18_002).contains(&count) {
        return None;
    }
    let mut recent = [0, 1, 2, 3, 4, 5];
    (0..count)
        .map(|_| {
            let mut place = 0;
            while reader.take(1) == 1 {
                place += 1;
                if place >= codes {
                    return None;
                }
            }
            recent.get_mut(..=place)?.rotate_right(1);
            recent.first().copied()
        })
        .collect()
}

/// A code for symbols. Short codes are looked up; long ones are found by counting.
struct Code {
    /// For the next bits: the symbol, and the length of its code in the lowest five bits; 0 if it is longer.
    direct: Vec<u16>,
    /// For each length: its first code, the number of codes, and the index of their first symbol.
    lengths: Vec<(u32, u32, u32)>,
    symbols: Vec<u16>,
}

impl Code {
    fn read(reader: &mut Reader<'_>, symbols: usize) -> Option<Self> {
        let mut length = reader.take(5);
        let mut lengths = Vec::with_capacity(symbols);
        for _ in 0..symbols {
            loop {
                if !(1..=LONGEST).contains(&length) {
                    return None;
                }
                reader.refill();
                match reader.peek(2) {
                    0 | 1 => break reader.skip(1),
                    2 => length += 1,
                    _ => length -= 1,
                }
                reader.skip(2);
            }
            lengths.push(length);
        }
        Self::new(&lengths)
    }

    fn new(lengths: &[u32]) -> Option<Self> {
        let mut code = Self { direct: vec![0; 1 << DIRECT], lengths: vec![(0, 0, 0)], symbols: Vec::new() };
        let mut next = 0_u32;
        for length in 1..=LONGEST {
            let begin = code.symbols.len();
            let of_length = lengths.iter().zip(0_u16..).filter(|(found, _)| **found == length);
            code.symbols.extend(of_length.map(|(_, symbol)| symbol));
            let found = code.symbols.get(begin..)?;
            let count = u32::try_from(found.len()).ok()?;
            // More codes than this length has.
            if next + count > 1 << length {
                return None;
            }
            if length <= DIRECT {
                let each = 1_usize << (DIRECT - length);
                let places = code.direct.get_mut((next as usize * each)..)?;
                for (places, symbol) in places.chunks_mut(each).zip(found) {
                    places.fill(symbol << 5 | u16::try_from(length).ok()?);
                }
            }
            code.lengths.push((next, count, u32::try_from(begin).ok()?));
            next = (next + count) << 1;
        }
        Some(code)
    }

    /// Returns the next symbol.
    #[inline(always)]
    fn next(&self, reader: &mut Reader<'_>) -> Option<u32> {
        let place = usize::try_from(reader.peek(DIRECT)).ok()?;
        match self.direct.get(place) {
            Some(&found) if found != 0 => {
                reader.skip(u32::from(found & 31));
                Some(u32::from(found >> 5))
            }
            _ => self.long(reader),
        }
    }

    #[cold]
    fn long(&self, reader: &mut Reader<'_>) -> Option<u32> {
        let found = (DIRECT + 1..=LONGEST).find_map(|length| {
            let &(first, count, begin) = self.lengths.get(length as usize)?;
            let place = u32::try_from(reader.peek(length)).ok()?.checked_sub(first)?;
            (place < count).then_some((length, begin + place))
        });
        let (length, place) = found?;
        reader.skip(length);
        self.symbols.get(place as usize).copied().map(u32::from)
    }
}

/// The bytes, the most recent first.
struct Recent([u8; 256]);

impl Recent {
    fn new(used: &[u8]) -> Self {
        let mut bytes = [0; 256];
        bytes.iter_mut().zip(used).for_each(|(to, from)| *to = *from);
        Self(bytes)
    }

    #[inline(always)]
    fn first(&self) -> u8 {
        let [first, ..] = self.0;
        first
    }

    /// Returns the byte at a position, and moves it to the front.
    #[inline(always)]
    fn take(&mut self, place: u32) -> u8 {
        // A code has no symbols beyond the 256.
        let place = (place & 255) as usize;
        let byte = self.0.get(place).copied().unwrap_or(0);
        if place < 16 {
            // A few bytes are moved one by one, which is faster than a call.
            let mut before = byte;
            for slot in self.0.iter_mut().take(place + 1) {
                std::mem::swap(slot, &mut before);
            }
        } else {
            self.0.copy_within(0..place, 1);
            let [first, ..] = &mut self.0;
            *first = byte;
        }
        byte
    }
}

/// The bits of a stream at which a block seems to begin, by its mark. A mark can also be in the middle of a
/// block by chance.
pub(super) struct Marks<'s> {
    stored: &'s [u8],
    /// The next byte to examine.
    next: usize,
    /// The bytes before the next byte.
    window: u64,
    /// Marks that were found but not returned yet. The lowest bit is for a mark that ends at the last bit
    /// before `next`.
    found: u8,
}

impl<'s> Marks<'s> {
    pub(super) fn new(stored: &'s [u8]) -> Self {
        Self { stored, next: 0, window: 0, found: 0 }
    }
}

impl Iterator for Marks<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        loop {
            if self.found != 0 {
                // The earliest is the highest bit.
                let shift = 7 - self.found.leading_zeros();
                self.found &= !(1 << shift);
                let after = self.next as u64 * 8;
                // The digit of level 1 is the first byte of a mark.
                if let Some(begin) = after.checked_sub(48 + u64::from(shift)).filter(|&begin| begin >= HEAD) {
                    return Some(begin);
                }
                continue;
            }
            let byte = *self.stored.get(self.next)?;
            self.next += 1;
            self.window = self.window << 8 | u64::from(byte);
            // Most bytes are skipped with one lookup.
            if LIKELY.get((self.window >> 16 & 0xff) as usize).copied().unwrap_or(true) {
                for shift in 0..8 {
                    if self.window >> shift & ((1 << 48) - 1) == BLOCK {
                        self.found |= 1 << shift;
                    }
                }
            }
        }
    }
}

/// The bytes that can be, for a mark at any shift, two whole bytes before the byte in which it ends.
#[allow(clippy::indexing_slicing, reason = "computed while compiling: the index is a byte")]
const LIKELY: [bool; 256] = {
    let mut likely = [false; 256];
    let mut shift = 0;
    while shift < 8 {
        // In the window, `window >> shift` is the mark.
        likely[(((BLOCK << shift) >> 16) & 0xff) as usize] = true;
        shift += 1;
    }
    likely
};
