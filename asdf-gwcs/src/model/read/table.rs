//! Which function reads which kind of transform.

use asdf_core::Result;

use super::{Entry, Leaf, Reader, name, simple};

/// Reads the properties of one kind of transform.
pub(super) type ReadLeaf = fn(&mut Reader, &Entry<'_>) -> Result<Leaf>;

/// The kinds of transforms by authority (see [`name`]) and name.
const KINDS: &[(&str, &str, ReadLeaf)] = &[("transform", "shift", simple::shift)];

/// Returns the function that reads a transform with this tag.
pub(super) fn find(tag: &str) -> Option<ReadLeaf> {
    let (authority, name) = name::split(tag)?;
    KINDS.iter().find(|kind| (kind.0, kind.1) == (authority, name)).map(|kind| kind.2)
}
