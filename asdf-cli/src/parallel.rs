//! The same work on many things at once, with the results in order and in bounded memory.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// So many threads as a command line says.
pub(crate) fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number from 1 on".to_owned())
}

/// How many results may wait for an earlier one, for each thread.
const AHEAD: usize = 16;

/// A result, or the panic that came instead.
type Outcome<R> = std::thread::Result<R>;

struct State<I, R> {
    items: I,
    /// The number of the next item, and of the next result.
    next: usize,
    done: usize,
    ready: BTreeMap<usize, Outcome<R>>,
    /// The number of all items, once it is known; or there shall be no more.
    end: Option<usize>,
}

struct Shared<I, R> {
    state: Mutex<State<I, R>>,
    changed: Condvar,
}

impl<I, R> Shared<I, R> {
    fn lock(&self) -> MutexGuard<'_, State<I, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, locked: MutexGuard<'a, State<I, R>>) -> MutexGuard<'a, State<I, R>> {
        self.changed.wait(locked).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends the workers home, however the work ends: who waits for them would else wait for ever.
struct Stop<'a, I, R>(&'a Shared<I, R>);

impl<I, R> Drop for Stop<'_, I, R> {
    fn drop(&mut self) {
        let mut locked = self.0.lock();
        locked.end = Some(locked.next);
        drop(locked);
        self.0.changed.notify_all();
    }
}

/// Does the work on all items with so many threads and hands the results on in the order of the items, until
/// `result` breaks off or fails. A panic in the work goes on here, when it is that item's turn.
pub(crate) fn in_order<T, R: Send, E>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
    mut result: impl FnMut(R) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let state = State { items, next: 0, done: 0, ready: BTreeMap::new(), end: None };
    let shared = Shared { state: Mutex::new(state), changed: Condvar::new() };
    let window = threads.saturating_mul(AHEAD).max(1);
    std::thread::scope(|scope| {
        let _stop = Stop(&shared);
        for _ in 0..threads.max(1) {
            scope.spawn(|| worker(&shared, window, &work));
        }
        loop {
            let mut locked = shared.lock();
            let one = loop {
                let done = locked.done;
                if let Some(one) = locked.ready.remove(&done) {
                    break one;
                }
                if locked.end == Some(done) {
                    return Ok(());
                }
                locked = shared.wait(locked);
            };
            locked.done += 1;
            drop(locked);
            shared.changed.notify_all();
            match one {
                Ok(one) => {
                    if result(one)?.is_break() {
                        return Ok(());
                    }
                }
                Err(panic) => resume_unwind(panic),
            }
        }
    })
}

fn worker<T, R>(shared: &Shared<impl Iterator<Item = T>, R>, window: usize, work: &impl Fn(T) -> R) {
    loop {
        let mut locked = shared.lock();
        while locked.end.is_none() && locked.next >= locked.done.saturating_add(window) {
            locked = shared.wait(locked);
        }
        if locked.end.is_some() {
            return;
        }
        let number = locked.next;
        // Whoever sees a panic stops, so nobody sees what it left half done.
        let one = match catch_unwind(AssertUnwindSafe(|| locked.items.next())) {
            Ok(Some(item)) => {
                locked.next += 1;
                drop(locked);
                catch_unwind(AssertUnwindSafe(|| work(item)))
            }
            Ok(None) => {
                locked.end = Some(number);
                drop(locked);
                return shared.changed.notify_all();
            }
            Err(panic) => {
                locked.next += 1;
                locked.end = Some(locked.next);
                drop(locked);
                Err(panic)
            }
        };
        shared.lock().ready.insert(number, one);
        shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_stop_when_asked() {
        for threads in [1, 2, 7] {
            let mut results = Vec::new();
            let work = |number: u64| {
                std::thread::sleep(std::time::Duration::from_micros(number * 7 % 50));
                number * 2
            };
            let all: Result<(), ()> = in_order(0..500, threads, work, |number| {
                results.push(number);
                Ok(ControlFlow::Continue(()))
            });
            assert_eq!(all, Ok(()));
            assert_eq!(results, (0..500).map(|number| number * 2).collect::<Vec<_>>());
            let mut count = 0;
            let some: Result<(), &str> = in_order(0.., threads, work, |_| {
                count += 1;
                if count == 40 { Err("enough") } else { Ok(ControlFlow::Continue(())) }
            });
            assert_eq!((some, count), (Err("enough"), 40));
        }
    }

    #[test]
    fn a_panic_comes_out_in_its_turn_and_nobody_waits_for_ever() {
        let go_on = |_| -> Result<ControlFlow<()>, ()> { Ok(ControlFlow::Continue(())) };
        for threads in [1, 2, 7] {
            let done = Mutex::new(Vec::new());
            let told = catch_unwind(AssertUnwindSafe(|| {
                in_order(
                    0..500,
                    threads,
                    |number| if number == 40 { panic!("in the work") } else { number },
                    |number| {
                        done.lock().unwrap().push(number);
                        go_on(number)
                    },
                )
            }));
            assert_eq!(told.unwrap_err().downcast_ref(), Some(&"in the work"));
            assert_eq!(done.into_inner().unwrap(), (0..40).collect::<Vec<_>>());
            let items = (0..500).inspect(|number| assert!(*number < 40, "among the items"));
            assert!(
                catch_unwind(AssertUnwindSafe(|| in_order(items, threads, |number| number, go_on))).is_err()
            );
            let told = catch_unwind(AssertUnwindSafe(|| {
                in_order(
                    0..,
                    threads,
                    |number| number,
                    |number| -> Result<ControlFlow<()>, ()> {
                        assert!(number < 40, "in the result");
                        Ok(ControlFlow::Continue(()))
                    },
                )
            }));
            assert!(told.is_err());
        }
    }
}
