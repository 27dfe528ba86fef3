//! A source of the parts of a file that the caller has.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::{Cost, Source, check};
use crate::error::{Error, Result};

/// A source that performs no I/O: it reads the parts of a file that the caller gave it, and says which are missing.
///
/// A program that cannot block in a read, such as one with an async runtime or a page in a browser, gets the bytes
/// itself. [`attempt`](Self::attempt) runs any work on the file, such as opening it or reading a slice of an array.
/// If bytes are missing, it returns their ranges; the program fetches them, [gives](Self::give) them to the source, and
/// tries again. The work stops at the first missing bytes, so a repetition costs little.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use asdf_core::source::{PartialSource, Progress};
/// use asdf_core::{File, NdArray, OpenOptions, array::Slice};
///
/// # let mut file = File::new();
/// # file.set("/data", &NdArray::new(&[4, 2], &[1_u16, 2, 3, 4, 5, 6, 7, 8])?)?;
/// # let stored = file.to_bytes()?;
/// // Stands for a request with `Range: bytes=START-END`.
/// let fetch = |range: std::ops::Range<u64>| stored[range.start as usize..range.end as usize].to_vec();
///
/// let source = Arc::new(PartialSource::new(stored.len() as u64));
/// let file = loop {
///     match source.attempt(|| OpenOptions::new().open_from(source.clone()))? {
///         Progress::Done(file) => break file,
///         Progress::Needs(ranges) => {
///             for range in ranges {
///                 source.give(range.start, fetch(range))?;
///             }
///         }
///     }
/// };
/// let rows = loop {
///     match source.attempt(|| file.array("/data")?.slice(&[Slice::from(1..3)])?.read::<u16>())? {
///         Progress::Done(rows) => break rows,
///         Progress::Needs(ranges) => {
///             for range in ranges {
///                 source.give(range.start, fetch(range))?;
///             }
///         }
///     }
/// };
/// assert_eq!(rows, [3, 4, 5, 6]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
pub struct PartialSource {
    len: u64,
    cost: Cost,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The parts by their offsets. They do not overlap.
    parts: BTreeMap<u64, Bytes>,
    /// The ranges that were read and are not in the parts.
    missing: Vec<Range<u64>>,
}

/// The result of an [attempt](PartialSource::attempt).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress<T> {
    /// The work is done.
    Done(T),
    /// The work needs the bytes of these ranges. They are in ascending order and do not overlap or touch.
    Needs(Vec<Range<u64>>),
}

impl PartialSource {
    /// Makes a source of a file of `len` bytes, of which no part is known yet.
    ///
    /// Its [cost](Source::cost) is [`Cost::REMOTE`].
    #[must_use]
    pub fn new(len: u64) -> Self {
        Self { len, cost: Cost::REMOTE, state: Mutex::default() }
    }

    /// Sets the [cost](Source::cost) of reads.
    #[must_use]
    pub fn with_cost(mut self, cost: Cost) -> Self {
        self.cost = cost;
        self
    }

    /// Adds the bytes from an offset on.
    ///
    /// Bytes that are already known are replaced.
    ///
    /// # Errors
    /// [`Malformed`](crate::error::Kind::Malformed) if they end beyond the file.
    pub fn give(&self, start: u64, bytes: impl Into<Bytes>) -> Result<()> {
        let bytes = bytes.into();
        let range = start..start.saturating_add(bytes.len() as u64);
        check(&range, self.len)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let mut state = self.lock();
        let first = state.parts.range(..=start).next_back().map_or(start, |(&at, _)| at);
        let old: Vec<u64> = state.parts.range(first..range.end).map(|(&at, _)| at).collect();
        for at in old {
            let Some(part) = state.parts.remove(&at) else { continue };
            let end = at + part.len() as u64;
            for rest in [at..range.start.min(end), range.end..end] {
                if let Some(kept) = within(at, &part, &rest).filter(|kept| !kept.is_empty()) {
                    state.parts.insert(rest.start, kept);
                }
            }
        }
        state.parts.insert(start, bytes);
        Ok(())
    }

    /// Forgets all parts, to free their memory.
    pub fn clear(&self) {
        self.lock().parts.clear();
    }

