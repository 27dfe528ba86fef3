//! The end of work that writes a file, after Ctrl-C.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::interrupt::{failed, receive, start};

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
    /// After a signal the work fails when it reads the file again, so it writes nothing after that.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> PyResult<T> {
        // The thread owns it until its work has ended.
        let alive = Arc::new(());
        let watched = Arc::downgrade(&alive);
        let (sender, mut receiver) = channel();
        start(move || {
            let result = work();
            drop(alive);
            // After a signal the receiver can be gone.
            let _ = sender.send(result);
        })?;
        loop {
            let (same, received) = receive(py, receiver);
            receiver = same;
            match received {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Disconnected) => return Err(failed()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(signal) = py.check_signals() {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).push(watched);
                wait(py, receiver);
                return Err(signal);
            }
        }
    }
}

/// Waits for the end of work, up to a limit.
fn wait<T: Send>(py: Python<'_>, mut receiver: Receiver<T>) {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let (same, received) = receive(py, receiver);
        if !matches!(received, Err(RecvTimeoutError::Timeout)) {
            return;
        }
        receiver = same;
    }
}
