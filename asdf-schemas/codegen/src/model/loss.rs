//! Differences between types and schemas.

use crate::library::Place;
use crate::report::LossKind;

/// A difference between a type and its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) kind: LossKind,
    pub(crate) place: Place,
    /// The document whose type was being built.
    pub(crate) document: usize,
    pub(crate) message: String,
    /// Whether the docs of the type or field mention it. False if the Rust type shows it, such as `Tagged`.
    pub(crate) in_docs: bool,
}
