//! How the blocks of a file are read: where from, within which limits, with which codecs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::Limits;
use super::allowed_folders::Folders;
use super::checks::{Checks, Report};
use super::watch::Watch;
use crate::block::codec::Codecs;
use crate::error::Error;
use crate::source::Source;
use crate::threads::Threads;
use crate::tree::{NodeRef, Tree};

/// What all blocks of a file have in common.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) source: Arc<dyn Source>,
    pub(super) file: Option<PathBuf>,
    pub(super) limits: Limits,
    /// What is done about checksums.
    pub(super) checks: Checks,
    /// Gets the blocks that are not where the block index expects them.
    pub(super) missed: Option<Report>,
    /// The path of the first array in each block, if mismatches are reported.
    arrays: OnceLock<BTreeMap<i64, String>>,
    /// Those that were given one by one.
    given: Codecs,
    /// The same, with those of extensions behind them.
    codecs: RwLock<Codecs>,
    /// Those whose files it may name, beside its own.
    pub(super) folders: Folders,
    pub(super) decoded: Arc<Decoded>,
    pub(super) watch: Watch,
}

/// What was decoded of a file and of those that it led to.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    /// Bytes of the compressed blocks that were decoded so far, each counted once.
    bytes: AtomicU64,
    /// Bytes of the files.
    stored: AtomicU64,
}

impl Reading {
    /// `decoded` is that of the file that led to this one.
    pub(super) fn new(
        source: Arc<dyn Source>,
        file: Option<PathBuf>,
        limits: Limits,
        checks: Checks,
        given: Codecs,
        folders: Folders,
        decoded: Option<Arc<Decoded>>,
    ) -> Self {
        let codecs = RwLock::new(given.clone());
        let decoded = decoded.unwrap_or_default();
        decoded.stored.fetch_add(source.len(), Ordering::Relaxed);
        Self {
            source,
            file,
            limits,
            checks,
            missed: None,
            arrays: OnceLock::new(),
            given,
            codecs,
            folders,
            decoded,
            watch: Watch::default(),
        }
    }

    /// The same; `watch` learns what is read of the files that it leads to. The source counts by itself.
    pub(super) fn watched(mut self, watch: Watch) -> Self {
        self.watch = watch;
        self
    }

    /// The same; `report` gets missed blocks.
    pub(super) fn reporting(mut self, report: Option<Report>) -> Self {
        self.missed = report;
        self
    }

    /// The codecs at this moment: cloning shares them.
    pub(super) fn codecs(&self) -> Codecs {
        self.codecs.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The threads that the file was opened with.
    pub(super) fn threads(&self) -> Threads {
        self.given.threads
    }

    /// Puts the codecs of extensions behind those that were given one by one, and nothing else.
    pub(super) fn extend(&self, with: impl FnOnce(Codecs) -> Codecs) {
        *self.codecs.write().unwrap_or_else(PoisonError::into_inner) = with(self.given.clone());
    }

    /// Counts the bytes that a block decodes to. When they are too many in all they are not counted,
    /// and this says how many it would be, and how many are allowed.
    pub(super) fn count_decoded(&self, bytes: u64) -> Result<(), (u64, u64)> {
        let most = self.limits.total(self.decoded.stored.load(Ordering::Relaxed));
        let add = |total: u64| total.checked_add(bytes).filter(|&total| total <= most);
        let counted = self.decoded.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        counted.map(|_| ()).map_err(|total| (total.saturating_add(bytes), most))
    }

    /// Notes which arrays are in which blocks, if that will be told.
    pub(super) fn note_arrays(&self, tree: &Tree) {
        if !matches!(self.checks, Checks::Report(_)) {
            return;
        }
        let mut arrays = BTreeMap::new();
        let mut walk = tree.root().map(NodeRef::walk);
        while let Some((walk, node)) = walk.as_mut().and_then(|walk| walk.next().map(|node| (walk, node))) {
            if let Some(number) = node.block_reference().and_then(NodeRef::as_i64) {
                arrays.entry(number).or_insert_with(|| walk.path().to_string());
            }
        }
        let _ = self.arrays.set(arrays);
    }

    /// The first array in a block, if that was noted.
    pub(super) fn array_in(&self, number: u64) -> Option<&str> {
        let number = i64::try_from(number).ok()?;
        self.arrays.get()?.get(&number).map(String::as_str)
    }

    /// An error in this file.
    pub(super) fn named(&self, error: Error) -> Error {
        match &self.file {
            Some(file) => error.at_file(file),
            None => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemorySource;

    /// A file of a length, without its bytes.
    #[derive(Debug)]
    struct Long(u64);

    impl Source for Long {
        fn len(&self) -> u64 {
            self.0
        }

        fn read(&self, range: std::ops::Range<u64>) -> crate::Result<bytes::Bytes> {
            MemorySource::new(Vec::new()).read(range)
        }
    }

    #[test]
    fn files_that_are_reached_bring_their_bytes_and_share_the_count() {
        const GIB: u64 = 1 << 30;
        let reading = |size: u64, decoded: Option<Arc<Decoded>>| {
            let (limits, codecs, folders) = (Limits::default(), Codecs::default(), Folders::default());
            Reading::new(Arc::new(Long(size)), None, limits, Checks::None, codecs, folders, decoded)
        };
        let first = reading(4 * GIB, None);
        assert_eq!(first.count_decoded(65 * GIB), Err((65 * GIB, 64 * GIB)));
        let other = reading(GIB, Some(first.decoded.clone()));
        assert_eq!(other.count_decoded(50 * GIB), Ok(()));
        assert_eq!(first.count_decoded(31 * GIB), Err((81 * GIB, 80 * GIB)));
        assert_eq!(first.count_decoded(30 * GIB), Ok(()));
        assert_eq!(other.count_decoded(1), Err((80 * GIB + 1, 80 * GIB)));
    }
}
