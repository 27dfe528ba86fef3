//! A file in a store: its ranges and what is known about it.

use std::ops::Range;
use std::sync::Arc;
use std::time::SystemTime;

use asdf_core::{Error, Result};
use bytes::Bytes;

use crate::http_file::HttpFile;
use crate::object::Object;

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

/// A file in a store.
#[derive(Debug, Clone)]
pub(crate) enum Backend {
    Object(Arc<Object>),
    Web(Arc<HttpFile>),
}

impl Backend {
    /// Requests the first bytes of the file: up to `count`. A server without ranges returns all of it.
    pub(crate) async fn first(&self, count: u64) -> Result<Part> {
        match self {
            Self::Object(object) => object.first(count).await,
            Self::Web(file) => file.first(count).await,
        }
    }

    /// Requests a range inside the file.
    pub(crate) async fn range(&self, range: Range<u64>, version: &Version) -> Result<Bytes> {
        let part = match self {
            Self::Object(object) => object.range(range.clone(), version).await?,
            Self::Web(file) => file.range(range.clone(), version).await?,
        };
        version.check(&part.version)?;
        let expected = range.end - range.start;
        if part.start != range.start || part.bytes.len() as u64 != expected {
            let found = part.bytes.len();
            return Err(Error::malformed(format!(
                "the server returned {found} bytes from byte {}, expected {expected}",
                part.start
            ))
            .at_offset(range.start));
        }
        Ok(part.bytes)
    }

    /// Requests several ranges inside the file with one request. `None` if the server does not do that.
    pub(crate) async fn ranges(
        &self,
        ranges: &[Range<u64>],
        version: &Version,
    ) -> Result<Option<Vec<Bytes>>> {
        match self {
            Self::Object(_) => Ok(None),
            Self::Web(file) => file.ranges(ranges, version).await,
        }
    }
}
