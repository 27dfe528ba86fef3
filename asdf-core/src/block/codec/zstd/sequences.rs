//! The sequences of a compressed block (RFC 8878, section 3.1.1.3.2).

use std::sync::{Arc, LazyLock};

use super::fse::{Backward, Decoder, Encoder, Table, Writer};

/// How a block describes one of its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The table of the standard.
    Predefined,
    /// One symbol.
    One,
    /// The number of states of each symbol.
    Counts,
    /// The table of the block before.
    Repeated,
}

impl Mode {
    fn of(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::Predefined,
            1 => Self::One,
            2 => Self::Counts,
            _ => Self::Repeated,
        }
    }

    fn bits(self) -> u8 {
        match self {
            Self::Predefined => 0,
            Self::One => 1,
            Self::Counts => 2,
            Self::Repeated => 3,
        }
    }
}

/// A kind of symbols: its table in the standard, and the limits of other tables.
struct Kind {
    counts: &'static [i16],
    log: u32,
    most_log: u32,
    last: u8,
}

const LITERALS: Kind = Kind {
    counts: &[
        4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1,
        -1, -1, -1,
    ],
    log: 6,
    most_log: 9,
    last: 35,
};

const OFFSETS: Kind = Kind {
    counts: &[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
    log: 5,
    most_log: 8,
    last: 31,
};

const LENGTHS: Kind = Kind {
    counts: &[
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
    log: 6,
    most_log: 9,
    last: 52,
};

/// The bits after the symbol of a number of literals, from symbol 16 on.
const LITERALS_BITS: [u32; 20] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/// The bits after the symbol of the length of a match, from symbol 32 on.
const LENGTHS_BITS: [u32; 21] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

fn extra(bits: &[u32], first: u8, symbol: u8) -> Option<u32> {
    symbol.checked_sub(first).map_or(Some(0), |index| bits.get(usize::from(index)).copied())
}

/// A table, and the bytes that describe it.
#[derive(Debug, Clone)]
pub(super) struct Described {
    pub(super) mode: Mode,
    pub(super) bytes: Vec<u8>,
    pub(super) table: Arc<Table>,
}

impl Described {
    /// Makes a table for the offsets of some sequences.
    pub(super) fn of_offsets(sequences: &[Sequence]) -> Option<Self> {
        let mut occurrences = [0; OFFSETS.last as usize + 1];
        for sequence in sequences {
            *occurrences.get_mut(usize::from(sequence.offset_code()))? += 1;
        }
        let first = sequences.first()?.offset_code();
        let (mode, (table, bytes)) = if sequences.iter().all(|sequence| sequence.offset_code() == first) {
            (Mode::One, (Table::of_one(first), vec![first]))
        } else {
            (Mode::Counts, Table::fitting(&occurrences, OFFSETS.most_log)?)
        };
        Some(Self { mode, bytes, table: Arc::new(table) })
    }
}

fn predefined(kind: &Kind) -> Option<Described> {
    static TABLES: LazyLock<[Option<Arc<Table>>; 3]> = LazyLock::new(|| {
        [LITERALS, OFFSETS, LENGTHS].map(|kind| Table::of_counts(kind.counts, kind.log).map(Arc::new))
    });
    let [literals, offsets, lengths] = &*TABLES;
    let table = match kind.last {
        35 => literals,
        31 => offsets,
        _ => lengths,
    };
    Some(Described { mode: Mode::Predefined, bytes: Vec::new(), table: table.clone()? })
}

/// The tables of the last block with sequences.
#[derive(Debug, Default)]
pub(super) struct Tables {
    literals: Option<Described>,
    pub(super) offsets: Option<Described>,
    lengths: Option<Described>,
}

/// Reads the description of a table from the start of `bytes`, unless it is the `last` one. Returns the bytes after it.
fn describe<'b>(mode: Mode, kind: &Kind, bytes: &'b [u8], last: &mut Option<Described>) -> Option<&'b [u8]> {
    let (table, size) = match mode {
        Mode::Predefined => {
            *last = Some(predefined(kind)?);
            return Some(bytes);
        }
        Mode::Repeated => return last.as_ref().map(|_| bytes),
        Mode::One => (Table::of_one(*bytes.first().filter(|&&symbol| symbol <= kind.last)?), 1),
        Mode::Counts => Table::read(bytes, kind.most_log, kind.last)?,
    };
    let (description, rest) = bytes.split_at_checked(size)?;
    *last = Some(Described { mode, bytes: description.to_vec(), table: Arc::new(table) });
    Some(rest)
}

/// The sequences of a block.
#[derive(Debug)]
pub(super) struct Section<'b> {
    /// The bytes before the modes: the literals and the number of sequences.
    before: &'b [u8],
    count: usize,
    modes: u8,
    /// The descriptions of the tables of literals and of lengths.
    literals_description: &'b [u8],
    lengths_description: &'b [u8],
    literals: Arc<Table>,
    offsets: Arc<Table>,
    lengths: Arc<Table>,
    stream: &'b [u8],
}

