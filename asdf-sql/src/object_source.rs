//! Objects as sources that block, for threads that decode arrays.

use std::fmt;
use std::future::Future;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, mpsc};

use asdf_core::source::{Cost, Source, Store};
use asdf_core::{Error, Result};
use asdf_remote::from_store;
use bytes::Bytes;
use datafusion::execution::object_store::ObjectStoreRegistry;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt as _};
use tokio::runtime::{Builder, Runtime};

use crate::pattern::{local_path, of_name};

/// Runs a future on threads of its own and blocks this thread until it is done.
///
/// The thread can belong to another runtime, whose network tasks must not wait for it.
fn wait<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> Result<T> {
    static RUNTIME: OnceLock<std::io::Result<Runtime>> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| {
        Builder::new_multi_thread().worker_threads(2).thread_name("asdf-sql-reads").enable_all().build()
    });
    let runtime = runtime.as_ref().map_err(|error| {
        Error::io("starting the threads for reads", std::io::Error::new(error.kind(), error.to_string()))
    })?;
    let (sender, receiver) = mpsc::sync_channel(1);
    runtime.spawn(async move {
        // Fails only if the waiting thread has ended.
        let _ = sender.send(future.await);
    });
    receiver.recv().map_err(|_| Error::io("waiting for a read", std::io::Error::other("a thread panicked")))
}

/// An object as a source.
struct ObjectSource {
    store: Arc<dyn ObjectStore>,
    key: Key,
    len: u64,
}

impl fmt::Debug for ObjectSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectSource").field("key", &self.key).field("len", &self.len).finish_non_exhaustive()
    }
}

impl Source for ObjectSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn cost(&self) -> Cost {
        Cost::REMOTE
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let mut found = self.read_many(std::slice::from_ref(&range))?;
        Ok(found.pop().unwrap_or_default())
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        if let Some(range) = ranges.iter().find(|range| range.end > self.len) {
            let message = format!("the file ends at byte {}, before byte {}", self.len, range.end);
            return Err(Error::malformed(message));
        }
        let (store, key, ranges) = (self.store.clone(), self.key.clone(), ranges.to_vec());
        wait(async move { store.get_ranges(&key, &ranges).await })?.map_err(from_store)
    }
}

/// Files in the object stores of a session, by their names.
#[derive(Clone)]
pub(crate) struct Files {
    stores: Arc<dyn ObjectStoreRegistry>,
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").finish_non_exhaustive()
    }
}

impl Files {
    pub(crate) fn new(stores: Arc<dyn ObjectStoreRegistry>) -> Self {
        Self { stores }
    }

    /// Opens a file by its name. Blocks this thread.
    ///
    /// # Errors
    /// If it does not exist or is not valid.
    pub(crate) fn open(&self, name: &str) -> Result<asdf_core::File> {
        let (store, key) = of_name(name)?;
        match local_path(&store, &key) {
            Some(path) => opening().open(path),
            None => opening().open_in(Arc::new(self.clone()), name),
        }
    }
}

/// The options to open a file, which can be an ASDF file or a FITS file that contains one.
pub(crate) fn opening() -> asdf_core::OpenOptions {
    // Each query reads many files at the same time.
    asdf_core::OpenOptions::new().container(asdf_fits::AsdfInFits::format()).threads(asdf_core::Threads::ONE)
}

impl Store for Files {
    fn open(&self, url: &Path) -> Result<Arc<dyn Source>> {
        let (store, key) = of_name(url.to_str().unwrap_or_default())?;
        let store =
            self.stores.get_store(store.as_ref()).map_err(|error| Error::usage(error.strip_backtrace()))?;
        let (head, at) = (store.clone(), key.clone());
        let len = wait(async move { head.head(&at).await })?.map_err(from_store)?.size;
        Ok(Arc::new(ObjectSource { store, key, len }))
    }

    fn locate(&self, base: &Path, uri: &str, names: &str) -> Result<PathBuf> {
        let is_plain = !uri.is_empty() && !uri.contains([':', '#', '%', '\\', '?']) && !uri.starts_with('/');
        let stays = !uri.split('/').any(|step| step == "..");
        match base.parent() {
            Some(folder) if is_plain && stays => {
                let steps = uri.split('/').filter(|step| *step != ".");
                Ok(steps.fold(folder.to_path_buf(), |path, step| path.join(step)))
            }
            _ => Err(Error::unsupported(format!(
                "{names} '{}', which is outside the folder of this file",
                uri.escape_debug()
            ))),
        }
    }
}
