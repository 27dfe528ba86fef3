//! Long work that Ctrl-C ends.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long a signal of the user waits at most.
const PATIENCE: Duration = Duration::from_millis(50);

/// Does work without the GIL, on a thread of its own, and returns at once if the user presses Ctrl-C.
///
/// The thread then ends its work and drops the result.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(1);
    std::thread::Builder::new().name("asdfast".to_owned()).spawn(move || {
        // The receiver is gone after Ctrl-C.
        let _ = sender.send(work());
    })?;
    let mut receiver = receiver;
    loop {
        let done;
        (receiver, done) = py.detach(move || {
            let done = receiver.recv_timeout(PATIENCE);
            (receiver, done)
        });
        match done {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended early: this is a fault of asdfast"));
            }
        }
    }
}
