//! What a file may ask of memory.

use crate::yaml::ParseOptions;

/// Limits on what is read from a file, whatever the file claims. Memory for the tree is about four
/// times its text; memory for a block is at most what its stored bytes can honestly decode to.
///
/// | field | default | what it bounds |
/// |---|---|---|
/// | `tree_size` | 1 GiB | bytes of the tree's text; never more than 4 GiB |
/// | `tree_depth` | 512 | collections inside each other |
/// | `tree_nodes` | 4 billion | nodes of the tree; fewer than four for each byte of text in any case |
/// | `tree_tag_bytes` | 16 bytes for each byte of text, and 1 MiB | the different tags as full URIs |
/// | `decoded_size` | 16 GiB | bytes of a compressed block after decoding |
/// | `decoded_total` | 64 GiB, or 16 bytes for each byte of the files | the same of all blocks together |
/// | `blocks` | 4 million | blocks of the file; each takes some hundred bytes, and 54 in the file |
///
/// Other limits do not depend on the file, and are with what they limit:
///
/// | limit | where |
/// |---|---|
/// | 1 KiB for the prefix of a `%TAG` line, 1024 characters for a key without `?` | [`yaml::parse`](crate::yaml::parse) |
/// | 512 levels | [`yaml::emit`](crate::yaml::emit) |
/// | 20,000 digits of an integer | [`NodeRef::as_bigint`](crate::NodeRef::as_bigint) |
/// | pairs of nodes that are compared, differences that are kept | [`DifferenceOptions`](crate::tree::DifferenceOptions) |
/// | levels and nodes of a value, aliases written out | [`value::FromNode`](crate::value::FromNode), `value::serde` |
/// | 100 references that lead from one to the next | [`Tree::resolve`](crate::Tree::resolve) |
/// | 10 million nodes below a tagged node, aliases written out | `asdf_schemas::Validator` |
///
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
    /// The size of the tree's text in bytes; 1 GiB by default, and never more than 4 GiB.
    pub tree_size: u64,
    /// How deep the tree may nest; 512 by default.
    pub tree_depth: usize,
    /// The number of the tree's nodes; 4 billion by default.
    pub tree_nodes: usize,
    /// The bytes of the tree's different tags as full URIs; `None`, the default, for what is in proportion to
    /// the text.
    pub tree_tag_bytes: Option<usize>,
    /// The size of a compressed block after decoding in bytes; 16 GiB by default. Blocks that are
    /// not compressed are bounded by their file.
    pub decoded_size: u64,
    /// The bytes of all compressed blocks after decoding: each counts once, whole, when something of
    /// it is first decoded, whether it is kept or not. `None`, the default, for 64 GiB, or 16 bytes for
    /// each byte of the file where that is more. Other files that hold this one's arrays, or that
    /// references in it lead to, count with it, as if they were parts of it.
    pub decoded_total: Option<u64>,
    /// The number of blocks; 4194304 by default. Those before the limit can be read.
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
    /// The limit on all decoded bytes of files of so many bytes.
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
