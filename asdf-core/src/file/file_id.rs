//! The identity of a file, which stays when its name changes.

use std::fs::Metadata;

/// A file of the system, whatever its name. Another file can get the same identity only when nobody has this one open.
///
/// Always equal on systems that do not tell files apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    inode: u64,
}

impl FileId {
    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self { device: metadata.dev(), inode: metadata.ino() }
    }

    #[cfg(not(unix))]
    pub(super) fn of(_: &Metadata) -> Self {
        Self {}
    }
}
