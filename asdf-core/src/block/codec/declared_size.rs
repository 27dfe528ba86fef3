//! The declared size of decoded data, and memory that grows as the data arrives.

use super::Codec;
use crate::error::{Error, Result};

/// The memory for decoded data that is allocated at once; beyond it, memory doubles as bytes arrive. Small in
/// tests, so that they see it grow.
pub(super) const AT_ONCE: usize = if cfg!(test) { 1 << 16 } else { 64 << 20 };

#[cfg(feature = "lz4")]
pub(super) use super::encoding::LARGEST_PART;

/// Returns `data_size` as a length in memory, if `stored` bytes can decode to that many bytes.
pub(super) fn declared_size(codec: &dyn Codec, stored: u64, data_size: u64) -> Result<usize> {
    let most = stored.saturating_mul(codec.max_expansion());
    if data_size > most {
        return Err(Error::malformed(format!(
            "{stored} bytes of {} data cannot hold {data_size} bytes: at most {most}",
            codec.label()
        )));
    }
    usize::try_from(data_size).map_err(|_| Error::beyond_memory(data_size))
}

#[cfg_attr(
    not(any(feature = "bzp2", feature = "lz4", feature = "lz4f", feature = "zstd", feature = "xz")),
    allow(dead_code, reason = "zlib allocates all its memory at once")
)]
/// Makes room for at least `more` bytes, but never for more than `data_size` in total.
pub(super) fn grow(data: &mut Vec<u8>, more: usize, data_size: usize) -> Result<()> {
    let room = more.max(data.len()).max(AT_ONCE).min(data_size.saturating_sub(data.len()));
    data.try_reserve_exact(room)
        .map_err(|e| Error::no_memory(format_args!("{data_size} bytes of decoded data")).with_source(e))
}

/// Makes room for `more` bytes if there is not enough.
#[cfg(any(feature = "lz4", feature = "lz4f"))]
pub(super) fn make_room(data: &mut Vec<u8>, more: usize, data_size: usize) -> Result<()> {
    if data.capacity() - data.len() < more { grow(data, more, data_size) } else { Ok(()) }
}
