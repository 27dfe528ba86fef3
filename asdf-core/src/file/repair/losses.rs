//! The lost data of a file, by the arrays to which they belong.

use std::fmt;

use super::evidence::Evidence;
use super::mended::Mended;
use super::needs::Needs;
use super::survey::{Found, State};
use crate::block::{Checksum, Header, Label};
use crate::error::{Kind, Result};
use crate::file::File;

/// A loss of data. `Display` names the array by its path: `/dq: its block is missing`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The path of the array; `None` for a block that no array uses.
    pub path: Option<String>,
    /// The number of the block in the repaired file; `None` if it has no such block.
    pub block: Option<u64>,
    /// The part of the data that is lost.
    pub kind: LossKind,
}

/// The part of an array's data that is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossKind {
    /// All data: the block is missing.
    Gone,
    /// All data: the array refers to a block that does not exist, in a file whose blocks and index have no faults.
    ///
    /// The tree is wrong, or the file was truncated after a block.
    NoBlock {
        /// The number of the block in the tree.
        source: i64,
        /// The number of blocks in the file.
        blocks: u64,
    },
    /// All data: the header of the block cannot be restored.
    Header,
    /// The end of the data, which is zeros in the repaired file.
    End {
        /// The number of lost bytes.
        lost: u64,
        /// The number of bytes of the array.
        of: u64,
    },
    /// Unknown bytes in the middle of the data; the bytes after them have moved forward.
    Middle {
        /// The number of lost bytes.
        lost: u64,
        /// The number of bytes of the array.
        of: u64,
    },
    /// All data: the compressed block is truncated.
    Cut,
    /// All data: the compressed block is damaged.
    Undecodable,
    /// All data: the block is smaller than the array.
    Short {
        /// The number of bytes in the block.
        found: u64,
        /// The number of bytes that the array needs.
        expected: u64,
    },
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.path, self.block) {
            (Some(path), _) if path.is_empty() => f.write_str("/: ")?,
            (Some(path), _) => write!(f, "{path}: ")?,
            (None, Some(block)) => write!(f, "block {block}, which no array uses: ")?,
            (None, None) => {}
        }
        match self.kind {
            LossKind::Gone => f.write_str("its block is missing"),
            LossKind::NoBlock { source, blocks: 0 } => {
                write!(f, "block {source} does not exist: the file has no blocks")
            }
            LossKind::NoBlock { source, blocks } => {
                write!(f, "block {source} does not exist: the file has {blocks}")
            }
            LossKind::Header => f.write_str("the header of its block is damaged beyond repair"),
            LossKind::End { lost, of } if lost == of => write!(f, "all of its {of} bytes"),
            LossKind::End { lost, of } => write!(f, "the last {lost} of its {of} bytes"),
            LossKind::Middle { lost, of } => write!(f, "{lost} of its {of} bytes; which ones is unknown"),
            LossKind::Cut => f.write_str("its compressed block is truncated and does not decode"),
            LossKind::Undecodable => f.write_str("its compressed block is damaged and does not decode"),
            LossKind::Short { found, expected } => {
                write!(f, "its block has {found} bytes, expected {expected}")
            }
        }
    }
}

/// A block whose checksum does not match its bytes. `Display` names its arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The number of the block in the repaired file.
    pub block: u64,
    /// The paths of its arrays.
    pub arrays: Vec<String>,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {}", self.block)?;
        if let [first, more @ ..] = self.arrays.as_slice() {
            write!(f, " ({first}")?;
            match more {
                [] => {}
                [second] => write!(f, ", {second}")?,
                more => write!(f, " and {} other arrays", more.len())?,
            }
            f.write_str(")")?;
        }
        f.write_str(": checksum mismatch")
    }
}

/// The result of checking a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The block has no fault, or it cannot be checked.
    Fine,
    /// The checksum matches the decoded bytes.
    Decoded,
    /// The checksum does not match.
    Mismatch,
    /// The block does not decode.
    Undecodable,
}

