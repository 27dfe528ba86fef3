//! The decoded data that a block keeps.

use std::ops::Range;

use bytes::Bytes;

/// The decoded data that a block keeps for later reads.
#[derive(Default)]
pub(super) enum Decoded {
    #[default]
    None,
    /// The bytes from an offset on, of a codec that decodes parts: reading row by row needs them again.
    Part(u64, Bytes),
    /// All of the data.
    Whole(Bytes),
}

impl Decoded {
    /// Returns a range of the data if all of it is kept.
    pub(super) fn find(&self, range: &Range<u64>) -> Option<Bytes> {
        let (start, bytes) = match self {
            Self::None => return None,
            Self::Part(start, bytes) => (*start, bytes),
            Self::Whole(bytes) => (0, bytes),
        };
        let from = usize::try_from(range.start.checked_sub(start)?).ok()?;
        let to = usize::try_from(range.end.checked_sub(start)?).ok()?;
        (to <= bytes.len()).then(|| bytes.slice(from..to))
    }
}
