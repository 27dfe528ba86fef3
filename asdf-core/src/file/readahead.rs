//! Reading ahead: combines small reads that are close to each other.

use std::collections::BTreeMap;
use std::ops::Range;

use bytes::Bytes;

use crate::error::Result;
use crate::source::Source;

/// A buffer for small reads at ascending offsets of a source.
///
/// If a read follows shortly after another, more than requested is read, and the amount doubles each time. So the headers of
/// ten thousand blocks of 2 KiB take about a hundred system calls. If reads are far apart, only the requested bytes are
/// read.
#[derive(Debug, Default)]
pub(super) struct ReadAhead {
    /// Bytes that were read for another purpose, by their offsets.
    known: BTreeMap<u64, Bytes>,
    start: u64,
    bytes: Bytes,
    size: u64,
    /// The end of the last requested range.
    asked: u64,
}

/// The smallest read of more than is requested.
const LEAST: u64 = 4 << 10;

/// The largest read, unless more is requested. The allocator reuses a buffer of this size; a larger one would be fresh
/// pages each time.
const MOST: u64 = 64 << 10;

impl ReadAhead {
    /// Makes a buffer that begins with bytes from an offset on, which were read for another purpose.
    pub(super) fn begin(&mut self, start: u64, bytes: Bytes) {
        *self = Self { start, bytes, size: MOST, asked: start, ..Self::default() };
    }

    /// Keeps bytes from an offset on, which are not read again.
    pub(super) fn keep(&mut self, start: u64, bytes: Bytes) {
        self.known.insert(start, bytes);
    }

    /// Reads a range inside of the source.
    pub(super) fn read(&mut self, source: &dyn Source, range: Range<u64>) -> Result<Bytes> {
        let gap = range.start.checked_sub(self.asked);
        let most = source.cost().gap;
        let soon = self.size > 0 && gap.is_some_and(|gap| gap <= most);
        self.asked = range.end;
        if let Some(bytes) = self.held(&range) {
            return Ok(bytes);
        }
        let asked = range.end - range.start;
        self.size = if soon { (self.size * 2).clamp(LEAST, MOST) } else { asked };
        let end = range.start.saturating_add(self.size.max(asked)).min(source.len()).max(range.end);
        // The old buffer is freed first, so that the new one can reuse its memory.
        self.bytes = Bytes::new();
        self.bytes = source.read(range.start..end)?;
        self.start = range.start;
        Ok(self.held(&range).unwrap_or_default())
    }

    /// The first bytes of a range, if the buffer has some.
    pub(super) fn first(&self, range: &Range<u64>) -> Option<Bytes> {
        let end = range.end.min(self.start + self.bytes.len() as u64);
        within(self.start, &self.bytes, &(range.start..end)).filter(|bytes| !bytes.is_empty())
    }

    /// The bytes of a range, if they were read before.
    pub(super) fn held(&self, range: &Range<u64>) -> Option<Bytes> {
        let known = self.known.range(..=range.start).next_back();
        let known = known.and_then(|(&at, bytes)| within(at, bytes, range));
        known.or_else(|| within(self.start, &self.bytes, range))
    }
}

/// The bytes of a range in bytes that begin at an offset.
fn within(at: u64, bytes: &Bytes, range: &Range<u64>) -> Option<Bytes> {
    let from = usize::try_from(range.start.checked_sub(at)?).ok()?;
    let to = usize::try_from(range.end.checked_sub(at)?).ok()?;
    (from <= to && to <= bytes.len()).then(|| bytes.slice(from..to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Recording;

    fn reads(len: usize, step: u64) -> (usize, u64) {
        let data: Vec<u8> = (0..len).map(|at| u8::try_from(at % 251).unwrap()).collect();
        let source = Recording::new(data.clone());
        let mut ahead = ReadAhead::default();
        let mut at = 0;
        while at + 54 <= len as u64 {
            let from = usize::try_from(at).unwrap();
            assert_eq!(ahead.read(&source, at..at + 54).unwrap(), data[from..from + 54]);
            at += step;
        }
        let made = source.take();
        (made.len(), made.iter().map(|range| range.end - range.start).sum())
    }

    #[test]
    fn near_reads_are_combined_and_far_reads_are_not() {
        let (made, bytes) = reads(2_000_000, 150);
        assert!(made < 40 && bytes < 2_100_000, "{made} {bytes}");
        assert_eq!(reads(2_000_000, 100_000), (20, 20 * 54));
        // To the end, and not beyond.
        assert_eq!(reads(54, 54), (1, 54));
    }
}
