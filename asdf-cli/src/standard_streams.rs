//! The path `-`, which is standard input or output.

use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use asdf_core::source::Bytes;
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
    /// Reads standard input to its end.
    ///
    /// # Errors
    ///
    /// Returns an error if it was read before.
    pub(crate) fn read(&self) -> Result<Bytes> {
        if self.is_read.swap(true, Ordering::Relaxed) {
            return Err(Error::usage("standard input can be read only once").at_file(STDIN));
        }
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|error| Error::io("reading", error).at_file(STDIN))?;
        Ok(bytes.into())
    }
}
