//! Encoded bytes that are passed on while more are encoded.

use bytes::Bytes;

use super::buffer::Buffer;
use crate::error::Result;

/// Collects encoded bytes into pieces of some megabytes, and passes each on when it is full, so the caller
/// can hash it while the rest is encoded. The memory is a [`Buffer`]: allocating fresh small pages would take
/// longer than filling them.
pub(super) struct Pieces<'o> {
    room: Buffer,
    filled: usize,
    /// The maximum number of bytes still to come.
    rest: usize,
    out: &'o mut dyn FnMut(Bytes),
}

impl<'o> Pieces<'o> {
    /// The size of a piece in bytes.
    const PIECE: usize = if cfg!(test) { 1 << 12 } else { 16 << 20 };

    /// Prepares for at most `most` bytes in total.
    pub(super) fn new(most: usize, out: &'o mut dyn FnMut(Bytes)) -> Result<Self> {
        Ok(Self { room: Buffer::new(most.min(Self::PIECE))?, filled: 0, rest: most, out })
    }

    /// Adds bytes, which stay together.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.len() > self.room.bytes().len() - self.filled {
            let room = Buffer::new(self.rest.min(Self::PIECE).max(bytes.len()))?;
            self.pass_on(room);
        }
        let end = self.filled + bytes.len();
        if let Some(into) = self.room.bytes().get_mut(self.filled..end) {
            into.copy_from_slice(bytes);
        }
        self.filled = end;
        self.rest = self.rest.saturating_sub(bytes.len());
        Ok(())
    }

    /// Passes on the rest.
    pub(super) fn finish(mut self) {
        self.pass_on(Buffer::Heap(Vec::new()));
    }

    fn pass_on(&mut self, room: Buffer) {
        let full = Bytes::from(std::mem::replace(&mut self.room, room));
        if self.filled > 0 {
            (self.out)(full.slice(..self.filled));
        }
        self.filled = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nothing_is_lost(
            parts in proptest::collection::vec((any::<u8>(), 0_usize..6000), 0..20),
            more in 0_usize..9000,
        ) {
            let all: Vec<u8> = parts.iter().flat_map(|&(byte, len)| std::iter::repeat_n(byte, len)).collect();
            let (mut found, mut count) = (Vec::new(), 0);
            let mut out = |piece: Bytes| {
                found.extend_from_slice(&piece);
                count += 1;
                assert!(!piece.is_empty());
            };
            let mut pieces = Pieces::new(all.len() + more, &mut out).unwrap();
            for &(byte, len) in &parts {
                pieces.append(&vec![byte; len]).unwrap();
            }
            pieces.finish();
            prop_assert!(found == all);
            prop_assert!(count <= parts.len());
        }
    }
}
