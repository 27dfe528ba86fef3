//! The same work on many things at once, with the results in order and in bounded memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, PoisonError};

/// How many results may wait for an earlier one, for each thread.
const AHEAD: usize = 16;

struct State<I, R> {
    items: I,
    /// The number of the next item, and of the next result.
    next: usize,
    done: usize,
    ready: BTreeMap<usize, R>,
    /// The number of all items, once it is known; or there shall be no more.
    end: Option<usize>,
}

/// Does the work on all items with so many threads and hands the results on in the order of the items, until
/// `result` breaks off or fails.
pub(crate) fn in_order<T, R: Send, E>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
    mut result: impl FnMut(R) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let state = Mutex::new(State { items, next: 0, done: 0, ready: BTreeMap::new(), end: None });
    let changed = Condvar::new();
    let window = threads.saturating_mul(AHEAD).max(1);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| worker(&state, &changed, window, &work));
        }
        loop {
            let mut locked = state.lock().unwrap_or_else(PoisonError::into_inner);
            let one = loop {
                let done = locked.done;
                if let Some(one) = locked.ready.remove(&done) {
                    break one;
                }
                if locked.end == Some(done) {
                    return Ok(());
                }
                locked = changed.wait(locked).unwrap_or_else(PoisonError::into_inner);
            };
            locked.done += 1;
            drop(locked);
            changed.notify_all();
            let flow = result(one);
            if !matches!(flow, Ok(ControlFlow::Continue(()))) {
                let mut locked = state.lock().unwrap_or_else(PoisonError::into_inner);
                locked.end = Some(locked.next);
                drop(locked);
                changed.notify_all();
                return flow.map(|_| ());
            }
        }
    })
}

fn worker<T, R>(
    state: &Mutex<State<impl Iterator<Item = T>, R>>,
    changed: &Condvar,
    window: usize,
    work: &impl Fn(T) -> R,
) {
    loop {
        let mut locked = state.lock().unwrap_or_else(PoisonError::into_inner);
        while locked.end.is_none() && locked.next >= locked.done.saturating_add(window) {
            locked = changed.wait(locked).unwrap_or_else(PoisonError::into_inner);
        }
        if locked.end.is_some() {
            return;
        }
        let number = locked.next;
        let Some(item) = locked.items.next() else {
            locked.end = Some(number);
            drop(locked);
            return changed.notify_all();
        };
        locked.next += 1;
        drop(locked);
        let one = work(item);
        state.lock().unwrap_or_else(PoisonError::into_inner).ready.insert(number, one);
        changed.notify_all();
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
}
