//! The state of a file when it was opened.

use std::fs::Metadata;
use std::path::Path;

use super::OpenOptions;

/// The state of a file when it was opened, to detect later changes.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    pub(super) options: OpenOptions,
    pub(super) metadata: Metadata,
    /// The byte at which the text of header and tree ends.
    pub(super) text_end: u64,
    /// Whether it has the pre-release format, whose blocks cannot be mixed with current ones.
    pub(super) draft: bool,
}

impl Opened {
    /// The state of a file that is about to be opened; `None` if it does not exist.
    pub(super) fn before(options: &OpenOptions, path: &Path) -> Option<Self> {
        Some(Self {
            options: options.clone(),
            metadata: std::fs::metadata(path).ok()?,
            text_end: 0,
            draft: false,
        })
    }

    /// Adds the end of the text of header and tree, and whether the file has the pre-release format.
    pub(super) fn with_text(self, end: u64, draft: bool) -> Self {
        Self { text_end: end, draft, ..self }
    }

    pub(super) fn is_still(&self, now: &Metadata) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            if (self.metadata.dev(), self.metadata.ino()) != (now.dev(), now.ino()) {
                return false;
            }
        }
        self.metadata.len() == now.len() && self.metadata.modified().ok() == now.modified().ok()
    }
}
