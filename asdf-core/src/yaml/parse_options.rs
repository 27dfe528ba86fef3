//! What the parser accepts.

use crate::tree::Origin;

/// Options of [`parse_with`](super::parse_with): what the parser accepts, and where the text is in its file.
///
/// | limit | default | what it bounds |
/// |---|---|---|
/// | `max_text` | 4 GiB | bytes of text; more than 4 GiB are never read |
/// | `max_depth` | 512 | collections inside each other |
/// | `max_nodes` | 4 billion | nodes; a byte of text makes fewer than four, so the text bounds them already |
/// | `max_tag_bytes` | 16 bytes for each byte of text, and 1 MiB | the different tags as full URIs, which `%TAG` prefixes could multiply |
///
/// Beyond a limit the error is a [`Limit`](crate::error::Kind::Limit). Memory is in proportion to the text:
/// aliases are not expanded, they share the node of their anchor.
///
/// ```
/// use asdf_core::yaml::{ParseOptions, parse_with};
///
/// let options = ParseOptions::new().max_depth(2).max_nodes(1000);
/// let error = parse_with("[[[]]]".into(), options).unwrap_err();
/// assert_eq!(error.message(), "the tree nests deeper than 2 collections");
/// assert_eq!((error.line(), error.column()), (Some(1), Some(3)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseOptions {
    pub(crate) max_depth: usize,
    pub(super) max_text: usize,
    pub(crate) max_nodes: usize,
    pub(crate) max_tag_bytes: Option<usize>,
    pub(super) origin: Origin,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            max_depth: 512,
            max_text: u32::MAX as usize,
            max_nodes: u32::MAX as usize,
            max_tag_bytes: None,
            origin: Origin::default(),
        }
    }
}

impl ParseOptions {
    /// Creates the default options, with the limits of the table above.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how deep collections may nest.
    #[must_use]
    pub fn max_depth(mut self, collections: usize) -> Self {
        self.max_depth = collections;
        self
    }

    /// Sets the largest size of the text in bytes.
    #[must_use]
    pub fn max_text(mut self, bytes: usize) -> Self {
        self.max_text = bytes;
        self
    }

    /// Sets the largest number of nodes.
    #[must_use]
    pub fn max_nodes(mut self, nodes: usize) -> Self {
        self.max_nodes = nodes;
        self
    }

    /// Sets the largest size of the different tags together, as full URIs; `None` for a limit in proportion to
    /// the text.
    #[must_use]
    pub fn max_tag_bytes(mut self, bytes: Option<usize>) -> Self {
        self.max_tag_bytes = bytes;
        self
    }

    /// Sets where the text begins in its file, for positions in errors and nodes.
    #[must_use]
    pub fn origin(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// No limits but those of the arena: for a text that was parsed before.
    pub(super) fn unlimited() -> Self {
        Self { max_depth: usize::MAX, max_tag_bytes: Some(usize::MAX), ..Self::default() }
    }
}
