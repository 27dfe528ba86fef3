//! Two nodes at the same place.

use std::ops::Range;

use crate::tree::NodeRef;

/// Two nodes at the same place.
pub(super) struct Pair<'o, 't> {
    pub(super) old: NodeRef<'o>,
    pub(super) new: NodeRef<'t>,
    /// Inside a flow collection.
    pub(super) flow: bool,
    /// Where the old one stands, an alias where it is one.
    pub(super) at: Range<usize>,
    /// The same with tag and anchor.
    pub(super) whole: Range<usize>,
    pub(super) alias: bool,
    /// What has to be written before the value if the key has no `:`.
    pub(super) colon: Option<String>,
}
