//! Merge keys: the entries of another mapping by `<<`, a type of YAML 1.1.

use asdf_core::tree::{Kind, NodeRef, Style};

/// The most mappings that are merged into one.
const MOST: usize = 100;

/// Returns the entries of a mapping in the order of Python's asdf: first the merged ones, then its own.
///
/// A later entry of the same key hides an earlier one.
pub(crate) fn entries(node: NodeRef<'_>) -> Vec<(NodeRef<'_>, NodeRef<'_>)> {
    let mut entries = Vec::new();
    collect(node, &mut MOST.clone(), &mut entries);
    entries
}

/// Returns the value of a key, also if another mapping gives it.
pub(crate) fn get<'a>(node: NodeRef<'a>, key: &str) -> Option<NodeRef<'a>> {
    let own = node.get(key);
    if own.is_some() || node.get("<<").is_none_or(|value| value.kind().is_scalar()) {
        return own.filter(|_| key != "<<" || !merges(node));
    }
    entries(node).into_iter().rev().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
}

fn collect<'a>(node: NodeRef<'a>, left: &mut usize, all: &mut Vec<(NodeRef<'a>, NodeRef<'a>)>) {
    let mut own = Vec::new();
    for (key, value) in node.entries() {
        match is_merge(key) && *left > 0 {
            false => own.push((key, value)),
            true => {
                *left -= 1;
                match value.kind() {
                    Kind::Mapping => collect(value, left, all),
                    // The first mapping of a list has precedence, so it comes last.
                    Kind::Sequence => {
                        let items: Vec<_> = value.items().collect();
                        items.into_iter().rev().for_each(|item| collect(item, left, all));
                    }
                    _ => own.push((key, value)),
                }
            }
        }
    }
    all.append(&mut own);
}

fn merges(node: NodeRef<'_>) -> bool {
    node.entries().any(|(key, value)| is_merge(key) && !value.kind().is_scalar())
}

fn is_merge(key: NodeRef<'_>) -> bool {
    key.as_str() == Some("<<") && matches!(key.style(), Style::Plain | Style::Any) && key.own_tag().is_none()
}
