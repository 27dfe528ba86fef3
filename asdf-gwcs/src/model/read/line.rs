//! A line of a table of kinds.

use asdf_core::Result;

use super::{Entry, Leaf, Reader};

/// Reads the properties of one kind of transform.
pub(super) type ReadLeaf = fn(&mut Reader, &Entry<'_>) -> Result<Leaf>;

/// The authority (see [`name`](super::name)) and the name of a kind of transform, and its reader.
pub(super) type Line = (&'static str, &'static str, ReadLeaf);
