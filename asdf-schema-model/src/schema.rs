//! A view of a node as a schema, which interprets its keywords.

use std::fmt;

use crate::{KEYWORDS, Value, pointer};

/// A schema: a view of a node of a document.
///
/// Keywords have the same meaning as in the Python library asdf. All parts of a schema apply together: `$ref`, the
/// keywords beside it and all branches of `allOf`. [`Value`] has an example.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Schema<V>(V);

/// A lower or upper limit of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit<V> {
    /// The number.
    pub number: V,
    /// Whether the limit excludes the number itself.
    pub is_exclusive: bool,
}

/// The value of the keyword `items`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Items<V> {
    /// The schema of all items.
    Each(V),
    /// The schemas of the first items, by position, and `additionalItems` for the others.
    InTurn(Vec<V>, Others<V>),
}

/// Whether properties or items are allowed that a schema does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others<V> {
    /// They are allowed.
    Allowed,
    /// They are not allowed.
    Refused,
    /// They are allowed if they are valid for this schema.
    Schema(V),
}

impl<V> Items<V> {
    /// Applies a function to each schema.
    pub fn map<T>(self, mut change: impl FnMut(V) -> T) -> Items<T> {
        match self {
            Self::Each(schema) => Items::Each(change(schema)),
            Self::InTurn(first, others) => {
                Items::InTurn(first.into_iter().map(&mut change).collect(), others.map(change))
            }
        }
    }
}

impl<V> Others<V> {
    /// Applies a function to the schema.
    pub fn map<T>(self, change: impl FnOnce(V) -> T) -> Others<T> {
        match self {
            Self::Allowed => Others::Allowed,
            Self::Refused => Others::Refused,
            Self::Schema(schema) => Others::Schema(change(schema)),
        }
    }
}

impl<'t, V: Value<'t>> Schema<V> {
    /// Views a node as a schema.
    ///
    /// A node that is not a mapping allows every value: in the Python library asdf, `true` and `false` are such schemas.
    pub fn new(node: V) -> Self {
        Self(node)
    }

    /// Returns the value of a keyword.
    pub fn get(self, keyword: &str) -> Option<V> {
        self.0.get(keyword)
    }

