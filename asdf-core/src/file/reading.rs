//! How the blocks of a file are read: source, limits, codecs and checks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::Limits;
use super::allowed_folders::Folders;
use super::checks::{Checks, Report};
use super::container::ContainerFormat;
use super::place::Place;
use super::watch::Watch;
use crate::block::codec::Codecs;
use crate::error::Error;
use crate::source::Source;
use crate::threads::Threads;
use crate::tree::{NodeRef, Tree};

/// The state that all blocks of a file share.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) source: Arc<dyn Source>,
    pub(super) place: Place,
    pub(super) limits: Limits,
    /// How checksums are handled.
    pub(super) checks: Checks,
    /// Gets warnings about blocks that are not where the block index expects them.
    pub(super) missed: Option<Report>,
    /// The path of the first array in each block, if checksums are checked.
    arrays: OnceLock<BTreeMap<i64, String>>,
    /// The codecs that were added one by one.
    given: Codecs,
    /// The same codecs, followed by those of extensions.
    codecs: RwLock<Codecs>,
    /// The folders besides its own to whose files it can refer.
    pub(super) folders: Folders,
    /// The formats whose files can hold the files that this one refers to.
    pub(super) formats: Vec<Arc<dyn ContainerFormat>>,
    pub(super) decoded: Arc<Decoded>,
    pub(super) watch: Watch,
}

/// The decoded bytes of a file and of the files that it refers to.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    /// The bytes of all compressed blocks that were decoded so far, each counted once.
    bytes: AtomicU64,
    /// The sizes of the files.
    stored: AtomicU64,
    /// The bytes that are in memory for later reads.
    kept: AtomicU64,
}

impl Decoded {
    pub(super) fn kept(&self) -> u64 {
        self.kept.load(Ordering::Relaxed)
    }

    pub(super) fn keep(&self, bytes: u64) {
        self.kept.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn free(&self, bytes: u64) {
        self.kept.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Reading {
    /// `decoded` is shared with the file that refers to this one.
    pub(super) fn new(
        source: Arc<dyn Source>,
        place: Place,
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
            place,
            limits,
            checks,
            missed: None,
            arrays: OnceLock::new(),
            given,
            codecs,
            folders,
            formats: Vec::new(),
            decoded,
            watch: Watch::default(),
        }
    }

    /// Sets the function that counts reads of the files that this one refers to. The source counts its own reads.
    pub(super) fn watched(mut self, watch: Watch) -> Self {
        self.watch = watch;
        self
    }

    /// Sets the function that gets missed blocks.
    pub(super) fn reporting(mut self, report: Option<Report>) -> Self {
        self.missed = report;
        self
    }

    /// Sets the formats whose files can hold the files that this one refers to.
    pub(super) fn with_formats(mut self, formats: Vec<Arc<dyn ContainerFormat>>) -> Self {
        self.formats = formats;
        self
    }

    /// The current codecs. The clone shares them.
    pub(super) fn codecs(&self) -> Codecs {
        self.codecs.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The threads that the file was opened with.
    pub(super) fn threads(&self) -> Threads {
        self.given.threads
    }

    /// Replaces the codecs of extensions. They come after the codecs that were added one by one.
    pub(super) fn extend(&self, with: impl FnOnce(Codecs) -> Codecs) {
        *self.codecs.write().unwrap_or_else(PoisonError::into_inner) = with(self.given.clone());
    }

    /// Counts the bytes that a block decodes to.
    ///
    /// If the total exceeds the limit, they are not counted, and the error is that total and the limit.
    pub(super) fn count_decoded(&self, bytes: u64) -> Result<(), (u64, u64)> {
        let most = self.limits.total(self.decoded.stored.load(Ordering::Relaxed));
        let add = |total: u64| total.checked_add(bytes).filter(|&total| total <= most);
        let counted = self.decoded.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        counted.map(|_| ()).map_err(|total| (total.saturating_add(bytes), most))
    }

    /// Records which arrays are in which blocks, if checksums are checked.
    pub(super) fn note_arrays(&self, tree: &Tree) {
        if matches!(self.checks, Checks::None) {
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

    /// The path of the first array in a block, if it was recorded.
    pub(super) fn array_in(&self, number: u64) -> Option<&str> {
        let number = i64::try_from(number).ok()?;
        self.arrays.get()?.get(&number).map(String::as_str)
    }

    /// Adds the path or URL of the file to an error.
    pub(super) fn named(&self, error: Error) -> Error {
        self.place.named(error)
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
    fn files_that_are_referred_to_share_the_total_and_raise_its_limit() {
        const GIB: u64 = 1 << 30;
        let reading = |size: u64, decoded: Option<Arc<Decoded>>| {
            let (limits, codecs, folders) = (Limits::default(), Codecs::default(), Folders::default());
            Reading::new(Arc::new(Long(size)), Place::Memory, limits, Checks::None, codecs, folders, decoded)
        };
        let first = reading(4 * GIB, None);
        assert_eq!(first.count_decoded(65 * GIB), Err((65 * GIB, 64 * GIB)));
        let other = reading(GIB, Some(first.decoded.clone()));
        assert_eq!(other.count_decoded(50 * GIB), Ok(()));
        assert_eq!(first.count_decoded(31 * GIB), Err((81 * GIB, 80 * GIB)));
        assert_eq!(first.count_decoded(30 * GIB), Ok(()));
        assert_eq!(other.count_decoded(1), Err((80 * GIB + 1, 80 * GIB)));
        assert_eq!(reading(1, None).count_decoded(17 * GIB), Err((17 * GIB, 16 * GIB)));
    }
}
