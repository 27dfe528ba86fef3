//! How many requests a query needs, and which bytes.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use asdf_sql::{AsdfOptions, RegisterAsdf as _, context};
use async_trait::async_trait;
use bytes::Bytes;
use datafusion::prelude::SessionContext;
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt as _, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use url::Url;

use crate::files::{detector, exposure};

/// Counts the requests of a store.
#[derive(Debug, Default)]
struct Counting {
    store: InMemory,
    lists: AtomicUsize,
    reads: AtomicUsize,
    bytes: AtomicUsize,
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("counting")
    }
}

#[async_trait]
impl ObjectStore for Counting {
    async fn put_opts(&self, at: &Path, bytes: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.store.put_opts(at, bytes, options).await
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(at, options).await
    }

    async fn get_opts(&self, at: &Path, options: GetOptions) -> Result<GetResult> {
        self.store.get_opts(at, options).await
    }

    async fn get_ranges(&self, at: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let found = self.store.get_ranges(at, ranges).await?;
        self.bytes.fetch_add(found.iter().map(Bytes::len).sum(), Ordering::Relaxed);
        Ok(found)
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.store.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.lists.fetch_add(1, Ordering::Relaxed);
        if prefix.is_some_and(|prefix| prefix.as_ref() == MANY) {
            let meta = |number: u64| ObjectMeta {
                location: Path::from(format!("{MANY}/r{number:06}.asdf")),
                last_modified: chrono::DateTime::UNIX_EPOCH,
                size: number,
                e_tag: None,
                version: None,
            };
            return stream::iter((0..MANY_OBJECTS).map(move |number| Ok(meta(number)))).boxed();
        }
        self.store.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.store.copy_opts(from, to, options).await
    }
}

impl Counting {
    fn take(&self) -> (usize, usize, usize) {
        let take = |count: &AtomicUsize| count.swap(0, Ordering::Relaxed);
        (take(&self.lists), take(&self.reads), take(&self.bytes))
    }
}

/// The folder with many objects, which are only listed.
const MANY: &str = "many";

/// The number of these objects, which is more than those that are packed at once.
const MANY_OBJECTS: u64 = 40_000;

/// The number of objects.
const OBJECTS: usize = 100;

/// The size of arrays, which are larger than the first request.
const SIDE: u64 = 200;

async fn bucket() -> (SessionContext, Arc<Counting>) {
    let store = Arc::new(Counting::default());
    for number in 0..OBJECTS {
        let bytes = exposure(number, SIDE).to_bytes().unwrap();
        store.put(&Path::from(format!("l2/r{number:03}.asdf")), bytes.to_vec().into()).await.unwrap();
    }
    store.put(&Path::from("l2/readme.txt"), "x".into()).await.unwrap();
    let context = context().unwrap();
    context.register_object_store(&Url::parse("sim://bucket").unwrap(), store.clone());
    (context, store)
}

async fn count(context: &SessionContext, query: &str) -> usize {
    context.asdf_sql(query, AsdfOptions::new()).await.unwrap().count().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_takes_one_request_for_each_file() {
    let (context, store) = bucket().await;
    context.register_asdf("l2", "sim://bucket/l2/", AsdfOptions::new()).await.unwrap();
    store.take();
    assert_eq!(count(&context, "select _file, _size from l2").await, OBJECTS);
    assert_eq!(store.take(), (1, 0, 0), "the listing is enough");
    let query = format!("select number from l2 where detector = '{}'", detector(0));
    assert_eq!(count(&context, &query).await, OBJECTS.div_ceil(18));
    let (lists, reads, bytes) = store.take();
    assert_eq!((lists, reads), (1, OBJECTS));
    assert_eq!(bytes, OBJECTS * (64 << 10), "no array was read");
    assert_eq!(count(&context, "select number from l2 where _file like '%/r00%' and number >= 0").await, 10);
    assert_eq!(store.take().1, 10, "files that the listing excludes are not opened");
}

#[tokio::test(flavor = "multi_thread")]
async fn arrays_are_read_only_of_files_that_pass_the_filter() {
    let (context, store) = bucket().await;
    context.register_asdf("l2", "sim://bucket/l2/*.asdf", AsdfOptions::new()).await.unwrap();
    store.take();
    let query = "select array_mean(_file, '/roman/data') from l2 where number = 7";
    let found = context.asdf_sql(query, AsdfOptions::new()).await.unwrap().collect().await.unwrap();
    assert_eq!(found.iter().map(|batch| batch.num_rows()).sum::<usize>(), 1);
    let (_, _, bytes) = store.take();
    let array = usize::try_from(SIDE * SIDE * 4).unwrap();
    assert!(bytes < OBJECTS * (64 << 10) + 2 * array, "{bytes}");
    let rows = count(&context, "select * from asdf_rows('sim://bucket/l2/*.asdf', '/roman/catalog')").await;
    assert_eq!(rows, 2 * OBJECTS);
    assert_eq!(count(&context, "select * from blocks('sim://bucket/l2/r00*.asdf')").await, 30);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_listings_are_complete() {
    let (context, store) = bucket().await;
    let query =
        "select _file from 'sim://bucket/many/' where _size % 2 = 0 group by _file having sum(_size) >= 0";
    store.take();
    let frame = context.asdf_sql(query, AsdfOptions::new()).await.unwrap();
    let found = frame.collect().await.unwrap();
    let rows: usize = found.iter().map(|batch| batch.num_rows()).sum();
    assert_eq!(rows, usize::try_from(MANY_OBJECTS / 2).unwrap());
    let (lists, reads, _) = store.take();
    // The files are listed once to see that there are some, and once for the query.
    assert!(lists <= 2 && reads == 0, "{lists} {reads}");
}