    /// Returns the text of a keyword that is a string.
    pub fn text(self, keyword: &str) -> Option<&'t str> {
        self.get(keyword).and_then(Value::as_str)
    }

    /// Returns the names in `type`. `None` without `type`, which allows every type.
    pub fn types(self) -> Option<Vec<&'t str>> {
        self.get("type").map(|types| match types.as_str() {
            Some(one) => vec![one],
            None => strings(types),
        })
    }

    /// Returns whether timestamps count as strings, because `format` is `date-time`.
    ///
    /// Other formats have no effect.
    pub fn is_date_time(self) -> bool {
        self.text("format") == Some("date-time")
    }

    /// Returns the schemas in `allOf`, `anyOf` or `oneOf`.
    pub fn branches(self, keyword: &str) -> impl Iterator<Item = V> {
        self.get(keyword).into_iter().flat_map(Value::items)
    }

    /// Returns the names in `required` or `propertyOrder`. The `required: true` of draft 3 is ignored.
    pub fn names(self, keyword: &str) -> Vec<&'t str> {
        self.get(keyword).map(strings).unwrap_or_default()
    }

    /// Returns the names and schemas of `properties`, or of another keyword that holds schemas by name.
    ///
    /// Names can look like numbers or booleans, such as `y` and `1`.
    pub fn named(self, keyword: &str) -> impl Iterator<Item = (&'t str, V)> {
        let entries = self.get(keyword).into_iter().flat_map(Value::entries);
        entries.filter_map(|(name, schema)| Some((name.text()?, schema)))
    }

    /// Returns the value of `additionalProperties` or `additionalItems`.
    pub fn others(self, keyword: &str) -> Others<V> {
        match self.get(keyword) {
            Some(others) if others.as_bool() == Some(false) => Others::Refused,
            Some(others) if others.is_mapping() => Others::Schema(others),
            _ => Others::Allowed,
        }
    }

    /// Returns the value of `items`. `additionalItems` only applies if that is a list.
    pub fn items(self) -> Option<Items<V>> {
        let items = self.get("items")?;
        Some(match items.is_list() {
            true => Items::InTurn(items.items().collect(), self.others("additionalItems")),
            false => Items::Each(items),
        })
    }

    /// Returns the lower limit of numbers.
    pub fn minimum(self) -> Option<Limit<V>> {
        self.limit("minimum", "exclusiveMinimum")
    }

    /// Returns the upper limit of numbers.
    pub fn maximum(self) -> Option<Limit<V>> {
        self.limit("maximum", "exclusiveMaximum")
    }

    /// The limit of draft 4. If `exclusive` is a number, as in later drafts, it counts as true beside a limit and is
    /// ignored without one.
    fn limit(self, limit: &str, exclusive: &str) -> Option<Limit<V>> {
        let number = self.get(limit).filter(|number| number.as_f64().is_some())?;
        Some(Limit { number, is_exclusive: self.flag(exclusive) })
    }

    /// Returns whether the value of a keyword is true in Python. Zero, null and empty values are false.
    pub fn flag(self, keyword: &str) -> bool {
        self.get(keyword).is_some_and(|value| match (value.as_bool(), value.as_f64(), value.as_str()) {
            (Some(flag), ..) => flag,
            (_, Some(number), _) => number != 0.0,
            (.., Some(text)) => !text.is_empty(),
            _ => value.items().next().is_some() || value.entries().next().is_some(),
        })
    }

    /// Returns the only keyword of the schema and its value, if it has exactly one.
    ///
    /// Title and description do not count.
    pub fn only(self) -> Option<(&'t str, V)> {
        let says = |name: Option<&str>| !matches!(name, Some("title" | "description"));
        let mut keywords = self.0.entries().filter(|(name, _)| says(name.as_str()));
        match (keywords.next(), keywords.next()) {
            (Some((name, value)), None) => Some((name.as_str()?, value)),
            _ => None,
        }
    }

    /// Returns the schema X of `not: {items: {not: X}}`.
    ///
    /// Such a schema requires a list with an item that is valid for X. A value that is not a list is valid for
    /// `{items: ...}`, so the whole schema requires a list.
    pub fn contained(self) -> Option<V> {
        let only = |schema: V, name: &str| match Self(schema).only() {
            Some((keyword, value)) if keyword == name && value.is_mapping() => Some(value),
            _ => None,
        };
        only(only(self.get("not")?, "items")?, "not")
    }

    /// Follows a JSON Pointer from this schema, the root of a document.
    ///
    /// Returns `None` if the target does not exist. A `$ref` on the way leads to another document, which the result names.
    pub fn follow(self, pointer: &str) -> Option<Found<V>> {
        let mut node = self.0;
        let mut steps = pointer.split('/').skip(1);
        while let Some(step) = steps.next() {
            match (child(node, &pointer::unescape(step)), Self(node).text("$ref")) {
                (Some(next), _) => node = next,
                (None, Some(other)) => {
                    let hash = if other.contains('#') { "" } else { "#" };
                    let rest = steps.fold(format!("/{step}"), |rest, step| rest + "/" + step);
                    return Some(Found::Elsewhere(format!("{other}{hash}{rest}")));
                }
                (None, None) => return None,
            }
        }
        Some(Found::Node(node))
    }

    /// Returns all nested schemas, each with its keyword and its name or position in the keyword's value.
    ///
    /// The keywords are in the order of the schema. Lists in `dependencies` are not schemas.
    pub fn parts(self) -> Vec<Part<'t, V>> {
        let mut parts = Vec::new();
        for (key, value) in self.0.entries() {
            let Some(keyword) = KEYWORDS.iter().find(|keyword| key.as_str() == Some(keyword.name)) else {
                continue;
            };
            let (name, holds) = (keyword.name, keyword.holds);
            if holds.is_list() && value.is_list() {
                let items = value.items().enumerate();
                parts.extend(items.map(|(at, schema)| Part {
                    keyword: name,
                    step: Some(Step::Item(at)),
                    schema,
                }));
            } else if holds.is_named() {
                let members = value.entries().filter_map(|(key, schema)| Some((key.text()?, schema)));
                parts.extend(members.filter(|(_, schema)| !schema.is_list()).map(|(key, schema)| Part {
                    keyword: name,
                    step: Some(Step::Name(key)),
                    schema,
                }));
            } else if holds.has_schemas() {
                parts.push(Part { keyword: name, step: None, schema: value });
            }
        }
        parts
    }
}

/// The target of a JSON Pointer in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<V> {
    /// A node of the document.
    Node(V),
    /// The target of this reference to another document, as in `definitions: {$ref: ...}`.
    Elsewhere(String),
}

/// A schema nested in another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'t, V> {
    /// The keyword that contains the schema.
    pub keyword: &'static str,
    /// The name or position in the keyword's value. `None` if the schema is the value.
    pub step: Option<Step<'t>>,
    /// The nested schema.
    pub schema: V,
}

