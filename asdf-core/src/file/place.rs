//! Where a file is: in memory, on disk, or in a store.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::allowed_folders::Folders;
use crate::error::{Error, Result};
use crate::source::Store;

/// Where a file is.
#[derive(Debug, Clone, Default)]
pub(super) enum Place {
    /// In memory, or in a source without a name.
    #[default]
    Memory,
    /// At a path on disk.
    Disk(PathBuf),
    /// At a URL of a store.
    Store(PathBuf, Arc<dyn Store>),
}

impl Place {
    /// The path on disk.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Disk(path) => Some(path),
            Self::Memory | Self::Store(..) => None,
        }
    }

    /// The path or URL.
    pub(super) fn name(&self) -> Option<&Path> {
        match self {
            Self::Memory => None,
            Self::Disk(name) | Self::Store(name, _) => Some(name),
        }
    }

    /// Adds the path or URL to an error.
    pub(super) fn named(&self, error: Error) -> Error {
        match self.name() {
            Some(name) => error.at_file(name),
            None => error,
        }
    }

    /// The same place, which does not depend on how a path is spelled. `None` if other places cannot be compared with it.
    pub(super) fn real(&self) -> Option<Self> {
        match self {
            Self::Memory => None,
            Self::Disk(path) => path.canonicalize().ok().map(Self::Disk),
            Self::Store(..) => Some(self.clone()),
        }
    }

    /// Whether two real places are the same.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Disk(a), Self::Disk(b)) | (Self::Store(a, _), Self::Store(b, _)) => a == b,
            _ => false,
        }
    }

    /// The real place to which a URI leads from here. `None` from a file in memory.
    ///
    /// # Errors
    /// Fails if the file is not allowed to refer to it. `names` begins the message: "the array's data is in".
    pub(super) fn locate(&self, folders: &Folders, uri: &str, names: &str) -> Result<Option<Self>> {
        match self {
            Self::Memory => Ok(None),
            Self::Disk(path) => folders.locate(path, uri, names).map(|path| Some(Self::Disk(path))),
            Self::Store(url, store) => {
                let located = store.locate(url, uri, names).map_err(|error| error.at_file(url))?;
                Ok(Some(Self::Store(located, store.clone())))
            }
        }
    }
}
