//! The progress of reading and writing, and their end on request.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use crate::error::{Error, Result};
use crate::source::{Cost, Source};

/// Functions of the caller. None by default.
#[derive(Clone, Default)]
pub(super) struct Watch {
    /// Gets the number of bytes after each read or write.
    report: Option<Arc<dyn Fn(u64) + Send + Sync>>,
    /// Returns whether to stop.
    stop: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl Watch {
    pub(super) fn reporting(self, report: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self { report: Some(Arc::new(report)), ..self }
    }

    pub(super) fn stopping(self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { stop: Some(Arc::new(stop)), ..self }
    }

    /// Counts bytes that were read or written.
    pub(super) fn add(&self, bytes: u64) {
        if let Some(report) = &self.report {
            report(bytes);
        }
    }

    /// Counts bytes that were written, and fails if the caller wants to stop.
    pub(super) fn wrote(&self, bytes: u64) -> Result<()> {
        self.add(bytes);
        self.wanted("writing")
    }

    /// Fails if the caller wants to stop.
    pub(super) fn wanted(&self, doing: &str) -> Result<()> {
        match &self.stop {
            Some(stop) if stop() => Err(Error::io(doing, io::Error::other("the program stopped it"))),
            _ => Ok(()),
        }
    }

    /// Wraps a source to count and to stop its reads.
    pub(super) fn over(&self, source: Arc<dyn Source>) -> Arc<dyn Source> {
        match (&self.report, &self.stop) {
            (None, None) => source,
            _ => Arc::new(Watched { source, watch: self.clone() }),
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (report, stop) = (self.report.is_some(), self.stop.is_some());
        f.debug_struct("Watch").field("report", &report).field("stop", &stop).finish()
    }
}

#[derive(Debug)]
struct Watched {
    source: Arc<dyn Source>,
    watch: Watch,
}

impl Source for Watched {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn lends(&self) -> bool {
        self.source.lends()
    }

    fn wanted(&self) -> Result<()> {
        self.watch.wanted("reading")?;
        self.source.wanted()
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.watch.wanted("reading")?;
        let bytes = self.source.read(range)?;
        self.watch.add(bytes.len() as u64);
        Ok(bytes)
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.watch.wanted("reading")?;
        let found = self.source.read_many(ranges)?;
        self.watch.add(found.iter().map(|bytes| bytes.len() as u64).sum());
        Ok(found)
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<()> {
        self.source.prefetch(ranges)
    }

    fn cost(&self) -> Cost {
        self.source.cost()
    }

    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        self.watch.wanted("reading")?;
        let before = bytes.len();
        self.source.append(range, bytes)?;
        self.watch.add((bytes.len() - before) as u64);
        Ok(())
    }

    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        self.watch.wanted("reading")?;
        self.source.read_into(offset, out)?;
        self.watch.add(out.len() as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use crate::source::MemorySource;
    use crate::{Compression, File, NdArray, OpenOptions, WriteOptions};

    use super::*;

    #[test]
    fn all_that_is_read_and_written_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.asdf");
        let mut file = File::new();
        let array = NdArray::new(&[5000], &(0..5000).collect::<Vec<i32>>()).unwrap();
        file.set("/plain", &array).unwrap();
        file.set("/packed", &array.with_compression(Compression::ZLIB).unwrap()).unwrap();
        let counter = || {
            let count = Arc::new(AtomicU64::new(0));
            let counted = count.clone();
            let watch = move |bytes| {
                counted.fetch_add(bytes, Ordering::Relaxed);
            };
            (count, watch)
        };
        let (written, watch) = counter();
        WriteOptions::new().watch(watch).write(&file, &path).unwrap();
        let len = std::fs::metadata(&path).unwrap().len();
        let written = written.load(Ordering::Relaxed);
        assert!(written > 20_000 && written < len && len - written < 2000, "{written} of {len}");

        let (read, watch) = counter();
        let file = OpenOptions::new().watch(watch).open(&path).unwrap();
        let front = read.load(Ordering::Relaxed);
        assert!(front > 0 && front <= len, "{front}");
        assert_eq!(file.array("/plain").unwrap().read::<i32>().unwrap().len(), 5000);
        assert_eq!(file.array("/packed").unwrap().read::<i32>().unwrap().len(), 5000);
        let read = read.load(Ordering::Relaxed);
        // Besides the blocks, the front of the file and the headers of blocks are read in windows of 64 KiB at most.
        const WINDOWS: u64 = 2 * (64 << 10);
        assert!(read >= len - 2000 && read <= len + WINDOWS, "{read} of {len}");
    }

    #[test]
    fn reads_stop_when_the_caller_wants_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.asdf");
        let mut file = File::new();
        let array = NdArray::new(&[500_000], &(0..500_000).collect::<Vec<i32>>()).unwrap();
        file.set("/plain", &array).unwrap();
        file.set("/packed", &array.with_compression(Compression::ZLIB).unwrap()).unwrap();
        file.write(&path).unwrap();
        let calls = Arc::new(AtomicU64::new(0));
        let left = calls.clone();
        // The function is called for each piece of a block.
        let stop =
            move || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_err();
        calls.store(u64::MAX, Ordering::Relaxed);
        let file = OpenOptions::new().stop_when(stop).open(&path).unwrap();
        assert!(file.verify().unwrap().iter().all(Result::is_ok));
        for most in 0..3 {
            calls.store(most, Ordering::Relaxed);
            let error = file.blocks().unwrap().first().unwrap().verify().unwrap_err();
            assert_eq!(error.message(), "reading: the program stopped it");
        }
        calls.store(0, Ordering::Relaxed);
        for path in ["/plain", "/packed"] {
            assert!(file.array(path).unwrap().read::<i32>().is_err(), "{path}");
        }
        calls.store(u64::MAX, Ordering::Relaxed);
        assert_eq!(file.array("/packed").unwrap().read::<i32>().unwrap().len(), 500_000);
    }

    #[test]
    fn writes_stop_when_the_caller_wants_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.asdf");
        let numbers = |seed: i64| (0..150_000).map(|n| (n * 7919 + seed) % 1000).collect::<Vec<i64>>();
        let array = |seed| NdArray::new(&[150_000], &numbers(seed)).unwrap();
        let mut old = File::new();
        old.set("/a", "old").unwrap();
        old.write(&path).unwrap();
        for label in ["none", "zlib", "bzp2", "lz4", "lz4f", "zstd:3", "xz", "blsc", "bls2"] {
            let compression: Compression = label.parse().unwrap();
            // Only those of the features.
            if !compression.label().is_none() && crate::block::codec::find(compression.label()).is_err() {
                continue;
            }
            let mut file = File::new();
            for (name, seed) in [("/a", 1), ("/b", 2)] {
                file.set(name, &array(seed).with_compression(compression).unwrap()).unwrap();
            }
            let calls = Arc::new(AtomicU64::new(0));
            let counted = calls.clone();
            let count = move || counted.fetch_add(1, Ordering::Relaxed) == u64::MAX;
            WriteOptions::new().stop_when(count).to_bytes(&file).unwrap();
            let calls = calls.load(Ordering::Relaxed);
            assert!(calls >= 2, "{label}: {calls}");
            for most in [0, calls / 2, calls - 1] {
                let left = AtomicU64::new(most);
                let stop = move || {
                    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_err()
                };
                let error = WriteOptions::new().stop_when(stop).write(&file, &path).unwrap_err();
                assert_eq!(error.message(), "writing: the program stopped it", "{label}, {most}");
                assert_eq!(File::open(&path).unwrap().get::<String>("/a").unwrap(), "old");
                assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            }
        }
    }

