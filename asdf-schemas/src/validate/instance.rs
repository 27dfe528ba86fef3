//! The tree as the validation engine sees it: no copy, the nodes themselves.

use std::borrow::Cow;

use asdf_core::tree::{Entries, Items, Kind, NodeRef};
use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use serde_json::{Number, Value};

/// The representation "a tree of nodes".
pub(super) struct TreeJson;

/// A node, or a mapping's key.
#[derive(Debug, Clone, Copy)]
pub(super) enum Instance<'a> {
    Node(NodeRef<'a>),
    Key(&'a str),
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
            Self::Node(node) => Some(node),
            Self::Key(_) => None,
        }
    }

    /// A scalar with a tag of its own is a string to a schema, whatever it says, as in Python.
    fn kind(self) -> Kind {
        match self {
            Self::Key(_) => Kind::String,
            Self::Node(node) if node.kind().is_scalar() && node.own_tag().is_some() => Kind::String,
            Self::Node(node) => node.kind(),
        }
    }
}

impl<'a> Node<'a, TreeJson> for Instance<'a> {
    type Object = Mapping<'a>;
    type Array = Sequence<'a>;
    type Number = Literal<'a>;

    fn as_object(&self) -> Option<Mapping<'a>> {
        self.node().filter(|node| node.kind() == Kind::Mapping).map(Mapping)
    }

    fn as_array(&self) -> Option<Sequence<'a>> {
        self.node().filter(|node| node.kind() == Kind::Sequence).map(Sequence)
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match (self.kind(), self) {
            (_, Self::Key(text)) => Some(Cow::Borrowed(text)),
            (Kind::String | Kind::Timestamp, Self::Node(node)) => node.text().map(Cow::Borrowed),
            _ => None,
        }
    }

    /// NaN has no value to compare: `type: number` takes it by its kind, and no limit refuses it, as
    /// in Python.
    fn as_number(&self) -> Option<Literal<'a>> {
        match (self.kind(), self) {
            (Kind::Float, Self::Node(node)) if node.as_f64().is_some_and(f64::is_nan) => None,
            (Kind::Int | Kind::Float, Self::Node(node)) => Some(Literal(*node)),
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

    /// What errors carry. They need no copy of the node: it is found again by its path.
    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(Value::Null)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        let node = self.node()?;
        let id = node.id();
        // The address of the tree and the number of the node in it.
        let address = std::ptr::from_ref(node.tree()) as usize;
        Some(NodeIdentity::tagged(address, id.number()))
    }
}

/// Whether a node equals a value of a schema's `enum`; tags do not matter. Gives up, as unequal, on
/// what is larger than any enumeration.
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

/// A mapping.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mapping<'a>(NodeRef<'a>);

impl<'a> Object<'a, TreeJson> for Mapping<'a> {
    type Node = Instance<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, key: &String) -> Option<Instance<'a>> {
        self.0.get(key).map(Instance::Node)
    }

    fn members(&self) -> Members<'a> {
        Members(self.0.entries())
    }
}

/// A mapping's members; keys that are not strings have their text for a name.
pub(super) struct Members<'a>(Entries<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, Instance<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key.text().unwrap_or_default(), Instance::Node(value)))
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
        // Scalars, which is what such lists hold, by their kind and text; the rest one by one.
        let mut scalars = std::collections::HashSet::new();
        let mut others: Vec<NodeRef<'_>> = Vec::new();
        for item in self.0.items() {
            let fresh = match item.text() {
                Some(text) => scalars.insert((item.kind(), text)),
                None if others.len() > 1_000 => true,
                None => {
                    let fresh = others.iter().all(|other| *other != item);
                    others.push(item);
                    fresh
                }
            };
            if !fresh {
                return false;
            }
        }
        true
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

/// A number as it is written.
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
