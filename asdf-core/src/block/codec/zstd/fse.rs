//! The entropy coding of sequences: tables of states, and streams of bits (RFC 8878, section 4.1).

/// A table of states. Each state is a symbol, and says how to get to the next state.
#[derive(Debug)]
pub(super) struct Table {
    /// The number of bits of a state.
    log: u32,
    states: Vec<State>,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    symbol: u8,
    /// The number of bits to read.
    bits: u32,
    /// The next state, if the bits are zeros.
    base: u32,
}

impl Table {
    /// Makes a table with one symbol only.
    pub(super) fn of_one(symbol: u8) -> Self {
        Self { log: 0, states: vec![State { symbol, bits: 0, base: 0 }] }
    }

    /// Makes a table with 2^`log` states from the number of states of each symbol. A number of -1 is a symbol whose
    /// only state has the full number of bits.
    pub(super) fn of_counts(counts: &[i16], log: u32) -> Option<Self> {
        let size = 1_usize << log;
        let mut states = vec![State::default(); size];
        let mut next: Vec<u32> = Vec::with_capacity(counts.len());
        let mut high = size;
        for (symbol, &count) in (0_u8..).zip(counts) {
            next.push(u32::from(count.unsigned_abs()));
            if count == -1 {
                high = high.checked_sub(1)?;
                states.get_mut(high)?.symbol = symbol;
            }
        }
        let step = (size >> 1) + (size >> 3) + 3;
        let mut at = 0;
        for (symbol, &count) in (0_u8..).zip(counts) {
            for _ in 0..count.max(0) {
                states.get_mut(at).filter(|_| at < high)?.symbol = symbol;
                // Each place below `high` is found once, because the step has no divisor in common with the size.
                at = (at + step) & (size - 1);
                while at >= high {
                    at = (at + step) & (size - 1);
                }
            }
        }
        // All places are taken if the walk is back at the start.
        if at != 0 {
            return None;
        }
        for state in &mut states {
            let number = next.get_mut(usize::from(state.symbol)).filter(|number| **number > 0)?;
            state.bits = log.checked_sub(number.ilog2())?;
            state.base = (*number << state.bits).checked_sub(1 << log)?;
            *number += 1;
        }
        Some(Self { log, states })
    }

    /// Reads the description of a table of up to 2^`most_log` states for the symbols from 0 to `last`. Returns the
    /// number of bytes too.
    pub(super) fn read(bytes: &[u8], most_log: u32, last: u8) -> Option<(Self, usize)> {
        let mut at = 0;
        let mut read = |count: u32| {
            let bits = bits_at(bytes, at, count)?;
            at += usize::try_from(count).ok()?;
            (at <= bytes.len() * 8).then_some(bits)
        };
        let log = 5 + read(4)?;
        if log > most_log {
            return None;
        }
        let mut counts = Vec::new();
        let mut left = 1_u32 << log;
        while left > 0 {
            if counts.len() > usize::from(last) {
                return None;
            }
            // The values from 0 to `left` + 1. The lower ones take a bit less if their number is not a power of two.
            let bits = (left + 1).ilog2() + 1;
            let short = (1 << bits) - 1 - (left + 1);
            let low = read(bits - 1)?;
            let value = if low < short {
                low
            } else {
                let value = low | read(1)? << (bits - 1);
                if value >= 1 << (bits - 1) { value - short } else { value }
            };
            let count = i16::try_from(value).ok()? - 1;
            left = left.checked_sub(u32::from(count.unsigned_abs()))?;
            counts.push(count);
            if count == 0 {
                loop {
                    let zeros = read(2)?;
                    counts.extend((0..zeros).map(|_| 0));
                    if zeros < 3 {
                        break;
                    }
                }
            }
        }
        if counts.len() > usize::from(last) + 1 {
            return None;
        }
        Some((Self::of_counts(&counts, log)?, at.div_ceil(8)))
    }

    /// Makes a table for symbols with the numbers of times that each occurs, at least two of them. Returns its description
    /// too.
    pub(super) fn fitting(occurrences: &[usize], most_log: u32) -> Option<(Self, Vec<u8>)> {
        let total: usize = occurrences.iter().sum();
        // A state for each symbol at least, and the more exact the more symbols there are.
        let log = (total.checked_ilog2()? + 1).clamp(5, most_log);
        let size = 1_usize << log;
        let share = |&count: &usize| match count {
            0 => Some(0),
            _ => Some((count.checked_mul(size)? / total).max(1)),
        };
        let mut counts: Vec<usize> = occurrences.iter().map(share).collect::<Option<_>>()?;
        let sum: usize = counts.iter().sum();
        *counts.iter_mut().max()? += size.saturating_sub(sum);
        for _ in size..sum {
            *counts.iter_mut().max()? -= 1;
        }
        let counts: Vec<i16> = counts.into_iter().map(i16::try_from).collect::<Result<_, _>>().ok()?;
        Some((Self::of_counts(&counts, log)?, description(&counts, log)?))
    }

