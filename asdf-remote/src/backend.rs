//! A file in a store: its ranges and what is known about it.

use std::ops::Range;
use std::sync::Arc;

use asdf_core::{Error, Result};
use bytes::Bytes;

use crate::address::{Address, Kind};
use crate::http_file::HttpFile;
use crate::object::Object;
use crate::state::State;
use crate::version::{Part, Version};

/// The path of an object.
pub(crate) fn key(address: &Address) -> Result<object_store::path::Path> {
    let path = object_store::path::Path::parse(&address.key)
        .map_err(|error| Error::usage(format!("not the key of an object: {error}")))?;
    if path.as_ref().is_empty() || address.key.ends_with('/') {
        return Err(Error::usage("the URL names a folder, not a file"));
    }
    Ok(path)
}

/// A file in a store.
#[derive(Debug, Clone)]
pub(crate) enum Backend {
    Object(Arc<Object>),
    Web(Arc<HttpFile>),
}

impl Backend {
    /// Finds the client for an address.
    pub(crate) fn new(state: &State, address: &Address) -> Result<Self> {
        let counting = state.counting();
        if address.kind == Kind::Web {
            let client = state.stores.web(&state.settings, &counting)?;
            let file = HttpFile::new(client, address.url(), state.settings.timeout);
            return Ok(Self::Web(Arc::new(file)));
        }
        let store = state.stores.bucket(address, &state.settings, &counting)?;
        Ok(Self::Object(Arc::new(Object::new(store, key(address)?))))
    }

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
