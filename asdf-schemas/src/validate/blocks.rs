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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Validator;
    use asdf_core::{Compression, NdArray, WriteOptions};

    #[test]
    fn the_code_says_what_is_wrong_with_a_block() {
        for (label, checksums, damaged, code) in [
            ("", true, false, None),
            ("", true, true, Some(Code::Checksum)),
            ("zlib", true, false, None),
            ("zlib", true, true, Some(Code::Undecodable)),
            ("zlib", false, false, None),
            ("zlib", false, true, Some(Code::Undecodable)),
            ("nope", true, false, Some(Code::Block)),
            ("nope", true, true, Some(Code::Checksum)),
            ("nope", false, true, Some(Code::Block)),
        ] {
            let mut file = File::new();
            let compression = if label.is_empty() { Compression::NONE } else { Compression::ZLIB };
            let array = NdArray::new(&[1000], &[7_u8; 1000]).unwrap();
            file.set("/a", &array.with_compression(compression).unwrap()).unwrap();
            let mut bytes = WriteOptions::new().checksums(checksums).to_bytes(&file).unwrap();
            let block = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap()[0].clone();
            let at = usize::try_from(block.offset()).unwrap();
            bytes[at + 10..at + 10 + label.len()].copy_from_slice(label.as_bytes());
            // The first byte of the data is the header of zlib.
            let data = usize::try_from(block.header().data_offset(block.offset()).unwrap()).unwrap();
            bytes[data] ^= u8::from(damaged);
            let report = Validator::standard().validate_file(&File::from_bytes(bytes).unwrap());
            let found = report.findings().map(Violation::code).find(|code| code.rule() == "block");
            assert_eq!(found, code, "{label} {checksums} {damaged}");
        }
    }
}
