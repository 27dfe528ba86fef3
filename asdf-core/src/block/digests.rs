//! The checksums of many blocks at once.

use std::array::from_fn;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;

use super::lanes::{CHUNK, GROUP, LANES, START, take_all, take_one};
use super::md5::{digest, end};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// The number of bytes of a message that are read at a time. One piece for each lane fits in the cache.
const PIECE: usize = 64 << 10;

/// Up to this number of messages, it is as fast to hash one after the other.
const FEW: usize = 2;

/// Computes the MD5 digests of messages of these lengths in bytes, or the errors of reading them.
///
/// `read` receives the number of a message, an offset in it, and the memory for its bytes from there on. It
/// is called from several threads if `threads` allows more than one.
///
/// Up to sixteen messages share the SIMD registers of a processor, and every thread takes part, whatever the
/// lengths: a SIMD lane that is done takes the next message. Each thread uses little more than a megabyte.
pub fn md5_each(
    lengths: &[u64],
    threads: Threads,
    read: impl Fn(usize, u64, &mut [u8]) -> Result<()> + Sync,
) -> Vec<Result<[u8; 16]>> {
    // The longest come first, so that none of them is left alone at the end.
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(lengths.get(number)));
    let total = lengths.iter().fold(0_u64, |total, &length| total.saturating_add(length));
    let threads = threads.for_bytes(total).up_to(lengths.len());
    let most = LANES.min(order.len().div_ceil(threads.count()));
    let next = AtomicUsize::new(0);
    let done = threads.together(|| {
        let take = || {
            let number = *order.get(next.fetch_add(1, Ordering::Relaxed))?;
            Some((number, *lengths.get(number)?))
        };
        Worker { lanes: Vec::new(), most, done: Vec::new() }.work(&take, &read)
    });
    let mut done: Vec<_> = done.into_iter().flatten().collect();
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, digest)| digest).collect()
}

/// Computes the digests of messages in memory, like [`md5_each`].
pub(crate) fn md5_of(messages: &[Bytes], threads: Threads) -> Vec<Result<[u8; 16]>> {
    let lengths: Vec<u64> = messages.iter().map(|bytes| bytes.len() as u64).collect();
    md5_each(&lengths, threads, |number, offset, out| {
        let bytes = messages.get(number).zip(usize::try_from(offset).ok());
        let bytes = bytes.and_then(|(bytes, at)| bytes.get(at..)?.get(..out.len()));
        out.copy_from_slice(bytes.ok_or_else(|| Error::usage("the message is truncated"))?);
        Ok(())
    })
}

/// A message that is being hashed.
struct Lane {
    number: usize,
    length: u64,
    /// The number of bytes that were read.
    read: u64,
    state: [u32; 4],
    /// Whole pieces of the message. Those before `at` are done.
    bytes: Vec<u8>,
    at: usize,
}

impl Lane {
    fn left(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns whether nothing is left to read or to hash.
    fn is_done(&self) -> bool {
        self.left().is_empty() && self.read == u64::MAX
    }

    /// Reads the next piece. The last piece gets the padding of MD5.
    fn fill(&mut self, read: &impl Fn(usize, u64, &mut [u8]) -> Result<()>) -> Result<()> {
        let left = self.length - self.read;
        let count = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
        self.bytes.resize(count, 0);
        self.at = 0;
        read(self.number, self.read, &mut self.bytes)?;
        self.read += count as u64;
        if self.read == self.length {
            end(&mut self.bytes, self.length);
            self.read = u64::MAX;
        }
        Ok(())
    }
}

/// The work of one thread.
struct Worker {
    lanes: Vec<Lane>,
    most: usize,
    done: Vec<(usize, Result<[u8; 16]>)>,
}

impl Worker {
    fn work(
        mut self,
        take: &impl Fn() -> Option<(usize, u64)>,
        read: &impl Fn(usize, u64, &mut [u8]) -> Result<()>,
    ) -> Vec<(usize, Result<[u8; 16]>)> {
        loop {
            while self.lanes.len() < self.most {
                let Some((number, length)) = take() else { break };
                let bytes = Vec::with_capacity(PIECE + 2 * CHUNK);
                self.lanes.push(Lane { number, length, read: 0, state: START, bytes, at: 0 });
            }
            self.fill(take, read);
            if self.lanes.is_empty() {
                return self.done;
            }
            self.advance();
        }
    }

