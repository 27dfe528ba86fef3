//! Threads that codecs work on.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};

use crate::error::Result;

/// On how many threads a codec may work at most.
///
/// A codec starts them for one block, when that is large enough to be worth it, and they end with it:
/// there is no pool that outlives a call. The bytes that are written never depend on it. A program
/// that works on many arrays at once on threads of its own does better with [`ONE`](Self::ONE).
///
/// ```
/// use asdf_core::{OpenOptions, Threads};
///
/// let options = OpenOptions::new().threads(Threads::ONE);
/// assert_eq!(Threads::most(4).count(), 4);
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Threads(Option<NonZeroUsize>);

impl Threads {
    /// As many as this process may use at once, the default
    /// ([`available_parallelism`](std::thread::available_parallelism)).
    pub const ALL: Self = Self(None);
    /// Only the one that calls.
    pub const ONE: Self = Self(Some(NonZeroUsize::MIN));

    /// So many; at least one.
    #[must_use]
    pub const fn most(count: usize) -> Self {
        match NonZeroUsize::new(count) {
            Some(count) => Self(Some(count)),
            None => Self::ONE,
        }
    }

    /// How many they are here and now.
    #[must_use]
    pub fn count(self) -> usize {
        self.0.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// The same, or one where so few bytes are not worth more.
    #[cfg_attr(
        not(any(feature = "lz4", feature = "zlib", feature = "bzp2")),
        allow(dead_code, reason = "for codecs of pieces")
    )]
    pub(crate) fn for_bytes(self, bytes: usize) -> Self {
        if bytes < 1 << 20 { Self::ONE } else { self }
    }

    /// Does jobs on the threads and takes what comes out in the order of the jobs, in the calling
    /// thread. Each job gets a buffer to work with, which `take` gives back: at most two for each
    /// thread are in use, and no more jobs are begun. The first error of `take` ends it.
    #[cfg_attr(
        not(any(feature = "lz4", feature = "zlib", feature = "bzp2")),
        allow(dead_code, reason = "for codecs of pieces")
    )]
    pub(crate) fn in_order<J: Send, R: Send>(
        self,
        jobs: impl Iterator<Item = J> + Send,
        work: impl Fn(J, Vec<u8>) -> R + Sync,
        mut take: impl FnMut(R) -> Result<Vec<u8>>,
    ) -> Result<()> {
        let threads = jobs.size_hint().1.unwrap_or(usize::MAX).min(self.count());
        if threads < 2 {
            let mut buffer = Vec::new();
            for job in jobs {
                buffer = take(work(job, buffer))?;
            }
            return Ok(());
        }
        let (give, free) = channel();
        (0..2 * threads).for_each(|_| drop(give.send(Vec::new())));
        // Who gets a buffer gets the next job, so that the job which is waited for is always begun.
        let next = Mutex::new((free, jobs.enumerate()));
        let (done, results) = channel();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (next, work, done) = (&next, &work, done.clone());
                scope.spawn(move || {
                    while let Some((number, job, buffer)) = begin(next) {
                        let result = catch_unwind(AssertUnwindSafe(|| work(job, buffer)));
                        if done.send((number, result)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(done);
            // When this ends, nobody waits for a buffer any more.
            let give = give;
            let mut early = BTreeMap::new();
            let mut number = 0;
            for (found, result) in results {
                early.insert(found, result);
                while let Some(result) = early.remove(&number) {
                    // A panic goes on here, where it ends the others too.
                    let result = result.unwrap_or_else(|panic| resume_unwind(panic));
                    drop(give.send(take(result)?));
                    number += 1;
                }
            }
            Ok(())
        })
    }
}

/// A buffer and the next job, with its number.
fn begin<J>(
    next: &Mutex<(Receiver<Vec<u8>>, impl Iterator<Item = (usize, J)>)>,
) -> Option<(usize, J, Vec<u8>)> {
    let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
    let buffer = next.0.recv().ok()?;
    let (number, job) = next.1.next()?;
    Some((number, job, buffer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn results_come_in_order_whoever_is_first() {
        for threads in [Threads::ONE, Threads::most(2), Threads::most(7), Threads::ALL] {
            let mut found = Vec::new();
            let work = |job: usize, mut buffer: Vec<u8>| {
                std::thread::sleep(std::time::Duration::from_micros(job as u64 * 7919 % 300));
                buffer.push(1);
                (job, buffer)
            };
            let mut most = 0;
            let result = threads.in_order(0..100_usize, work, |(job, buffer)| {
                found.push(job);
                most = most.max(buffer.len());
                Ok(buffer)
            });
            result.unwrap();
            assert!(found.iter().copied().eq(0..100), "{threads:?}");
            assert!(most * 2 * threads.count() >= 100, "buffers are used again");
        }
    }

    #[test]
    fn the_first_error_in_the_order_of_jobs_ends_it() {
        for threads in [Threads::ONE, Threads::most(3)] {
            let mut taken = 0;
            let error = threads
                .in_order(
                    0..1000_usize,
                    |job, _| job,
                    |job| {
                        taken += 1;
                        if job >= 10 { Err(Error::malformed(job.to_string())) } else { Ok(Vec::new()) }
                    },
                )
                .unwrap_err();
            assert_eq!((error.message(), taken), ("10", 11));
        }
    }

    #[test]
    #[should_panic(expected = "of a job")]
    fn a_panic_is_no_hang() {
        let work = |job: usize, buffer| if job == 3 { panic!("of a job") } else { buffer };
        let _ = Threads::most(2).in_order(0..1000, work, Ok);
    }

    #[test]
    fn counts() {
        assert_eq!((Threads::ONE.count(), Threads::most(0).count(), Threads::most(3).count()), (1, 1, 3));
        assert!(Threads::ALL.count() >= 1 && Threads::default() == Threads::ALL);
        assert!(Threads::ALL.in_order(0..0_usize, |_, b| b, Ok).is_ok());
    }
}
