//! Parallel work: the number of threads for a call. Only this module starts threads.
//!
//! [`Threads`] is set with [`OpenOptions::threads`](crate::OpenOptions::threads) and
//! [`WriteOptions::threads`](crate::WriteOptions::threads), and applies to everything that is done with that
//! file. With [`Threads::ONE`] no call starts a thread. There is no thread pool: a call starts its threads
//! and waits for them to end. One exception is a thread that closes a large file after it was replaced. If
//! the system cannot start a thread, as on wasm32, the calling thread does all of the work.
//!
//! Programs that process several files or values at the same time can use [`Threads::in_order`] and
//! [`Threads::map`].

mod in_order;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
pub(crate) use std::thread::JoinHandle;
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use crate::error;

/// The maximum number of threads for one step of a call.
///
/// A step is, for example, the decoding of one block. The calling thread reads and writes small blocks and
/// arrays alone. The written bytes never depend on the number of threads. If a program processes many arrays
/// on threads of its own, use [`ONE`](Self::ONE), which starts no threads.
///
/// # Examples
/// ```
/// use asdf_core::{OpenOptions, Threads};
///
/// let options = OpenOptions::new().threads(Threads::ONE);
/// assert_eq!(Threads::new(4).count(), 4);
/// # let _ = options;
/// ```
#[doc(alias = "num_threads")]
#[doc(alias = "thread pool")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Threads(Option<NonZeroUsize>);

/// The number of results of [`Threads::in_order`] for each thread that can wait for an earlier one.
const AHEAD: usize = 16;

/// The number of threads in this process that work in the [background](Threads::background).
static BACKGROUND: AtomicUsize = AtomicUsize::new(0);

/// Lets the calling thread sleep.
pub(crate) fn pause(time: Duration) {
    std::thread::sleep(time);
}

impl Threads {
    /// All threads that this process can use at once, the default
    /// ([`available_parallelism`](std::thread::available_parallelism)).
    pub const ALL: Self = Self(None);
    /// Only the calling thread.
    pub const ONE: Self = Self(Some(NonZeroUsize::MIN));

    /// Allows up to `count` threads; [`ONE`](Self::ONE) for 0.
    #[must_use]
    pub const fn new(count: usize) -> Self {
        match NonZeroUsize::new(count) {
            Some(count) => Self(Some(count)),
            None => Self::ONE,
        }
    }

    /// Returns the number of threads on this machine.
    #[must_use]
    pub fn count(self) -> usize {
        self.0.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Calls a function for each item on several threads, and passes on the results in order.
    ///
    /// The calling thread calls `result`, which ends the work with an error or [`ControlFlow::Break`]. One
    /// thread at a time takes items from the iterator. To bound memory, at most sixteen items for each thread
    /// are started before an earlier result is passed on.
    ///
    /// # Examples
    /// ```
    /// use std::convert::Infallible;
    /// use std::ops::ControlFlow;
    ///
    /// use asdf_core::Threads;
    ///
    /// let mut squares = Vec::new();
    /// let done: Result<(), Infallible> = Threads::ALL.in_order(0..5_u32, |n| n * n, |square| {
    ///     squares.push(square);
    ///     Ok(ControlFlow::Continue(()))
    /// });
    /// assert_eq!((done, squares), (Ok(()), vec![0, 1, 4, 9, 16]));
    /// ```
    ///
    /// # Errors
    /// Returns the error of `result`.
    ///
    /// # Panics
    /// Panics if `work` or the iterator does, after the results of earlier items were passed on.
    pub fn in_order<T, R: Send, E>(
        self,
        items: impl Iterator<Item = T> + Send,
        work: impl Fn(T) -> R + Sync,
        result: impl FnMut(R) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        in_order::run(self, AHEAD, items, work, result)
    }

    /// Calls a function for each item on several threads, and returns the results in order.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(asdf_core::Threads::ALL.map(&[3, 1, 2], |n| n * 10), [30, 10, 20]);
    /// ```
    ///
    /// # Panics
    /// Panics if `work` does.
    pub fn map<T: Sync, R: Send>(self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let next = AtomicUsize::new(0);
        let share = || {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(number) else { return done };
                done.push((number, work(item)));
            }
        };
        let mut done: Vec<(usize, R)> =
            self.up_to(items.len()).together(share).into_iter().flatten().collect();
        done.sort_by_key(|&(number, _)| number);
        done.into_iter().map(|(_, result)| result).collect()
    }