impl<'b> Section<'b> {
    /// Reads the headers in a compressed block. `Some(None)` if it has no sequences, `None` if it is damaged.
    pub(super) fn parse(block: &'b [u8], tables: &mut Tables) -> Option<Option<Self>> {
        let after = block.get(literals_size(block)?..)?;
        let (count, size) = match *after {
            [0, ..] => return Some(None),
            [a @ ..=127, ..] => (usize::from(a), 1),
            [a @ ..=254, b, ..] => (usize::from(a - 128) << 8 | usize::from(b), 2),
            [_, b, c, ..] => (usize::from(u16::from_le_bytes([b, c])) + 0x7f00, 3),
            _ => return None,
        };
        let (&modes, at_literals) = after.get(size..)?.split_first()?;
        let before = block.get(..block.len() - at_literals.len() - 1)?;
        let at_offsets = describe(Mode::of(modes >> 6), &LITERALS, at_literals, &mut tables.literals)?;
        let at_lengths = describe(Mode::of(modes >> 4), &OFFSETS, at_offsets, &mut tables.offsets)?;
        let stream = describe(Mode::of(modes >> 2), &LENGTHS, at_lengths, &mut tables.lengths)?;
        Some(Some(Self {
            before,
            count,
            modes,
            literals_description: at_literals.get(..at_literals.len() - at_offsets.len())?,
            lengths_description: at_lengths.get(..at_lengths.len() - stream.len())?,
            literals: tables.literals.as_ref()?.table.clone(),
            offsets: tables.offsets.as_ref()?.table.clone(),
            lengths: tables.lengths.as_ref()?.table.clone(),
            stream,
        }))
    }

    pub(super) fn offsets_mode(&self) -> Mode {
        Mode::of(self.modes >> 4)
    }

    /// Shows each sequence to a function, until it returns `Some(false)`, or `None` for an error.
    pub(super) fn each(&self, mut show: impl FnMut(Sequence) -> Option<bool>) -> Option<()> {
        let mut bits = Backward::new(self.stream)?;
        let mut literals = Decoder::new(&self.literals, &mut bits)?;
        let mut offsets = Decoder::new(&self.offsets, &mut bits)?;
        let mut lengths = Decoder::new(&self.lengths, &mut bits)?;
        for left in (0..self.count).rev() {
            let code = u32::from(offsets.symbol());
            let offset = 1_u32.checked_shl(code)? | bits.read(code)?;
            let (length, literal) = (lengths.symbol(), literals.symbol());
            let length_bits = bits.read(extra(&LENGTHS_BITS, 32, length)?)?;
            let literals_bits = bits.read(extra(&LITERALS_BITS, 16, literal)?)?;
            if !show(Sequence { literals: literal, literals_bits, offset, length, length_bits })? {
                return Some(());
            }
            if left > 0 {
                literals.advance(&mut bits)?;
                lengths.advance(&mut bits)?;
                offsets.advance(&mut bits)?;
            }
        }
        bits.is_empty().then_some(())
    }

    /// Returns the same block with other offsets, which a table of `mode` encodes.
    pub(super) fn with_offsets(&self, sequences: &[Sequence], offsets: &Described) -> Option<Vec<u8>> {
        let mut bits = Writer::default();
        let mut literals = Encoder::new(&self.literals);
        let mut offset = Encoder::new(&offsets.table);
        let mut lengths = Encoder::new(&self.lengths);
        for sequence in sequences.iter().rev() {
            let code = sequence.offset_code();
            offset.push(code, &mut bits)?;
            lengths.push(sequence.length, &mut bits)?;
            literals.push(sequence.literals, &mut bits)?;
            bits.put(sequence.literals_bits, extra(&LITERALS_BITS, 16, sequence.literals)?);
            bits.put(sequence.length_bits, extra(&LENGTHS_BITS, 32, sequence.length)?);
            bits.put(sequence.offset & !(1 << code), code.into());
        }
        lengths.finish(&mut bits);
        offset.finish(&mut bits);
        literals.finish(&mut bits);
        let modes = self.modes & !0b11_0000 | offsets.mode.bits() << 4;
        let parts =
            [self.before, &[modes], self.literals_description, &offsets.bytes, self.lengths_description];
        Some([&parts.concat()[..], &bits.finish()].concat())
    }
}

