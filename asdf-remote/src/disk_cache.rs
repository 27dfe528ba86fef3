//! The bytes of files that were read before, in a folder on disk.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use asdf_core::{Error, Result, file};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

/// A folder with a folder for each URL and ETag. Its files are named by the range of their bytes: `65536-131072`.
#[derive(Debug)]
pub(crate) struct DiskCache {
    folder: PathBuf,
    most: u64,
    /// The total size of all parts, once it was counted. Other processes can have added more.
    size: Mutex<Option<u64>>,
}

/// The folder of one file in one state.
#[derive(Debug)]
pub(crate) struct Parts(PathBuf);

impl DiskCache {
    pub(crate) fn new(folder: &Path, most: u64) -> Self {
        Self { folder: folder.to_owned(), most, size: Mutex::default() }
    }

    /// Creates the folder, and returns that of a file.
    pub(crate) fn parts(&self, url: &str, etag: &str) -> Result<Parts> {
        create(&self.folder).map_err(|error| {
            Error::io("creating the folder of the cache", error)
                .at_file(&self.folder)
                .with_hint("name a folder that can be written")
        })?;
        let mut hash = Sha256::new();
        hash.update(url);
        hash.update([0]);
        hash.update(etag);
        let mut name = String::new();
        for byte in hash.finalize().iter().take(16) {
            let _ = write!(name, "{byte:02x}");
        }
        Ok(Parts(self.folder.join(name)))
    }

    /// Adds a part, unless the folder cannot be written.
    pub(crate) fn add(&self, parts: &Parts, at: u64, bytes: &Bytes) {
        let len = bytes.len() as u64;
        if len == 0 || len > self.most / 4 || create(&parts.0).is_err() {
            return;
        }
        let path = parts.0.join(format!("{at}-{}", at.saturating_add(len)));
        if file::replace(&path, |out| out.write_all(bytes).map_err(|error| Error::io("writing", error)))
            .is_err()
        {
            return;
        }
        let mut size = self.size.lock().unwrap_or_else(PoisonError::into_inner);
        let total = size.map_or_else(|| self.all().iter().map(|part| part.1).sum(), |size| size + len);
        *size = Some(if total > self.most { self.shrink() } else { total });
    }

    /// All parts: when they were written, their sizes and paths.
    fn all(&self) -> Vec<(SystemTime, u64, PathBuf)> {
        let folders = entries(&self.folder).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let parts = folders.flat_map(|folder| entries(&folder.path()));
        let parts = parts.filter(|part| range(&part.file_name()).is_some());
        parts
            .filter_map(|part| {
                let found = part.metadata().ok()?;
                Some((found.modified().ok()?, found.len(), part.path()))
            })
            .collect()
    }

    /// Removes the parts that were written first, and returns the size of the rest.
    fn shrink(&self) -> u64 {
        let mut parts = self.all();
        parts.sort();
        let mut size: u64 = parts.iter().map(|part| part.1).sum();
        for (_, len, path) in parts {
            // Some more, so that this is not done for each part.
            if size <= self.most / 10 * 9 {
                break;
            }
            if std::fs::remove_file(&path).is_ok() {
                size -= len;
            }
            if let Some(folder) = path.parent() {
                // Fails if it has other parts.
                let _ = std::fs::remove_dir(folder);
            }
        }
        size
    }
}

impl Parts {
    /// The parts that overlap a range, with their offsets. A part that is not whole is left out.
    pub(crate) fn overlapping(&self, wanted: &Range<u64>) -> Vec<(u64, Bytes)> {
        let found = entries(&self.0).filter_map(|part| {
            let range = range(&part.file_name())?;
            if range.start >= wanted.end || range.end <= wanted.start {
                return None;
            }
            let bytes = std::fs::read(part.path()).ok()?;
            (bytes.len() as u64 == range.end - range.start).then(|| (range.start, bytes.into()))
        });
        found.collect()
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = std::fs::DirEntry> + use<> {
    std::fs::read_dir(folder).into_iter().flatten().flatten()
}

/// The range of bytes in the name of a part.
fn range(name: &OsStr) -> Option<Range<u64>> {
    let (start, end) = name.to_str()?.split_once('-')?;
    let (start, end) = (start.parse().ok()?, end.parse().ok()?);
    (start < end).then_some(start..end)
}

/// Creates a folder and those above it, which only their owner can read.
fn create(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_by_url_and_etag() {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache::new(&folder.path().join("a/b"), 1000);
        let parts = cache.parts("u", "1").unwrap();
        cache.add(&parts, 100, &Bytes::from(vec![7; 50]));
        cache.add(&parts, 200, &Bytes::from(vec![8; 50]));
        cache.add(&parts, 300, &Bytes::from(vec![8; 251]));
        let offsets = |parts: &Parts, range| {
            let mut found: Vec<u64> = parts.overlapping(&range).into_iter().map(|part| part.0).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(offsets(&parts, 0..1000), [100, 200], "one was too large");
        assert_eq!((offsets(&parts, 149..200), offsets(&parts, 150..200)), (vec![100], vec![]));
        for (url, etag) in [("u", "2"), ("v", "1"), ("u\0", "1"), ("", "u1")] {
            assert!(offsets(&cache.parts(url, etag).unwrap(), 0..1000).is_empty(), "{url} {etag}");
        }
        // Another process.
        let again = DiskCache::new(&folder.path().join("a/b"), 1000).parts("u", "1").unwrap();
        assert_eq!(again.overlapping(&(100..101)), [(100, Bytes::from(vec![7; 50]))]);
        // As if the disk had been full.
        std::fs::write(again.0.join("100-150"), [7; 20]).unwrap();
        std::fs::write(again.0.join("other"), [7; 20]).unwrap();
        assert_eq!(offsets(&again, 0..1000), [200]);
    }

    #[test]
    fn the_folder_stays_small() {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache::new(folder.path(), 1000);
        for number in 0..50 {
            let parts = cache.parts("u", &(number / 5).to_string()).unwrap();
            cache.add(&parts, number * 100, &Bytes::from(vec![0; 100]));
            let size: u64 = cache.all().iter().map(|part| part.1).sum();
            assert!(size <= 1000, "{size}");
        }
        assert!(cache.all().len() >= 9);
        assert!(entries(folder.path()).count() <= 4, "folders without parts are removed");
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "").unwrap();
        let error = DiskCache::new(&path.join("cache"), 1000).parts("u", "1").unwrap_err();
        assert!(error.to_string().contains("creating the folder of the cache"), "{error}");
    }
}
