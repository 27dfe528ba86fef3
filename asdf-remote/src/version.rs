//! What a response says about a file.

use std::time::SystemTime;

use asdf_core::{Error, Result};
use bytes::Bytes;

/// What a response says about the whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Version {
    /// The number of bytes.
    pub(crate) size: u64,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<SystemTime>,
}

impl Version {
    /// The ETag for `If-Match`, which needs a strong one.
    pub(crate) fn strong_etag(&self) -> Option<&str> {
        self.etag.as_deref().filter(|etag| !etag.starts_with("W/"))
    }

    /// Fails if another response says that the file changed.
    pub(crate) fn check(&self, now: &Self) -> Result<()> {
        let same = match (&self.etag, &now.etag) {
            (Some(before), Some(now)) => before == now,
            _ => self.modified == now.modified,
        };
        if same && self.size == now.size { Ok(()) } else { Err(changed()) }
    }
}

/// The error of a file that is not the one that was opened.
pub(crate) fn changed() -> Error {
    Error::malformed("the file changed while it was open").with_hint("open it again to read the new file")
}

/// A part of a file, with what the response says about all of it.
#[derive(Debug)]
pub(crate) struct Part {
    /// The offset of the bytes.
    pub(crate) start: u64,
    pub(crate) bytes: Bytes,
    pub(crate) version: Version,
}
