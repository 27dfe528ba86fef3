//! Pairs of nodes at the same place.

use std::ops::Range;

use crate::tree::NodeRef;

/// Two nodes at the same place.
pub(super) struct Pair<'o, 't> {
    pub(super) old: NodeRef<'o>,
    pub(super) new: NodeRef<'t>,
    /// Whether the place is in a flow collection.
    pub(super) flow: bool,
    /// The range of the old node, or of its alias.
    pub(super) at: Range<usize>,
    /// The range including tag and anchor.
    pub(super) whole: Range<usize>,
    pub(super) alias: bool,
    /// The text to write before the value if the key has no `:`.
    pub(super) colon: Option<String>,
}
