//! Adapts trees to the validation engine without a copy.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use asdf_core::tree::{Entries, Items, Kind, NodeRef};
use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use serde_json::{Number, Value};

use super::{kind, unique};

/// The JSON representation of trees of nodes.
pub(super) struct TreeJson;

/// A node, or a mapping's key.
#[derive(Debug, Clone, Copy)]
pub(super) enum Instance<'a> {
    Node(NodeRef<'a>),
    Key(&'a str),
    /// The validated node, and its [outline]. Only used with patterns that can give up.
    Root(NodeRef<'a>, &'a OnceLock<Value>),
}

impl Json for TreeJson {
    type Node<'a> = Instance<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Instance<'_>) -> T) -> T {
        f(Instance::Key(string))
    }
}

impl<'a> Instance<'a> {
    pub(super) fn node(self) -> Option<NodeRef<'a>> {
        match self {
            Self::Node(node) | Self::Root(node, _) => Some(node),
            Self::Key(_) => None,
        }
    }

    /// Returns the kind for schemas. A key is a string.
    fn kind(self) -> Kind {
        self.node().map_or(Kind::String, kind::for_schemas)
    }
}

impl<'a> Node<'a, TreeJson> for Instance<'a> {
    type Object = Mapping<'a>;
    type Array = Sequence<'a>;
    type Number = Literal<'a>;

    fn as_object(&self) -> Option<Mapping<'a>> {
        self.node().filter(|_| self.kind() == Kind::Mapping).map(Mapping::new)
    }

    fn as_array(&self) -> Option<Sequence<'a>> {
        self.node().filter(|_| self.kind() == Kind::Sequence).map(Sequence)
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match (self, self.kind()) {
            (Self::Key(text), _) => Some(Cow::Borrowed(text)),
            (_, Kind::String | Kind::Timestamp) => self.node()?.text().map(Cow::Borrowed),
            _ => None,
        }
    }

    /// Returns `None` for NaN, so that no limit refuses it. `type: number` accepts it by its kind. Both are as in Python.
    fn as_number(&self) -> Option<Literal<'a>> {
        let node = self.node()?;
        match self.kind() {
            Kind::Float if node.as_f64().is_some_and(f64::is_nan) => None,
            Kind::Int | Kind::Float => Some(Literal(node)),
            _ => None,
        }
    }

    fn is_number(&self) -> bool {
        matches!(self.kind(), Kind::Int | Kind::Float)
    }

    fn as_boolean(&self) -> Option<bool> {
        if self.kind() == Kind::Bool { self.node()?.as_bool() } else { None }
    }

    fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    fn json_type(&self) -> JsonType {
        match self.kind() {
            Kind::Null => JsonType::Null,
            Kind::Bool => JsonType::Boolean,
            Kind::Int | Kind::Float => JsonType::Number,
            Kind::String | Kind::Timestamp => JsonType::String,
            Kind::Sequence => JsonType::Array,
            Kind::Mapping => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        let mut budget = 100_000;
        equals(*self, expected, &mut budget)
    }

    /// Returns null, which errors store. They need no copy of the node, because it is found again by its path.
    ///
    /// If a pattern gives up, the engine looks for the string in the value of the root.
    fn to_value(&self) -> Cow<'a, Value> {
        match self {
            Self::Root(node, outline) => {
                Cow::Borrowed(outline.get_or_init(|| self::outline(Self::Node(*node))))
            }
            _ => Cow::Owned(Value::Null),
        }
    }

    fn identity(&self) -> Option<NodeIdentity> {
        let node = self.node()?;
        let id = node.id();
        // The address of the tree and the number of the node in it.
        let address = std::ptr::from_ref(node.tree()) as usize;
        Some(NodeIdentity::tagged(address, id.number()))
    }
}

/// Returns the value of a node with nulls for all scalars.
fn outline(instance: Instance<'_>) -> Value {
    if let Some(object) = instance.as_object() {
        return Value::Object(
            object.members().map(|(name, value)| (name.to_owned(), outline(value))).collect(),
        );
    }
    match instance.as_array() {
        Some(array) => array.elements().map(outline).collect(),
        None => Value::Null,
    }
}

/// Whether a node equals a value of an `enum`. Tags do not matter. Very large values are unequal.
fn equals(instance: Instance<'_>, expected: &Value, budget: &mut usize) -> bool {
    let Some(left) = budget.checked_sub(1) else { return false };
    *budget = left;
    match expected {
        Value::Null => instance.is_null(),
        Value::Bool(flag) => instance.as_boolean() == Some(*flag),
        Value::String(text) => instance.as_string().is_some_and(|own| own == text.as_str()),
        Value::Number(number) => {
            instance.as_number().is_some_and(|own| match (own.as_i64(), number.as_i64()) {
                (Some(a), Some(b)) => a == b,
                _ => own.as_f64().is_some() && own.as_f64() == number.as_f64(),
            })
        }
        Value::Array(items) => instance.as_array().is_some_and(|own| {
            own.len() == items.len()
                && own.elements().zip(items).all(|(item, expected)| equals(item, expected, budget))
        }),
        Value::Object(members) => instance.as_object().is_some_and(|own| {
            own.len() == members.len()
                && members
                    .iter()
                    .all(|(key, expected)| own.get(key).is_some_and(|value| equals(value, expected, budget)))
        }),
    }
}

