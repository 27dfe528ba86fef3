//! What a codec is told about the data when it encodes.

use std::ops::RangeInclusive;

use crate::block::{Compression, Label};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// How to encode: what was asked for, and what is known about the array that the data are.
///
/// The default asks for nothing and knows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Encoding {
    /// The level, or the codec's own.
    pub level: Option<u32>,
    /// The most bytes of data that a chunk may hold, for codecs whose chunks decode on their own;
    /// their own size unless given.
    pub chunk: Option<u64>,
    /// Bytes of one element, which some codecs shuffle by; 0 if unknown.
    pub item: u64,
    /// Bytes of one row (or line, or plane: the largest part of the array that fits into a chunk),
    /// which should not be cut; 0 if unknown.
    pub row: u64,
    /// On how many threads to work at most; the stored bytes do not depend on it.
    pub threads: Threads,
}

impl Encoding {
    /// The most bytes of data in a chunk, unless something else is asked for: 4 MiB, as Python's
    /// `asdf` cuts them.
    pub const CHUNK: u64 = 4 << 20;

    /// Nothing asked for and nothing known.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same at this level.
    #[must_use]
    pub fn with_level(self, level: u32) -> Self {
        Self { level: Some(level), ..self }
    }

    /// The same with chunks of at most so many bytes of data.
    #[must_use]
    pub fn with_chunk(self, chunk: u64) -> Self {
        Self { chunk: Some(chunk), ..self }
    }

    /// The same for elements and rows of so many bytes; 0 if unknown.
    #[must_use]
    pub fn with_rows(self, item: u64, row: u64) -> Self {
        Self { item, row, ..self }
    }

    /// The same on at most so many threads.
    #[must_use]
    pub fn with_threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// The level to use, if a codec with these has it.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::error::Kind::Usage) if it does not.
    pub fn level(&self, label: Label, levels: RangeInclusive<u32>, default: u32) -> Result<u32> {
        match self.level {
            Some(level) if levels.is_empty() => {
                Err(Error::usage(format!("{label} has no levels, and so no level {level}")))
            }
            Some(level) if !levels.contains(&level) => Err(Error::usage(format!(
                "{label} has no level {level}, expected {} to {}",
                levels.start(),
                levels.end()
            ))),
            _ => Ok(self.level.unwrap_or(default)),
        }
    }

    /// The level to use, for a codec of this crate.
    #[cfg(any(
        feature = "zlib",
        feature = "bzp2",
        feature = "lz4",
        feature = "lz4f",
        feature = "zstd",
        feature = "xz",
        feature = "blsc",
        feature = "bls2"
    ))]
    pub(super) fn own_level(&self, label: Label, default: u32) -> Result<u32> {
        self.level(label, label.levels().unwrap_or(default..=default), default)
    }

    /// Refuses chunks, for codecs that have none.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::error::Kind::Usage) if chunks were asked for.
    pub fn whole(&self, label: Label) -> Result<()> {
        match self.chunk {
            None => Ok(()),
            Some(chunk) => Err(Error::usage(format!(
                "{label} has no chunks, but chunks of {chunk} bytes were asked for"
            ))
            .with_hint("lz4 and bls2 have chunks")),
        }
    }

    /// How many bytes of data to put into each chunk: as many as were asked for, cut down to whole
    /// rows, or where a row does not fit to whole elements.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::error::Kind::Usage) if chunks of nothing, or of more than 1 GiB, were asked
    /// for.
    pub fn chunk(&self, label: Label) -> Result<usize> {
        const MOST: u64 = 1 << 30;
        let asked = self.chunk.unwrap_or(Self::CHUNK);
        let fitting = |unit: u64| (unit > 0 && unit <= asked).then(|| asked - asked % unit);
        let chunk = fitting(self.row).or_else(|| fitting(self.item)).unwrap_or(asked);
        match usize::try_from(chunk) {
            Ok(chunk) if (1..=MOST).contains(&asked) => Ok(chunk),
            _ => Err(Error::usage(format!(
                "{label} cannot have chunks of {asked} bytes, expected 1 to {MOST}"
            ))),
        }
    }
}

impl From<Compression> for Encoding {
    /// Takes the level and the size of chunks; the label says which codec to give them to.
    fn from(compression: Compression) -> Self {
        Self { level: compression.level(), chunk: compression.chunk(), ..Self::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_whole_rows_or_whole_elements() {
        let chunk = |asked: Option<u64>, item, row| {
            let how = Encoding { chunk: asked, ..Encoding::new().with_rows(item, row) };
            how.chunk(Label::LZ4).ok()
        };
        assert_eq!(chunk(None, 0, 0), Some(4 << 20));
        assert_eq!(chunk(None, 4, 3000), Some((4 << 20) / 3000 * 3000));
        assert_eq!(chunk(Some(1000), 3, 3000), Some(999));
        assert_eq!(chunk(Some(1000), 2000, 3000), Some(1000));
        assert_eq!(chunk(Some(9000), 4, 3000), Some(9000));
        assert_eq!(chunk(Some(0), 1, 1), None);
        assert_eq!(chunk(Some(u64::MAX), 1, 1), None);
    }
}
