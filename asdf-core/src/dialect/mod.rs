//! The drafts 0.1.0 of the format, of 2014 and 2015: converted to the current format on reading.
//!
//! A draft begins with `%ASDF 0.1.0`, later `#ASDF 0.1.0`. Its tags are
//! `tag:stsci.edu:asdf/0.1.0/core/ndarray`, later `tag:stsci.edu:asdf/core/ndarray-0.1.0`; arrays have
//! `dtype` instead of `datatype`, and a byte order that is big where it is not given. After the magic
//! and the two bytes of `header_size` its blocks have one of these headers, all numbers big-endian:
//!
//! | magic | `header_size` | fields |
//! |---|---|---|
//! | `89 42 4c 4b` or `d3 42 4c 4b` | at least 40 by the draft's text, 44 by its fields | flags 4, allocated 8, used 8, checksum 8, encoding 16 |
//! | `d3 42 4c 4b` | at least 36 | flags 4, allocated 8, used 8, memory size 8, checksum 8 |
//! | `d3 42 4c 4b` | at least 40 | flags 4, compression 4, allocated 8, used 8, data 8, checksum 8 |
//! | `d3 42 4c 4b` | at least 48 | those of today |
//!
//! Nothing in a file says which of the last three it has: it is the first whose sizes agree with each
//! other and with the file. Only the second can be `ENCODED` (flag `0x2`): its data begins with a
//! [`chain`] of encodings as a YAML document.
//!
//! - [`Draft`] knows a draft by its first line, and its blocks as blocks of today;
//! - [`convert`](tree::convert) makes a tree of today of a draft's;
//! - [`Encoding`] decodes the blocks that are encoded.
//!
//! What is not done: a checksum of eight bytes is not compared, since no draft says how it is made; and
//! what a name in the encoding of the first header means was never said, so such a block is an error.

mod arguments;
mod block;
mod chain;
mod encoding;
mod quantize;
mod tags;
mod tile;
mod tree;
mod zlib;

use std::collections::BTreeSet;

pub(crate) use block::begins_block;
pub(crate) use encoding::Encoding;
pub(crate) use tree::{Converted, convert};

use crate::block::Header;
use crate::error::Result;

/// A file that is a draft 0.1.0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    /// The blocks whose arrays want their numbers in little-endian order.
    little: BTreeSet<u64>,
}

impl Draft {
    /// Whether a first line is a draft's: its first word, and the version that follows it.
    pub(crate) fn recognises(word: &[u8], version: (u16, u16, u16)) -> bool {
        matches!(word, b"#ASDF" | b"%ASDF") && matches!(version, (0, 1, _))
    }

    /// A draft of whose arrays it is known which blocks they want in little-endian order.
    pub(crate) fn with_little(little: BTreeSet<u64>) -> Self {
        Self { little }
    }

    /// The header of a block as one of today, and how its data is encoded, from bytes that begin with
    /// its magic at an offset of a file of `len` bytes.
    ///
    /// # Errors
    /// When the header is cut or smaller than any draft's.
    pub(crate) fn block(
        &self,
        number: u64,
        bytes: &[u8],
        offset: u64,
        len: u64,
    ) -> Result<(Header, Option<Encoding>)> {
        let (header, encoding) = block::parse(bytes, offset, len)?;
        let little = self.little.contains(&number);
        Ok((header, encoding.map(|encoding| encoding.in_order(little))))
    }
}
