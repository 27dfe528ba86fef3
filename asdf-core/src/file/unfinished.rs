//! The files that this process is writing, so that a program can stop in the middle.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::disk;

/// A lock that is held for reading during steps that must not be interrupted.
///
/// The steps are creating a temporary file and adding its name, renaming it, and an update in place. [`abandon_writes`]
/// locks it for writing and never unlocks it.
static STEPS: RwLock<()> = RwLock::new(());

static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn names() -> MutexGuard<'static, Vec<PathBuf>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all unfinished files of this process and blocks all further writes.
///
/// It is for programs that a signal ends. Call it on a thread that waits for signals, not in a signal handler, and end the process afterwards: threads that
/// begin or finish a write wait forever. The old files at the paths stay. An
/// [update in place](super::UpdateOptions::in_place) that has begun is finished first.
///
/// Complete files are not removed, and threads that compute or read are not stopped. Rows that a live
/// [`StreamWriter`](super::StreamWriter) has flushed stay.
pub fn abandon_writes() {
    let steps = STEPS.write().unwrap_or_else(PoisonError::into_inner);
    // From here on no file is moved to its path.
    std::mem::forget(steps);
    for path in names().drain(..) {
        // The process ends, so a failure cannot be reported.
        let _ = disk::remove(&path);
    }
}

/// Begins a step that must not be interrupted. Steps must not be nested.
pub(super) fn step() -> RwLockReadGuard<'static, ()> {
    STEPS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Whether [`abandon_writes`] would remove a file.
#[cfg(test)]
pub(super) fn is_unfinished(path: &Path) -> bool {
    names().iter().any(|name| name == path)
}

/// The name of a file that [`abandon_writes`] removes while this value exists.
#[derive(Debug)]
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    /// Adds the name of a file that exists or is about to.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_of_the_finished_file_is_forgotten() {
        let [first, second] = ["/missing/first", "/missing/second"].map(|path| Unfinished::new(path.into()));
        drop(first);
        assert!(!is_unfinished(Path::new("/missing/first")));
        assert!(is_unfinished(second.path()));
        drop(second);
        assert!(!is_unfinished(Path::new("/missing/second")));
    }
}