    /// Refills every lane, or removes it if no message is left.
    fn fill(
        &mut self,
        take: &impl Fn() -> Option<(usize, u64)>,
        read: &impl Fn(usize, u64, &mut [u8]) -> Result<()>,
    ) {
        let done = &mut self.done;
        self.lanes.retain_mut(|lane| {
            while lane.left().is_empty() {
                let result = if lane.is_done() {
                    Ok(Some(digest(lane.state)))
                } else {
                    lane.fill(read).map(|()| None)
                };
                let result = match result {
                    Ok(None) => continue,
                    Ok(Some(digest)) => Ok(digest),
                    Err(error) => Err(error),
                };
                done.push((lane.number, result));
                let Some((number, length)) = take() else { return false };
                lane.bytes.clear();
                *lane = Lane {
                    number,
                    length,
                    read: 0,
                    state: START,
                    bytes: std::mem::take(&mut lane.bytes),
                    at: 0,
                };
            }
            true
        });
    }

    /// Hashes all bytes that every lane has.
    fn advance(&mut self) {
        if self.lanes.len() <= FEW {
            for lane in &mut self.lanes {
                let mut state = lane.state;
                take_one(&mut state, lane.left());
                (lane.state, lane.at) = (state, lane.bytes.len());
            }
            return;
        }
        match self.lanes.len() {
            ..=GROUP => self.advance_all::<1>(),
            _ => self.advance_all::<2>(),
        }
    }

    fn advance_all<const GROUPS: usize>(&mut self) {
        let count = self.lanes.iter().map(|lane| lane.left().len()).min().unwrap_or(0);
        // An unused lane repeats the first message.
        let lane =
            |group: usize, number: usize| self.lanes.get(group * GROUP + number).or(self.lanes.first());
        let mut states: [[_; GROUP]; GROUPS] =
            from_fn(|group| from_fn(|number| lane(group, number).map_or(START, |lane| lane.state)));
        let messages = from_fn(|group| {
            from_fn(|number| {
                lane(group, number).and_then(|lane| lane.left().get(..count)).unwrap_or_default()
            })
        });
        take_all(&mut states, &messages);
        for (lane, state) in self.lanes.iter_mut().zip(states.into_iter().flatten()) {
            (lane.state, lane.at) = (state, lane.at + count);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::block::md5;

    fn message(number: usize, length: u64) -> Vec<u8> {
        let period: Vec<u8> = (0..251).map(|i| u8::try_from((i * 31 + number * 7) % 251).unwrap()).collect();
        let mut message = period.repeat(usize::try_from(length / 251 + 1).unwrap());
        message.truncate(usize::try_from(length).unwrap());
        message
    }

    fn check(lengths: &[u64]) {
        let messages: Vec<Vec<u8>> =
            lengths.iter().enumerate().map(|(number, &length)| message(number, length)).collect();
        let found = md5_each(lengths, Threads::ALL, |number, offset, out| {
            let start = usize::try_from(offset).unwrap();
            out.copy_from_slice(&messages[number][start..start + out.len()]);
            Ok(())
        });
        assert_eq!(found.len(), lengths.len());
        for ((digest, message), length) in found.into_iter().zip(&messages).zip(lengths) {
            assert_eq!(digest.unwrap(), md5(message), "a message of {length} bytes among {lengths:?}");
        }
    }

    #[test]
    fn lengths_at_the_borders_of_pieces() {
        let piece = PIECE as u64;
        check(&[]);
        check(&[0]);
        check(&(0..200).collect::<Vec<u64>>());
        check(&[
            piece - 9,
            piece - 8,
            piece - 1,
            piece,
            piece + 1,
            2 * piece,
            2 * piece + 55,
            2 * piece + 56,
        ]);
        // Several threads, and a long message that is left alone.
        check(&[20 * piece + 3, 0, 1, piece * 3, 5 * piece, 64, 63, piece, 4 * piece - 8, 700]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn ragged_messages(lengths in prop::collection::vec(
            prop_oneof![0..300_u64, 0..5_000_u64, 60_000..200_000_u64], 0..40))
        {
            check(&lengths);
        }
    }

    #[test]
    fn a_message_that_cannot_be_read_is_an_error_of_its_own() {
        let lengths: Vec<u64> = (0..30).map(|number| number * 10_000).collect();
        let found = md5_each(&lengths, Threads::ALL, |number, offset, out| {
            if number % 7 == 3 && offset > 0 {
                return Err(Error::malformed("damaged"));
            }
            out.fill(1);
            Ok(())
        });
        for (number, digest) in found.into_iter().enumerate() {
            let length = number * 10_000;
            if number % 7 == 3 && length > PIECE {
                assert_eq!(digest.unwrap_err().message(), "damaged");
            } else {
                assert_eq!(digest.unwrap(), md5(&vec![1; length]), "{number}");
            }
        }
    }
}
