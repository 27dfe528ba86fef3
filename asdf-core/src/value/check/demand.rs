//! Required items of a sequence.
//!
//! A schema writes them as `not: {items: {not: ...}}`, which is how draft 4 expresses "contains".

use super::Items;
#[cfg(feature = "regex")]
use super::Pattern;
use crate::tree::{Kind, NodeRef, Tree};
use crate::value::ToNode;

/// A required item of a sequence, under the name of its accessor.
#[derive(Debug)]
pub struct Demand {
    /// The name of the accessor.
    pub name: &'static str,
    /// The tests, all of which the item must pass.
    pub tests: &'static [Test],
}

/// A test of an item, at a JSON Pointer below the item.
///
/// As in JSON Schema, a missing node passes, and so does a node of a kind that the test does not apply to.
#[derive(Debug)]
pub enum Test {
    /// A string at the pointer matches. Needs the feature `regex`.
    #[cfg(feature = "regex")]
    Pattern(&'static str, &'static Pattern),
    /// The node at the pointer is one of these strings.
    OneOf(&'static str, &'static [&'static str]),
    /// A mapping at the pointer has this key.
    Required(&'static str, &'static str),
}

impl Demand {
    /// Returns whether a node is such an item.
    #[must_use]
    pub fn fits(&self, item: NodeRef<'_>) -> bool {
        self.tests.iter().all(|test| test.passes(item))
    }
}

impl Test {
    fn passes(&self, item: NodeRef<'_>) -> bool {
        let at = |path: &str| item.find(path);
        match self {
            #[cfg(feature = "regex")]
            Self::Pattern(path, pattern) => {
                at(path).and_then(|node| node.as_str()).is_none_or(|text| pattern.fault(text).is_none())
            }
            Self::OneOf(path, words) => {
                at(path).is_none_or(|node| node.as_str().is_some_and(|text| words.contains(&text)))
            }
            Self::Required(path, key) => at(path)
                .filter(|node| node.kind() == Kind::Mapping)
                .is_none_or(|node| node.get(key).is_some()),
        }
    }
}

/// Returns the fault of a sequence that lacks required items, with their names.
pub fn contains<T: Items + ?Sized>(value: &T, demands: &[Demand]) -> Option<String> {
    let mut tree = Tree::new();
    let ids = value.write(&mut tree);
    let missing: Vec<String> = demands
        .iter()
        .filter(|demand| !ids.iter().any(|&id| demand.fits(tree.node(id))))
        .map(|demand| format!("`{}`", demand.name))
        .collect();
    (!missing.is_empty())
        .then(|| format!("an item that satisfies {} of the schema", missing.join(" and one that satisfies ")))
}

/// Returns the first item that satisfies a demand.
pub fn find<'a, T: ToNode>(items: &'a [T], demand: &Demand) -> Option<&'a T> {
    items.iter().find(|item| {
        let mut tree = Tree::new();
        item.to_node(&mut tree).is_ok_and(|id| demand.fits(tree.node(id)))
    })
}

#[cfg(test)]
#[cfg(feature = "regex")]
mod tests {
    use super::*;
    use crate::Node;

    static NAME: Pattern = Pattern::new("^flux$");
    static FLUX: Demand = Demand {
        name: "flux",
        tests: &[
            Test::Required("", "name"),
            Test::Pattern("/name", &NAME),
            Test::OneOf("/data/datatype", &["float32", "float64"]),
        ],
    };

    #[test]
    fn the_first_item_that_fits_is_found() {
        for (text, found) in [
            ("[{name: ra}, {name: flux, data: {datatype: float32}}]", Some(1)),
            ("[{name: flux, data: {datatype: int8}}]", None),
            ("[{name: flux, data: {datatype: 5}}]", None),
            ("[{name: flux}]", Some(0)),
            // As in JSON Schema, a node that is missing or not a string passes.
            ("[{}, {name: 5}]", Some(1)),
            ("[5]", Some(0)),
            ("[]", None),
        ] {
            let items: Vec<Node> = crate::yaml::parse(text).unwrap().get("").unwrap();
            let at = find(&items, &FLUX)
                .map(|item| items.iter().position(|other| std::ptr::eq(other, item)).unwrap());
            assert_eq!(at, found, "{text}");
            assert_eq!(contains(&items, std::slice::from_ref(&FLUX)).is_none(), found.is_some(), "{text}");
        }
    }
}
