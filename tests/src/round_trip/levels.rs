//! Checks the three levels of round trip for unedited trees.

use std::collections::HashMap;

use asdf_core::Tree;
use asdf_core::tree::{NodeId, NodeRef};
use asdf_core::yaml::{EmitOptions, emit, parse, patch};

/// How a tree was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// By changing the existing text.
    Exactly,
    /// By writing the whole tree again.
    Anew,
}

/// Returns the text of a tree as it would be written to a file.
///
/// # Errors
/// The reason why it cannot be written.
pub fn written(tree: &Tree) -> Result<(String, Written), String> {
    match patch(tree) {
        Ok(Some(text)) => Ok((text, Written::Exactly)),
        Ok(None) => {
            let text = emit(tree, EmitOptions::default()).map_err(|error| error.to_string())?;
            Ok((text, Written::Anew))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Checks that the values of a tree stay when it is rewritten. Text that cannot be parsed passes.
///
/// # Errors
/// A description of the difference.
pub fn values(text: &str) -> Result<(), String> {
    let Ok(tree) = parse(text) else { return Ok(()) };
    let (_, again) = anew(&tree)?;
    match (tree.root(), again.root()) {
        (Some(a), Some(b)) if a == b => Ok(()),
        (None, None) => Ok(()),
        (Some(node), None) | (None, Some(node)) if node.is_null() && node.tag().is_none() => Ok(()),
        (a, b) => Err(format!("the tree was {a:?} and is {b:?}")),
    }
}

/// Checks that tags and sharing stay when a tree is rewritten: on values, keys, shared and empty nodes.
///
/// # Errors
/// A description of the difference.
pub fn tags(text: &str) -> Result<(), String> {
    let Ok(tree) = parse(text) else { return Ok(()) };
    let (out, again) = anew(&tree)?;
    let (Some(a), Some(b)) = (tree.root(), again.root()) else { return Ok(()) };
    same_tags(a, b).map_err(|why| format!("{why} in\n{out}"))
}

/// Checks that an unedited tree is written as it was read.
///
/// # Errors
/// A description of the written text.
pub fn unedited(text: &str) -> Result<(), String> {
    let Ok(tree) = parse(text) else { return Ok(()) };
    match patch(&tree).map_err(|error| error.to_string())? {
        Some(out) if out == text => Ok(()),
        None if tree.root().is_none() => Ok(()),
        found => Err(format!("an unedited tree is written as {found:?}")),
    }
}

fn anew(tree: &Tree) -> Result<(String, Tree), String> {
    let out = emit(tree, EmitOptions::default()).map_err(|error| error.to_string())?;
    let again = parse(&out).map_err(|error| format!("the written text is not YAML: {error}\n{out}"))?;
    Ok((out, again))
}

/// Compares the tags and the shared nodes of two trees of the same structure. A scalar without an anchor cannot be shared.
pub(super) fn same_tags(a: NodeRef<'_>, b: NodeRef<'_>) -> Result<(), String> {
    let mut met: HashMap<NodeId, NodeId> = HashMap::new();
    let mut pending = vec![(a, b)];
    while let Some((a, b)) = pending.pop() {
        if a.tag() != b.tag() {
            return Err(format!("{a:?} had the tag {:?} and has {:?}", a.tag(), b.tag()));
        }
        if a.kind() != b.kind() || a.len() != b.len() {
            return Err(format!("{a:?} became {b:?}"));
        }
        if let Some(known) = met.insert(a.id(), b.id()) {
            let shared = known == b.id() || (a.kind().is_scalar() && a.anchor().is_none());
            if !shared {
                return Err(format!("{a:?} was shared and is not"));
            }
            continue;
        }
        pending.extend(a.items().zip(b.items()));
        for ((ka, va), (kb, vb)) in a.entries().zip(b.entries()) {
            pending.extend([(ka, kb), (va, vb)]);
        }
    }
    Ok(())
}
