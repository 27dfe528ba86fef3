//! The bytes of a remote file that reads need.

use std::ops::Range;
use std::sync::Arc;

use crate::source::Source;

/// Ranges of bytes of a source whose reads take long.
#[derive(Debug, Clone)]
pub(super) struct Needs {
    pub(super) source: Arc<dyn Source>,
    pub(super) ranges: Vec<Range<u64>>,
}
