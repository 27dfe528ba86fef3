//! The object stores of a session, made when a URL is first used.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use asdf_remote::Remote;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreRegistry;
use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use url::Url;

use crate::web_store::WebStore;

/// Makes object stores when a URL is first used, with the credentials of the environment of this process.
///
/// It is the registry of object stores in all processes of a cluster, so credentials are never part of a plan.
///
/// | scheme | store |
/// |---|---|
/// | `file` | files of this machine |
/// | `s3`, `s3a`, `gs`, `az`, `azure`, `abfs`, `abfss` | buckets, as in [`asdf_remote`] |
/// | `http`, `https` | web servers, as in [`asdf_remote`] |
///
/// Stores that are registered take precedence.
#[derive(Debug)]
pub struct Stores {
    remote: Remote,
    stores: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
}

impl Default for Stores {
    fn default() -> Self {
        Self::new(Remote::new())
    }
}

impl Stores {
    /// Makes a registry that opens stores as a [`Remote`] does.
    #[must_use]
    pub fn new(remote: Remote) -> Self {
        Self { remote, stores: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<dyn ObjectStore>>> {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the store of a URL.
///
/// # Errors
/// If the scheme is not known, or the credentials are not valid.
pub(crate) fn make(remote: &Remote, url: &Url) -> asdf_core::Result<Arc<dyn ObjectStore>> {
    match url.scheme() {
        "file" => Ok(Arc::new(LocalFileSystem::new())),
        "http" | "https" => Ok(Arc::new(WebStore::new(remote.clone(), url))),
        _ => remote.object_store(url.as_str()),
    }
}

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.lock().insert(origin(url), store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let removed = self.lock().remove(&origin(url));
        removed.ok_or_else(|| DataFusionError::Plan(format!("no object store is registered for {url}")))
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if let Some(store) = self.lock().get(&origin(url)) {
            return Ok(store.clone());
        }
        let store = make(&self.remote, url).map_err(|error| DataFusionError::External(Box::new(error)))?;
        Ok(self.lock().entry(origin(url)).or_insert(store).clone())
    }
}

/// The scheme and the bucket or server of a URL.
fn origin(url: &Url) -> String {
    url[..url::Position::BeforePath].to_owned()
}
