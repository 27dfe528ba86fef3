//! An object in a bucket of S3, Google or Azure.

use std::ops::Range;
use std::sync::Arc;

use asdf_core::Result;
use object_store::path::Path;
use object_store::{Error as StoreError, GetOptions, GetRange, ObjectStore, ObjectStoreExt as _};

use crate::error::from_store;
use crate::version::{Part, Version};

/// An object in a bucket.
#[derive(Debug)]
pub(crate) struct Object {
    store: Arc<dyn ObjectStore>,
    path: Path,
}

impl Object {
    pub(crate) fn new(store: Arc<dyn ObjectStore>, path: Path) -> Self {
        Self { store, path }
    }

    pub(crate) async fn first(&self, count: u64) -> Result<Part> {
        match self.get(0..count, None).await {
            Ok(part) => Ok(part),
            Err(
                error @ (StoreError::NotFound { .. }
                | StoreError::PermissionDenied { .. }
                | StoreError::Unauthenticated { .. }),
            ) => Err(from_store(error)),
            // Servers refuse every range of an empty object.
            Err(error) => match self.store.head(&self.path).await {
                Ok(meta) if meta.size == 0 => Ok(Part {
                    start: 0,
                    bytes: bytes::Bytes::new(),
                    version: Version { size: 0, etag: meta.e_tag, modified: None },
                }),
                _ => Err(from_store(error)),
            },
        }
    }

    pub(crate) async fn range(&self, range: Range<u64>, version: &Version) -> Result<Part> {
        self.get(range, version.strong_etag().map(str::to_owned)).await.map_err(from_store)
    }

    async fn get(&self, range: Range<u64>, etag: Option<String>) -> object_store::Result<Part> {
        let options =
            GetOptions { range: Some(GetRange::Bounded(range)), if_match: etag, ..GetOptions::default() };
        let found = self.store.get_opts(&self.path, options).await?;
        let version = Version {
            size: found.meta.size,
            etag: found.meta.e_tag.clone(),
            modified: Some(found.meta.last_modified.into()),
        };
        let start = found.range.start;
        Ok(Part { start, bytes: found.bytes().await?, version })
    }
}
