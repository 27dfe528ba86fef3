//! `Chunks`: where the chunks of an array are.

use std::ops::Range;
use std::sync::Arc;

/// The chunks of an array, in C order of the grid.
#[derive(Debug, Clone)]
pub(super) enum Chunks {
    /// Consecutive ranges of one file, of `size` bytes each.
    Even { url: Arc<str>, start: u64, size: u64, count: u64 },
    /// Ranges of one file.
    Ranges { url: Arc<str>, ranges: Arc<[Range<u64>]> },
    /// The bytes of a single chunk.
    Inline(Vec<u8>),
    /// The chunks of several parts, one after the other.
    Parts(Vec<Chunks>),
}

/// Where one chunk is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference<'c> {
    Bytes { url: &'c str, offset: u64, length: u64 },
    Inline(&'c [u8]),
}

impl Chunks {
    /// Returns the number of chunks.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Even { count, .. } => *count,
            Self::Ranges { ranges, .. } => ranges.len() as u64,
            Self::Inline(_) => 1,
            Self::Parts(parts) => parts.iter().map(Self::count).fold(0, u64::saturating_add),
        }
    }

    /// Iterates over the chunks.
    pub(super) fn references(&self) -> Box<dyn Iterator<Item = Reference<'_>> + '_> {
        match self {
            // The end of the last range was checked when the array was mapped.
            Self::Even { url, start, size, count } => Box::new((0..*count).map(move |number| {
                let offset = start.saturating_add(number.saturating_mul(*size));
                Reference::Bytes { url, offset, length: *size }
            })),
            Self::Ranges { url, ranges } => Box::new(ranges.iter().map(move |range| Reference::Bytes {
                url,
                offset: range.start,
                length: range.end - range.start,
            })),
            Self::Inline(bytes) => Box::new(std::iter::once(Reference::Inline(bytes))),
            Self::Parts(parts) => Box::new(parts.iter().flat_map(Self::references)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other() {
        let url: Arc<str> = "u".into();
        let even = Chunks::Even { url: url.clone(), start: 10, size: 4, count: 2 };
        let listed = Chunks::Ranges { url, ranges: Arc::from(Vec::from_iter(std::iter::once(30..31))) };
        let all = Chunks::Parts(vec![even, listed, Chunks::Inline(vec![7])]);
        let at = |offset, length| Reference::Bytes { url: "u", offset, length };
        let expected = [at(10, 4), at(14, 4), at(30, 1), Reference::Inline(&[7])];
        assert_eq!(all.references().collect::<Vec<_>>(), expected);
        assert_eq!(all.count(), 4);
    }
}
