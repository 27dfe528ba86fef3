//! The formulas of a program's own tags.

use std::fmt;
use std::sync::Arc;

use asdf_core::{Asdf, NodeRef, Result, value};

use super::Formula;

/// Reads a formula from the node of a transform.
type Read = fn(NodeRef<'_>) -> Result<Arc<dyn Formula>>;

/// Types that compute transforms with tags of your own: see [`Formula`].
///
/// Pass them to [`Wcs::open_with`](crate::Wcs::open_with).
#[derive(Clone, Default)]
pub struct Formulas(Vec<Line>);

#[derive(Clone, Copy)]
struct Line {
    tag: &'static str,
    accepts: fn(&str) -> bool,
    read: Read,
}

impl Formulas {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a type. It computes the transforms whose tags it accepts.
    ///
    /// The last type that accepts a tag is used. It also replaces a formula of this crate.
    ///
    /// All transforms share some properties, such as `inverse`, `bounding_box`, `inputs` and `outputs`. This crate reads
    /// them. A derived type only has to accept them, with an [`Extra`](asdf_core::value::Extra) field.
    #[must_use]
    pub fn add<T: Formula + Asdf + 'static>(mut self) -> Self {
        self.0.push(Line {
            tag: T::TAG,
            accepts: T::accepts_tag,
            read: |node| Ok(Arc::new(value::read::<T>(node)?)),
        });
        self
    }

    /// Returns the function that reads a formula from a transform with this tag.
    pub(crate) fn find(&self, tag: &str) -> Option<Read> {
        self.0.iter().rev().find(|line| (line.accepts)(tag)).map(|line| line.read)
    }
}

/// Lists the tags.
impl fmt::Debug for Formulas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|line| line.tag)).finish()
    }
}
