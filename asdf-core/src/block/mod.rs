//! One block: its header, its stored bytes, its checksum, and the index of all blocks.
//!
//! A block ("Blocks" in the file layout chapter of the ASDF standard) is a header, then
//! `used_size` stored bytes, then unused space up to `allocated_size`:
//!
//! ```text
//! offset  d3 42 4c 4b            the magic
//!     +4  header_size    u16     bytes of the header that follow this field, at least 48
//!     +6  flags          u32     bit 0: streamed
//!    +10  compression    4 bytes a label, zeros for none
//!    +14  allocated_size u64     bytes of the file that belong to the block after the header
//!    +22  used_size      u64     stored bytes, encoded if compressed
//!    +30  data_size      u64     bytes after decoding
//!    +38  checksum       16 bytes MD5 of the stored bytes, zeros for none
//!    +54  (more header if header_size is larger), then the stored bytes
//! ```
//!
//! All numbers are big-endian. This module does not know the tree or where bytes come from. It takes slices
//! and offsets, and interprets them.
//!
//! - [`Header`] parses, checks and emits the header, with the [`Label`] of its compression.
//! - [`codec`] decodes and encodes the stored bytes; a [`Compression`] selects the codec for writing.
//! - [`Checksum`] is the result of comparing the checksum with the bytes; [`md5_each`] hashes many blocks at
//!   once.
//! - [`index`] parses and emits the list of offsets at the end of a file.
#![doc(alias = "BlockManager")]

mod checksum;
pub mod codec;
mod compression;
mod digests;
mod header;
pub mod index;
mod label;
mod lanes;
mod levels;
mod md5;

pub use checksum::Checksum;
pub use codec::Codec;
pub use compression::Compression;
#[doc(hidden)]
pub use digests::md5_each;
pub(crate) use digests::md5_of;
pub use header::Header;
pub use label::Label;
#[doc(hidden)]
pub use levels::require_level;
#[doc(hidden)]
pub use md5::{Md5, md5};

/// The first bytes of every block: `d3 42 4c 4b`, which is not valid UTF-8.
pub const MAGIC: [u8; 4] = [0xd3, b'B', b'L', b'K'];
