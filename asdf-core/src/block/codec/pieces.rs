//! Encoded bytes that are passed on while more are encoded.

use bytes::Bytes;

use super::buffer::Buffer;
use crate::error::Result;

/// Collects encoded bytes into pieces of some megabytes, and passes each on when it is full, so the caller
/// can hash it while the rest is encoded. The memory is a [`Buffer`]: allocating fresh small pages would take
/// longer than filling them.
struct Pieces<'o> {
    room: Buffer,
    filled: usize,
    /// The maximum number of bytes still to come.
    rest: usize,
    out: &'o mut dyn FnMut(Bytes) -> Result<()>,
}

/// What an encoder calls with each part of the stored bytes, in order. After an error it stops.
pub(super) type Show<'s> = &'s mut dyn FnMut(&[u8]) -> Result<()>;

/// Returns all parts that an encoder shows.
pub(super) fn whole(encode: impl FnOnce(Show<'_>) -> Result<()>) -> Result<Vec<u8>> {
    let mut stored = Vec::new();
    encode(&mut |part| {
        stored.extend_from_slice(part);
        Ok(())
    })?;
    Ok(stored)
}

/// Passes on what an encoder shows, at most about `most` bytes, in pieces. Before each part it passes on an empty piece.
pub(super) fn in_pieces(
    most: usize,
    out: &mut dyn FnMut(Bytes) -> Result<()>,
    encode: impl FnOnce(Show<'_>) -> Result<()>,
) -> Result<()> {
    let mut pieces = Pieces::new(most, out)?;
    encode(&mut |part| pieces.append(part))?;
    pieces.finish()
}

impl<'o> Pieces<'o> {
    /// The size of a piece in bytes.
    const PIECE: usize = if cfg!(test) { 1 << 12 } else { 16 << 20 };

    /// Prepares for `most` bytes in total. More bytes take more memory.
    fn new(most: usize, out: &'o mut dyn FnMut(Bytes) -> Result<()>) -> Result<Self> {
        Ok(Self { room: Buffer::new(most.min(Self::PIECE))?, filled: 0, rest: most, out })
    }

    /// Adds bytes, which stay together.
    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        (self.out)(Bytes::new())?;
        if bytes.len() > self.room.bytes().len() - self.filled {
            let room = Buffer::new(self.rest.min(Self::PIECE).max(bytes.len()))?;
            self.pass_on(room)?;
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
    fn finish(mut self) -> Result<()> {
        self.pass_on(Buffer::Heap(Vec::new()))
    }

    fn pass_on(&mut self, room: Buffer) -> Result<()> {
        let full = Bytes::from(std::mem::replace(&mut self.room, room));
        match std::mem::take(&mut self.filled) {
            0 => Ok(()),
            filled => (self.out)(full.slice(..filled)),
        }
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
                count += usize::from(!piece.is_empty());
                Ok(())
            };
            let encode = |show: Show<'_>| parts.iter().try_for_each(|&(byte, len)| show(&vec![byte; len]));
            in_pieces(all.len() + more, &mut out, encode).unwrap();
            prop_assert!(whole(encode).unwrap() == all);
            prop_assert!(found == all);
            prop_assert!(count <= parts.len());
        }
    }
}