    #[test]
    fn reads_of_other_files_count_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("main.asdf");
        let mut file = File::new();
        file.set("/a", &NdArray::new(&[500_000], &[7_u8; 500_000]).unwrap()).unwrap();
        WriteOptions::new().storage(crate::file::Storage::External).write(&file, &path).unwrap();
        let count = Arc::new(AtomicU64::new(0));
        let counted = count.clone();
        let watch = move |bytes| {
            counted.fetch_add(bytes, Ordering::Relaxed);
        };
        let file = OpenOptions::new().watch(watch).open(&path).unwrap();
        assert_eq!(file.array("/a").unwrap().read::<u8>().unwrap().len(), 500_000);
        assert!(count.load(Ordering::Relaxed) >= 500_000, "{count:?}");
    }

    #[test]
    fn appended_bytes_are_counted_once() {
        let count = Arc::new(AtomicU64::new(0));
        let counted = count.clone();
        let watch = Watch::default().reporting(move |bytes| {
            counted.fetch_add(bytes, Ordering::Relaxed);
        });
        let source = watch.over(Arc::new(MemorySource::new(vec![7; 10])));
        let mut bytes = Vec::new();
        source.append(0..4, &mut bytes).unwrap();
        source.append(4..10, &mut bytes).unwrap();
        source.append(0..10, &mut bytes).unwrap();
        assert_eq!((bytes.len(), count.load(Ordering::Relaxed)), (20, 20));
        let mut out = [0; 5];
        source.read_into(3, &mut out).unwrap();
        assert_eq!((out, count.load(Ordering::Relaxed)), ([7; 5], 25));
    }
}
