//! The end of work that writes a file, after Ctrl-C.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use pyo3::prelude::*;

use crate::interrupt::{Reporter, Stop, run};

/// The time after a signal in which work can end before the exception is raised. A server can be silent for longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Ends work that was interrupted: all reads of the file fail until this work has ended.
#[derive(Clone, Default)]
pub(crate) struct Ending(Arc<Mutex<Vec<Weak<()>>>>);

impl Ending {
    /// Whether reads have to fail.
    pub(crate) fn is_wanted(&self) -> bool {
        let mut interrupted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        interrupted.retain(|work| work.strong_count() > 0);
        !interrupted.is_empty()
    }

    /// Runs work on a thread of its own, without the GIL, and checks for signals until it ends.
    ///
    /// After a signal the work has to stop, and fails when it reads the file again, so it writes nothing after that.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> PyResult<T> {
        // The thread owns it until its work has ended.
        let alive = Arc::new(());
        let watched = Arc::downgrade(&alive);
        let work = move |stop: &Stop, _: &Reporter| {
            let _alive = alive;
            work(stop)
        };
        let interrupted = || self.0.lock().unwrap_or_else(PoisonError::into_inner).push(watched);
        run(py, None, PATIENCE, interrupted, work)
    }
}
