//! A block whose bytes are in memory.

use std::fmt;
use std::ops::Range;

use bytes::Bytes;

use crate::block::Compression;
use crate::error::{Error, Result};
use crate::tree::{Block, Stored};

/// A block in memory, to be written with or without compression.
#[derive(Clone)]
pub struct MemoryBlock {
    bytes: Bytes,
    compression: Compression,
}

impl MemoryBlock {
    /// Makes a block from bytes, which are shared, not copied.
    #[must_use]
    pub fn new(bytes: impl Into<Bytes>, compression: Compression) -> Self {
        Self { bytes: bytes.into(), compression }
    }
}

impl fmt::Debug for MemoryBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryBlock({} bytes, {})", self.bytes.len(), self.compression)
    }
}

impl Block for MemoryBlock {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let inside = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        match inside {
            Some((start, end)) if start <= end && end <= self.bytes.len() => Ok(self.bytes.slice(start..end)),
            _ => Err(Error::usage(format!(
                "the bytes {} to {} are outside the block, which has {} bytes",
                range.start,
                range.end,
                self.bytes.len()
            ))),
        }
    }

    fn is_at_hand(&self) -> bool {
        true
    }

    fn describe(&self) -> String {
        if self.compression.label().is_none() {
            "memory".to_owned()
        } else {
            format!("memory, {}", self.compression)
        }
    }

    fn stored(&self) -> Result<Stored> {
        Ok(Stored::Plain { bytes: self.bytes.clone(), compression: self.compression })
    }
}
