//! Reading packed arrays by position directly into the caller's memory.

use std::sync::Arc;

use super::{ByteOrder, Element, NdArray, swap};
use crate::error::Result;
use crate::threads::Threads;
use crate::tree::Block;

/// The number of bytes at a time that stay in the cache between the system's copy and ours.
const PIECE: usize = 128 << 10;

/// A block with the elements of an array, packed from `start` on.
#[derive(Debug)]
pub(super) struct Direct {
    block: Arc<dyn Block>,
    start: u64,
    order: ByteOrder,
    threads: Threads,
}

impl Direct {
    /// Returns `None` if the elements are not packed, are in memory anyway, or should be read at once: then use a view.
    pub(super) fn of(array: &NdArray) -> Result<Option<Self>> {
        let Some(block) = array.block()?.filter(|block| !block.is_at_hand() && !block.is_remote()) else {
            return Ok(None);
        };
        let layout = array.layout(block.size())?;
        if !layout.is_packed() {
            return Ok(None);
        }
        let start = layout.extent().start as u64;
        Ok(Some(Self { block, start, order: array.byteorder(), threads: array.threads() }))
    }

    /// Reads elements of the array's own datatype into a slice of the same length.
    pub(super) fn fill<T: Element>(&self, out: &mut [T]) -> Result<()> {
        let native = self.order == ByteOrder::NATIVE || T::WIDTH == 1;
        let Some(bytes) = T::bytes_mut(out) else {
            return self.convert(out, |value: T| value);
        };
        self.threads.fill(bytes, |at, share| {
            let mut at = self.start + at as u64;
            if native {
                return self.block.read_into(at, share);
            }
            for piece in share.chunks_mut(PIECE) {
                self.block.read_into(at, piece)?;
                swap::in_place(piece, T::WIDTH);
                at += piece.len() as u64;
            }
            Ok(())
        })
    }

    /// Reads elements of the datatype of `S`, and writes the result of a function for each into a slice of
    /// the same length.
    pub(super) fn convert<S: Element, T>(&self, out: &mut [T], mut cast: impl FnMut(S) -> T) -> Result<()> {
        let mut bytes = vec![0; PIECE.min(out.len().saturating_mul(S::SIZE))];
        let mut at = self.start;
        for piece in out.chunks_mut(PIECE / S::SIZE) {
            let bytes = bytes.get_mut(..piece.len() * S::SIZE).unwrap_or_default();
            self.block.read_into(at, bytes)?;
            at += bytes.len() as u64;
            let elements = piece.iter_mut().zip(bytes.chunks_exact(S::SIZE));
            // The byte order is chosen outside of the loops.
            match self.order {
                ByteOrder::Little => {
                    elements.for_each(|(slot, bytes)| *slot = cast(S::load(bytes, ByteOrder::Little)));
                }
                ByteOrder::Big => {
                    elements.for_each(|(slot, bytes)| *slot = cast(S::load(bytes, ByteOrder::Big)));
                }
            }
        }
        Ok(())
    }
}
