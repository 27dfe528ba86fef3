//! What a file was when it was opened.

use std::fs::Metadata;
use std::path::Path;

use super::OpenOptions;

/// What a file was when it was opened, to see whether it still is that.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    pub(super) options: OpenOptions,
    pub(super) metadata: Metadata,
    /// Where the text of header and tree ends.
    pub(super) text_end: u64,
    /// Whether its blocks are those of a draft of the format, which no block of today goes with.
    pub(super) draft: bool,
}

impl Opened {
    /// A file that is about to be opened; `None` when there is none.
    pub(super) fn before(options: &OpenOptions, path: &Path) -> Option<Self> {
        Some(Self {
            options: options.clone(),
            metadata: std::fs::metadata(path).ok()?,
            text_end: 0,
            draft: false,
        })
    }

    /// With where the text of header and tree ends, and whether it is that of a draft.
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