    /// Returns whether the table has a symbol.
    pub(super) fn has(&self, symbol: u8) -> bool {
        self.states.iter().any(|state| state.symbol == symbol)
    }
}

/// Describes a table for [`Table::read`].
fn description(counts: &[i16], log: u32) -> Option<Vec<u8>> {
    let mut bits = Writer::default();
    bits.put(log.checked_sub(5)?, 4);
    let mut left = 1_u32 << log;
    let mut counts = counts.iter().peekable();
    while left > 0 {
        let count = *counts.next()?;
        let value = u32::try_from(count + 1).ok()?;
        let width = (left + 1).ilog2() + 1;
        let short = (1 << width) - 1 - (left + 1);
        if value < short {
            bits.put(value, width - 1);
        } else {
            bits.put(if value >> (width - 1) == 1 { value + short } else { value }, width);
        }
        left = left.checked_sub(u32::from(count.unsigned_abs()))?;
        if count == 0 {
            let mut zeros = 0_u32;
            while counts.next_if_eq(&&0).is_some() {
                zeros += 1;
            }
            (0..zeros / 3).for_each(|_| bits.put(3, 2));
            bits.put(zeros % 3, 2);
        }
    }
    Some(bits.into_bytes())
}

/// Decodes the symbols of one table from a stream of bits.
#[derive(Debug)]
pub(super) struct Decoder<'t> {
    table: &'t Table,
    state: State,
}

impl<'t> Decoder<'t> {
    /// Reads the first state.
    pub(super) fn new(table: &'t Table, bits: &mut Backward<'_>) -> Option<Self> {
        let first = bits.read(table.log)?;
        let state = *table.states.get(usize::try_from(first).ok()?)?;
        Some(Self { table, state })
    }

    pub(super) fn symbol(&self) -> u8 {
        self.state.symbol
    }

    /// Reads the next state.
    pub(super) fn advance(&mut self, bits: &mut Backward<'_>) -> Option<()> {
        let next = self.state.base + bits.read(self.state.bits)?;
        self.state = *self.table.states.get(usize::try_from(next).ok()?)?;
        Some(())
    }
}

/// Encodes the symbols of one table, from the last to the first.
#[derive(Debug)]
pub(super) struct Encoder<'t> {
    table: &'t Table,
    /// The numbers of the states of each symbol.
    of_symbol: Vec<Vec<u32>>,
    /// The state of the symbol that was encoded last.
    state: Option<u32>,
}

impl<'t> Encoder<'t> {
    pub(super) fn new(table: &'t Table) -> Self {
        let mut of_symbol = vec![Vec::new(); 256];
        for (number, state) in (0..).zip(&table.states) {
            if let Some(numbers) = of_symbol.get_mut(usize::from(state.symbol)) {
                numbers.push(number);
            }
        }
        Self { table, of_symbol, state: None }
    }

    /// Writes the bits that lead from a state of `symbol` to the state of the symbol after it. `None` if the table does
    /// not have the symbol.
    pub(super) fn push(&mut self, symbol: u8, bits: &mut Writer) -> Option<()> {
        let numbers = self.of_symbol.get(usize::from(symbol))?;
        let Some(next) = self.state else {
            self.state = Some(*numbers.first()?);
            return Some(());
        };
        for &number in numbers {
            let state = self.table.states.get(usize::try_from(number).ok()?)?;
            if let Some(value) = next.checked_sub(state.base).filter(|value| value >> state.bits == 0) {
                bits.put(value, state.bits);
                self.state = Some(number);
                return Some(());
            }
        }
        None
    }

    /// Writes the first state.
    pub(super) fn finish(self, bits: &mut Writer) {
        bits.put(self.state.unwrap_or(0), self.table.log);
    }
}

/// Returns `count` bits from a bit on, with zeros after the end of the bytes; at most 32.
fn bits_at(bytes: &[u8], at: usize, count: u32) -> Option<u32> {
    let rest = bytes.get(at / 8..)?;
    let number = match rest.first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => rest.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)),
    };
    u32::try_from(number >> (at % 8) & ((1 << count) - 1)).ok()
}

/// Reads bits from the last to the first.
#[derive(Debug)]
pub(super) struct Backward<'b> {
    bytes: &'b [u8],
    /// The number of bits that were not read.
    left: usize,
}

