//! Constraints on sequences.

use std::collections::{HashMap, HashSet};

use super::count;
use crate::tree::{Kind, NodeId, NodeRef, Tree};
use crate::value::ToNode;

/// A sequence of values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sequence, so its items cannot be checked",
    label = "this checks sequences",
    note = "`min_items`, `max_items` and `unique_items` are for sequences such as `Vec<T>`; strings have \
            `min_length` and `max_length`, numbers have `minimum` and `maximum`"
)]
pub trait Items {
    /// Returns the number of items.
    fn count(&self) -> usize;

    /// Writes the items as nodes. Skips items that cannot be written; writing the sequence reports them.
    fn write(&self, tree: &mut Tree) -> Vec<NodeId>;
}

impl<T: ToNode> Items for [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn write(&self, tree: &mut Tree) -> Vec<NodeId> {
        self.iter().filter_map(|item| item.to_node(tree).ok()).collect()
    }
}

impl<T: ToNode> Items for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn write(&self, tree: &mut Tree) -> Vec<NodeId> {
        self.as_slice().write(tree)
    }
}

impl<T: ToNode, const N: usize> Items for [T; N] {
    fn count(&self) -> usize {
        N
    }

    fn write(&self, tree: &mut Tree) -> Vec<NodeId> {
        self.as_slice().write(tree)
    }
}

impl<T: Items + ?Sized> Items for Box<T> {
    fn count(&self) -> usize {
        (**self).count()
    }

    fn write(&self, tree: &mut Tree) -> Vec<NodeId> {
        (**self).write(tree)
    }
}

/// Returns the fault of a sequence that is too short.
pub fn min_items<T: Items + ?Sized>(value: &T, least: usize) -> Option<String> {
    (value.count() < least).then(|| format!("at least {}", count(least, "item")))
}

/// Returns the fault of a sequence that is too long.
pub fn max_items<T: Items + ?Sized>(value: &T, most: usize) -> Option<String> {
    (value.count() > most).then(|| format!("at most {}", count(most, "item")))
}

/// Returns the fault of a sequence with two equal items.
///
/// Items are equal as in JSON Schema: 1 equals 1.0, but not `true`. The order of keys and tags are ignored.
/// NaN equals nothing.
pub fn unique_items<T: Items + ?Sized>(value: &T) -> Option<String> {
    let mut tree = Tree::new();
    let ids = value.write(&mut tree);
    let mut classes = Classes::default();
    let mut met = HashSet::new();
    let twice = ids.into_iter().find(|&id| !met.insert(classes.of(tree.node(id), 0)))?;
    Some(format!("unique items, not {} twice", tree.node(twice).describe()))
}

/// Numbers for nodes, such that equal nodes have the same number.
///
/// A shared node is visited once, so neither aliases nor cycles cost time.
#[derive(Default)]
struct Classes {
    shapes: HashMap<Shape, usize>,
    nodes: HashMap<NodeId, usize>,
    count: usize,
}

#[derive(PartialEq, Eq, Hash)]
enum Shape {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Sequence(Vec<usize>),
    Mapping(Vec<(usize, usize)>),
}

impl Classes {
    fn new_class(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn of(&mut self, node: NodeRef<'_>, depth: usize) -> usize {
        /// Deeper than a file can nest.
        const DEEP: usize = 512;
        if let Some(&class) = self.nodes.get(&node.id()) {
            return class;
        }
        let own = self.new_class();
        // A cycle leads back to this node, which then differs from all others.
        self.nodes.insert(node.id(), own);
        if depth > DEEP {
            return own;
        }
        let text = || node.text().unwrap_or_default().to_owned();
        let shape = match node.kind() {
            Kind::Null => Shape::Null,
            Kind::Bool => Shape::Bool(node.as_bool() == Some(true)),
            Kind::Int => Shape::Number(node.as_bigint().map_or_else(text, |value| value.to_string())),
            Kind::Float => match node.as_f64() {
                // All digits without an empty fraction, as for an integer. Zero loses its sign.
                Some(value) if !value.is_nan() => Shape::Number((value + 0.0).to_string()),
                _ => return own,
            },
            Kind::String | Kind::Timestamp => Shape::Text(text()),
            Kind::Sequence => Shape::Sequence(node.items().map(|item| self.of(item, depth + 1)).collect()),
            Kind::Mapping => {
                let entries = node.entries();
                let mut entries: Vec<_> = entries
                    .map(|(key, value)| (self.of(key, depth + 1), self.of(value, depth + 1)))
                    .collect();
                entries.sort_unstable();
                Shape::Mapping(entries)
            }
        };
        let class = *self.shapes.entry(shape).or_insert(own);
        self.nodes.insert(node.id(), class);
        class
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;
    use crate::value::{FromNode, Number};
    use crate::yaml::parse;

    #[test]
    fn counts() {
        assert_eq!(min_items(&[1, 2], 2), None);
        assert_eq!(min_items(&[1, 2], 3).unwrap(), "at least 3 items");
        assert_eq!(max_items(&vec![1, 2], 1).unwrap(), "at most 1 item");
        assert_eq!(max_items(&Vec::<i32>::new(), 0), None);
    }

    #[test]
    fn equal_items_are_found() {
        assert_eq!(unique_items(&vec![1, 2, 3]), None);
        assert_eq!(
            unique_items(&["a", "b", "a"].map(str::to_owned)).unwrap(),
            "unique items, not the string 'a' twice"
        );
        assert_eq!(unique_items(&[f64::NAN, f64::NAN]), None);
        assert!(unique_items(&[0.0, -0.0]).is_some());
        assert!(unique_items(&[Number::from(1), Number::from(1.0)]).is_some());
        assert!(
            unique_items(&[Number::from(1e18), Number::Int("1000000000000000000".parse().unwrap())])
                .is_some()
        );
    }

    #[test]
    fn nodes_are_equal_as_json_has_it() {
        for (text, unique) in [
            ("[1, true, '1', '', null]", true),
            ("[{a: 1, b: 2}, {b: 2, a: 1}]", false),
            ("[{a: 1}, {a: 2}]", true),
            ("[[1, 2], [1, 2.0]]", false),
            ("[[1], [[1]]]", true),
            ("[!<tag:x> 1, !<tag:y> 1]", false),
            ("['[1,]', [1]]", true),
            ("[2026-11-20, '2026-11-20']", false),
            ("[&a [*a, *a], [*a]]", true),
            ("[&a [1], &b [*a, *a], &c [*b, *b], &d [*c, *c], &e [*d, *d], [*d, *d]]", false),
        ] {
            let tree = parse(text).unwrap();
            let nodes = Vec::<Node>::from_node(tree.root().unwrap());
            let nodes = nodes.unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(unique_items(&nodes).is_none(), unique, "{text}");
        }
    }
}
