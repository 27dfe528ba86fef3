//! The bytes of a remote file that a read of a block needs.

use std::ops::Range;

use super::block::FileBlock;
use crate::tree::Block as _;

impl FileBlock {
    /// Returns the range of the file that a read of decoded bytes needs, as far as it is known.
    ///
    /// `None` if reads of the file are fast, or if the bytes are at hand.
    pub(super) fn needed(&self, range: &Range<u64>) -> Option<Range<u64>> {
        /// Of a larger compressed block, only the frames of the range are read.
        const WHOLE: u64 = 8 << 20;
        if !self.is_remote() || range.is_empty() || self.kept().find(range).is_some() {
            return None;
        }
        let stored = self.inside(range).ok()?;
        match self.is_encoded() {
            false => Some(stored.start + range.start..stored.start + range.end),
            true => (stored.end - stored.start <= WHOLE).then_some(stored),
        }
    }
}
