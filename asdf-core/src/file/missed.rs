//! Blocks that the block index lists, but that readers do not find.

use super::File;
use super::blocks::FileBlocks;
use super::listed;
use crate::error::{Error, Result};

impl File {
    /// Where the block index of the opened file expects a block and none begins, as warnings: one for the bytes
    /// before the first block, one for those after the last that was found. A damaged header leaves such
    /// bytes, and the blocks behind it have wrong numbers or are not found.
    ///
    /// Follows all blocks. An index that only gives other places inside of the blocks, as after an edit of the
    /// tree by hand, is not reported here, but by [`index`](Self::index).
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn missed_blocks(&self) -> Result<Vec<Error>> {
        let missed = self.blocks.as_ref().map_or(Ok(Vec::new()), |blocks| blocks.missed())?;
        Ok(missed.into_iter().map(|error| self.named(error)).collect())
    }
}

impl FileBlocks {
    fn missed(&self) -> Result<Vec<Error>> {
        let source = self.reading().source.as_ref();
        let Some((index, offsets)) = listed::tail(source, self.start())? else { return Ok(Vec::new()) };
        let (blocks, end) = self.followed();
        let first = blocks.first().map_or(index, |block| block.offset());
        let last = blocks.last().map(|block| (block.number(), block.header().end(block.offset())));
        let before = self.start()..first.min(index);
        let (after, what) = match last {
            // Nothing says where the next block begins.
            Some((number, Ok(Some(claimed)))) if claimed > source.len() => {
                let from = blocks.last().map_or(end, |block| block.offset() + 1);
                (from..index, format!("block {number} says that it ends at byte {claimed}, beyond the file"))
            }
            Some((number, _)) => {
                let bytes = index.saturating_sub(end);
                (
                    end.min(index)..index,
                    format!("the {bytes} bytes after block {number} do not begin with a block"),
                )
            }
            None => (index..index, String::new()),
        };
        let bytes = before.end.saturating_sub(before.start);
        let place = if blocks.is_empty() { "the block index" } else { "the first block" };
        let gap = format!("the {bytes} bytes between the tree and {place} are not a block");
        let mut found = Vec::new();
        for (range, what) in [(before, gap), (after, what)] {
            let Some(listed) = offsets.iter().find(|at| range.contains(at)) else { continue };
            if blocks.iter().any(|block| block.offset() == *listed) {
                continue;
            }
            let error = Error::malformed(format!("{what}; the block index expects one at byte {listed}"));
            found.push(error.with_hint("`asdf repair` finds the block by the index"));
        }
        Ok(found)
    }
}