/// The name or position of a schema in the value of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'t> {
    /// The name in a mapping.
    Name(&'t str),
    /// The position in a list, from 0.
    Item(usize),
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Item(at) => write!(f, "{at}"),
        }
    }
}

impl<V> fmt::Debug for Schema<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema").finish_non_exhaustive()
    }
}

/// Returns the child at a step of a pointer: an item by its position, or a value by the text of its key.
fn child<'t, V: Value<'t>>(node: V, step: &str) -> Option<V> {
    if node.is_list() {
        return node.items().nth(step.parse().ok()?);
    }
    let by_text = || node.entries().filter(|(key, _)| key.text() == Some(step)).last();
    node.get(step).or_else(|| by_text().map(|(_, value)| value))
}

fn strings<'t, V: Value<'t>>(list: V) -> Vec<&'t str> {
    list.items().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Facts, Kinds, Number};

    /// A node without a parser.
    #[derive(Debug, PartialEq)]
    enum Node {
        Bool(bool),
        Number(f64),
        Text(&'static str),
        List(Vec<Node>),
        Mapping(Vec<(Node, Node)>),
    }

    impl<'t> Value<'t> for &'t Node {
        fn as_str(self) -> Option<&'t str> {
            if let Node::Text(text) = self { Some(text) } else { None }
        }

        fn text(self) -> Option<&'t str> {
            self.as_str()
        }

        fn as_bool(self) -> Option<bool> {
            if let Node::Bool(flag) = self { Some(*flag) } else { None }
        }

        fn as_f64(self) -> Option<f64> {
            if let Node::Number(number) = self { Some(*number) } else { None }
        }

        fn as_i128(self) -> Option<i128> {
            None
        }

        fn kinds(self) -> Kinds {
            match self {
                Node::Bool(_) => Kinds::BOOL,
                Node::Number(_) => Kinds::FLOAT,
                Node::Text(_) => Kinds::STRING,
                Node::List(_) => Kinds::SEQUENCE,
                Node::Mapping(_) => Kinds::MAPPING,
            }
        }

        fn items(self) -> impl Iterator<Item = Self> {
            let items: &[Node] = if let Node::List(items) = self { items } else { &[] };
            items.iter()
        }

        fn entries(self) -> impl Iterator<Item = (Self, Self)> {
            let entries: &[(Node, Node)] = if let Node::Mapping(entries) = self { entries } else { &[] };
            entries.iter().map(|(key, value)| (key, value))
        }
    }

    fn mapping<const N: usize>(entries: [(&'static str, Node); N]) -> Node {
        Node::Mapping(entries.into_iter().map(|(key, value)| (Node::Text(key), value)).collect())
    }

    fn empty() -> Node {
        mapping([])
    }

    /// As in Python, any value that is true makes the limit exclusive.
    #[test]
    fn limits_are_exclusive_as_in_python() {
        for (exclusive, expected) in [
            (Node::Bool(true), true),
            (Node::Bool(false), false),
            (Node::Number(7.0), true),
            (Node::Number(0.0), false),
            (Node::Text("x"), true),
            (Node::Text(""), false),
            (Node::List(vec![]), false),
            (mapping([("a", Node::Bool(false))]), true),
        ] {
            let said = format!("{exclusive:?}");
            let schema = mapping([("minimum", Node::Number(1.0)), ("exclusiveMinimum", exclusive)]);
            let limit = Schema::new(&schema).minimum().expect("there is one");
            assert_eq!((limit.number, limit.is_exclusive), (&Node::Number(1.0), expected), "{said}");
            assert_eq!(Schema::new(&schema).maximum(), None);
        }
        let alone = mapping([("exclusiveMinimum", Node::Number(7.0)), ("maximum", Node::Text("x"))]);
        assert_eq!((Schema::new(&alone).minimum(), Schema::new(&alone).maximum()), (None, None));
    }

    #[test]
    fn keywords_have_one_meaning() {
        let schema = mapping([
            ("type", Node::List(vec![Node::Text("string"), Node::Text("null")])),
            ("required", Node::Bool(true)),
            ("format", Node::Text("date-time")),
            ("items", Node::List(vec![empty()])),
            ("additionalItems", Node::Bool(false)),
            ("additionalProperties", empty()),
        ]);
        let schema = Schema::new(&schema);
        assert_eq!(schema.types(), Some(vec!["string", "null"]));
        assert!(schema.names("required").is_empty() && schema.is_date_time());
        assert_eq!(schema.items(), Some(Items::InTurn(vec![&empty()], Others::Refused)));
        assert_eq!(schema.others("additionalProperties"), Others::Schema(&empty()));
        let flag = Node::Bool(false);
        let all = Schema::new(&flag);
        assert_eq!(
            (all.types(), all.items(), all.others("additionalProperties")),
            (None, None, Others::Allowed)
        );
    }

    #[test]
    fn a_list_must_contain_an_item() {
        let item = || mapping([("type", Node::Text("integer"))]);
        let wanted = || mapping([("not", item()), ("title", Node::Text("Not one."))]);
        let list = mapping([("not", mapping([("items", wanted())]))]);
        assert_eq!(Schema::new(&list).contained(), Some(&item()));
        // Here a short list is valid too.
        let other = mapping([("not", mapping([("items", wanted()), ("minItems", Node::Number(3.0))]))]);
        assert_eq!(Schema::new(&other).contained(), None);
    }

    #[test]
    fn schemas_apply_together() {
        let texts = |texts: &[&'static str]| Node::List(texts.iter().map(|text| Node::Text(text)).collect());
        let one = mapping([
            ("type", texts(&["string", "number"])),
            ("minimum", Node::Number(1.0)),
            ("required", texts(&["a", "b"])),
            ("properties", mapping([("a", empty())])),
            ("enum", texts(&["x", "y"])),
        ]);
        let other = mapping([
            ("type", texts(&["integer", "string"])),
            ("minimum", Node::Number(1.0)),
            ("exclusiveMinimum", Node::Bool(true)),
            ("required", texts(&["b", "c"])),
            ("properties", mapping([("b", empty()), ("a", empty())])),
            ("additionalProperties", Node::Bool(false)),
            ("enum", texts(&["y", "z"])),
        ]);
        let mut facts = Facts::default();
        facts.add(1, &one, |_| 10);
        facts.add(2, &other, |_| 20);
        assert_eq!(facts.types, Some(Kinds::STRING.or(Kinds::INT)));
        assert_eq!(facts.kinds(), (Kinds::STRING, false));
        assert_eq!(facts.values, Some(vec![&Node::Text("y")]));
        assert_eq!(facts.limits.minimum, Some((Number::Float(1.0), true)));
        assert_eq!(facts.required, ["a", "b", "c"]);
        let properties: Vec<_> =
            facts.properties.iter().map(|one| (one.name, one.places.as_slice())).collect();
        assert_eq!(properties, [("a", [10, 20].as_slice()), ("b", &[20])]);
        assert_eq!(facts.others.first().map(|other| other.listed.clone()), Some(vec!["b", "a"]));
        // Without `type`, the kinds are those that the other keywords apply to.
        let mut facts = Facts::default();
        let untyped = mapping([("required", texts(&["a"]))]);
        facts.add(1, &untyped, |_| 10);
        assert_eq!(facts.kinds(), (Kinds::MAPPING, true));
    }

    #[test]
    fn definitions_can_be_those_of_another_schema() {
        let lent = |reference| mapping([("$ref", Node::Text(reference))]);
        let own = mapping([("items", Node::List(vec![empty(), lent("x")])), ("definitions", lent("y#/a"))]);
        let follow = |pointer| Schema::new(&own).follow(pointer);
        assert_eq!(follow(""), Some(Found::Node(&own)));
        assert_eq!(follow("/items/1"), Some(Found::Node(&lent("x"))));
        assert_eq!(follow("/items/1/b~1c/d"), Some(Found::Elsewhere("x#/b~1c/d".to_owned())));
        assert_eq!(follow("/definitions/b"), Some(Found::Elsewhere("y#/a/b".to_owned())));
        assert_eq!((follow("/items/2"), follow("/items/x"), follow("/items/0/b")), (None, None, None));
    }

    #[test]
    fn all_parts_are_found() {
        let schema = mapping([
            ("allOf", Node::List(vec![empty(), empty()])),
            ("title", mapping([("not", empty())])),
            ("properties", mapping([("not", empty())])),
            ("dependencies", mapping([("a", Node::List(vec![Node::Text("b")])), ("c", empty())])),
            ("not", empty()),
            ("items", Node::List(vec![empty()])),
        ]);
        let parts: Vec<String> = Schema::new(&schema)
            .parts()
            .iter()
            .map(|part| part.step.iter().fold(part.keyword.to_owned(), |path, step| format!("{path}/{step}")))
            .collect();
        assert_eq!(parts, ["allOf/0", "allOf/1", "properties/not", "dependencies/c", "not", "items/0"]);
    }
}
