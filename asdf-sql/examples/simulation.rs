//! Simulates a bucket of millions of files, to measure queries over it on this machine or on a cluster:
//!
//! ```sh
//! cargo build --release -p asdf-sql --example simulation
//! simulation query "select count(*) from 'sim://10000000/'"
//! simulation scheduler & simulation executor 8 &
//! simulation query "select count(*) from 'sim://10000000/'" df://127.0.0.1:50050
//! ```
//!
//! The host of the URL is the number of files. Each request for a file waits for 20 milliseconds and answers with one of 100
//! files, whose trees have about 13 kB.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use asdf_core::{File, NdArray};
use asdf_sql::{
    AsdfOptions, Executor, RegisterAsdf as _, Scheduler, Stores, cluster_context_with, context_with,
};
use async_trait::async_trait;
use bytes::Bytes;
use chrono::DateTime;
use datafusion::common::DataFusionError;
use datafusion::execution::object_store::ObjectStoreRegistry;
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use object_store::path::Path;
use object_store::{
    Attributes, CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult,
    MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use url::Url;

/// The time that a request takes.
const LATENCY: Duration = Duration::from_millis(20);

/// The different files.
const FILES: u64 = 100;

#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let stores: Arc<dyn ObjectStoreRegistry> = Arc::new(Simulated::default());
    match words.as_slice() {
        ["scheduler"] => {
            let mut scheduler = Scheduler::default();
            scheduler.stores = stores;
            scheduler.run().await?;
        }
        ["executor", cores] => {
            let mut executor = Executor::default();
            (executor.stores, executor.cores) = (stores, Some(cores.parse()?));
            executor.run().await?;
        }
        ["query", query, address @ ..] => {
            let context = match address {
                [address, ..] => cluster_context_with(address, stores).await?,
                [] => context_with(stores)?,
            };
            context.asdf_sql(query, AsdfOptions::new()).await?.show().await?;
        }
        _ => return Err("usage: simulation scheduler | executor CORES | query QUERY [df://HOST:PORT]".into()),
    }
    Ok(())
}

/// The stores of a session: each `sim://COUNT` has that many files.
#[derive(Debug, Default)]
struct Simulated(Stores);

impl ObjectStoreRegistry for Simulated {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.0.register_store(url, store)
    }

    fn get_store(&self, url: &Url) -> datafusion::common::Result<Arc<dyn ObjectStore>> {
        match url.host_str().filter(|_| url.scheme() == "sim").map(str::parse) {
            None => self.0.get_store(url),
            Some(Ok(count)) => Ok(Arc::new(Bucket { count })),
            Some(Err(_)) => Err(DataFusionError::Plan("write sim://COUNT/".to_owned())),
        }
    }
}

/// A bucket with a number of files.
#[derive(Debug)]
struct Bucket {
    count: u64,
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sim://{}", self.count)
    }
}

/// Returns the contents of a file.
fn contents(number: u64) -> Bytes {
    static MADE: OnceLock<Vec<Bytes>> = OnceLock::new();
    let made = MADE.get_or_init(|| (0..FILES).map(|number| make(number).unwrap_or_default()).collect());
    made.get(usize::try_from(number % FILES).unwrap_or_default()).cloned().unwrap_or_default()
}

/// Makes a file whose tree has about 13 kB.
fn make(number: u64) -> asdf_core::Result<Bytes> {
    let mut file = File::new();
    let meta = "/roman/meta";
    file.set_with_parents(&format!("{meta}/detector"), format!("WFI{:02}", number % 18 + 1).as_str())?;
    file.set_with_parents(&format!("{meta}/exposure_time"), &(number as f64 / 4.0))?;
    for value in 0..300_u64 {
        let path = format!("{meta}/group{}/parameter_{value:03}", value / 20);
        file.set_with_parents(&path, format!("a text, {:06}", value * number).as_str())?;
    }
    file.set_with_parents("/roman/data", &NdArray::new(&[256], &[0_f32; 256])?)?;
    Ok(file.to_bytes()?.into())
}

/// What a listing says about a file.
fn meta(number: u64) -> ObjectMeta {
    ObjectMeta {
        location: Path::from(format!("l2/{:05}/r{number:010}_cal.asdf", number / 1000)),
        last_modified: DateTime::from_timestamp_nanos(1_790_000_000_000_000_000),
        size: contents(number).len() as u64,
        e_tag: None,
        version: None,
    }
}

fn read_only<T>() -> Result<T> {
    Err(Error::NotSupported { source: "the simulation is only read".into() })
}

#[async_trait]
impl ObjectStore for Bucket {
    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        read_only()
    }

    async fn put_multipart_opts(&self, _: &Path, _: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        read_only()
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        tokio::time::sleep(LATENCY).await;
        let digits = location.filename().unwrap_or_default().get(1..11).unwrap_or_default();
        let Ok(number) = digits.parse() else {
            return Err(Error::NotFound { path: location.to_string(), source: "no such file".into() });
        };
        let bytes = contents(number);
        let size = bytes.len() as u64;
        let range = match options.range {
            _ if options.head => 0..0,
            None => 0..size,
            Some(GetRange::Bounded(range)) => range.start.min(size)..range.end.min(size),
            Some(GetRange::Offset(start)) => start.min(size)..size,
            Some(GetRange::Suffix(count)) => size.saturating_sub(count)..size,
        };
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let found = bytes.slice(at(range.start)..at(range.end));
        let payload = GetResultPayload::Stream(stream::once(async move { Ok(found) }).boxed());
        Ok(GetResult { payload, meta: meta(number), range, attributes: Attributes::new() })
    }

    fn delete_stream(&self, _: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        stream::once(async { read_only() }).boxed()
    }

    fn list(&self, _: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        stream::iter((0..self.count).map(|number| Ok(meta(number)))).boxed()
    }

    async fn list_with_delimiter(&self, _: Option<&Path>) -> Result<ListResult> {
        read_only()
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        read_only()
    }
}
