//! Whether the checksum of a block fits its bytes.

use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};

use super::block::FileBlock;
use super::checks::Checks;
use crate::block::Checksum;
use crate::error::{Code, Error, Hint, Result};
use crate::tree::Block as _;

impl FileBlock {
    pub(super) fn matching(&self, found: Checksum) -> Result<Checksum> {
        if found.is_ok() { Ok(found) } else { Err(self.mismatch(found)) }
    }

    pub(super) fn mismatch(&self, found: Checksum) -> Error {
        let error = Error::malformed(format!("block {}: {found}", self.number())).with_code(Code::Checksum);
        self.place(error.with_hint(Hint::AcceptChecksums))
    }

    /// Adds the path of the first array in the block to an error, if that is known.
    pub(super) fn in_array(&self, error: Error) -> Error {
        match self.reading.array_in(self.number()) {
            Some(path) => error.at_path(path),
            None => error,
        }
    }

    /// Handles the result of a check: does nothing, reports a mismatch, or fails.
    fn judge(&self, found: Checksum) -> Result<()> {
        if found.is_ok() {
            return Ok(());
        }
        match &self.reading.checks {
            Checks::None => Ok(()),
            Checks::Report(report) => {
                report.report(self.in_array(self.mismatch(found)));
                Ok(())
            }
            // Callers that read an array add its path.
            Checks::Refuse => Err(self.mismatch(found)),
        }
    }

    /// Locks the result of the check if the checksum still has to be checked.
    pub(super) fn unchecked(&self) -> Option<MutexGuard<'_, Option<Checksum>>> {
        if matches!(self.reading.checks, Checks::None) {
            return None;
        }
        let verdict = self.verdict.lock().unwrap_or_else(PoisonError::into_inner);
        verdict.is_none().then_some(verdict)
    }

    /// Checks the checksum, unless that is done.
    pub(super) fn check(&self) -> Result<()> {
        if let Some(mut verdict) = self.unchecked() {
            *verdict = Some(self.judged(self.checksum()?)?);
        }
        Ok(())
    }

    /// Handles the result of a check, and returns it if the block can be read.
    pub(super) fn judged(&self, found: Checksum) -> Result<Checksum> {
        self.judge(found).map(|()| found)
    }

    /// Checks the checksum before a part is read.
    ///
    /// If mismatches are only reported, the check waits until the parts have as many bytes as the block.
    pub(super) fn check_part(&self, bytes: u64) -> Result<()> {
        if let Checks::Report(_) = self.reading.checks {
            let before = self.parts.fetch_add(bytes, Ordering::Relaxed);
            if before.saturating_add(bytes) < self.size() {
                return Ok(());
            }
        }
        self.check()
    }

    /// Checks the checksum of an uncompressed block from its bytes, unless that is done.
    pub(super) fn check_bytes(&self, bytes: &[u8]) -> Result<()> {
        if let Some(mut verdict) = self.unchecked() {
            *verdict = Some(self.judged(Checksum::verify(self.header().checksum, bytes, || Ok(None))?)?);
        }
        Ok(())
    }
}
