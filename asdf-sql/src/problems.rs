//! The files of a query that could not be read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use asdf_core::Error;

/// The most messages that are kept.
const MOST: usize = 10;

/// The files that could not be read, for warnings at the end of a query.
///
/// The processes of a cluster have one each. Their answers have the same messages in the column `_problems`.
#[derive(Debug, Default)]
pub struct Problems {
    found: Mutex<Found>,
    /// Whether messages are printed at once, since no caller takes them.
    prints: bool,
    /// The number of files that were read.
    files: AtomicU64,
}

#[derive(Debug, Default)]
struct Found {
    messages: Vec<String>,
    count: usize,
}

impl Problems {
    /// Makes the problems of a task of an executor, which are printed.
    pub(crate) fn of_task() -> Self {
        Self { prints: true, ..Self::default() }
    }

    /// Adds the error of a file.
    pub(crate) fn add(&self, error: &Error) {
        if self.prints {
            log::warn!("{error}");
            return;
        }
        let mut found = self.lock();
        found.count += 1;
        if found.messages.len() < MOST {
            let message = error.to_string();
            found.messages.push(message);
        }
    }

    /// Counts a file that was read.
    pub(crate) fn count(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of files that were read so far.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Returns up to 10 messages and the number of files, and forgets them.
    #[must_use]
    pub fn take(&self) -> (Vec<String>, usize) {
        self.files.store(0, Ordering::Relaxed);
        let found = std::mem::take(&mut *self.lock());
        (found.messages, found.count)
    }

    fn lock(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