    /// Runs some work on the file, and returns its result or the ranges of bytes that it needs.
    ///
    /// Only one thread at a time can attempt some work, since the missing ranges are those of all reads.
    ///
    /// # Errors
    /// Those of the work, if all bytes that it read were known.
    pub fn attempt<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<Progress<T>> {
        self.lock().missing.clear();
        let result = work();
        let missing = std::mem::take(&mut self.lock().missing);
        if missing.is_empty() { result.map(Progress::Done) } else { Ok(Progress::Needs(union(missing))) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The bytes of a range, or the ranges in it that are missing.
    fn find(&self, range: &Range<u64>) -> std::result::Result<Bytes, Vec<Range<u64>>> {
        let before = self.parts.range(..=range.start).next_back();
        if let Some(bytes) = before.and_then(|(&at, part)| within(at, part, range)) {
            return Ok(bytes);
        }
        let mut at = range.start;
        let mut missing = Vec::new();
        let mut bytes = Vec::new();
        let first = before.map_or(range.start, |(&at, _)| at);
        for (&start, part) in self.parts.range(first..range.end) {
            let end = start + part.len() as u64;
            if end <= at {
                continue;
            }
            if start > at {
                missing.push(at..start);
                at = start;
            }
            let taken = at..end.min(range.end);
            at = taken.end;
            bytes.extend_from_slice(&within(start, part, &taken).unwrap_or_default());
        }
        if at < range.end {
            missing.push(at..range.end);
        }
        if missing.is_empty() { Ok(bytes.into()) } else { Err(missing) }
    }
}

/// The bytes of a range in a part that begins at an offset.
fn within(at: u64, part: &Bytes, range: &Range<u64>) -> Option<Bytes> {
    let from = usize::try_from(range.start.checked_sub(at)?).ok()?;
    let to = usize::try_from(range.end.checked_sub(at)?).ok()?;
    (from <= to && to <= part.len()).then(|| part.slice(from..to))
}

/// The same bytes in ascending ranges that do not overlap or touch.
fn union(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut union: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match union.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => union.push(range),
        }
    }
    union
}

impl Source for PartialSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let mut found = self.read_many(std::slice::from_ref(&range))?;
        Ok(found.pop().unwrap_or_default())
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let mut state = self.lock();
        let mut found = Vec::with_capacity(ranges.len());
        let mut missing = Vec::new();
        for range in ranges {
            check(range, self.len)?;
            match state.find(range) {
                Ok(bytes) => found.push(bytes),
                Err(ranges) => missing.extend(ranges),
            }
        }
        let Some(first) = missing.first().cloned() else { return Ok(found) };
        state.missing.append(&mut missing);
        let Range { start, end } = first;
        Err(Error::usage(format!("the bytes {start} to {end} were not given to the source"))
            .with_hint("call `PartialSource::attempt`, which returns the ranges that are needed"))
    }

    /// Fails if bytes are missing, as a read would, so that an attempt needs all of them at once.
    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<()> {
        self.read_many(ranges).map(|_| ())
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "lists of ranges")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error::Kind;

    fn needs(source: &PartialSource, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        match source.attempt(|| source.read_many(ranges)).unwrap() {
            Progress::Needs(missing) => missing,
            Progress::Done(_) => Vec::new(),
        }
    }

    #[test]
    fn missing_ranges_are_joined_and_without_known_bytes() {
        let source = PartialSource::new(100);
        source.give(20, &b"0123456789"[..]).unwrap();
        assert_eq!(needs(&source, &[25..35, 10..22, 32..40, 40..41]), [10..20, 30..41]);
        assert_eq!(source.read(22..28).unwrap(), "234567");
        assert!(needs(&source, &[20..30, 7..7]).is_empty());
        source.clear();
        assert_eq!(needs(&source, &[20..30]), [20..30]);
    }

    #[test]
    fn errors_of_the_work_are_returned_when_all_bytes_were_there() {
        let source = PartialSource::new(10);
        source.give(0, vec![0; 10]).unwrap();
        let error = source.attempt(|| source.read(5..11)).unwrap_err();
        assert_eq!(error.kind(), Kind::Malformed, "{error}");
        let error = source.attempt::<()>(|| Err(Error::usage("no"))).unwrap_err();
        assert_eq!(error.message(), "no");
        assert_eq!(source.give(8, vec![0; 3]).unwrap_err().kind(), Kind::Malformed);
        assert_eq!(source.give(u64::MAX, vec![0; 3]).unwrap_err().kind(), Kind::Malformed);
    }

    #[test]
    fn an_announcement_needs_all_of_its_ranges() {
        let source = PartialSource::new(100);
        source.give(0, vec![7; 10]).unwrap();
        let work = || source.prefetch(&[0..20, 50..60]);
        assert_eq!(source.attempt(work).unwrap(), Progress::Needs(vec![10..20, 50..60]));
        source.give(10, vec![7; 50]).unwrap();
        assert_eq!(source.attempt(work).unwrap(), Progress::Done(()));
    }

    proptest! {
        /// After any parts, given in any order, reads return the bytes that were given last.
        #[test]
        fn parts_are_one_file(parts in prop::collection::vec((0..60_u64, 0..20_usize, any::<u8>()), 0..12)) {
            let source = PartialSource::new(80);
            let mut model = [None; 80];
            for (start, len, value) in parts {
                source.give(start, vec![value; len]).unwrap();
                model.iter_mut().skip(usize::try_from(start).unwrap()).take(len).for_each(|byte| *byte = Some(value));
            }
            let mut missing = Vec::new();
            for (at, byte) in (0_u64..).zip(model) {
                match byte {
                    None => missing.push(at..at + 1),
                    Some(value) => prop_assert_eq!(source.read(at..at + 1).unwrap()[0], value),
                }
            }
            let whole = 0..80;
            prop_assert_eq!(needs(&source, std::slice::from_ref(&whole)), union(missing));
        }
    }
}
