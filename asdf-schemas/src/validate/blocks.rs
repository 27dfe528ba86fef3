//! Checks of the blocks of a file.

use asdf_core::block::Checksum;
use asdf_core::file::{FileBlock, IndexState};
use asdf_core::tree::Block as _;
use asdf_core::{Error, File, error};

use super::{Code, Findings, Violation};

/// Checks every block: its header, its checksum, and whether it decodes; then the block index.
pub(super) fn check(file: &File, out: &mut Findings<'_>) {
    // Checksums take long, so they are not computed for a caller that has stopped.
    if out.enough() {
        return;
    }
    let blocks = match file.blocks() {
        Ok(blocks) => blocks,
        Err(error) => return out.push(Violation::from_error(&error, Code::Block)),
    };
    // Verifying all blocks at once is many times faster, but cannot stop at a deadline.
    let end = out.end();
    let mut verdicts = match end {
        Some(_) => Vec::new().into_iter(),
        None => match file.verify() {
            Ok(verdicts) => verdicts.into_iter(),
            Err(error) => return out.push(Violation::from_error(&error, Code::Block)),
        },
    };
    for block in &blocks {
        if out.enough() {
            return;
        }
        let verdict = match end {
            Some(end) => block.verify_until(end).transpose(),
            None => verdicts.next(),
        };
        let Some(verdict) = verdict else {
            // Reports the timeout, if there was one.
            out.enough();
            return;
        };
        match verdict {
            Ok(Checksum::Decoded) => {
                let message = format!(
                    "block {}: the checksum is that of the decoded bytes, as written by Python's asdf before 5.3",
                    block.number()
                );
                let error = Error::malformed(message).at_offset(block.offset());
                out.push(Violation::from_error(&error, Code::DecodedChecksum));
            }
            Ok(_) => {}
            // A block that this build cannot decode is not damaged.
            Err(error)
                if error.kind() == error::Kind::Unsupported && block.header().compression.is_known() =>
            {
                out.push(Violation::from_error(&error, Code::Codec));
            }
            Err(error) => {
                out.push(Violation::from_error(&error, code(block, &error)));
            }
        }
    }
    let missed = file.missed_blocks().unwrap_or_default();
    for error in &missed {
        out.push(Violation::from_error(error, Code::Index));
    }
    if missed.is_empty() && file.index().is_ok_and(|index| index == IndexState::Wrong) {
        let error = Error::malformed("the block index does not match the blocks")
            .with_hint("write the file again to correct it; readers ignore a wrong index");
        out.push(Violation::from_error(&error, Code::Index));
    }
}

/// Returns the code of an error of a block: its checksum, its compressed data, or anything else.
fn code(block: &FileBlock, error: &Error) -> Code {
    let is_compressed = !block.header().compression.is_none() && error.kind() == error::Kind::Malformed;
    if is_compressed && block.stored_bytes().is_ok() {
        return if block.decoded().is_ok() { Code::Checksum } else { Code::Undecodable };
    }
    let damaged = block.checksum().is_ok_and(|checksum| !checksum.is_ok());
    if damaged { Code::Checksum } else { Code::Block }
}
