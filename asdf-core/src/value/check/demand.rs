//! Items that a sequence has to have: what `not: {items: {not: ...}}` says in a schema, draft 4's way of
//! "contains".

use super::Items;
#[cfg(feature = "regex")]
use super::Pattern;
use crate::tree::{Kind, NodeRef, Tree};
use crate::value::ToNode;

/// What one item of a sequence has to be, under the name of its accessor.
#[derive(Debug)]
pub struct Demand {
    /// The name of the accessor.
    pub name: &'static str,
    /// What is asked of the item; it has to pass all.
    pub tests: &'static [Test],
}

/// What is asked of an item, at a JSON Pointer below it. As in JSON Schema, what is not there, or of
/// another kind than the test is about, passes.
#[derive(Debug)]
pub enum Test {
    /// A string there matches. Needs the feature `regex`.
    #[cfg(feature = "regex")]
    Pattern(&'static str, &'static Pattern),
    /// What is there is one of these strings.
    OneOf(&'static str, &'static [&'static str]),
    /// A mapping there has this key.
    Required(&'static str, &'static str),
}

impl Demand {
    /// Whether a node is such an item.
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

/// The fault of a sequence that has not all items that are asked for: their names.
pub fn contains<T: Items + ?Sized>(value: &T, demands: &[Demand]) -> Option<String> {
    let mut tree = Tree::new();
    let ids = value.write(&mut tree);
    let missing: Vec<String> = demands
        .iter()
        .filter(|demand| !ids.iter().any(|&id| demand.fits(tree.node(id))))
        .map(|demand| format!("`{}`", demand.name))
        .collect();
    (!missing.is_empty())
        .then(|| format!("also an item that is the {} of the schema", missing.join(", and one that is the ")))
}

/// The first item that is what a demand asks for.
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
            // What is not there, or is no string, passes, as in JSON Schema.
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
