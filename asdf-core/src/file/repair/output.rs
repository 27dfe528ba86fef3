//! The repaired file: bytes of the damaged file and new bytes between them.

use std::io::{Cursor, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::super::atomic;
use super::evidence::{Evidence, add};
use super::losses::{Damage, Loss, Verdict};
use super::mended::Mended;
use super::survey::{Found, State};
use crate::block::{Header, Md5, index};
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::file::IndexState;
use crate::source::Source;
use crate::threads::Threads;

/// A plan to repair a file: the changes, the losses, and the repaired file.
///
/// [`RepairOptions::plan`](super::RepairOptions::plan) makes it. Only [`write`](Self::write) writes a file.
/// [`RepairOptions`](super::RepairOptions) has an example.
#[derive(Debug)]
pub struct Repair {
    pub(super) source: Arc<dyn Source>,
    pub(super) mended: Vec<Mended>,
    pub(super) losses: Vec<Loss>,
    pub(super) damages: Vec<Damage>,
    pub(super) faults: Vec<Error>,
    pub(super) pieces: Vec<Piece>,
    pub(super) threads: Threads,
}

impl Repair {
    /// Returns the changes. Without changes, writing the file would copy it.
    #[must_use]
    pub fn mended(&self) -> &[Mended] {
        &self.mended
    }

    /// Returns the data that are lost even after the repair.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Returns the blocks with a checksum mismatch, which stay unchanged.
    #[must_use]
    pub fn damages(&self) -> &[Damage] {
        &self.damages
    }

    /// Returns the errors in the nodes of arrays, with their paths. The tree stays unchanged.
    #[must_use]
    pub fn faults(&self) -> &[Error] {
        &self.faults
    }
}

/// A part of the repaired file.
#[derive(Debug)]
pub(super) enum Piece {
    /// Bytes of the damaged file.
    Copy(Range<u64>),
    /// New bytes.
    Bytes(Vec<u8>),
    /// This number of zeros.
    Zeros(u64),
}

/// The repaired file, and the changes.
pub(super) struct Output {
    pub(super) mended: Vec<Mended>,
    pub(super) pieces: Vec<Piece>,
}

/// Arranges the blocks one after the other, followed by the block index.
pub(super) fn lay(
    evidence: &Evidence<'_>,
    found: &[Found],
    verdicts: &[Verdict],
    checksums: bool,
) -> Result<Output> {
    let mut mended = Vec::new();
    let first = found.iter().find(|block| block.state != State::Gone).map(|block| block.offset);
    let Some(front) = first else {
        // Without blocks the file needs no block index.
        return Ok(Output { mended, pieces: vec![Piece::Copy(0..evidence.len())] });
    };
    let mut pieces = vec![Piece::Copy(0..front)];
    let mut at = front;
    let mut offsets = Vec::with_capacity(found.len());
    let mut streamed = false;
    let mut end = front;
    let mut added: u64 = 0;
    for (number, block) in found.iter().enumerate() {
        offsets.push(at);
        mended.extend(block.fixes.iter().cloned());
        let need = evidence.needs.block(number).bytes;
        let mut header = block.header.clone();
        let zeros = fill(block, need, &mut header);
        added = added.saturating_add(zeros);
        if added > evidence.most_zeros() {
            return Err(too_many_zeros(number, zeros, added, evidence.most_zeros()));
        }
        match block.state {
            State::Gone => mended.push(Mended::Gone { block: number as u64 }),
            State::Cut { .. } => mended.push(Mended::Cut { block: number as u64, zeros }),
            State::Whole | State::Headless => {}
        }
        let bytes = block.data()..block.end();
        let is_known = matches!(block.state, State::Whole | State::Cut { .. }) && !header.is_streamed();
        // A damaged header can declare any number of bytes.
        let is_here = header.used_size <= block.room.saturating_add(zeros);
        let is_needless = verdicts.get(number) == Some(&Verdict::Fine) && has_checksum(&header);
        if checksums
            && is_known
            && is_here
            && !(is_needless && block.state == State::Whole && block.fixes.is_empty())
        {
            let checksum = checksum(evidence.source(), bytes.start, &header, block.room)?;
            if checksum != header.checksum {
                header.checksum = checksum;
                mended.push(Mended::Checksum { block: number as u64 });
            }
        }
        streamed = header.is_streamed();
        let changed = header != block.header || !block.fixes.is_empty() || block.state != State::Whole;
        if !changed {
            pieces.push(Piece::Copy(block.offset..block.end()));
        } else {
            let emitted = header.emit();
            pieces.push(Piece::Bytes(emitted.get(..Header::LEN).unwrap_or_default().to_vec()));
            if block.state == State::Gone {
                at += Header::LEN as u64;
                continue;
            }
            // Bytes of an enlarged header after the fields of the standard stay.
            pieces.push(Piece::Copy(block.offset.saturating_add(Header::LEN as u64)..block.end()));
            if zeros > 0 {
                pieces.push(Piece::Zeros(zeros));
            }
        }
        at = at.saturating_add(block.end() - block.offset).saturating_add(zeros);
        end = block.end();
    }
    let is_listed = evidence.index.as_deref() == Some(&offsets) && evidence.end == end && mended.is_empty();
    let state = state(evidence, is_listed);
    if streamed {
        // A streamed block needs no block index.
    } else if state == IndexState::Right {
        pieces.push(Piece::Copy(evidence.end..evidence.len()));
    } else {
        // If the index is rebuilt only because blocks moved, it was not wrong. If none moved, the last block overlaps it.
        if evidence.index.as_deref() != Some(&offsets) || mended.is_empty() {
            mended.push(Mended::Index { found: state == IndexState::Wrong });
        }
        pieces.push(Piece::Bytes(index::emit(&offsets).into_bytes()));
    }
    if mended.is_empty() {
        // A header that is lost stays as it is.
        pieces = vec![Piece::Copy(0..evidence.len())];
    }
    Ok(Output { mended, pieces })
}

/// The state of the block index in the damaged file.
fn state(evidence: &Evidence<'_>, is_right: bool) -> IndexState {
    match evidence.has_index {
        _ if is_right => IndexState::Right,
        true => IndexState::Wrong,
        false => IndexState::Absent,
    }
}

fn has_checksum(header: &Header) -> bool {
    header.checksum != [0; 16]
}

/// Sets the new sizes in the header of a truncated block. Returns the number of zeros to add.
fn fill(block: &Found, need: Option<u64>, header: &mut Header) -> u64 {
    let room = block.room;
    match block.state {
        State::Cut { .. } => {}
        State::Headless | State::Gone => return 0,
        State::Whole => {
            if !header.is_streamed() {
                header.allocated_size = room;
            }
            return 0;
        }
    }
    if !header.compression.is_none() {
        header.used_size = room;
        header.allocated_size = room;
        return 0;
    }
    // Only as many as the arrays need, because the size in the header may be wrong.
    let size = need.unwrap_or(0).max(room).min(header.used_size);
    header.used_size = size;
    header.data_size = size;
    header.allocated_size = size.max(room);
    size.saturating_sub(room)
}

/// A damaged header can declare any size, and a file of many terabytes is of no use.
fn too_many_zeros(block: usize, zeros: u64, added: u64, most: u64) -> Error {
    let message = format!(
        "block {block} lacks {zeros} bytes: {added} zeros in place of missing bytes are more than the limit of {most}"
    );
    Error::limit(message).with_code(Code::DecodedSize).with_hint(Hint::Raise {
        limit: LimitName::DecodedTotal,
        from: most,
        to: Some(added),
    })
}

/// The checksum of the bytes that a block will have.
fn checksum(source: &dyn Source, start: u64, header: &Header, room: u64) -> Result<[u8; 16]> {
    let mut digest = Md5::new();
    let there = header.used_size.min(room);
    add(&mut digest, source, start..start.saturating_add(there))?;
    let mut left = header.used_size - there;
    while left > 0 {
        let piece = left.min(ZEROS.len() as u64);
        digest.update(ZEROS.get(..usize::try_from(piece).unwrap_or(0)).unwrap_or_default());
        left -= piece;
    }
    Ok(digest.finish())
}

static ZEROS: [u8; 64 << 10] = [0; 64 << 10];

impl Repair {
    /// Writes the repaired file to a path, which may be that of the damaged file.
    ///
    /// The old file stays until the new one is complete.
    ///
    /// # Errors
    /// Fails if the damaged file cannot be read or the new one cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let write = |out: &mut dyn atomic::Output| self.write_to(out).map_err(|error| error.at_file(path));
        atomic::replace_with(path, self.threads, write, || ())
    }

    /// Returns the bytes of the repaired file.
    ///
    /// # Errors
    /// See [`write`](Self::write).
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = Cursor::new(Vec::new());
        self.write_to(&mut out)?;
        Ok(out.into_inner())
    }

    fn write_to(&self, out: &mut (impl Write + ?Sized)) -> Result<()> {
        const PIECE: u64 = 1 << 20;
        let io = |error| Error::io("writing", error);
        for piece in &self.pieces {
            match piece {
                Piece::Bytes(bytes) => out.write_all(bytes).map_err(io)?,
                Piece::Copy(range) => {
                    let mut at = range.start;
                    while at < range.end {
                        let next = range.end.min(at.saturating_add(PIECE));
                        out.write_all(&self.source.read(at..next)?).map_err(io)?;
                        at = next;
                    }
                }
                Piece::Zeros(count) => {
                    let mut left = *count;
                    while left > 0 {
                        let piece = usize::try_from(left).unwrap_or(usize::MAX).min(ZEROS.len());
                        out.write_all(ZEROS.get(..piece).unwrap_or_default()).map_err(io)?;
                        left -= piece as u64;
                    }
                }
            }
        }
        Ok(())
    }
}
