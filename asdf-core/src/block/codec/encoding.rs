//! Options of encoding a block.

use std::ops::RangeInclusive;

use crate::block::{Compression, Label};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// The largest part of a block that is decoded alone, to read a range in it. A block of larger parts is decoded
/// whole, so that its size is known to the limits and no part is decoded again. Small in tests.
pub(crate) const LARGEST_PART: usize = if cfg!(test) { 1 << 20 } else { 256 << 20 };

/// How to encode: the requested options, and what is known about the array.
///
/// The default requests nothing and knows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Encoding {
    /// The level; the default of the codec if `None`.
    pub level: Option<u32>,
    /// The maximum number of bytes of data in a chunk, for codecs whose chunks decode separately. `None` for the
    /// default of the codec; `zstd` then has one chunk.
    pub chunk: Option<u64>,
    /// Bytes of one element, which some codecs shuffle by; 0 if unknown.
    pub item: u64,
    /// Bytes of one row, which should not be cut; 0 if unknown. (It is a line or a plane if rows do not fit:
    /// the largest part of the array that fits into a chunk.)
    pub row: u64,
    /// The maximum number of threads. The stored bytes do not depend on it.
    pub threads: Threads,
}

impl Encoding {
    /// The default maximum of bytes of data in a chunk: 4 MiB, as in Python's `asdf`.
    pub const CHUNK: u64 = 4 << 20;

    /// Makes an encoding with the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the same encoding with a level.
    #[must_use]
    pub fn with_level(self, level: u32) -> Self {
        Self { level: Some(level), ..self }
    }

    /// Returns the same encoding with chunks of at most `chunk` bytes of data.
    #[must_use]
    pub fn with_chunk(self, chunk: u64) -> Self {
        Self { chunk: Some(chunk), ..self }
    }

    /// Returns the same encoding for elements and rows of these sizes in bytes; 0 if unknown.
    #[must_use]
    pub fn with_rows(self, item: u64, row: u64) -> Self {
        Self { item, row, ..self }
    }

    /// Returns the same encoding with a maximum number of threads.
    #[must_use]
    pub fn with_threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Returns the level to use, if the codec has it.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::error::Kind::Usage) if the codec lacks the level.
    pub fn level(&self, label: Label, levels: RangeInclusive<u32>, default: u32) -> Result<u32> {
        match self.level {
            Some(level) if levels.is_empty() => {
                Err(Error::usage(format!("found the compression level {level}, but {label} has no levels")))
            }
            Some(level) if !levels.contains(&level) => Err(Error::usage(format!(
                "found the compression level {level}, expected {} to {} for {label}",
                levels.start(),
                levels.end()
            ))),
            _ => Ok(self.level.unwrap_or(default)),
        }
    }

    /// Returns the level to use, for a codec of this crate.
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
    /// [`Usage`](crate::error::Kind::Usage) if chunks were requested.
    pub fn whole(&self, label: Label) -> Result<()> {
        match self.chunk {
            None => Ok(()),
            Some(chunk) => {
                Err(Error::usage(format!("found a chunk size of {chunk} bytes, but {label} has no chunks"))
                    .with_hint("use lz4, zstd or bls2, which have chunks"))
            }
        }
    }

    /// Returns the number of bytes of data for each chunk.
    ///
    /// It is the requested number, rounded down to whole rows, or to whole elements if a row does not fit.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::error::Kind::Usage) if chunks of 0 bytes, or of more than 1 GiB, were requested.
    pub fn chunk(&self, label: Label) -> Result<usize> {
        const MOST: u64 = 1 << 30;
        let asked = self.chunk.unwrap_or(Self::CHUNK);
        let fitting = |unit: u64| (unit > 0 && unit <= asked).then(|| asked - asked % unit);
        let chunk = fitting(self.row).or_else(|| fitting(self.item)).unwrap_or(asked);
        match usize::try_from(chunk) {
            Ok(chunk) if (1..=MOST).contains(&asked) => Ok(chunk),
            _ => Err(Error::usage(format!(
                "found a chunk size of {asked} bytes, expected 1 to {MOST} for {label}"
            ))),
        }
    }
}

impl From<Compression> for Encoding {
    /// Takes over the level and the size of the chunks; the label selects the codec.
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
