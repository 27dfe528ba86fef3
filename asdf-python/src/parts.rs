//! Bytes in several parts as one source.

use std::fmt;
use std::ops::Range;

use asdf_core::source::Source;
use asdf_core::{Error, Result};
use bytes::Bytes;

/// Borrowed parts of the stored bytes of a block. Reads copy what they need, so that nothing is joined.
pub(crate) struct Parts<'a> {
    /// The parts that are not empty, with their offsets.
    parts: Vec<(u64, &'a [u8])>,
    len: u64,
}

impl<'a> Parts<'a> {
    pub(crate) fn new(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut own = Self { parts: Vec::new(), len: 0 };
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            own.parts.push((own.len, part));
            own.len += part.len() as u64;
        }
        own
    }
}

impl fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parts({} bytes in {} parts)", self.len, self.parts.len())
    }
}

impl Source for Parts<'_> {
    fn len(&self) -> u64 {
        self.len
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let mut bytes = Vec::new();
        self.append(range, &mut bytes)?;
        Ok(bytes.into())
    }

    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        if range.start > range.end || range.end > self.len {
            return Err(Error::malformed(format!("the stored bytes end at {}", self.len)));
        }
        let mut at = range.start;
        let first = self.parts.partition_point(|&(start, part)| start + part.len() as u64 <= at);
        for &(start, part) in self.parts.iter().skip(first) {
            if at >= range.end {
                break;
            }
            // Both are positions in the part, so they fit.
            let from = usize::try_from(at - start).unwrap_or(usize::MAX);
            let to = usize::try_from(range.end - start).unwrap_or(usize::MAX).min(part.len());
            bytes.extend_from_slice(part.get(from..to).unwrap_or_default());
            at = start + to as u64;
        }
        Ok(())
    }
}
