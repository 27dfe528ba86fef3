//! Decoding bzip2 block by block.

use bytes::Bytes;

use super::block::{self, Marks};
use super::checksum::checksum;
use super::{Bzp2, END, HEAD, bits, runs};
use crate::block::codec::Wanted;
use crate::block::codec::buffer::Buffer;
use crate::block::codec::declared_size::declared_size;
use crate::error::{Error, Result};
use crate::threads::Threads;

/// Decodes a stream of blocks as libbzip2 writes them, on several threads. `None` for all other streams,
/// whether damaged or not.
///
/// The beginning of a block is known only from the end of the block before, and from a mark. So decoding
/// starts at every mark, and a result is used if the block before ended there. A mark can also be in the
/// middle of a block, by chance.
pub(super) fn decode(
    stored: &[u8],
    data_size: u64,
    threads: Threads,
    wanted: Wanted<'_>,
) -> Result<Option<Bytes>> {
    let expected = declared_size(&Bzp2, stored.len() as u64, data_size)?;
    let &[b'B', b'Z', b'h', level @ b'1'..=b'9', ..] = stored else { return Ok(None) };
    let room = usize::from(level - b'0') * 100_000;
    // Memory that is allocated as blocks arrive.
    let mut data = Buffer::new(expected)?;
    let (mut len, mut at, mut sum, mut odd) = (0, HEAD, 0_u32, false);
    let work = |bit, buffer| (bit, block::decode(stored, bit, room, buffer));
    let done =
        threads.for_bytes(expected as u64).in_order_with_buffers(Marks::new(stored), work, |(bit, found)| {
            wanted()?;
            if bit < at {
                return Ok(Vec::new());
            }
            let fits = |block: &block::Block| bit == at && runs::len(&block.bytes) <= expected - len;
            let Some(block) = found.filter(fits) else {
                odd = true;
                return Err(Error::malformed("another decoder has to look at it"));
            };
            let end = len + runs::len(&block.bytes);
            let into = data.bytes().get_mut(len..end).unwrap_or_default();
            let whole = runs::lengthen(&block.bytes, into);
            if whole.is_none() || checksum(into) != block.sum {
                odd = true;
                return Err(Error::malformed("another decoder has to look at it"));
            }
            len = end;
            sum = sum.rotate_left(1) ^ block.sum;
            at = block.end;
            Ok(block.bytes)
        });
    if odd {
        return Ok(None);
    }
    done?;
    let ended = bits::at(stored, at, 48) == END
        && bits::at(stored, at + 48, 32) == u64::from(sum)
        && (at + 80).div_ceil(8) == stored.len() as u64;
    Ok((ended && len == expected).then(|| data.into()))
}
