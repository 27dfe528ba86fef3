//! A block for tests that counts the bytes that are read.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;

use super::MemoryBlock;
use crate::block::Compression;
use crate::error::Result;
use crate::threads::Threads;
use crate::tree::{Block, Stored};

/// A block that is read by position.
#[derive(Debug)]
pub(super) struct Counted {
    block: MemoryBlock,
    read: AtomicU64,
}

impl Counted {
    pub(super) fn new(bytes: impl Into<Bytes>) -> Self {
        Self { block: MemoryBlock::new(bytes, Compression::NONE), read: AtomicU64::new(0) }
    }

    /// Returns the number of bytes that were read.
    pub(super) fn read_bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Sets the count to zero.
    pub(super) fn forget(&self) {
        self.read.store(0, Ordering::Relaxed);
    }
}

impl Block for Counted {
    fn size(&self) -> u64 {
        self.block.size()
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.read.fetch_add(range.end - range.start, Ordering::Relaxed);
        self.block.read(range)
    }

    fn threads(&self) -> Threads {
        self.block.threads()
    }

    fn stored(&self) -> Result<Stored> {
        self.block.stored()
    }
}
