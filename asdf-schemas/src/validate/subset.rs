//! What ASDF allows of YAML ("YAML subset" in the standard).

use std::borrow::Cow;
use std::collections::HashSet;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Path, Tree};

use super::Violation;

/// Checks one node: the keys of a mapping, and whether an integer fits 64 bits.
pub(super) fn check(node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Vec<Violation>) {
    match node.kind() {
        Kind::Int if node.own_tag().is_none() => integer(node, path, out),
        Kind::Mapping => keys(node, path, out),
        _ => {}
    }
}

fn integer(node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Vec<Violation>) {
    if node.as_i64().is_none() {
        let message = format!("found {}, expected an integer of 64 bits", node.describe());
        let mut violation = Violation::at(node, path(), "integers", message);
        violation.hint = Some("larger ones are written with the tag core/integer-1.1.0".to_owned());
        out.push(violation);
    }
}

fn keys(node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Vec<Violation>) {
    let at = |key: NodeRef<'_>| {
        let mut at = path();
        at.push(key.text().unwrap_or("?"));
        at
    };
    let mut seen = HashSet::with_capacity(node.len());
    for (key, _) in node.entries() {
        match key.kind() {
            Kind::String | Kind::Bool => {}
            Kind::Int => integer(key, || at(key), out),
            _ => {
                let message =
                    format!("found {} as a key, expected a string, an integer or a boolean", key.describe());
                out.push(Violation::at(key, at(key), "keys", message));
            }
        }
        // Numbers and booleans are equal by value: `1` and `0x1` are one key.
        let value = match key.kind() {
            Kind::Int => key.as_i128().map(|number| Cow::Owned(number.to_string())),
            Kind::Bool => key.as_bool().map(|flag| Cow::Borrowed(if flag { "true" } else { "false" })),
            _ => None,
        };
        let value = value.or_else(|| key.text().map(Cow::Borrowed));
        if value.is_some_and(|value| !seen.insert((key.kind(), value))) {
            let message =
                format!("the key '{}' stands here twice", key.text().unwrap_or_default().escape_debug());
            out.push(Violation::at(key, at(key), "keys", message));
        }
    }
}

/// Checks the directives before the document: ASDF is YAML 1.1.
pub(super) fn directives(tree: &Tree, out: &mut Vec<Violation>) {
    let Some(root) = tree.root() else { return };
    for line in tree.text().lines().take_while(|line| !line.starts_with("---")) {
        let mut words = line.split_whitespace();
        if words.next() == Some("%YAML") {
            if let Some(version) = words.next().filter(|version| *version != "1.1") {
                let message = format!("the tree says %YAML {}, expected 1.1", version.escape_debug());
                let mut violation = Violation::at(root, Path::root(), "yaml", message);
                violation.position = Some((tree.origin().line, 1));
                out.push(violation);
            }
        }
    }
}
