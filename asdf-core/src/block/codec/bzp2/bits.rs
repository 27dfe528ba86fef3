//! Bits, the highest of each byte first.

/// Returns the `count` bits, at most 56, that begin at a bit; zeros beyond the end.
pub(super) fn at(bytes: &[u8], bit: u64, count: u32) -> u64 {
    let mut reader = Reader::new(bytes, bit);
    reader.refill();
    reader.peek(count)
}

/// Reads bits one after the other; zeros beyond the end.
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    /// The next byte to read.
    next: usize,
    /// Bits that were read from the bytes, but not returned yet, from the highest bit on.
    held: u64,
    /// The number of these bits.
    count: u32,
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8], bit: u64) -> Self {
        let next = usize::try_from(bit / 8).unwrap_or(usize::MAX);
        let mut reader = Self { bytes, next, held: 0, count: 0 };
        reader.refill();
        #[allow(clippy::cast_possible_truncation, reason = "below 8")]
        reader.skip((bit % 8) as u32);
        reader
    }

    /// Ensures that 56 bits or more can be peeked at and skipped.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        let rest = self.bytes.get(self.next..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(word) => u64::from_be_bytes(*word),
            None => rest
                .iter()
                .zip((0..8).rev())
                .fold(0, |word, (&byte, place)| word | u64::from(byte) << (8 * place)),
        };
        self.held |= word >> self.count;
        self.next = self.next.saturating_add(((63 - self.count) / 8) as usize);
        self.count |= 56;
    }

    /// Returns the next 1 to 56 bits, without skipping them.
    #[inline(always)]
    pub(super) fn peek(&self, count: u32) -> u64 {
        self.held >> (64 - count)
    }

    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        self.held <<= count;
        self.count -= count;
    }

    /// Returns the next 1 to 32 bits.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> u32 {
        self.refill();
        let found = self.peek(count);
        self.skip(count);
        #[allow(clippy::cast_possible_truncation, reason = "32 bits at most")]
        let found = found as u32;
        found
    }

    /// Returns the position of the next bit.
    pub(super) fn bit(&self) -> u64 {
        (self.next as u64 * 8).saturating_sub(u64::from(self.count))
    }
}

/// Writes bits one after the other.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    /// The number of bits used in the last byte, 1 to 7; 0 if all.
    used: u32,
}

impl Writer {
    /// Appends the first `count` bits of `bytes`.
    pub(super) fn append(&mut self, bytes: &[u8], count: u64) {
        let whole = usize::try_from(count.div_ceil(8)).unwrap_or(usize::MAX);
        let bytes = bytes.get(..whole).unwrap_or(bytes);
        let total = self.bits() + count;
        match (self.bytes.pop(), self.used) {
            (None, _) => self.bytes.extend_from_slice(bytes),
            (Some(last), 0) => {
                self.bytes.push(last);
                self.bytes.extend_from_slice(bytes);
            }
            (Some(mut last), used) => {
                self.bytes.extend(bytes.iter().map(|&byte| {
                    let full = last | byte >> used;
                    last = byte << (8 - used);
                    full
                }));
                self.bytes.push(last);
            }
        }
        self.bytes.truncate(usize::try_from(total.div_ceil(8)).unwrap_or(usize::MAX));
        #[allow(clippy::cast_possible_truncation, reason = "below 8")]
        let used = (total % 8) as u32;
        self.used = used;
        // The following bits are added to zeros.
        if let Some(last) = self.bytes.last_mut().filter(|_| used > 0) {
            *last &= !(0xff >> used);
        }
    }

    /// Returns the number of bits written and not taken.
    pub(super) fn bits(&self) -> u64 {
        self.bytes.len() as u64 * 8 - u64::from((8 - self.used) % 8)
    }

    /// Removes and returns the bytes that are full.
    pub(super) fn take_full(&mut self) -> Vec<u8> {
        let last = self.bytes.len() - usize::from(self.used > 0).min(self.bytes.len());
        let rest = self.bytes.split_off(last);
        std::mem::replace(&mut self.bytes, rest)
    }

    /// Returns all bits, with zeros up to a whole byte.
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn written_bits_read_back(parts in proptest::collection::vec((any::<u64>(), 1_u32..=56), 0..100)) {
            let mut writer = Writer::default();
            for (value, count) in &parts {
                writer.append(&(value << (64 - count)).to_be_bytes(), u64::from(*count));
            }
            let all = writer.bits();
            let mut bytes = writer.take_full();
            prop_assert_eq!(writer.bits(), all % 8);
            let bits = bytes.len() as u64 * 8 + writer.bits();
            prop_assert_eq!(bits, parts.iter().map(|(_, count)| u64::from(*count)).sum::<u64>());
            bytes.extend(writer.finish());
            prop_assert_eq!(bytes.len() as u64, bits.div_ceil(8));
            let (mut reader, mut bit) = (Reader::new(&bytes, 0), 0);
            for (value, count) in parts {
                let expected = value << (64 - count) >> (64 - count);
                prop_assert_eq!(at(&bytes, bit, count), expected);
                reader.refill();
                prop_assert_eq!(reader.bit(), bit);
                if count <= 32 {
                    prop_assert_eq!(u64::from(reader.take(count)), expected);
                } else {
                    prop_assert_eq!(reader.peek(count), expected);
                    reader.skip(count);
                }
                bit += u64::from(count);
            }
            prop_assert_eq!(at(&bytes, bytes.len() as u64 * 8 + 100, 56), 0);
        }
    }
}
