//! The path `-`, which is standard input or output.

use std::io::StdinLock;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use asdf_core::{Error, Result};

/// The name of standard input in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// Returns whether a path is standard input or output.
pub(crate) fn is_std(path: &Path) -> bool {
    path == Path::new("-")
}

/// Standard input, which can be read only once.
#[derive(Debug, Default)]
pub(crate) struct Stdin {
    is_read: AtomicBool,
}

impl Stdin {
    /// Returns standard input, to be read to its end.
    ///
    /// # Errors
    ///
    /// Returns an error if it was read before.
    pub(crate) fn open(&self) -> Result<StdinLock<'static>> {
        if self.is_read.swap(true, Ordering::Relaxed) {
            return Err(Error::usage("standard input can be read only once").at_file(STDIN));
        }
        Ok(std::io::stdin().lock())
    }
}
