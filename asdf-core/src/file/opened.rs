//! The state of a file when it was opened.

use super::OpenOptions;
use super::snapshot::Snapshot;

/// The state of a file when it was opened, to detect later changes.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    pub(super) options: OpenOptions,
    pub(super) snapshot: Snapshot,
    /// The byte at which the text of header and tree ends.
    pub(super) text_end: u64,
    /// Whether it has the pre-release format, whose blocks cannot be mixed with current ones.
    pub(super) draft: bool,
}
