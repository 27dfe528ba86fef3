//! What the clones of a `Remote` share.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use asdf_core::{Error, Result};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::cache::Cache;
use crate::client::Counting;
use crate::disk_cache::DiskCache;
use crate::flights::Flights;
use crate::settings::Settings;
use crate::stats::Counters;
use crate::stores::Stores;

/// Settings, clients, cache and counts.
pub(crate) struct State {
    pub(crate) settings: Settings,
    pub(crate) counters: Arc<Counters>,
    pub(crate) flights: Flights,
    pub(crate) stores: Stores,
    cache: Mutex<Cache>,
    pub(crate) disk: Option<DiskCache>,
    requests: Semaphore,
}

/// The most requests at the same time.
pub(crate) const PARALLEL: usize = 64;

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("settings", &self.settings)
            .field("stats", &self.counters.stats())
            .finish()
    }
}

impl State {
    pub(crate) fn new(settings: Settings) -> Self {
        let cache = Mutex::new(Cache::new(settings.cache));
        let disk = settings.folder.as_ref().map(|(folder, most)| DiskCache::new(folder, *most));
        let requests = Semaphore::new(PARALLEL);
        let (counters, flights, stores) = (Arc::default(), Flights::default(), Stores::default());
        Self { settings, counters, flights, stores, cache, disk, requests }
    }

    pub(crate) fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until one more request is allowed.
    pub(crate) async fn permit(&self) -> Option<SemaphorePermit<'_>> {
        self.requests.acquire().await.ok()
    }

    /// Fails if a request of this size would exceed the limit on bytes.
    pub(crate) fn allow(&self, bytes: u64) -> Result<()> {
        let Some(most) = self.settings.most else { return Ok(()) };
        let total = self.counters.stats().bytes.saturating_add(bytes);
        if total <= most {
            return Ok(());
        }
        Err(Error::limit(format!("the requests need {total} bytes, more than the limit of {most}")))
    }

    pub(crate) fn counting(&self) -> Counting {
        Counting(self.counters.clone())
    }
}