/// Checks the complete blocks, all at once if they are those of a file.
pub(super) fn look(
    evidence: &Evidence<'_>,
    found: &mut [Found],
    file: Option<&File>,
) -> Result<Vec<Verdict>> {
    // All at once is many times faster than one by one.
    let mut verdicts = match file.map(|file| (file.blocks(), file.verify())) {
        Some((Ok(blocks), Ok(verdicts))) if blocks.len() == found.len() => verdicts,
        _ => Vec::new(),
    }
    .into_iter();
    let mut all = Vec::with_capacity(found.len());
    for (number, block) in found.iter_mut().enumerate() {
        let known = verdicts.next();
        if block.state != State::Whole || block.header.is_streamed() {
            all.push(Verdict::Fine);
            continue;
        }
        if evidence.is_odd(&block.header) {
            other_label(evidence, number, block)?;
        }
        let verdict = match known {
            Some(verdict) if block.fixes.is_empty() => judge(evidence, number, block, verdict),
            _ => check(evidence, number, block),
        }?;
        let verdict = match verdict {
            Verdict::Undecodable if other_fields(evidence, number, block)? => check(evidence, number, block)?,
            verdict => verdict,
        };
        all.push(verdict);
    }
    Ok(all)
}

fn check(evidence: &Evidence<'_>, number: usize, found: &Found) -> Result<Verdict> {
    let block = evidence.block(number, found.offset, found.header.clone());
    judge(evidence, number, found, block.verify())
}

fn judge(
    evidence: &Evidence<'_>,
    number: usize,
    found: &Found,
    verdict: Result<Checksum>,
) -> Result<Verdict> {
    match verdict {
        Ok(Checksum::Decoded) => Ok(Verdict::Decoded),
        Ok(_) => Ok(Verdict::Fine),
        Err(error) if error.kind() == Kind::Io => Err(error),
        Err(error) if matches!(error.kind(), Kind::Malformed | Kind::Mismatch) => {
            let block = evidence.block(number, found.offset, found.header.clone());
            if found.header.compression.is_none() {
                return Ok(match block.checksum() {
                    Ok(checksum) if !checksum.is_ok() => Verdict::Mismatch,
                    _ => Verdict::Fine,
                });
            }
            Ok(match crate::tree::Block::decoded(&block) {
                Ok(_) => Verdict::Mismatch,
                Err(_) => Verdict::Undecodable,
            })
        }
        // The size in the header may be wrong.
        Err(error) if error.kind() == Kind::Limit => {
            let need = evidence.needs.block(number).bytes;
            let differs = need.is_some_and(|need| need != found.header.data_size);
            Ok(if differs { Verdict::Undecodable } else { Verdict::Fine })
        }
        // Without the codec only the stored bytes can be checked.
        Err(_) => {
            let is_fine =
                found.header.checksum == [0; 16] || evidence.matches(found.offset, &found.header)?;
            Ok(if is_fine { Verdict::Fine } else { Verdict::Mismatch })
        }
    }
}

/// Finds a codec that decodes a block with an unknown label, and sets its label.
fn other_label(evidence: &Evidence<'_>, number: usize, found: &mut Found) -> Result<()> {
    const ALL: [Label; 8] =
        [Label::ZLIB, Label::BZP2, Label::LZ4, Label::LZ4F, Label::ZSTD, Label::XZ, Label::BLSC, Label::BLS2];
    for compression in ALL {
        let other = Found { header: Header { compression, ..found.header.clone() }, ..found.clone() };
        let is_it = evidence.has_codec(&other.header)
            && matches!(check(evidence, number, &other)?, Verdict::Fine | Verdict::Decoded);
        if is_it {
            found.header = other.header;
            found.fixes.push(Mended::Field { block: number as u64, field: "compression" });
            return Ok(());
        }
    }
    Ok(())
}

