//! A source that maps a file into memory.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::{Source, file, slice};
use crate::error::{Code, Error, Result};

/// A regular file mapped into memory.
///
/// Reads are views of the map, without a copy.
///
/// # Contract
///
/// The caller guarantees that no program changes the file while the map, or any [`Bytes`] from it, is in use. The
/// operating system gives no protection:
///
/// - If another process **shortens** the file, touching the lost bytes ends this process (SIGBUS on Unix). A
///   read checks the size of the file first and fails if the file was shortened before. For bytes that were
///   returned earlier, no error is possible.
/// - If another process **writes** into it, as Python's `asdf` does in its `rw` mode and in `update()`, the
///   bytes change under their users, and earlier checks no longer hold.
///
/// A file that is replaced by renaming another over it, as this crate does when it writes, does no harm: the
/// map keeps the old file. If none of this can be guaranteed, use [`FileSource`](super::FileSource).
///
/// The whole file is mapped. That takes address space, not memory; on 32-bit machines, files of some
/// gigabytes do not fit.
#[doc(alias = "memmap")]
#[doc(alias = "copy_arrays")]
pub struct MapSource {
    bytes: Bytes,
    file: std::fs::File,
    path: PathBuf,
}

impl MapSource {
    /// Maps a regular file, following symbolic links. See the contract above.
    ///
    /// # Errors
    ///
    /// As [`FileSource::open`](super::FileSource::open), and [`Io`](crate::error::Kind::Io) if the system
    /// cannot map the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with_metadata(path.as_ref()).map(|(source, _)| source)
    }

    /// Maps a regular file, and returns its metadata at that moment too.
    pub(crate) fn open_with_metadata(path: &Path) -> Result<(Self, std::fs::Metadata)> {
        let (file, metadata) = file::open_regular(path)?;
        // Some systems refuse to map an empty file.
        let bytes = if metadata.len() == 0 {
            Bytes::new()
        } else {
            Bytes::from_owner(map(&file).map_err(|e| Error::io("mapping into memory", e).at_file(path))?)
        };
        Ok((Self { bytes, file, path: path.to_path_buf() }, metadata))
    }
}

impl fmt::Debug for MapSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MapSource('{}', {} bytes)", self.path.display(), self.bytes.len())
    }
}

impl Source for MapSource {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn lends(&self) -> bool {
        true
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let bytes = slice(&self.bytes, &range).map_err(|e| e.at_file(&self.path))?;
        let len =
            self.file.metadata().map_err(|e| Error::io("reading its size", e).at_file(&self.path))?.len();
        if len < range.end && !bytes.is_empty() {
            return Err(Error::malformed(format!(
                "the file ends at byte {len} now, but the bytes {} to {} are needed",
                range.start, range.end
            ))
            .with_code(Code::CutShort)
            .at_file(&self.path)
            .with_hint(
                "open the file again: it was truncated while it was mapped; use no memory map if other \
                         programs change it",
            ));
        }
        Ok(bytes)
    }
}

#[allow(unsafe_code, reason = "memory maps have no safe form; this is the only unsafe of the workspace")]
fn map(file: &std::fs::File) -> std::io::Result<memmap2::Mmap> {
    // SAFETY: the map is private to this module and read-only. It lives in the `Bytes` made from it, so no
    // slice outlives it and nothing in this process writes through it. The remaining condition is that no
    // other program changes or shortens the file while it is mapped. This cannot be ensured here. It is the
    // documented contract of `MapSource`, which the caller chooses by name. The descriptor can be closed
    // after mapping.
    unsafe { memmap2::Mmap::map(file) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::error::Kind;

    #[test]
    fn reads_are_views_of_the_map_and_outlive_the_source() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let bytes: Vec<u8> = (0..=255).collect();
        file.write_all(&bytes).unwrap();
        let source = MapSource::open(file.path()).unwrap();
        assert_eq!(source.len(), 256);
        let (all, part) = (source.read(0..256).unwrap(), source.read(3..200).unwrap());
        assert_eq!(part.as_ptr(), all[3..].as_ptr());
        let error = source.read(250..300).unwrap_err();
        assert_eq!((error.kind(), error.file()), (Kind::Malformed, Some(file.path())));
        drop((source, all));
        assert_eq!(part, bytes[3..200]);
    }

    #[test]
    fn a_file_replaced_by_renaming_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&old, [1; 10_000]).unwrap();
        std::fs::write(&new, [2; 10]).unwrap();
        let source = MapSource::open(&old).unwrap();
        if cfg!(unix) {
            std::fs::rename(&new, &old).unwrap();
        }
        assert_eq!(source.read(0..10_000).unwrap(), [1; 10_000].as_slice());
    }

    #[test]
    fn empty_files_and_folders() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let source = MapSource::open(file.path()).unwrap();
        assert!(source.is_empty());
        assert!(source.read(0..0).unwrap().is_empty());
        assert!(source.read(0..1).is_err());
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(MapSource::open(folder.path()).unwrap_err().kind(), Kind::Usage);
    }
}
