//! A web server as an object store that is only read.

use std::fmt;
use std::ops::Range;
use std::path::Path as FilePath;

use asdf_remote::Remote;
use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use object_store::path::Path;
use object_store::{
    Attributes, CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult,
    MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use url::Url;

/// The name of this store in errors.
const STORE: &str = "web server";

/// The files of a web server. They have no listing here: `asdf_remote` reads directory indexes.
#[derive(Debug)]
pub(crate) struct WebStore {
    remote: Remote,
    origin: String,
}

impl fmt::Display for WebStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}

impl WebStore {
    pub(crate) fn new(remote: Remote, url: &Url) -> Self {
        Self { remote, origin: url[..url::Position::BeforePath].to_owned() }
    }

    /// Runs a function with the source of a file, on a thread that can block.
    async fn with_source<T: Send + 'static>(
        &self,
        location: &Path,
        work: impl FnOnce(&dyn asdf_core::source::Source) -> asdf_core::Result<T> + Send + 'static,
    ) -> Result<T> {
        let (store, url) = (self.remote.store(), format!("{}/{location}", self.origin));
        let task = tokio::task::spawn_blocking(move || work(store.open(FilePath::new(&url))?.as_ref()));
        let result = task.await.map_err(|error| Error::Generic { store: STORE, source: Box::new(error) })?;
        result.map_err(|error| Error::Generic { store: STORE, source: Box::new(error) })
    }
}

fn read_only<T>() -> Result<T> {
    let source = "files of web servers cannot be changed".into();
    Err(Error::NotSupported { source })
}

#[async_trait]
impl ObjectStore for WebStore {
    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        read_only()
    }

    async fn put_multipart_opts(&self, _: &Path, _: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        read_only()
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let (head, wanted) = (options.head, options.range);
        let read = move |source: &dyn asdf_core::source::Source| {
            let size = source.len();
            let range = match wanted {
                _ if head => 0..0,
                None => 0..size,
                Some(GetRange::Bounded(range)) => range.start.min(size)..range.end.min(size),
                Some(GetRange::Offset(start)) => start.min(size)..size,
                Some(GetRange::Suffix(count)) => size.saturating_sub(count)..size,
            };
            let bytes = if range.is_empty() { Bytes::new() } else { source.read(range.clone())? };
            Ok((size, range, bytes))
        };
        let (size, range, bytes) = self.with_source(location, read).await?;
        let meta = ObjectMeta {
            location: location.clone(),
            last_modified: DateTime::<Utc>::UNIX_EPOCH,
            size,
            e_tag: None,
            version: None,
        };
        let payload = GetResultPayload::Stream(stream::once(async move { Ok(bytes) }).boxed());
        Ok(GetResult { payload, meta, range, attributes: Attributes::new() })
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let ranges = ranges.to_vec();
        self.with_source(location, move |source| source.read_many(&ranges)).await
    }

    fn delete_stream(&self, _: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        stream::once(async { read_only() }).boxed()
    }

    fn list(&self, _: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let source = "web servers have no listing".into();
        stream::once(async { Err(Error::NotSupported { source }) }).boxed()
    }

    async fn list_with_delimiter(&self, _: Option<&Path>) -> Result<ListResult> {
        Err(Error::NotSupported { source: "web servers have no listing".into() })
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        read_only()
    }
}
