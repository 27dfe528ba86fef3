//! Long work that Ctrl-C interrupts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use asdf_core::Error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::Failure;

/// The time between two checks for signals.
pub(crate) const INTERVAL: Duration = Duration::from_millis(100);

/// Ends work in the background whose result was given up.
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether to stop.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns a guard that sets it when it is dropped, for example because of an exception.
    pub(crate) fn on_drop(&self) -> StopOnDrop {
        StopOnDrop(self.clone())
    }
}

/// Sets a [`Stop`] when it is dropped.
pub(crate) struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Runs work on a thread of its own, without the GIL, and checks for signals until it ends.
///
/// After a signal the work continues in the background, but its result is not used.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    stoppable(py, |_| work())
}

/// Runs work like [`interruptible`], but tells it to stop after a signal.
pub(crate) fn stoppable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> PyResult<T> {
    watched(py, None, move |stop, _| work(stop))
}

/// How many files are done.
pub(crate) struct Progress {
    pub(crate) done: usize,
    pub(crate) total: usize,
}

/// What the thread of the work sends.
enum Message<T> {
    Progress(Progress),
    Result(T),
}

/// Sends the progress of work.
pub(crate) struct Reporter(Box<dyn Fn(Progress) + Send>);

impl Reporter {
    pub(crate) fn report(&self, progress: Progress) {
        (self.0)(progress);
    }
}

/// Runs work like [`stoppable`]. Calls `callback(done, total)` whenever the work reports its progress.
pub(crate) fn watched<T: Send + 'static>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Stop, &Reporter) -> T + Send + 'static,
) -> PyResult<T> {
    run(py, callback, Duration::ZERO, || (), work)
}

/// Runs work like [`watched`]. After a signal it calls `interrupted`, and waits for the end of the work, but not longer than
/// `patience`.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    patience: Duration,
    interrupted: impl FnOnce(),
    work: impl FnOnce(&Stop, &Reporter) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Stop::default();
    let guard = stop.on_drop();
    let (sender, mut receiver) = channel();
    let has_callback = callback.is_some();
    start(move || {
        let own = sender.clone();
        // After a signal the receiver is gone.
        let report = move |progress| {
            if has_callback {
                let _ = own.send(Message::Progress(progress));
            }
        };
        let result = work(&stop, &Reporter(Box::new(report)));
        let _ = sender.send(Message::Result(result));
    })?;
    let failure = loop {
        let (same, received) = receive(py, receiver);
        receiver = same;
        let told = match received {
            Ok(Message::Result(result)) => return Ok(result),
            Ok(Message::Progress(Progress { done, total })) => {
                callback.map_or(Ok(()), |callback| callback.call1((done, total)).map(drop))
            }
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => return Err(failed()),
        };
        if let Err(failure) = told.and_then(|()| py.check_signals()) {
            break failure;
        }
    };
    // The work has to stop now.
    drop(guard);
    interrupted();
    let start = Instant::now();
    while start.elapsed() < patience {
        let (same, received) = receive(py, receiver);
        receiver = same;
        if matches!(received, Ok(Message::Result(_)) | Err(RecvTimeoutError::Disconnected)) {
            break;
        }
    }
    Err(failure)
}

/// Starts a thread.
pub(crate) fn start(work: impl FnOnce() + Send + 'static) -> PyResult<()> {
    let started = Builder::new().name("asdfast".to_owned()).spawn(work);
    started.map(drop).map_err(|error| Failure::from(Error::io("starting a thread", error)).into())
}

/// Returns the exception for a thread that ended without a result.
pub(crate) fn failed() -> PyErr {
    PyRuntimeError::new_err("a thread of asdfast failed; report this bug, with the file if possible")
}

/// Waits for a message without the GIL.
fn receive<T: Send>(py: Python<'_>, receiver: Receiver<T>) -> (Receiver<T>, Result<T, RecvTimeoutError>) {
    py.detach(move || {
        let received = receiver.recv_timeout(INTERVAL);
        (receiver, received)
    })
}
