//! What reads of a source cost.

/// What reads of a source cost, so that callers know which of them to combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// The number of bytes that can be read in the time that one more read takes.
    ///
    /// Two reads whose gap is smaller are cheaper as one.
    pub gap: u64,
    /// The number of reads that the source serves at the same time.
    pub parallel: usize,
}

impl Cost {
    /// A file or memory: a gap of 4 KiB, one read at a time.
    pub const LOCAL: Self = Self { gap: 4 << 10, parallel: 1 };

    /// An object store or a web server: a gap of 1 MiB, 16 reads at a time.
    pub const REMOTE: Self = Self { gap: 1 << 20, parallel: 16 };

    /// Returns whether a read takes much longer than its bytes.
    #[must_use]
    pub fn is_high(&self) -> bool {
        self.gap > Self::LOCAL.gap
    }
}
