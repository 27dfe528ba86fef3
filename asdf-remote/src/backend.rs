//! A file in a store: its ranges and what is known about it.

use std::ops::Range;
use std::sync::Arc;

use asdf_core::{Error, Result};
use bytes::Bytes;

use crate::http_file::HttpFile;
use crate::object::Object;
use crate::version::{Part, Version};

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