/// Finds a `data_size` with which a compressed block decodes, and sets it.
fn other_fields(evidence: &Evidence<'_>, number: usize, found: &mut Found) -> Result<bool> {
    let changed = |field: &'static str| Mended::Field { block: number as u64, field };
    let need = evidence.needs.block(number).bytes;
    if let Some(data_size) = need.filter(|&need| need != found.header.data_size) {
        let header = Header { data_size, ..found.header.clone() };
        let other = Found { header, ..found.clone() };
        let is_known = !evidence.is_odd(&other.header);
        if is_known && check(evidence, number, &other)? != Verdict::Undecodable {
            found.header = other.header;
            found.fixes.push(changed("data_size"));
            return Ok(true);
        }
    }
    Ok(false)
}

/// Finds the losses of all arrays, and the damaged blocks. In a sound file no block is missing.
pub(super) fn find(
    needs: &Needs,
    found: &[Found],
    verdicts: &[Verdict],
    accept: bool,
    is_sound: bool,
) -> (Vec<Loss>, Vec<Damage>) {
    let count = found.len() as u64;
    let mut losses = Vec::new();
    let mut used = vec![false; found.len()];
    for wanted in &needs.arrays {
        let number = wanted.block(count);
        let place = number.and_then(|number| usize::try_from(number).ok());
        if let Some(used) = place.and_then(|place| used.get_mut(place)) {
            *used = true;
        }
        let block = place.and_then(|place| Some((found.get(place)?, *verdicts.get(place)?)));
        let range = wanted.bytes.clone();
        let kind = match block {
            None if is_sound => Some(LossKind::NoBlock { source: wanted.source, blocks: count }),
            None => Some(LossKind::Gone),
            // The last block is not the streamed one.
            Some((block, _)) if wanted.streamed && !block.header.is_streamed() => Some(LossKind::Gone),
            Some((block, verdict)) => lost(block, verdict, range),
        };
        let number = number.filter(|_| block.is_some());
        losses.extend(kind.map(|kind| Loss { path: Some(wanted.path.clone()), block: number, kind }));
    }
    let mut damages = Vec::new();
    for (number, ((block, verdict), used)) in (0_u64..).zip(found.iter().zip(verdicts).zip(used)) {
        if !used {
            let kind = lost(block, *verdict, None);
            losses.extend(kind.map(|kind| Loss { path: None, block: Some(number), kind }));
        }
        if *verdict == Verdict::Mismatch && !accept {
            let arrays = needs.paths(number, count).into_iter().map(str::to_owned).collect();
            damages.push(Damage { block: number, arrays });
        }
    }
    (losses, damages)
}

/// The loss in the range of a block's data that an array needs, or in all of the data.
fn lost(block: &Found, verdict: Verdict, range: Option<std::ops::Range<u64>>) -> Option<LossKind> {
    let header = &block.header;
    // An array without bytes cannot lose any.
    if range.as_ref().is_some_and(std::ops::Range::is_empty) && header.check(block.offset, u64::MAX).is_ok() {
        return None;
    }
    match block.state {
        State::Gone => return Some(LossKind::Gone),
        State::Headless => return Some(LossKind::Header),
        State::Cut { .. } if !header.compression.is_none() => return Some(LossKind::Cut),
        State::Cut { at_end } => {
            let range = range.unwrap_or(0..header.used_size);
            let of = range.end.saturating_sub(range.start);
            let missing = header.used_size.saturating_sub(block.room);
            if !at_end {
                return Some(LossKind::Middle { lost: missing.min(of), of });
            }
            let lost = range.end.saturating_sub(block.room.max(range.start));
            return (lost > 0).then_some(LossKind::End { lost, of });
        }
        State::Whole if header.is_streamed() && header.compression.is_none() => return None,
        State::Whole => {}
    }
    if header.check(block.offset, u64::MAX).is_err() || header.used_size > block.room {
        return Some(LossKind::Header);
    }
    if verdict == Verdict::Undecodable {
        return Some(LossKind::Undecodable);
    }
    let short = range.filter(|range| range.end > header.data_size);
    short.map(|range| LossKind::Short { found: header.data_size, expected: range.end })
}
