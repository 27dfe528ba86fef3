//! Limits on the memory and the time that reading a file takes.

use std::io::Read;

use crate::error::{Error, Hint, LimitName, Result};
use crate::tree::REPEATED_ELEMENTS;
use crate::yaml::ParseOptions;

/// Limits on the memory and the time that a file can make the reader use, whatever sizes the file claims.
///
/// The tree takes about four times the memory of its text. A block takes at most the memory that its stored bytes can
/// decode to.
///
/// | field | default | limits |
/// |---|---|---|
/// | `tree_size` | 1 GiB | bytes of the tree's text; never more than 4 GiB |
/// | `tree_depth` | 512 | nested collections |
/// | `tree_nodes` | 4 billion | nodes of the tree; fewer than four for each byte of text in any case |
/// | `tree_tag_bytes` | 16 bytes for each byte of text, and 1 MiB | bytes of the distinct tags as full URIs |
/// | `decoded_size` | 2 GiB | bytes of a compressed block after decoding |
/// | `decoded_total` | 16 GiB, or 16 bytes for each byte of the files | bytes of all compressed blocks after decoding; zeros that a repair adds |
/// | `repeated_elements` | 1 GiB | bytes of elements that arrays read from the same bytes again and again |
/// | `blocks` | 4 million | blocks of the file; each takes some hundred bytes of memory, and 54 in the file |
/// | `stream_size` | 2 GiB | bytes of a reader, which is read into memory |
///
/// Other limits belong to single operations:
///
/// | limit | where |
/// |---|---|
/// | 1 KiB for the prefix of a `%TAG` line, 1024 characters for a key without `?` | [`yaml::parse`](crate::yaml::parse) |
/// | 512 levels | [`yaml::emit`](crate::yaml::emit) |
/// | 20,000 digits of an integer | [`NodeRef::as_bigint`](crate::NodeRef::as_bigint) |
/// | compared pairs of nodes, kept differences | [`DifferenceOptions`](crate::tree::DifferenceOptions) |
/// | levels and nodes of a value, aliases written out | [`value::FromNode`](crate::value::FromNode), `value::serde` |
/// | 100 references in a chain | [`Tree::resolve`](crate::Tree::resolve) |
/// | 10 million nodes below a tagged node, aliases written out | `asdf_schemas::Validator` |
///
/// # Examples
/// ```
/// use asdf_core::{Limits, OpenOptions};
///
/// let mut limits = Limits::default();
/// limits.tree_size = 1 << 20;
/// limits.decoded_size = 64 << 20;
/// limits.decoded_total = Some(256 << 20);
/// let options = OpenOptions::new().limits(limits);
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The bytes of the tree's text; 1 GiB by default, and never more than 4 GiB.
    pub tree_size: u64,
    /// The depth of nested collections; 512 by default.
    pub tree_depth: usize,
    /// The number of the tree's nodes; 4 billion by default.
    pub tree_nodes: usize,
    /// The bytes of the tree's distinct tags as full URIs.
    ///
    /// `None`, the default, means 16 bytes for each byte of the text, and 1 MiB.
    pub tree_tag_bytes: Option<usize>,
    /// The bytes of one compressed block after decoding; 2 GiB by default.
    ///
    /// Uncompressed blocks cannot be larger than their file. The limit is on memory: a block can be larger if its codec
    /// decodes parts, and no more than this is read at a time. Those are `bls2`, `lz4`, and `zstd` if it was written in
    /// chunks, all with chunks of at most 256 MiB.
    pub decoded_size: u64,
    /// The bytes of all compressed blocks after decoding.
    ///
    /// `None`, the default, means 16 GiB, or 16 bytes for each byte of the file if that is more. A block counts once, with
    /// its full size, when a part of it is first decoded. Blocks of other files count too if this file refers to them. The
    /// zeros by which [`repair`](crate::file::repair) replaces missing bytes have the same limit.
    pub decoded_total: Option<u64>,
    /// The bytes of elements that arrays read from the same bytes again and again; 1 GiB by default.
    ///
    /// Strides of 0, overlapping views and aliases can repeat the same bytes without end. The limit is on time, and on the
    /// output of programs. A [`ReadBudget`](crate::array::ReadBudget) applies it, as all functions do that read several
    /// arrays of a file. Elements count from the fifth time on that the bytes below them are read.
    ///
    /// Aliases can repeat lists of the tree too. Each item of a list counts as 256 bytes for each place that it can be
    /// reached from. Four items for each node of the tree are free, and 4,096 more. If the rest is larger than the limit, no
    /// list is read as an array.
    pub repeated_elements: u64,
    /// The number of blocks; 4194304 by default. The blocks before the limit can be read.
    pub blocks: u64,
    /// The bytes of a reader, such as a pipe or standard input; 2 GiB by default.
    pub stream_size: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let ParseOptions { max_depth, max_nodes, max_tag_bytes, .. } = ParseOptions::default();
        Self {
            tree_size: 1 << 30,
            tree_depth: max_depth,
            tree_nodes: max_nodes,
            tree_tag_bytes: max_tag_bytes,
            decoded_size: 2 << 30,
            decoded_total: None,
            repeated_elements: REPEATED_ELEMENTS,
            blocks: 1 << 22,
            stream_size: 2 << 30,
        }
    }
}

impl Limits {
    /// Reads a reader of any format to its end, up to [`stream_size`](Self::stream_size) bytes.
    ///
    /// # Errors
    /// Fails with [`Limit`](crate::error::Kind::Limit) if the reader has more bytes, and with
    /// [`Io`](crate::error::Kind::Io) if it fails. A read that is interrupted by a signal is repeated.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::Limits;
    ///
    /// let mut limits = Limits::default();
    /// assert_eq!(limits.read_to_end(&b"a,b"[..])?, b"a,b");
    /// limits.stream_size = 1000;
    /// assert!(limits.read_to_end(std::io::repeat(0)).is_err());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn read_to_end(&self, reader: impl Read) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_more(reader, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads the rest of a reader whose first bytes were read before.
    pub(super) fn read_more(&self, reader: impl Read, bytes: &mut Vec<u8>) -> Result<()> {
        let limit = self.stream_size;
        let left = limit.saturating_sub(bytes.len() as u64).saturating_add(1);
        reader.take(left).read_to_end(bytes).map_err(|error| Error::io("reading to the end", error))?;
        if bytes.len() as u64 <= limit {
            return Ok(());
        }
        Err(Error::limit(format!("found a stream of more bytes than the limit of {limit}"))
            .with_hint(Hint::Raise { limit: LimitName::StreamSize, from: limit, to: None }))
    }

    /// The limit on all decoded bytes of files with `file` bytes in total.
    pub(super) fn total(&self, file: u64) -> u64 {
        self.decoded_total.unwrap_or_else(|| file.saturating_mul(16).max(16 << 30))
    }

    /// The limits on the tree, for the parser. Its size is checked before it is read.
    pub(super) fn parsing(&self) -> ParseOptions {
        ParseOptions::new()
            .max_depth(self.tree_depth)
            .max_nodes(self.tree_nodes)
            .max_tag_bytes(self.tree_tag_bytes)
    }
}
