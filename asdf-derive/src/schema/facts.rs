//! Collects what a schema requires of every value.
//!
//! `allOf` and `$ref` are followed. Keywords whose effect depends on the value (`anyOf`, `oneOf`, `not`, patterns) and
//! schemas in missing files are ignored here; the validator checks them.

use std::rc::Rc;

use asdf_schema_model::{Kinds, Others, Value as _};

use super::document::Node;
use super::library::{Document, Library, Schema};

/// The maximum number of schemas to follow, since a schema can refer to itself.
const MOST: usize = 10_000;

/// Text of a schema with its location.
#[derive(Clone)]
pub(crate) struct Words {
    pub(crate) text: String,
    document: Rc<Document>,
    line: usize,
}

impl Words {
    fn new(text: String, document: &Rc<Document>, node: &Node) -> Self {
        Self { text, document: document.clone(), line: node.line() }
    }

    /// The location, such as "schemas/filter-1.0.0.yaml:12".
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.document.shown, self.line)
    }
}

/// A property of a schema.
pub(crate) struct Property {
    pub(crate) name: Words,
    pub(crate) schemas: Vec<Schema>,
}

/// `additionalProperties: false`, and the properties that it allows.
pub(crate) struct Closed {
    pub(crate) words: Words,
    pub(crate) names: Vec<String>,
}

/// The requirements of a schema.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) properties: Vec<Property>,
    pub(crate) required: Vec<Words>,
    pub(crate) closed: Vec<Closed>,
    /// The kinds that the node can have, and the keyword that restricts them.
    pub(crate) kinds: Option<(Kinds, Words)>,
    pub(crate) tags: Vec<Words>,
    /// The strings of an `enum` of strings, after the keyword itself.
    pub(crate) names: Option<(Words, Vec<Words>)>,
    /// Whether some part could not be followed.
    pub(crate) unclear: bool,
}

impl Facts {
    /// Collects the requirements of several schemas that apply together.
    pub(crate) fn of(schemas: &[Schema], library: &mut Library) -> Self {
        let mut facts = Self::default();
        let mut left = MOST;
        for schema in schemas {
            facts.collect(schema, library, &mut left);
        }
        facts
    }

    /// Returns the property with a name.
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name.text == name)
    }

    fn narrow(&mut self, kinds: Kinds, words: Words) {
        if kinds == Kinds::ANY {
            return;
        }
        self.kinds = Some(match self.kinds.take() {
            Some((before, _)) if before.and(kinds) != before => (before.and(kinds), words),
            Some(before) => before,
            None => (kinds, words),
        });
    }

    fn collect(&mut self, schema: &Schema, library: &mut Library, left: &mut usize) {
        let Some(rest) = left.checked_sub(1) else {
            self.unclear = true;
            return;
        };
        *left = rest;
        let Schema { document, node } = schema;
        let words = |text: String, at: &Node| Words::new(text, document, at);
        let said = asdf_schema_model::Schema::new(node);
        for (key, value) in node.entries() {
            match key.text().unwrap_or_default() {
                "$ref" => match value.text().and_then(|uri| library.follow(document, uri)) {
                    Some(schema) => self.collect(&schema, library, left),
                    None => self.unclear = true,
                },
                "allOf" => {
                    for part in value.items() {
                        let part = Schema { document: document.clone(), node: part.clone() };
                        self.collect(&part, library, left);
                    }
                }
                "anyOf" | "oneOf" => {
                    self.unclear = true;
                    let kinds = value.items().map(|part| {
                        let part = Schema { document: document.clone(), node: part.clone() };
                        let mut facts = Self::default();
                        facts.collect(&part, library, left);
                        facts.kinds.map_or(Kinds::ANY, |(kinds, _)| kinds)
                    });
                    let kinds = kinds.fold(Kinds::NONE, Kinds::or);
                    let text = key.text().unwrap_or_default().to_owned();
                    self.narrow(kinds, words(text, key));
                }
                "type" => {
                    let names = said.types().unwrap_or_default();
                    let of_type = |name: &&str| Kinds::from_type(name).unwrap_or(Kinds::ANY);
                    let mut kinds = names.iter().map(of_type).fold(Kinds::NONE, Kinds::or);
                    // An unquoted time is a timestamp of YAML.
                    if kinds.has(Kinds::STRING) && said.is_date_time() {
                        kinds = kinds.or(Kinds::TIMESTAMP);
                    }
                    let text = match names.as_slice() {
                        [one] => format!("type: {one}"),
                        several => format!("type: [{}]", several.join(", ")),
                    };
                    self.narrow(kinds, words(text, value));
                }
                "enum" => {
                    let kinds = value.items().map(|item| item.kinds());
                    self.narrow(kinds.fold(Kinds::NONE, Kinds::or), words("enum".to_owned(), key));
                    let texts = value.items().filter(|item| item.kinds() == Kinds::STRING);
                    let texts: Vec<Words> =
                        texts.filter_map(|item| Some(words(item.text()?.to_owned(), item))).collect();
                    if texts.len() == value.items().count() {
                        self.names = Some((words("enum".to_owned(), key), texts));
                    }
                }
                "tag" => self.tags.extend(value.text().map(|tag| words(tag.to_owned(), value))),
                "properties" => {
                    for (key, value) in value.entries() {
                        let Some(name) = key.text() else { continue };
                        let schema = Schema { document: document.clone(), node: value.clone() };
                        match self.properties.iter_mut().find(|property| property.name.text == name) {
                            Some(known) => known.schemas.push(schema),
                            None => self
                                .properties
                                .push(Property { name: words(name.to_owned(), key), schemas: vec![schema] }),
                        }
                    }
                }
                "required" => {
                    for name in value.items() {
                        let text = name.text().unwrap_or_default();
                        if !self.required.iter().any(|known| known.text == text) {
                            self.required.push(words(text.to_owned(), name));
                        }
                    }
                }
                // The validator checks `patternProperties`.
                "additionalProperties"
                    if matches!(said.others("additionalProperties"), Others::Refused)
                        && said.get("patternProperties").is_none() =>
                {
                    let names = said.named("properties").map(|(name, _)| name.to_owned()).collect();
                    let words = words("additionalProperties: false".to_owned(), key);
                    self.closed.push(Closed { words, names });
                }
                _ => {}
            }
        }
    }
}
