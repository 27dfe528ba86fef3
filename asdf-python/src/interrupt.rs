//! Long work that Ctrl-C interrupts.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use asdf_core::Error;

use crate::error::Failure;

/// The time between two checks for signals.
pub(crate) const INTERVAL: Duration = Duration::from_millis(100);

/// Runs work on a thread of its own, without the GIL, and checks for signals until it ends.
///
/// After a signal the work continues in the background, but its result is not used. It must not call Python, so it can
/// end at any time, also after the interpreter.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    start(move || {
        // Nobody receives the result after a signal.
        let _ = sender.send(work());
    })?;
    loop {
        let (same, received) = receive(py, receiver);
        match received {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(failed()),
        }
        receiver = same;
    }
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
