//! How readers handle checksum mismatches.

use std::fmt;
use std::sync::Arc;

use crate::error::Error;

/// How readers handle checksums.
#[derive(Debug, Clone, Default)]
pub(super) enum Checks {
    /// Checksums are ignored.
    #[default]
    None,
    /// Blocks that are read whole are checked, and a mismatch is reported.
    Report(Report),
    /// Each block is checked when it is first read, and a block with a mismatch is not read.
    Refuse,
}

impl Checks {
    /// Whether checksums are checked.
    pub(super) fn is_any(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// Whether damaged data is not read.
    pub(super) fn refuses(&self) -> bool {
        matches!(self, Self::Refuse)
    }
}

/// A function of the caller that gets warnings.
#[derive(Clone)]
pub(super) struct Report(Arc<dyn Fn(Error) + Send + Sync>);

impl Report {
    pub(super) fn new(report: impl Fn(Error) + Send + Sync + 'static) -> Self {
        Self(Arc::new(report))
    }

    pub(super) fn report(&self, error: Error) {
        (self.0)(error);
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Report")
    }
}
