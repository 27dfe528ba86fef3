//! Compares a tree with the tree that a type writes.

use asdf_core::NodeRef;
use asdf_core::tree::Kind;

/// Describes where two trees differ. The order of keys is ignored, since a type writes its properties in the order of the
/// schema. So are the quotes of tagged scalars, and whether a mapping is written as an `!!omap`.
pub(crate) fn difference(a: NodeRef<'_>, b: NodeRef<'_>) -> Option<String> {
    let here = || Some(format!(": {} became {}", a.describe(), b.describe()));
    if a.own_tag() != b.own_tag() {
        return here();
    }
    if a.kind().is_scalar() && a.own_tag().is_some() {
        return if a.text() == b.text() { None } else { here() };
    }
    match (entries(a), entries(b)) {
        (Some(own), Some(others)) if own.len() == others.len() => own.into_iter().find_map(|(key, value)| {
            let name = key.text().unwrap_or("?");
            match others.iter().find(|(other, _)| *other == key) {
                Some((_, twin)) => difference(value, *twin).map(|rest| format!("/{name}{rest}")),
                None => Some(format!("/{name}: is gone")),
            }
        }),
        (None, None) if a.kind() == Kind::Sequence && b.kind() == Kind::Sequence && a.len() == b.len() => {
            a.items().zip(b.items()).enumerate().find_map(|(index, (one, other))| {
                difference(one, other).map(|rest| format!("/{index}{rest}"))
            })
        }
        (None, None) if a.kind().is_scalar() && a == b => None,
        _ => here(),
    }
}

fn entries(node: NodeRef<'_>) -> Option<Vec<(NodeRef<'_>, NodeRef<'_>)>> {
    match node.as_omap() {
        Some(entries) => Some(entries.collect()),
        None => (node.kind() == Kind::Mapping).then(|| node.entries().collect()),
    }
}
