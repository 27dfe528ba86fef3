//! What is done about blocks whose checksum does not match.

use std::fmt;
use std::sync::Arc;

use crate::error::Error;

/// What reading does about checksums.
#[derive(Debug, Clone, Default)]
pub(super) enum Checks {
    /// They are not looked at.
    #[default]
    None,
    /// Blocks that are read whole are checked, and a mismatch is reported.
    Report(Report),
    /// Each block is checked when it is first read, and one that does not match is not read.
    Refuse,
}

/// A function that gets the mismatches.
#[derive(Clone)]
pub(super) struct Report(Arc<dyn Fn(Error) + Send + Sync>);

impl Report {
    pub(super) fn new(report: impl Fn(Error) + Send + Sync + 'static) -> Self {
        Self(Arc::new(report))
    }

    pub(super) fn tell(&self, error: Error) {
        (self.0)(error);
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Report")
    }
}
