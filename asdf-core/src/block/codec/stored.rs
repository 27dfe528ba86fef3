//! The stored bytes of a block, for a decoder.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::source::Source;

/// The stored bytes: in memory, or read when they are needed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stored<'s> {
    Slice(&'s [u8]),
    Source(&'s dyn Source),
}

impl Stored<'_> {
    pub(super) fn len(self) -> u64 {
        match self {
            Self::Slice(slice) => slice.len() as u64,
            Self::Source(source) => source.len(),
        }
    }

    /// Fails if their data is no longer [wanted](Source::wanted).
    pub(super) fn wanted(self) -> Result<()> {
        match self {
            Self::Slice(_) => Ok(()),
            Self::Source(source) => source.wanted(),
        }
    }

    /// Shows the bytes of a range to a function, if their data is still wanted. They are copied into the
    /// buffer only if the source cannot lend them.
    pub(super) fn show<R>(
        self,
        range: Range<u64>,
        buffer: &mut Vec<u8>,
        look: impl FnOnce(&[u8]) -> R,
    ) -> Result<R> {
        self.wanted()?;
        match self {
            Self::Slice(slice) => {
                let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
                let bytes = slice.get(place(range.start)..place(range.end));
                bytes.map(look).ok_or_else(|| Error::malformed("the stored bytes are truncated"))
            }
            Self::Source(source) if source.lends() => Ok(look(&source.read(range)?)),
            Self::Source(source) => {
                buffer.clear();
                source.append(range, buffer)?;
                Ok(look(buffer))
            }
        }
    }
}
