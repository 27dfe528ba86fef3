//! The pre-release formats 0.1.0 of 2014 and 2015.
//!
//! Files in these formats are converted to the current format on reading.
//!
//! Such a file begins with `%ASDF 0.1.0`, or later `#ASDF 0.1.0`. Its tags are
//! `tag:stsci.edu:asdf/0.1.0/core/ndarray`, or later `tag:stsci.edu:asdf/core/ndarray-0.1.0`. Arrays have
//! `dtype` instead of `datatype`, and a missing byte order means big-endian. After the magic bytes and the
//! two bytes of `header_size`, its blocks have one of these headers, with all numbers big-endian:
//!
//! | magic | `header_size` | fields |
//! |---|---|---|
//! | `89 42 4c 4b` or `d3 42 4c 4b` | at least 40 by the format's text, 44 by its fields | flags 4, allocated 8, used 8, checksum 8, encoding 16 |
//! | `d3 42 4c 4b` | at least 36 | flags 4, allocated 8, used 8, memory size 8, checksum 8 |
//! | `d3 42 4c 4b` | at least 40 | flags 4, compression 4, allocated 8, used 8, data 8, checksum 8 |
//! | `d3 42 4c 4b` | at least 48 | those of the current format |
//!
//! Nothing in a file distinguishes the last three headers. The first one whose sizes are consistent with each
//! other and with the file is used. Only the second can be `ENCODED` (flag `0x2`): its data begins with a
//! [`chain`] of encodings as a YAML document.
//!
//! - [`Draft`] recognizes such a file by its first line, and converts its block headers.
//! - [`convert`](tree::convert) converts its tree.
//! - [`Encoding`] decodes encoded blocks.
//!
//! Not supported: checksums of eight bytes are not verified, because their algorithm was never specified. The
//! names in the encoding field of the first header were never defined either, so such a block is an error.

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

/// A file of the pre-release format 0.1.0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    /// The blocks whose arrays need little-endian numbers.
    little: BTreeSet<u64>,
}

impl Draft {
    /// Returns whether a first line belongs to a pre-release format, given its first word and the version
    /// after it.
    pub(crate) fn recognises(word: &[u8], version: (u16, u16, u16)) -> bool {
        matches!(word, b"#ASDF" | b"%ASDF") && matches!(version, (0, 1, _))
    }

    /// Creates a file whose blocks with little-endian numbers are known.
    pub(crate) fn with_little(little: BTreeSet<u64>) -> Self {
        Self { little }
    }

    /// Parses the header of a block, converts it to the current format, and returns the encoding of its data.
    ///
    /// The bytes begin with the magic bytes, at an offset of a file of `len` bytes.
    ///
    /// # Errors
    /// Returns an error if the header is truncated, or smaller than that of any pre-release format.
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
