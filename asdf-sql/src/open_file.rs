//! Opens a file with the requests of an async runtime.

use std::ops::Range;
use std::sync::Arc;

use asdf_core::source::{PartialSource, Progress};
use asdf_core::{Error, File, Result};
use asdf_remote::from_store;
use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::{ObjectMeta, ObjectStore};

use crate::object_source::opening;
use crate::pattern::local_path;

/// The bytes that are read first. They hold the trees of nearly all files.
const FIRST: u64 = 64 << 10;

/// Opens a file and reads its tree. Errors have the name of the file.
///
/// # Errors
/// If the file cannot be read, or is not an ASDF file.
pub(crate) async fn open_file(
    url: &ObjectStoreUrl,
    store: &Arc<dyn ObjectStore>,
    name: &str,
    meta: &ObjectMeta,
) -> Result<File> {
    if let Some(path) = local_path(url, &meta.location) {
        return opening().open(path);
    }
    let at = |error: Error| error.at_file(name);
    let source = Arc::new(PartialSource::new(meta.size));
    let mut ranges = Vec::from([Range { start: 0, end: FIRST.min(meta.size) }]);
    loop {
        if ranges.iter().any(|range| !range.is_empty()) {
            let found = store.get_ranges(&meta.location, &ranges).await;
            for (range, bytes) in ranges.iter().zip(found.map_err(|error| at(from_store(error)))?) {
                source.give(range.start, bytes).map_err(at)?;
            }
        }
        match source.attempt(|| opening().open_from(source.clone())).map_err(at)? {
            Progress::Done(file) => return Ok(file),
            Progress::Needs(more) => ranges = more,
        }
    }
}
