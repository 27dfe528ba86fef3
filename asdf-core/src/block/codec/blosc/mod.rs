//! The container of c-blosc and c-blosc2: what `blsc` and `bls2` share.

mod blosclz;
mod chunk;
mod filter;
mod inner;
mod matches;
mod shuffle;

pub(super) use chunk::{BLOSC, Chunk, encode};
#[cfg(feature = "bls2")]
pub(super) use chunk::{BLOSC2, Fault, Header, LEN, block_size, fill};
pub(super) use inner::Pace;

/// The most that a byte of a chunk of c-blosc can stand for: what Zstandard inside makes of it.
pub(super) const MAX_EXPANSION: u64 = 32_768;
