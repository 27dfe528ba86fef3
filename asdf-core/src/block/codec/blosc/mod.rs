//! The container of c-blosc and c-blosc2, shared by `blsc` and `bls2`.

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

/// The maximum number of bytes that one byte of a c-blosc chunk can decode to, with Zstandard inside.
pub(super) const MAX_EXPANSION: u64 = 32_768;
