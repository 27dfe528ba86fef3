//! A source for tests that records its reads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use super::{MemorySource, Source};
use crate::error::Result;

/// Bytes in memory, with the ranges that were read.
#[derive(Debug)]
pub(crate) struct Recording(MemorySource, Mutex<Vec<Range<u64>>>);

impl Recording {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self(MemorySource::new(bytes), Mutex::default())
    }

    /// Returns the ranges that were read since the last call.
    pub(crate) fn take(&self) -> Vec<Range<u64>> {
        std::mem::take(&mut self.1.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Source for Recording {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.1.lock().unwrap_or_else(PoisonError::into_inner).push(range.clone());
        self.0.read(range)
    }
}
