//! A file in a listing.

use std::time::SystemTime;

/// A file in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The URL of the file.
    pub url: String,
    /// The number of bytes, if the listing says it.
    pub size: Option<u64>,
    /// The time of the last change, if the listing says it.
    pub modified: Option<SystemTime>,
}
