//! Limits on the memory that reading a file takes.

use crate::yaml::ParseOptions;

/// Limits on the memory that a file can make the reader use, whatever sizes the file claims.
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
/// | `decoded_size` | 16 GiB | bytes of a compressed block after decoding |
/// | `decoded_total` | 64 GiB, or 16 bytes for each byte of the files | bytes of all compressed blocks after decoding |
/// | `blocks` | 4 million | blocks of the file; each takes some hundred bytes of memory, and 54 in the file |
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
    /// The bytes of one compressed block after decoding; 16 GiB by default.
    ///
    /// Uncompressed blocks cannot be larger than their file.
    pub decoded_size: u64,
    /// The bytes of all compressed blocks after decoding.
    ///
    /// `None`, the default, means 64 GiB, or 16 bytes for each byte of the file if that is more. A block counts once, with
    /// its full size, when a part of it is first decoded. Blocks of other files count too if this file refers to them.
    pub decoded_total: Option<u64>,
    /// The number of blocks; 4194304 by default. The blocks before the limit can be read.
    pub blocks: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let ParseOptions { max_depth, max_nodes, max_tag_bytes, .. } = ParseOptions::default();
        Self {
            tree_size: 1 << 30,
            tree_depth: max_depth,
            tree_nodes: max_nodes,
            tree_tag_bytes: max_tag_bytes,
            decoded_size: 16 << 30,
            decoded_total: None,
            blocks: 1 << 22,
        }
    }
}

impl Limits {
    /// The limit on all decoded bytes of files with `file` bytes in total.
    pub(super) fn total(&self, file: u64) -> u64 {
        self.decoded_total.unwrap_or_else(|| file.saturating_mul(16).max(64 << 30))
    }

    /// The limits on the tree, for the parser. Its size is checked before it is read.
    pub(super) fn parsing(&self) -> ParseOptions {
        ParseOptions::new()
            .max_depth(self.tree_depth)
            .max_nodes(self.tree_nodes)
            .max_tag_bytes(self.tree_tag_bytes)
    }
}
