//! The files that this process is writing, for a program that has to end in the middle.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::disk;

/// Held for reading by steps that have to be done whole: making a temporary file and adding its name, putting it in
/// its place, an update in place. [`abandon_writes`] takes it for writing and keeps it.
static STEPS: RwLock<()> = RwLock::new(());

static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn names() -> MutexGuard<'static, Vec<PathBuf>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that this process has begun to write and not finished, and stops all further writes: a thread
/// that wants to begin or finish one waits forever. For a program that ends because of a signal.
///
/// Call it on a thread that waits for signals, not in a signal handler, and end the process afterwards. What stood at
/// the paths that were to be written stays. An [update in place](super::UpdateOptions::in_place) that has begun is
/// finished first.
///
/// It does not undo files that are whole, nor end threads that compute or read. Rows that a live
/// [`StreamWriter`](super::StreamWriter) has flushed stay.
pub fn abandon_writes() {
    let steps = STEPS.write().unwrap_or_else(PoisonError::into_inner);
    // Nothing is put in its place from here on.
    std::mem::forget(steps);
    for path in names().drain(..) {
        // The process ends, so a failure cannot be reported.
        let _ = disk::remove(&path);
    }
}

/// A step that is done whole or not at all. Must not begin inside another one.
pub(super) fn step() -> RwLockReadGuard<'static, ()> {
    STEPS.read().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a file that is removed if the process has to end before this value does.
#[derive(Debug)]
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    /// Adds the name of a file that is there, or is about to be.
    pub(super) fn new(path: PathBuf) -> Self {
        names().push(path.clone());
        Self(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut names = names();
        if let Some(at) = names.iter().rposition(|name| *name == self.0) {
            names.swap_remove(at);
        }
    }
}
