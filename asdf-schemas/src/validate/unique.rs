//! Compares the items of lists for `uniqueItems`, in linear time.

use std::collections::{HashMap, HashSet};

use asdf_core::tree::{Kind, NodeId, NodeRef};

use super::kind;

/// Whether no two items of a sequence are equal as JSON. The order of keys and the tags do not matter.
pub(super) fn are_unique(sequence: NodeRef<'_>) -> bool {
    let mut values = Values::default();
    let mut met = HashSet::new();
    // NaN, and what contains it, equals nothing.
    sequence.items().all(|item| values.number(item).is_none_or(|number| met.insert(number)))
}

/// The distinct values below a sequence. Equal values have the same number.
#[derive(Default)]
struct Values<'t> {
    numbers: HashMap<Value<'t>, usize>,
    /// The numbers of collections. An alias is looked at once.
    collections: HashMap<NodeId, Option<usize>>,
}

/// A value whose parts are numbers of values.
#[derive(PartialEq, Eq, Hash)]
enum Value<'t> {
    Scalar(Scalar<'t>),
    Sequence(Vec<usize>),
    /// The entries in the order of their keys.
    Mapping(Vec<(&'t str, usize)>),
}

impl<'t> Values<'t> {
    /// Returns the number of a value, or `None` if it equals no other value.
    fn number(&mut self, node: NodeRef<'t>) -> Option<usize> {
        if let Some(scalar) = Scalar::of(node) {
            return (scalar != Scalar::Nan).then(|| self.insert(Value::Scalar(scalar)));
        }
        if let Some(number) = self.collections.get(&node.id()) {
            return *number;
        }
        let value = match node.kind() {
            Kind::Mapping => self.entries(node).map(Value::Mapping),
            _ => node.items().map(|item| self.number(item)).collect::<Option<_>>().map(Value::Sequence),
        };
        let number = value.map(|value| self.insert(value));
        self.collections.insert(node.id(), number);
        number
    }

    fn entries(&mut self, node: NodeRef<'t>) -> Option<Vec<(&'t str, usize)>> {
        let entries = node.entries().map(|(key, value)| Some((key.text()?, self.number(value)?)));
        let mut entries: Vec<_> = entries.collect::<Option<_>>()?;
        entries.sort_unstable();
        Some(entries)
    }

    fn insert(&mut self, value: Value<'t>) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(value).or_insert(next)
    }
}

/// The value of a scalar, for comparisons: `1` equals `1.0` and `~` equals `null`, but `1` differs from `true`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Scalar<'a> {
    Null,
    Bool(bool),
    Integer(i128),
    /// The bits of a float that is not an integer.
    Float(u64),
    /// Equal to nothing, itself included.
    Nan,
    Text(Kind, &'a str),
}

impl<'a> Scalar<'a> {
    fn of(node: NodeRef<'a>) -> Option<Self> {
        let kind = kind::for_schemas(node);
        let text = node.text()?;
        Some(match kind {
            Kind::Null => Self::Null,
            Kind::Bool => node.as_bool().map_or(Self::Text(kind, text), Self::Bool),
            Kind::Int => node.as_i128().map_or(Self::Text(kind, text), Self::Integer),
            Kind::Float => match node.as_f64() {
                Some(value) if value.is_nan() => Self::Nan,
                // Every float in this range that is an integer is one exactly.
                #[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
                Some(value) if value.fract() == 0.0 && value.abs() < 1e38 => Self::Integer(value as i128),
                Some(value) => Self::Float(value.to_bits()),
                None => Self::Text(kind, text),
            },
            _ => Self::Text(kind, text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::parse;

    #[test]
    fn values_are_compared_as_json() {
        for (list, expected) in [
            ("[1, 1.0]", false),
            ("[0x10, 16]", false),
            ("[1, true, '1']", true),
            ("[~, null]", false),
            ("[[1, [2]], [1.0, [2]]]", false),
            ("[[1, 2], [2, 1]]", true),
            ("[[], {}]", true),
            ("[{a: 1, b: [2]}, {b: [2.0], a: 1}]", false),
            ("[{a: 1, b: 2}, {a: 1}]", true),
            ("[{a: [1]}, {a: [1, 1]}]", true),
            ("[{1: a}, {1: a}]", false),
            ("[!<x> [1], !<y> [1]]", false),
            ("[.nan, .nan]", true),
            ("[&a [.nan], *a]", true),
            ("[&a {x: 1}, *a]", false),
            ("[{? [1] : a}, {? [1] : a}]", true),
        ] {
            let tree = parse(list).unwrap();
            assert_eq!(are_unique(tree.root().unwrap()), expected, "{list}");
        }
    }

    /// Each collection is looked up once, however many aliases it has and however many lists it is compared with.
    #[test]
    fn every_collection_is_looked_at_once() {
        let mut text = "- &a0 [0]\n".to_owned();
        for level in 1..100 {
            text += &format!("- &a{level} [*a{}, *a{}]\n", level - 1, level - 1);
        }
        let tree = parse(&text).unwrap();
        let root = tree.root().unwrap();
        assert!(are_unique(root));
        let mut values = Values::default();
        assert!(root.items().all(|item| values.number(item).is_some()));
        assert_eq!((values.collections.len(), values.numbers.len()), (100, 101));
        let many: Vec<String> = (0..10_000).map(|item| format!("[{item}]")).collect();
        assert!(are_unique(parse(&format!("[{}]", many.join(", "))).unwrap().root().unwrap()));
        let twice = parse(&format!("[{}, [9999]]", many.join(", "))).unwrap();
        assert!(!are_unique(twice.root().unwrap()));
    }
}
