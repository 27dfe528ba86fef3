//! Counts of requests and bytes.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The requests that were made so far, and the bytes that they returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Stats {
    /// The number of requests, including repeated ones.
    pub requests: u64,
    /// The number of bytes of files in their responses.
    pub bytes: u64,
}

impl fmt::Display for Stats {
    /// Writes `2 requests, 1131072 bytes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.requests == 1 { "" } else { "s" };
        write!(f, "{} request{plural}, {} bytes", self.requests, self.bytes)
    }
}

/// The counters behind [`Stats`].
#[derive(Debug, Default)]
pub(crate) struct Counters {
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Counters {
    pub(crate) fn add_request(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds bytes, and returns the total.
    pub(crate) fn add_bytes(&self, bytes: u64) -> u64 {
        self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes)
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats { requests: self.requests.load(Ordering::Relaxed), bytes: self.bytes.load(Ordering::Relaxed) }
    }
}