/// A mapping, or an `!!omap`.
#[derive(Debug)]
pub(super) struct Mapping<'a> {
    node: NodeRef<'a>,
    /// The values of an `!!omap` by name, which are found when they are first needed. `None` for a mapping, whose node
    /// finds them itself.
    ordered: OnceCell<Option<HashMap<&'a str, NodeRef<'a>>>>,
}

impl<'a> Mapping<'a> {
    fn new(node: NodeRef<'a>) -> Self {
        Self { node, ordered: OnceCell::new() }
    }

    /// Returns the values of an `!!omap` by name.
    fn ordered(&self) -> Option<&HashMap<&'a str, NodeRef<'a>>> {
        let collect = || {
            let entries = self.node.as_omap()?;
            #[cfg(test)]
            tests::count();
            let named = entries.filter_map(|(name, value)| Some((name.text()?, value)));
            // The first of several values with the same name counts.
            Some(named.rev().collect())
        };
        self.ordered.get_or_init(collect).as_ref()
    }
}

impl<'a> Object<'a, TreeJson> for Mapping<'a> {
    type Node = Instance<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        self.node.len()
    }

    fn get(&self, key: &String) -> Option<Instance<'a>> {
        let value = match self.ordered() {
            None => self.node.get(key),
            Some(values) => values.get(key.as_str()).copied(),
        };
        value.map(Instance::Node)
    }

    fn members(&self) -> Members<'a> {
        match self.node.as_omap() {
            None => Members::Mapping(self.node.entries()),
            Some(_) => Members::Ordered(self.node.items()),
        }
    }
}

/// The members of a mapping. The name of a key that is not a string is its text.
pub(super) enum Members<'a> {
    Mapping(Entries<'a>),
    /// Mappings of one entry each.
    Ordered(Items<'a>),
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, Instance<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let entry = match self {
            Self::Mapping(entries) => entries.next(),
            Self::Ordered(items) => items.next().and_then(|item| item.entries().next()),
        };
        entry.map(|(key, value)| (key.text().unwrap_or_default(), Instance::Node(value)))
    }
}

/// A sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sequence<'a>(NodeRef<'a>);

impl<'a> Array<'a, TreeJson> for Sequence<'a> {
    type Node = Instance<'a>;
    type ElementsIter = Elements<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> Elements<'a> {
        Elements(self.0.items())
    }

    fn is_unique(&self) -> bool {
        unique::are_unique(self.0)
    }
}

/// A sequence's items.
pub(super) struct Elements<'a>(Items<'a>);

impl<'a> Iterator for Elements<'a> {
    type Item = Instance<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(Instance::Node)
    }
}

/// A number as it is written in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Literal<'a>(NodeRef<'a>);

impl JsonNumber for Literal<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.as_u64()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.as_i64()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.as_f64()
    }

    fn as_str(&self) -> Cow<'_, str> {
        match (self.0.as_i128(), self.0.as_f64()) {
            (Some(value), _) => Cow::Owned(value.to_string()),
            (None, Some(value)) if self.0.kind() == Kind::Float => Cow::Owned(format!("{value:?}")),
            _ => Cow::Borrowed(self.0.text().unwrap_or_default()),
        }
    }

    fn to_number(&self) -> Cow<'_, Number> {
        let number = match (self.as_i64(), self.as_u64(), self.as_f64()) {
            (Some(value), ..) => Some(value.into()),
            (None, Some(value), _) => Some(value.into()),
            (None, None, Some(value)) => Number::from_f64(value),
            _ => None,
        };
        Cow::Owned(number.unwrap_or_else(|| 0.into()))
    }

    fn is_integer(&self) -> bool {
        self.0.kind() == Kind::Int
    }

    fn is_written_as_integer(&self) -> bool {
        self.0.kind() == Kind::Int
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        static COLLECTED: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts how often the names of an `!!omap` are collected.
    pub(super) fn count() {
        COLLECTED.set(COLLECTED.get() + 1);
    }

    #[test]
    fn the_names_of_an_omap_are_collected_once() {
        let tree = asdf_core::yaml::parse("!!omap [{a: 1}, {b: 2}, {c: 3}]").unwrap();
        let mapping = Instance::Node(tree.root().unwrap()).as_object().unwrap();
        let get = |name: &str| mapping.get(&name.to_owned()).and_then(|value| value.node()?.as_i64());
        assert_eq!(["a", "b", "c", "d"].map(get), [Some(1), Some(2), Some(3), None]);
        assert_eq!(COLLECTED.get(), 1);
    }

    #[test]
    fn numbers_are_those_of_the_file() {
        let text = |text: &str| {
            let tree = asdf_core::yaml::parse(text).unwrap();
            let number = Instance::Node(tree.root().unwrap()).as_number().unwrap();
            assert_eq!(number.is_integer(), !text.contains(['.']), "{text}");
            (number.to_number().to_string(), number.as_str().into_owned())
        };
        for (number, expected, shown) in [
            ("1.5", "1.5", "1.5"),
            ("-3", "-3", "-3"),
            ("0x10", "16", "16"),
            ("18446744073709551615", "18446744073709551615", "18446744073709551615"),
            ("1.0e+3", "1000.0", "1000.0"),
            // JSON has no number for it.
            (".inf", "0", "inf"),
        ] {
            assert_eq!(text(number), (expected.to_owned(), shown.to_owned()), "{number}");
        }
    }
}
