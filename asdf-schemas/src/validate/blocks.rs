//! Checks of the blocks of a file.

use std::sync::Arc;

use asdf_core::block::Checksum;
use asdf_core::file::{FileBlock, IndexState};
use asdf_core::{Error, File, Result, error};

use super::{Code, Findings, Violation};

/// Checks every block: its header, its checksum, and whether it decodes; then the block index.
pub(super) fn check(file: &File, out: &mut Findings<'_>) {
    // Checksums take long, so they are not computed for a caller that has stopped.
    if out.enough() {
        return;
    }
    match file.blocks() {
        Ok(blocks) => check_each(file, &blocks, out),
        Err(error) => out.push(Violation::from_error(&error, Code::Block)),
    }
    if out.enough() {
        return;
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

/// Checks the header, the checksum and the codec of each block.
fn check_each(file: &File, blocks: &[Arc<FileBlock>], out: &mut Findings<'_>) {
    // Verifying all blocks at once is many times faster, but cannot stop at a deadline.
    let end = out.end();
    let mut verdicts = match end {
        Some(_) => Vec::new().into_iter(),
        None => match file.verify() {
            Ok(verdicts) => verdicts.into_iter(),
            Err(error) => return out.push(Violation::from_error(&error, Code::Block)),
        },
    };
    for block in blocks {
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
        if let Some(found) = finding(block, verdict) {
            out.push(found);
        }
    }
}

/// Returns what is wrong with a block.
pub(super) fn finding(block: &FileBlock, verdict: Result<Checksum>) -> Option<Violation> {
    match verdict {
        Ok(Checksum::Decoded) => {
            let message = format!(
                "block {}: the checksum is that of the decoded bytes, as written by Python's asdf before 5.3",
                block.number()
            );
            let error = Error::malformed(message).at_offset(block.offset());
            Some(Violation::from_error(&error, Code::DecodedChecksum))
        }
        Ok(_) => None,
        Err(error) => Some(Violation::from_error(&error, code(block, &error))),
    }
}

/// Returns the code of an error of a block: its checksum, its compressed data, or anything else.
fn code(block: &FileBlock, error: &Error) -> Code {
    match error.code() {
        Some(error::Code::Checksum) => return Code::Checksum,
        Some(error::Code::Undecodable) => return Code::Undecodable,
        // A block that this build cannot decode is not damaged if its checksum matches.
        _ if error.kind() == error::Kind::Unsupported && block.header().compression.is_known() => {
            return Code::Codec;
        }
        _ => {}
    }
    let damaged = block.checksum().is_ok_and(|checksum| !checksum.is_ok());
    if damaged { Code::Checksum } else { Code::Block }
}