impl<'b> Backward<'b> {
    /// Skips the mark at the end, which is the highest bit that is set.
    pub(super) fn new(bytes: &'b [u8]) -> Option<Self> {
        let mark = bytes.last()?.checked_ilog2()?;
        Some(Self { bytes, left: (bytes.len() - 1) * 8 + usize::try_from(mark).ok()? })
    }

    /// Reads up to 32 bits.
    pub(super) fn read(&mut self, count: u32) -> Option<u32> {
        self.left = self.left.checked_sub(usize::try_from(count).ok()?)?;
        bits_at(self.bytes, self.left, count)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }
}

/// Writes bits for [`Backward`], which reads those first that were written last.
#[derive(Debug, Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    /// Fewer than 8 bits.
    pending: u64,
    count: u32,
}

impl Writer {
    /// Writes the lower bits of a value, up to 32.
    pub(super) fn put(&mut self, value: u32, count: u32) {
        self.pending |= u64::from(value) << self.count;
        self.count += count;
        while self.count >= 8 {
            let [first, ..] = self.pending.to_le_bytes();
            self.bytes.push(first);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Writes the mark at the end.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.put(1, 1);
        self.into_bytes()
    }

    fn into_bytes(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_in_reverse() {
        let values = [(5, 3), (0, 0), (0xffff_ffff, 32), (1, 1), (0, 7), (0x0123_4567, 28), (9, 5)];
        let mut writer = Writer::default();
        values.iter().for_each(|&(value, count)| writer.put(value, count));
        let bytes = writer.finish();
        let mut reader = Backward::new(&bytes).unwrap();
        for &(value, count) in values.iter().rev() {
            assert!(!reader.is_empty());
            assert_eq!(reader.read(count), Some(value));
        }
        assert!(reader.is_empty() && reader.read(1).is_none());
        assert!(Backward::new(&[]).is_none() && Backward::new(&[1, 0]).is_none());
    }

    #[test]
    fn symbols_come_back() {
        // The table of the example in RFC 8878, section 4.1.1, has more symbols; this one has each kind of count.
        let table = Table::of_counts(&[5, -1, 0, 9, 16, -1], 5).unwrap();
        assert!(table.has(1) && !table.has(2) && !table.has(6));
        let symbols = [0, 3, 4, 4, 4, 5, 1, 0, 4, 3, 3, 0];
        let mut bits = Writer::default();
        let mut encoder = Encoder::new(&table);
        symbols.iter().rev().for_each(|&symbol| encoder.push(symbol, &mut bits).unwrap());
        assert!(encoder.push(2, &mut bits).is_none());
        encoder.finish(&mut bits);
        let bytes = bits.finish();
        let mut bits = Backward::new(&bytes).unwrap();
        let mut decoder = Decoder::new(&table, &mut bits).unwrap();
        for (number, &symbol) in symbols.iter().enumerate() {
            assert_eq!(decoder.symbol(), symbol);
            assert_eq!(decoder.advance(&mut bits).is_some(), number + 1 < symbols.len());
        }
    }

    #[test]
    fn descriptions_come_back() {
        for occurrences in [
            &[3, 0, 0, 0, 0, 1][..],
            &[1, 1],
            &[0, 0, 0, 70_000, 1],
            &[1; 29],
            &[0, 5, 0, 0, 0, 0, 0, 0, 0, 9, 0, 100, 3],
            &[40_000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        ] {
            for most_log in [5, 8] {
                let (table, bytes) = Table::fitting(occurrences, most_log).unwrap();
                let (found, size) = Table::read(&bytes, 8, 31).unwrap();
                assert_eq!(size, bytes.len());
                assert_eq!(format!("{table:?}"), format!("{found:?}"), "{occurrences:?}");
                for (symbol, &count) in (0..).zip(occurrences) {
                    assert_eq!(table.has(symbol), count > 0);
                }
                assert!(Table::read(&bytes[..size - 1], 8, 31).is_none());
                assert!(Table::read(&bytes, 4, 31).is_none());
            }
        }
        let (_, bytes) = Table::fitting(&[1; 29], 8).unwrap();
        assert!(Table::read(&bytes, 8, 27).is_none());
        assert!(Table::fitting(&[], 8).is_none());
    }

    #[test]
    fn counts_that_do_not_fill_a_table_are_refused() {
        for counts in [&[5_i16, 9, 16][..], &[5, -1, 0, 9, 16, -1, 1], &[-1; 33], &[], &[33]] {
            assert!(Table::of_counts(counts, 5).is_none(), "{counts:?}");
        }
    }
}
