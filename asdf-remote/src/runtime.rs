//! The runtime that does the network work.

use std::future::Future;
use std::sync::{OnceLock, mpsc};

use asdf_core::{Error, Result};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// The runtime of this process, created on first use.
fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<std::io::Result<Runtime>> = OnceLock::new();
    let made = RUNTIME.get_or_init(|| {
        Builder::new_multi_thread().worker_threads(2).thread_name("asdf-remote").enable_all().build()
    });
    made.as_ref().map_err(|error| {
        let error = std::io::Error::new(error.kind(), error.to_string());
        Error::io("starting the threads for the network", error)
    })
}

/// Runs a future on the runtime and blocks this thread until it is done.
///
/// The future does not run on this thread, so the thread can belong to another runtime.
pub(crate) fn wait<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> Result<T> {
    let (sender, receiver) = mpsc::sync_channel(1);
    runtime()?.spawn(async move {
        // Nobody receives if the waiting thread was ended.
        let _ = sender.send(future.await);
    });
    receiver
        .recv()
        .map_err(|_| Error::io("waiting for the network", std::io::Error::other("a thread panicked")))
}

/// Starts a task on the runtime.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> Result<JoinHandle<()>> {
    Ok(runtime()?.spawn(task))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_of_another_runtime_can_wait() {
        let other = Builder::new_current_thread().build().unwrap();
        let found = other.block_on(async { wait(async { 7 }) });
        assert_eq!(found.unwrap(), 7);
    }

    #[test]
    fn a_panic_is_an_error() {
        let error = wait::<()>(async { panic!("expected by this test") }).unwrap_err();
        assert!(error.to_string().contains("a thread panicked"), "{error}");
    }
}