    /// Returns the same limit, or `count` if that is less.
    #[must_use]
    pub(crate) fn up_to(self, count: usize) -> Self {
        Self::new(self.count().min(count))
    }

    /// Returns the same limit, or [`ONE`](Self::ONE) if more threads are not worth it for this number of
    /// bytes.
    #[must_use]
    pub(crate) fn for_bytes(self, bytes: u64) -> Self {
        if bytes < 1 << 20 { Self::ONE } else { self }
    }

    /// Works like [`in_order`](Self::in_order), with a buffer for each job, which `take` gives back. Up to
    /// two buffers for each thread are in use, and no more jobs are started.
    #[cfg_attr(
        not(any(feature = "lz4", feature = "zlib", feature = "bzp2")),
        allow(dead_code, reason = "for codecs of pieces")
    )]
    pub(crate) fn in_order_with_buffers<J, R: Send>(
        self,
        jobs: impl Iterator<Item = J> + Send,
        work: impl Fn(J, Vec<u8>) -> R + Sync,
        mut take: impl FnMut(R) -> error::Result<Vec<u8>>,
    ) -> error::Result<()> {
        let free = Mutex::new(Vec::new());
        let work = |job| {
            let buffer = lock(&free).pop().unwrap_or_default();
            work(job, buffer)
        };
        in_order::run(self, 2, jobs, work, |result| {
            let buffer = take(result)?;
            lock(&free).push(buffer);
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Calls the same function on each thread, including the calling one, and returns all results in no
    /// particular order. The function takes its tasks from something shared until nothing is left.
    pub(crate) fn together<R: Send>(self, work: impl Fn() -> R + Sync) -> Vec<R> {
        let others = self.count() - 1;
        if others == 0 {
            return vec![work()];
        }
        std::thread::scope(|scope| {
            let others: Vec<_> = (0..others).map_while(|_| spawn(scope, &work)).collect();
            let mut results = vec![work()];
            for other in others {
                results.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            results
        })
    }

    /// Fills a slice on several threads if it is large. `fill` receives an offset and the bytes from there
    /// on. After an error the rest can be left out.
    pub(crate) fn fill(
        self,
        out: &mut [u8],
        fill: impl Fn(usize, &mut [u8]) -> error::Result<()> + Sync,
    ) -> error::Result<()> {
        if out.len() < WORTH_FILLING || self == Self::ONE {
            return fill(0, out);
        }
        let shares = Mutex::new((0..).step_by(SHARE).zip(out.chunks_mut(SHARE)));
        let next = || lock(&shares).next();
        let results = self.up_to(MAX_FILLING).together(|| -> error::Result<()> {
            while let Some((at, share)) = next() {
                fill(at, share)?;
            }
            Ok(())
        });
        results.into_iter().collect()
    }

    /// Starts work that runs while the calling thread does something else. The whole process has at most as
    /// many of these threads as processors. Returns `None`, and drops the work, if no thread is available.
    pub(crate) fn background<R: Send + 'static>(
        self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Option<JoinHandle<R>> {
        if self.count() < 2 {
            return None;
        }
        let place = Place::take()?;
        let work = move || {
            let result = work();
            drop(place);
            result
        };
        #[cfg(test)]
        started::note();
        Builder::new().name("asdf background".to_owned()).spawn(work).ok()
    }
}

/// The bytes that a thread fills at a time: a whole number of elements of any datatype. Few for Miri, which is slow.
const SHARE: usize = if cfg!(miri) { 2 << 10 } else { 2 << 20 };

/// Below this number of bytes another thread costs more than it gains.
const WORTH_FILLING: usize = 4 * SHARE;

/// More threads than these would wait for memory.
const MAX_FILLING: usize = 8;

/// The slot of a background thread, until it is dropped.
struct Place;

impl Place {
    fn take() -> Option<Self> {
        let max = Threads::ALL.count();
        let add = |count: usize| (count < max).then_some(count + 1);
        BACKGROUND.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok().map(|_| Self)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        BACKGROUND.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Starts a thread of a scope; `None` if the system cannot.
fn spawn<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, R>> {
    #[cfg(test)]
    started::note();
    Builder::new().name("asdf worker".to_owned()).spawn_scoped(scope, work).ok()
}

/// Joining a thread passes on its panic, so data that it left half done is never seen.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts the threads that a test starts.
#[cfg(test)]
pub(crate) mod started {
    use std::cell::Cell;

    thread_local!(static STARTED: Cell<usize> = const { Cell::new(0) });

    pub(super) fn note() {
        STARTED.set(STARTED.get() + 1);
    }

    /// Returns the result of a call and the number of threads that it started.
    pub(crate) fn by<R>(call: impl FnOnce() -> R) -> (R, usize) {
        let before = STARTED.get();
        let result = call();
        (result, STARTED.get() - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!((Threads::ONE.count(), Threads::new(0).count(), Threads::new(3).count()), (1, 1, 3));
        assert!(Threads::ALL.count() >= 1 && Threads::default() == Threads::ALL);
    }

    #[test]
    fn one_is_the_calling_thread() {
        let here = std::thread::current().id();
        let is_here = |_: &u8| std::thread::current().id() == here;
        assert_eq!(started::by(|| Threads::ONE.map(&[1, 2, 3], is_here)), (vec![true; 3], 0));
        assert_eq!(started::by(|| Threads::ONE.background(|| ()).is_none()), (true, 0));
        assert_eq!(started::by(|| Threads::new(3).map(&[1, 2, 3], |n| n + 1)), (vec![2, 3, 4], 2));
    }

    #[test]
    fn background_threads_do_not_exceed_processors() {
        let all: Vec<Place> = std::iter::from_fn(Place::take).take(1000).collect();
        assert!(all.len() <= Threads::ALL.count());
    }

    #[test]
    fn every_byte_is_filled_once() {
        for len in [0, 1, WORTH_FILLING - 1, WORTH_FILLING, WORTH_FILLING + SHARE / 2 + 3] {
            for threads in [Threads::ONE, Threads::new(3)] {
                let mut out = vec![0_u8; len];
                let filled = started::by(|| {
                    threads.fill(&mut out, |at, share| {
                        for (index, byte) in (at..).zip(share) {
                            *byte += u8::try_from(index % 251).unwrap() + 1;
                        }
                        Ok(())
                    })
                });
                let others = if len < WORTH_FILLING { 0 } else { threads.count() - 1 };
                assert_eq!((filled.0.is_ok(), filled.1), (true, others));
                let mut bytes = out.iter().enumerate();
                assert!(bytes.all(|(index, &byte)| usize::from(byte) == index % 251 + 1), "{len}");
            }
        }
    }

    #[test]
    fn an_error_of_a_share_is_returned() {
        let mut out = vec![0_u8; 3 * WORTH_FILLING];
        let cut =
            |at, _: &mut [u8]| if at >= WORTH_FILLING { Err(error::Error::malformed("cut")) } else { Ok(()) };
        assert_eq!(Threads::new(2).fill(&mut out, cut).unwrap_err().message(), "cut");
    }

    #[test]
    #[should_panic(expected = "in the work")]
    fn a_panic_is_passed_on() {
        Threads::new(2).map(&[1, 2, 3], |&n| assert!(n < 3, "in the work"));
    }
}
