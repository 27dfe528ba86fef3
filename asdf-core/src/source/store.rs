//! Places with files that are not on a disk.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Source;
use crate::error::Result;

/// A place with files that are not on a disk, such as an object store or a web server.
///
/// [`OpenOptions::open_in`](crate::OpenOptions::open_in) opens a file of a store by its URL. References and arrays in
/// other files are then read from the same store. The crate `asdf-remote` implements it.
pub trait Store: fmt::Debug + Send + Sync {
    /// Opens the file at a URL.
    ///
    /// # Errors
    /// [`Io`](crate::error::Kind::Io) if it cannot be read; [`Usage`](crate::error::Kind::Usage) if it is not a URL of
    /// this store.
    fn open(&self, url: &Path) -> Result<Arc<dyn Source>>;

    /// Returns the URL that a URI reference in the file at `base` leads to.
    ///
    /// The URL must not depend on the spelling of the reference, since files are compared by it. `names` begins the
    /// message of a refusal, such as "the array's data is in".
    ///
    /// # Errors
    /// [`Unsupported`](crate::error::Kind::Unsupported) if a file at `base` is not allowed to refer to it.
    fn locate(&self, base: &Path, uri: &str, names: &str) -> Result<PathBuf>;
}