/// Returns the bytes of the literals in a compressed block, with their header.
fn literals_size(block: &[u8]) -> Option<usize> {
    let head = |bytes: usize| {
        let head = block.get(..bytes)?;
        Some(head.iter().rev().fold(0_usize, |number, &byte| number << 8 | usize::from(byte)))
    };
    let first = *block.first()?;
    let is_compressed = first >> 1 & 1 == 1;
    let size = if is_compressed {
        let (bytes, bits) = match first >> 2 & 3 {
            0 | 1 => (3, 10),
            2 => (4, 14),
            _ => (5, 18),
        };
        // 36 bits and more do not fit on machines of 32 bits; the size is in the upper half.
        let upper =
            block.get(..bytes)?.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        bytes + usize::try_from(upper >> (4 + bits) & ((1 << bits) - 1)).ok()?
    } else {
        let (bytes, shift) = match first >> 2 & 3 {
            0 | 2 => (1, 3),
            1 => (2, 4),
            _ => (3, 4),
        };
        let count = head(bytes)? >> shift;
        // One byte that repeats, or all of them.
        bytes + if first & 1 == 1 { 1 } else { count }
    };
    (size <= block.len()).then_some(size)
}

/// A sequence: some literals, and then a match.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sequence {
    /// The symbol for the number of literals, and the bits after it.
    literals: u8,
    literals_bits: u32,
    /// A repeated offset from 1 to 3, or an offset and 3.
    pub(super) offset: u32,
    /// The symbol for the length of the match, and the bits after it.
    length: u8,
    length_bits: u32,
}

impl Sequence {
    /// Returns whether there are no literals, which changes the meaning of repeated offsets.
    pub(super) fn is_bare(&self) -> bool {
        self.literals == 0
    }

    /// Returns the symbol for the offset.
    pub(super) fn offset_code(&self) -> u8 {
        u8::try_from(self.offset.max(1).ilog2()).unwrap_or(u8::MAX)
    }
}

/// The last three offsets, which sequences can repeat; `None` if they are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repeats(pub(super) [Option<u32>; 3]);

impl Repeats {
    /// Those at the start of a frame.
    pub(super) const FIRST: Self = Self([Some(1), Some(4), Some(8)]);
    pub(super) const UNKNOWN: Self = Self([None; 3]);

    pub(super) fn are_known(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }

    /// Returns the offset of a sequence. `None` if it repeats one that is not known, or is 0.
    pub(super) fn decode(&mut self, sequence: &Sequence) -> Option<u32> {
        let [first, second, third] = self.0;
        let (offset, rest) = match (sequence.offset, sequence.is_bare()) {
            (1, false) => (first?, [second, third]),
            (2, false) | (1, true) => (second?, [first, third]),
            (3, false) | (2, true) => (third?, [first, second]),
            (3, true) => (first?.checked_sub(1)?, [first, second]),
            (value, _) => (value.checked_sub(3)?, [first, second]),
        };
        let [second, third] = rest;
        self.0 = [Some(offset), second, third];
        (offset > 0).then_some(offset)
    }

    /// Returns the sequence with an offset that these repeats decode to `offset`: if possible its own, or a repeated one.
    pub(super) fn encode(&mut self, sequence: Sequence, offset: u32) -> Option<Sequence> {
        let values = [sequence.offset, 1, 2, 3];
        for candidate in values.map(|value| Sequence { offset: value, ..sequence }) {
            let mut after = *self;
            if after.decode(&candidate) == Some(offset) {
                *self = after;
                return Some(candidate);
            }
        }
        let plain = Sequence { offset: offset.checked_add(3)?, ..sequence };
        (self.decode(&plain) == Some(offset)).then_some(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_offsets() {
        let sequence =
            |offset, literals| Sequence { literals, literals_bits: 0, offset, length: 0, length_bits: 0 };
        let mut repeats = Repeats::FIRST;
        for (value, literals, offset, after) in [
            (1, 1, 1, [1, 4, 8]),
            (3, 1, 8, [8, 1, 4]),
            (2, 1, 1, [1, 8, 4]),
            (1, 0, 8, [8, 1, 4]),
            (2, 0, 4, [4, 8, 1]),
            (3, 0, 3, [3, 4, 8]),
            (103, 0, 100, [100, 3, 4]),
        ] {
            let mut encoded = repeats;
            assert_eq!(repeats.decode(&sequence(value, literals)), Some(offset));
            assert_eq!(repeats.0, after.map(Some));
            assert_eq!(encoded.encode(sequence(0, literals), offset).unwrap().offset, value);
            assert_eq!(encoded, repeats);
        }
        let mut unknown = Repeats::UNKNOWN;
        for (value, literals) in [(1, 1), (2, 1), (3, 1), (1, 0), (2, 0), (3, 0)] {
            assert_eq!(unknown.decode(&sequence(value, literals)), None);
        }
        let mut unknown = Repeats::UNKNOWN;
        assert_eq!(unknown.encode(sequence(0, 1), 1).unwrap().offset, 4);
        assert_eq!(unknown.encode(sequence(0, 1), 1).unwrap().offset, 1);
        assert!(!unknown.are_known());
        assert_eq!(Repeats([Some(1), None, None]).decode(&sequence(3, 0)), None, "an offset of 0");
    }

    #[test]
    fn the_predefined_tables_are_complete() {
        for kind in [LITERALS, OFFSETS, LENGTHS] {
            assert!(predefined(&kind).is_some(), "{}", kind.last);
        }
    }
}
