//! Options and limits of the parser.

use crate::tree::Origin;

/// Options of [`parse_with`](super::parse_with): limits, and the position of the text in its file.
///
/// | limit | default | what it limits |
/// |---|---|---|
/// | `max_text` | 4 GiB | bytes of text; never more than 4 GiB |
/// | `max_depth` | 512 | nesting of collections |
/// | `max_nodes` | 4 billion | nodes; the text is also a limit, with fewer than four nodes per byte |
/// | `max_tag_bytes` | 16 bytes for each byte of text, plus 1 MiB | distinct tags as full URIs, which `%TAG` prefixes could multiply |
///
/// Exceeding a limit is an error of the kind [`Limit`](crate::error::Kind::Limit). Memory is proportional to
/// the text: aliases are not expanded, but share the node of their anchor.
///
/// # Examples
/// ```
/// use asdf_core::yaml::{ParseOptions, parse_with};
///
/// let options = ParseOptions::new().max_depth(2).max_nodes(1000);
/// let error = parse_with("[[[]]]".into(), options).unwrap_err();
/// assert_eq!(error.message(), "the tree nests deeper than 2 levels");
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

    /// Sets the maximum nesting depth of collections.
    #[must_use]
    pub fn max_depth(mut self, collections: usize) -> Self {
        self.max_depth = collections;
        self
    }

    /// Sets the maximum size of the text in bytes.
    #[must_use]
    pub fn max_text(mut self, bytes: usize) -> Self {
        self.max_text = bytes;
        self
    }

    /// Sets the maximum number of nodes.
    #[must_use]
    pub fn max_nodes(mut self, nodes: usize) -> Self {
        self.max_nodes = nodes;
        self
    }

    /// Sets the maximum total size of the distinct tags as full URIs.
    ///
    /// `None` means a limit proportional to the text.
    #[must_use]
    pub fn max_tag_bytes(mut self, bytes: Option<usize>) -> Self {
        self.max_tag_bytes = bytes;
        self
    }

    /// Sets the position of the text in its file, for positions in errors and nodes.
    #[must_use]
    pub fn origin(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// Returns options with only the limits of the tree's memory layout, for a text that was parsed before.
    pub(super) fn unlimited() -> Self {
        Self { max_depth: usize::MAX, max_tag_bytes: Some(usize::MAX), ..Self::default() }
    }
}
