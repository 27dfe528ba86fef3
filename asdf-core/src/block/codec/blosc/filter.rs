//! Undoing the filters that were applied to the bytes of a block before encoding.

use super::shuffle::{unbitshuffle, unshuffle};

/// A step of a chunk's pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filter {
    /// Shuffled by the bytes of elements of this size.
    Shuffle(usize),
    /// Shuffled by bits. In the old form, a block is only shuffled if it is a multiple of eight elements.
    BitShuffle { item: usize, old: bool },
    /// Each element xor the one before, or xor that of the first block.
    Delta(usize),
}

impl Filter {
    /// Returns the filter with a number in a c-blosc2 pipeline; `None` if there is nothing to undo.
    pub(super) fn of(number: u8, meta: u8, item: usize, old: bool) -> Result<Option<Self>, String> {
        Ok(match number {
            // Truncated precision (4) cannot be undone.
            0 | 4 => None,
            1 if meta > 0 => Some(Self::Shuffle(usize::from(meta))),
            1 => Some(Self::Shuffle(item)),
            2 => Some(Self::BitShuffle { item, old }),
            3 => Some(Self::Delta(item)),
            _ => return Err(format!("uses the filter {number}, which is not supported")),
        })
    }

    /// Undoes the filter. `from` are the bytes of a block, and `into` has the same length. `first` is the
    /// decoded part of the first block of the chunk, if this is another block.
    pub(super) fn undo(self, from: &[u8], into: &mut [u8], first: Option<&[u8]>) {
        match self {
            Self::Shuffle(item) => unshuffle(from, into, item),
            Self::BitShuffle { item, old: true } if (from.len() / item.max(1)) % 8 != 0 => {
                into.copy_from_slice(from);
            }
            Self::BitShuffle { item, .. } => unbitshuffle(from, into, item),
            Self::Delta(item) => {
                into.copy_from_slice(from);
                undelta(into, item, first);
            }
        }
    }
}

fn undelta(data: &mut [u8], item: usize, first: Option<&[u8]>) {
    let width = match item {
        1 | 2 | 4 | 8 => item,
        _ if item % 8 == 0 => 8,
        _ => 1,
    };
    let whole = data.len() / width * width;
    match first {
        Some(first) => {
            for (byte, reference) in data.iter_mut().take(whole).zip(first) {
                *byte ^= reference;
            }
        }
        None => {
            let mut before = [0_u8; 8];
            for element in data.chunks_exact_mut(width) {
                for (byte, last) in element.iter_mut().zip(&mut before) {
                    *byte ^= *last;
                    *last = *byte;
                }
            }
        }
    }
}
