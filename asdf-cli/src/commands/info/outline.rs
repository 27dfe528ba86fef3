//! The children of nodes, in the order in which they are shown.

use asdf_core::tree::{Kind, NodeRef};

use super::{Args, is_array, key_text};

/// The characters of indentation for each level.
pub(super) const INDENT: usize = 3;

/// Returns the items or entries of a collection with their names. Arrays come first, because they are the most
/// important part of a file. The history and the library that wrote the file come last.
pub(super) fn entries<'a>(node: NodeRef<'a>, args: &Args) -> Vec<(String, NodeRef<'a>)> {
    let limit = limit(node, args);
    if node.kind() == Kind::Sequence {
        return node.items().take(limit).enumerate().map(|(at, item)| (at.to_string(), item)).collect();
    }
    let mut entries: Vec<(String, NodeRef<'a>)> =
        node.entries().map(|(key, value)| (key_text(key), value)).collect();
    if !args.all {
        let is_root = node.tree().root().is_some_and(|root| root.id() == node.id());
        entries.sort_by_key(|(name, value)| match () {
            () if is_root && is_bookkeeping(name) => 2,
            () if holds_data(*value) => 0,
            () => 1,
        });
    }
    entries
}

/// Returns the number of items or entries of a collection to show.
pub(super) fn limit(node: NodeRef<'_>, args: &Args) -> usize {
    if args.all || node.kind() == Kind::Mapping { node.len() } else { node.len().min(args.max_items) }
}

/// Returns whether an entry of the root describes the writing of the file instead of its content.
pub(super) fn is_bookkeeping(key: &str) -> bool {
    matches!(key, "asdf_library" | "history")
}

/// Returns whether a node is a list of scalars.
pub(super) fn is_plain_list(node: NodeRef<'_>) -> bool {
    node.kind() == Kind::Sequence && !node.is_empty() && node.items().all(|item| item.kind().is_scalar())
}

/// Returns whether a node is an array, a quantity of many values, or a table.
fn holds_data(node: NodeRef<'_>) -> bool {
    let below = |key: &str| node.get(key).is_some_and(is_array);
    let is_table = || node.get("columns").is_some_and(|list| list.kind() == Kind::Sequence);
    is_array(node) || (node.own_tag().is_some() && (below("value") || is_table()))
}
