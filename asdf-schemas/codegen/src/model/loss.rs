//! What the types cannot say.

use crate::library::Place;
use crate::report::LossKind;

/// Something that the types cannot say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) kind: LossKind,
    pub(crate) place: Place,
    /// The document whose type was being built.
    pub(crate) document: usize,
    pub(crate) message: String,
    /// Whether the docs of the type or field say it; no if its Rust type does, as `Tagged`, which takes any tag.
    pub(crate) in_docs: bool,
}
