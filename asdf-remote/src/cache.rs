//! The bytes of files that were read last.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use bytes::Bytes;

/// A number for a file in one state: its URL and ETag.
pub(crate) type FileId = u64;

/// A cache of parts of files with a limited number of bytes. The parts that were used last stay.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    most: u64,
    size: u64,
    /// Counts the uses.
    clock: u64,
    ids: HashMap<(String, String), FileId>,
    next: FileId,
    /// The parts of each file by their offsets. They can overlap, but none is inside of another one.
    files: HashMap<FileId, BTreeMap<u64, Entry>>,
    /// The file and offset of each part, by its last use.
    order: BTreeMap<u64, (FileId, u64)>,
}

#[derive(Debug)]
struct Entry {
    bytes: Bytes,
    used: u64,
}

impl Entry {
    fn end(&self, at: u64) -> u64 {
        at + self.bytes.len() as u64
    }
}

impl Cache {
    pub(crate) fn new(most: u64) -> Self {
        Self { most, ..Self::default() }
    }

    /// The number of a file. Without an ETag it is new each time, because the file can have changed.
    pub(crate) fn id(&mut self, url: &str, etag: Option<&str>) -> FileId {
        self.next += 1;
        match etag {
            None => self.next,
            Some(etag) => *self.ids.entry((url.to_owned(), etag.to_owned())).or_insert(self.next),
        }
    }

    /// The parts that overlap a range, with their offsets.
    pub(crate) fn parts(&mut self, file: FileId, range: &Range<u64>) -> Vec<(u64, Bytes)> {
        let Some(parts) = self.files.get_mut(&file) else { return Vec::new() };
        let before =
            parts.range(..=range.start).rev().take_while(|(at, entry)| entry.end(**at) > range.start);
        let first = before.last().map_or(range.start, |(&at, _)| at);
        let mut found = Vec::new();
        for (&at, entry) in parts.range_mut(first..range.end.max(first)) {
            self.clock += 1;
            self.order.remove(&entry.used);
            entry.used = self.clock;
            self.order.insert(entry.used, (file, at));
            found.push((at, entry.bytes.clone()));
        }
        found
    }

    /// A range that is inside of one part.
    pub(crate) fn find(&mut self, file: FileId, range: &Range<u64>) -> Option<Bytes> {
        self.parts(file, range).into_iter().find_map(|(at, bytes)| {
            let from = usize::try_from(range.start.checked_sub(at)?).ok()?;
            let to = usize::try_from(range.end.checked_sub(at)?).ok()?;
            (from <= to && to <= bytes.len()).then(|| bytes.slice(from..to))
        })
    }

    /// The number of bytes that can be added before they are read; `None` if parts of this length are not kept.
    pub(crate) fn room(&self, part: u64) -> Option<u64> {
        (part <= self.most / 4).then_some(self.most / 2)
    }

    /// Adds a part. It is not kept if it is larger than a quarter of the cache.
    pub(crate) fn add(&mut self, file: FileId, at: u64, bytes: &Bytes) {
        let len = bytes.len() as u64;
        if len == 0 || len > self.most / 4 {
            return;
        }
        self.clock += 1;
        let parts = self.files.entry(file).or_default();
        let end = at + len;
        if parts.range(..=at).next_back().is_some_and(|(&before, entry)| entry.end(before) >= end) {
            return;
        }
        // The ends ascend like the offsets, so the parts inside of this one follow each other.
        let inside: Vec<u64> =
            parts.range(at..).take_while(|(at, entry)| entry.end(**at) <= end).map(|(&at, _)| at).collect();
        for old in inside.iter().filter_map(|at| parts.remove(at)) {
            self.order.remove(&old.used);
            self.size -= old.bytes.len() as u64;
        }
        parts.insert(at, Entry { bytes: bytes.clone(), used: self.clock });
        self.order.insert(self.clock, (file, at));
        self.size += len;
        while self.size > self.most {
            let Some((_, (file, at))) = self.order.pop_first() else { break };
            let Some(parts) = self.files.get_mut(&file) else { continue };
            if let Some(old) = parts.remove(&at) {
                self.size -= old.bytes.len() as u64;
            }
            if parts.is_empty() {
                self.files.remove(&file);
                self.ids.retain(|_, id| *id != file);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_that_were_used_last_stay() {
        let mut cache = Cache::new(100);
        let id = cache.id("u", Some("a"));
        assert_eq!((cache.id("u", Some("a")), cache.id("u", Some("b")) == id), (id, false));
        assert_ne!(cache.id("u", None), cache.id("u", None));
        for at in 0..5 {
            cache.add(id, at * 20, &Bytes::from(vec![0; 20]));
        }
        let offsets = |cache: &mut Cache, range: Range<u64>| -> Vec<u64> {
            cache.parts(id, &range).into_iter().map(|(at, _)| at).collect()
        };
        assert_eq!(offsets(&mut cache, 10..50), [0, 20, 40]);
        assert_eq!(offsets(&mut cache, 20..40), [20]);
        cache.add(id, 100, &Bytes::from(vec![0; 20]));
        // The part at 60 was not used.
        assert_eq!(offsets(&mut cache, 0..200), [0, 20, 40, 80, 100]);
        cache.add(id, 200, &Bytes::from(vec![0; 26]));
        assert_eq!(offsets(&mut cache, 200..226), [] as [u64; 0], "too large");
        // A part is found behind one that begins later, and replaces those inside of it.
        let long = cache.id("w", Some("a"));
        cache.add(long, 20, &Bytes::from(vec![0; 5]));
        cache.add(long, 10, &Bytes::from(vec![0; 25]));
        cache.add(long, 30, &Bytes::from(vec![0; 10]));
        cache.add(long, 12, &Bytes::from(vec![0; 5]));
        let found: Vec<u64> = cache.parts(long, &(32..33)).into_iter().map(|(at, _)| at).collect();
        assert_eq!(found, [10, 30]);
        assert_eq!(cache.find(long, &(33..40)).map(|bytes| bytes.len()), Some(7));
        assert_eq!((cache.find(long, &(33..41)), cache.find(long, &(9..12))), (None, None));
        assert_eq!(
            cache.size,
            cache.files.values().flatten().map(|(_, entry)| entry.bytes.len() as u64).sum::<u64>()
        );
        let other = cache.id("v", Some("a"));
        for at in 0..5 {
            cache.add(other, at * 20, &Bytes::from(vec![0; 20]));
        }
        assert_eq!((offsets(&mut cache, 0..200).len(), cache.size), (0, 100));
        assert_ne!(cache.id("u", Some("a")), id, "nothing is kept of a file without parts");
    }
}
