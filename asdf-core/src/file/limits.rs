//! What a file may ask of memory.

/// Limits on what is read from a file, whatever the file claims. Memory for the tree is about four
/// times its text; memory for a block is at most what its stored bytes can honestly decode to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The size of the tree's text in bytes; 1 GiB by default, and never more than 4 GiB.
    pub tree_size: u64,
    /// How deep the tree may nest; 512 by default.
    pub tree_depth: usize,
    /// The size of a compressed block after decoding in bytes; 16 GiB by default. Blocks that are
    /// not compressed are bounded by their file.
    pub decoded_size: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { tree_size: 1 << 30, tree_depth: 512, decoded_size: 16 << 30 }
    }
}
