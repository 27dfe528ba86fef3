//! The runtime that does the network work.

use std::future::Future;
use std::io;
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};

use asdf_core::{Error, Result};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// The id of a process, and its runtime. It is never dropped, because that would wait for its threads.
type Owned = (u32, io::Result<&'static Runtime>);

/// The runtime of this process, created on first use.
///
/// The threads of a runtime do not survive a fork, so a forked process gets a runtime of its own.
fn runtime() -> Result<&'static Runtime> {
    of_process(std::process::id())
}

fn of_process(process: u32) -> Result<&'static Runtime> {
    static FIRST: OnceLock<Owned> = OnceLock::new();
    static FORKED: Mutex<Option<Owned>> = Mutex::new(None);
    let (owner, made) = FIRST.get_or_init(|| owned(process));
    if *owner == process {
        return usable(made);
    }
    let mut forked = FORKED.lock().unwrap_or_else(PoisonError::into_inner);
    match &*forked {
        Some((owner, made)) if *owner == process => usable(made),
        _ => usable(&forked.insert(owned(process)).1),
    }
}

fn owned(process: u32) -> Owned {
    let made = Builder::new_multi_thread().worker_threads(2).thread_name("asdf-remote").enable_all().build();
    (process, made.map(|runtime| &*Box::leak(Box::new(runtime))))
}

fn usable(made: &io::Result<&'static Runtime>) -> Result<&'static Runtime> {
    made.as_ref().copied().map_err(|error| {
        let error = io::Error::new(error.kind(), error.to_string());
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
    receiver.recv().map_err(|_| Error::io("waiting for the network", io::Error::other("a thread panicked")))
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
    fn a_forked_process_has_its_own_runtime() {
        let first = runtime().unwrap();
        let forked = of_process(std::process::id() + 1).unwrap();
        assert!(std::ptr::eq(first, runtime().unwrap()) && !std::ptr::eq(first, forked));
        assert!(std::ptr::eq(forked, of_process(std::process::id() + 1).unwrap()));
        assert!(!std::ptr::eq(forked, of_process(std::process::id() + 2).unwrap()));
        assert_eq!(forked.block_on(async { 7 }), 7);
    }

    #[test]
    fn a_panic_is_an_error() {
        let error = wait::<()>(async { panic!("expected by this test") }).unwrap_err();
        assert!(error.to_string().contains("a thread panicked"), "{error}");
    }
}
