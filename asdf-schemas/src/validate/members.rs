//! Finds the nodes that the JSON Pointers of the engine refer to.

use std::collections::HashMap;

use asdf_core::tree::{Kind, NodeId, NodeRef, Path};
use asdf_schema_model::pointer::steps;

use super::suggestions::Suggestions;

/// Finds the members of nodes that are objects to the engine.
///
/// The members of large objects are cached: the engine can report many faults in one object, each by name.
#[derive(Default)]
pub(super) struct Members<'t> {
    pub(super) suggestions: Suggestions,
    large: HashMap<NodeId, Option<Names<'t>>>,
}

/// An object with more members is large.
const FEW: usize = 64;

/// The places of members by their names.
struct Names<'t> {
    ordered: bool,
    places: HashMap<&'t str, usize>,
}

/// A member: its key, its value, and its path, which has one step more in an `!!omap`.
pub(super) type Member<'t> = (NodeRef<'t>, NodeRef<'t>, Path);

impl<'t> Members<'t> {
    /// Returns the member with a name. Of several it is the last one, and string keys precede other keys with the same
    /// text.
    pub(super) fn named(&mut self, node: NodeRef<'t>, name: &str) -> Option<Member<'t>> {
        let (ordered, place) = if node.len() > FEW {
            let names = self.large.entry(node.id()).or_insert_with(|| Names::of(node)).as_ref()?;
            (names.ordered, *names.places.get(name)?)
        } else {
            let ordered = is_object(node)?;
            let string = |place: &usize| {
                entry(node, ordered, *place).is_some_and(|(key, _)| key.as_str() == Some(name))
            };
            let text =
                |place: &usize| entry(node, ordered, *place).is_some_and(|(key, _)| key.text() == Some(name));
            let mut places = (0..node.len()).rev();
            (ordered, places.clone().find(string).or_else(|| places.find(text))?)
        };
        let (key, value) = entry(node, ordered, place)?;
        let mut path = Path::root();
        if ordered {
            path.push(&place.to_string());
        }
        path.push(name);
        Some((key, value, path))
    }

    /// Returns the node that a pointer of the engine refers to, and its path.
    pub(super) fn locate(&mut self, root: NodeRef<'t>, pointer: &str) -> Option<(NodeRef<'t>, Path)> {
        let (mut node, mut path) = (root, Path::root());
        for step in steps(pointer) {
            let below;
            (node, below) = self.below(node, &step)?;
            path = path.join(&below);
        }
        Some((node, path))
    }

    /// Whether a pointer of the engine refers to a reference, or to a node below one.
    pub(super) fn is_below_reference(&mut self, root: NodeRef<'t>, pointer: &str) -> bool {
        let is_reference = |members: &mut Self, node: NodeRef<'t>| {
            node.kind() == Kind::Mapping
                && members.named(node, "$ref").is_some_and(|(key, ..)| key.as_str().is_some())
        };
        let mut node = root;
        for step in steps(pointer) {
            if is_reference(self, node) {
                return true;
            }
            let Some((child, _)) = self.below(node, &step) else { return false };
            node = child;
        }
        is_reference(self, node)
    }

    fn below(&mut self, node: NodeRef<'t>, step: &str) -> Option<(NodeRef<'t>, Path)> {
        if let Some((_, value, path)) = self.named(node, step) {
            return Some((value, path));
        }
        let item = node.item(step.parse().ok()?)?;
        let mut path = Path::root();
        path.push(step);
        Some((item, path))
    }
}

impl<'t> Names<'t> {
    fn of(node: NodeRef<'t>) -> Option<Self> {
        let ordered = is_object(node)?;
        let mut places = HashMap::with_capacity(node.len());
        for strings in [false, true] {
            for place in 0..node.len() {
                let Some((key, _)) = entry(node, ordered, place) else { continue };
                if let Some(name) = key.text().filter(|_| strings == key.as_str().is_some()) {
                    places.insert(name, place);
                }
            }
        }
        Some(Self { ordered, places })
    }
}

/// Whether a node is an object to the engine, and then whether it is an `!!omap`.
fn is_object(node: NodeRef<'_>) -> Option<bool> {
    match node.kind() {
        Kind::Mapping => Some(false),
        Kind::Sequence => node.as_omap().map(|_| true),
        _ => None,
    }
}

fn entry(node: NodeRef<'_>, ordered: bool, place: usize) -> Option<(NodeRef<'_>, NodeRef<'_>)> {
    if ordered { node.item(place)?.entries().next() } else { node.entries().nth(place) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_in_small_and_large_objects() {
        for many in [1, 100] {
            let more: String = (0..many).map(|n| format!(", k{n}: {n}")).collect();
            let tree =
                asdf_core::yaml::parse(&format!("{{1: a, '1': b, 1: c, x: 1, x: 2, true: d, l: [5]{more}}}"))
                    .unwrap();
            let root = tree.root().unwrap();
            let mut members = Members::default();
            for _ in 0..2 {
                let mut text = |name: &str| members.named(root, name).and_then(|(_, value, _)| value.text());
                assert_eq!(
                    [text("1"), text("x"), text("true"), text("k0"), text("none")],
                    [Some("b"), Some("2"), Some("d"), Some("0"), None]
                );
            }
            let (found, path) = members.locate(root, "/l/0").unwrap();
            assert_eq!((found.text(), path.as_str()), (Some("5"), "/l/0"));

            let more: String = (0..many).map(|n| format!(", k{n}: {n}")).collect();
            let tree =
                asdf_core::yaml::parse(&format!("!!omap [a: {{'$ref': x, b: 1}}, c: 5{more}]")).unwrap();
            let root = tree.root().unwrap();
            let mut members = Members::default();
            let (found, path) = members.locate(root, "/a/b").unwrap();
            assert_eq!((found.text(), path.as_str()), (Some("1"), "/0/a/b"));
            assert!(members.is_below_reference(root, "/a/b") && members.is_below_reference(root, "/a"));
            assert!(!members.is_below_reference(root, "/c"));
        }
    }
}
