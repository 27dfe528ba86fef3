//! What the clones of a `Remote` share in a process.

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
    /// The id of the process that made this.
    process: u32,
    /// What a forked process uses instead.
    forked: Mutex<Option<Arc<State>>>,
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
        Self::made_by(std::process::id(), settings)
    }

    fn made_by(process: u32, settings: Settings) -> Self {
        let cache = Mutex::new(Cache::new(settings.cache));
        let disk = settings.folder.as_ref().map(|(folder, most)| DiskCache::new(folder, *most));
        Self {
            settings,
            counters: Arc::default(),
            flights: Flights::default(),
            stores: Stores::default(),
            cache,
            disk,
            requests: Semaphore::new(PARALLEL),
            process,
            forked: Mutex::default(),
        }
    }

    /// Returns the state of this process: this one, or after a fork a new one with the same settings and counts.
    ///
    /// A forked process has no threads that use the connections of its parent, and its parent still uses them. A lock that
    /// another thread of the parent had stays locked.
    pub(crate) fn here(self: &Arc<Self>) -> Arc<Self> {
        self.of_process(std::process::id())
    }

    fn of_process(self: &Arc<Self>, process: u32) -> Arc<Self> {
        if self.process == process {
            return self.clone();
        }
        let mut forked = self.forked.lock().unwrap_or_else(PoisonError::into_inner);
        match &*forked {
            Some(state) if state.process == process => state.clone(),
            _ => {
                let mut state = Self::made_by(process, self.settings.clone());
                state.counters = self.counters.clone();
                forked.insert(Arc::new(state)).clone()
            }
        }
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

impl Drop for State {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // Dropping a client wakes threads that a forked process does not have, and can wait for one of their locks.
            std::mem::forget(std::mem::take(&mut self.stores));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;

    #[test]
    fn a_forked_process_has_its_own_state() {
        let state = Arc::new(State::new(Settings::new(Environment::default())));
        assert!(Arc::ptr_eq(&state, &state.here()));
        // A thread of the parent had the lock of the cache.
        let _locked = state.cache();
        let forked = state.of_process(state.process + 1);
        assert!(!Arc::ptr_eq(&state, &forked) && Arc::ptr_eq(&forked, &state.of_process(forked.process)));
        drop(forked.cache());
        forked.counters.add_bytes(5);
        assert_eq!(state.counters.stats().bytes, 5);
        assert!(!Arc::ptr_eq(&forked, &state.of_process(state.process + 2)));
    }
}
