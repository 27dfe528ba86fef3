//! The same work on many items, with results in the order of the items and bounded memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, PoisonError};

use super::{Threads, lock, spawn};

struct Items<I> {
    iterator: I,
    /// The number of the next item.
    next: usize,
}

/// A result, or a panic.
type Outcome<R> = std::thread::Result<R>;

struct Results<R> {
    /// The number of results that were passed on.
    done: usize,
    ready: BTreeMap<usize, Outcome<R>>,
    /// The number of all items, once it is known or no more are wanted.
    end: Option<usize>,
}

struct Queue<I, R> {
    items: Mutex<Items<I>>,
    results: Mutex<Results<R>>,
    changed: Condvar,
    /// The number of items that can be started and not passed on yet.
    window: usize,
}

/// Ends the workers, however the call ends: the scope waits for them.
struct Stop<'q, I, R>(&'q Queue<I, R>);

impl<I, R> Drop for Stop<'_, I, R> {
    fn drop(&mut self) {
        self.0.end_at(0);
    }
}

/// Implements [`Threads::in_order`]. `ahead` is the number of items for each thread that can be started and
/// not passed on yet.
pub(super) fn run<T, R: Send, E>(
    threads: Threads,
    ahead: usize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    mut result: impl FnMut(R) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let threads = threads.up_to(items.size_hint().1.unwrap_or(usize::MAX)).count();
    let queue = Queue {
        items: Mutex::new(Items { iterator: items, next: 0 }),
        results: Mutex::new(Results { done: 0, ready: BTreeMap::new(), end: None }),
        changed: Condvar::new(),
        window: threads.saturating_mul(ahead),
    };
    let others = if threads < 2 { 0 } else { threads };
    let (queue, work) = (&queue, &work);
    std::thread::scope(|scope| {
        let _stop = Stop(queue);
        let workers = (0..others).map_while(|_| spawn(scope, move || queue.work(work))).count();
        let mut number = 0;
        loop {
            let one = if workers == 0 {
                let item = lock(&queue.items).iterator.next();
                item.map(work)
            } else {
                queue.wait_for(number)
            };
            let Some(one) = one else { return Ok(()) };
            if result(one)?.is_break() {
                return Ok(());
            }
            number += 1;
            lock(&queue.results).done = number;
            queue.changed.notify_all();
        }
    })
}

impl<I, R> Queue<I, R> {
    /// Waits for the result of an item. Returns `None` for a number beyond the last item.
    fn wait_for(&self, number: usize) -> Option<R> {
        let mut results = lock(&self.results);
        loop {
            if let Some(one) = results.ready.remove(&number) {
                drop(results);
                return Some(one.unwrap_or_else(|panic| resume_unwind(panic)));
            }
            if results.end == Some(number) {
                return None;
            }
            results = self.changed.wait(results).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn end_at(&self, number: usize) {
        lock(&self.results).end.get_or_insert(number);
        self.changed.notify_all();
    }
}

impl<T, I: Iterator<Item = T>, R> Queue<I, R> {
    /// Does the work of one thread.
    fn work(&self, work: &impl Fn(T) -> R) {
        loop {
            // One thread waits for its turn while it holds the lock of the items, so items are started in
            // order.
            let mut items = lock(&self.items);
            let mut results = lock(&self.results);
            while results.end.is_none() && items.next >= results.done.saturating_add(self.window) {
                results = self.changed.wait(results).unwrap_or_else(PoisonError::into_inner);
            }
            if results.end.is_some() {
                return;
            }
            drop(results);
            let number = items.next;
            items.next += 1;
            // The calling thread passes on a panic, so a value that was left half done is never read.
            let one = match catch_unwind(AssertUnwindSafe(|| items.iterator.next())) {
                Ok(Some(item)) => {
                    drop(items);
                    catch_unwind(AssertUnwindSafe(|| work(item)))
                }
                Ok(None) => return self.end_at(number),
                Err(panic) => {
                    self.end_at(number + 1);
                    Err(panic)
                }
            };
            lock(&self.results).ready.insert(number, one);
            self.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::threads::started;

    const SOME: [Threads; 4] = [Threads::ONE, Threads::new(2), Threads::new(7), Threads::ALL];

    #[test]
    fn results_come_in_order_and_stop_when_asked() {
        for threads in SOME {
            let mut results = Vec::new();
            let work = |number: u64| {
                std::thread::sleep(std::time::Duration::from_micros(number * 7 % 50));
                number * 2
            };
            let all: Result<(), ()> = threads.in_order(0..500, work, |number| {
                results.push(number);
                Ok(ControlFlow::Continue(()))
            });
            assert_eq!(all, Ok(()));
            assert_eq!(results, (0..500).map(|number| number * 2).collect::<Vec<_>>());
            let mut count = 0;
            let some: Result<(), &str> = threads.in_order(0.., work, |_| {
                count += 1;
                if count == 40 { Err("enough") } else { Ok(ControlFlow::Continue(())) }
            });
            assert_eq!((some, count), (Err("enough"), 40));
        }
    }

    #[test]
    fn buffers_are_reused_and_the_first_error_ends_the_work() {
        for threads in SOME {
            let mut found = Vec::new();
            let work = |job: usize, mut buffer: Vec<u8>| {
                std::thread::sleep(std::time::Duration::from_micros(job as u64 * 7919 % 300));
                buffer.push(1);
                (job, buffer)
            };
            let mut most = 0;
            let result = threads.in_order_with_buffers(0..1000_usize, work, |(job, buffer)| {
                found.push(job);
                most = most.max(buffer.len());
                if job < 100 { Ok(buffer) } else { Err(Error::malformed(job.to_string())) }
            });
            assert_eq!(result.unwrap_err().message(), "100");
            assert!(found.iter().copied().eq(0..101), "{threads:?}");
            assert!(most * 2 * threads.count() >= 100, "buffers are reused");
        }
    }

    #[test]
    fn no_more_threads_than_items_and_none_for_one() {
        let count = |threads: Threads, items: usize| {
            started::by(|| threads.in_order(0..items, |n| n, |_| Ok::<_, ()>(ControlFlow::Continue(())))).1
        };
        assert_eq!((count(Threads::new(4), 3), count(Threads::new(4), 100)), (3, 4));
        assert_eq!(
            (count(Threads::ONE, 100), count(Threads::new(4), 1), count(Threads::new(4), 0)),
            (0, 0, 0)
        );
    }

    #[test]
    fn a_panic_is_passed_on_in_its_turn_and_no_thread_hangs() {
        let go_on = |_| -> Result<ControlFlow<()>, ()> { Ok(ControlFlow::Continue(())) };
        for threads in SOME {
            let done = Mutex::new(Vec::new());
            let told = catch_unwind(AssertUnwindSafe(|| {
                threads.in_order(
                    0..500,
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
            let told = catch_unwind(AssertUnwindSafe(|| threads.in_order(items, |number| number, go_on)));
            assert!(told.is_err());
            let told = catch_unwind(AssertUnwindSafe(|| {
                threads.in_order(
                    0..,
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
