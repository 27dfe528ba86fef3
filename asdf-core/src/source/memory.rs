//! A source in memory.

use std::fmt;
use std::ops::Range;

use bytes::Bytes;

use super::{Source, slice};
use crate::error::Result;

/// A whole file in memory.
///
/// Reads share the memory and never copy.
#[derive(Clone, Default)]
pub struct MemorySource {
    bytes: Bytes,
}

impl MemorySource {
    /// Makes a source from bytes.
    ///
    /// A `Vec<u8>` is moved, a `&'static [u8]` is borrowed; neither is copied.
    #[must_use]
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self { bytes: bytes.into() }
    }
}

impl fmt::Debug for MemorySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemorySource({} bytes)", self.bytes.len())
    }
}

impl Source for MemorySource {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn lends(&self) -> bool {
        true
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        slice(&self.bytes, &range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_share_the_memory() {
        let bytes = Bytes::from(vec![1, 2, 3, 4]);
        let source = MemorySource::new(bytes.clone());
        assert_eq!((source.len(), source.is_empty()), (4, false));
        let read = source.read(1..3).unwrap();
        assert_eq!(read, [2, 3].as_slice());
        assert_eq!(read.as_ptr(), bytes[1..].as_ptr());
        assert!(source.read(4..4).unwrap().is_empty());
        assert!(source.read(3..5).is_err());
        assert!(MemorySource::default().is_empty());
    }
}
