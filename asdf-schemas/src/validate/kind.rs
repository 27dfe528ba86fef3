//! The kinds of nodes for schemas.

use asdf_core::tree::{Kind, NodeRef};

/// Returns the kind of a node for schemas. A scalar with a tag of its own is a string, and an `!!omap` is an object, as in
/// Python.
pub(super) fn for_schemas(node: NodeRef<'_>) -> Kind {
    if node.tag_index().is_none() {
        node.kind()
    } else if node.kind().is_scalar() && node.own_tag().is_some() {
        Kind::String
    } else if node.as_omap().is_some() {
        Kind::Mapping
    } else {
        node.kind()
    }
}
