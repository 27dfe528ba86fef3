//! Bundles schemas into one JSON Schema document (draft 7) for editors with a YAML language server.

use std::collections::{BTreeMap, BTreeSet};

use asdf_core::Result;
use asdf_core::tree::{Kind, NodeRef, YAML_TAG, tag_matches};
use asdf_schema_model::{Draft, Found, Holds, Schema, keyword, pointer, uri};
use serde_json::{Map, Value, json};

use super::reference::target;
use crate::Registry;
use crate::validate::{json as plain, with_schemas};

/// Bundles schemas, and all schemas that they refer to, into one JSON Schema document (draft 7).
///
/// An editor with a YAML language server uses it for completion and checks. If `ids` has several schemas, they are
/// alternatives.
///
/// All schemas are under `definitions`. The keywords of draft 4 become those of draft 7; titles and descriptions stay.
/// JSON Schema has no tags, so a `tag` becomes a reference to the schema of that tag, or to the schemas of all tags that
/// match the pattern. The following is left out, so the document accepts at least everything that the schemas accept:
///
/// - tags without a schema, and YAML's own tags;
/// - `ndim`, `datatype` and similar keywords;
/// - `format`, which ASDF does not check;
/// - `examples`, which are texts in ASDF and values in draft 7;
/// - keywords that draft 7 does not have.
///
/// # Examples
///
/// ```
/// use asdf_schemas::Registry;
/// use asdf_schemas::package::bundle;
///
/// let bundle = bundle(&Registry::standard(), &["http://stsci.edu/schemas/asdf/core/software-1.0.0"])?;
/// assert_eq!(bundle["$ref"], "#/definitions/stsci.edu-schemas-asdf-core-software-1.0.0");
/// let software = &bundle["definitions"]["stsci.edu-schemas-asdf-core-software-1.0.0"];
/// assert_eq!(software["required"], serde_json::json!(["name", "version"]));
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Errors
/// [`Usage`](asdf_core::error::Kind::Usage) if a schema, or the target of a reference, does not exist;
/// [`Malformed`](asdf_core::error::Kind::Malformed) if a schema is not YAML.
pub fn bundle(registry: &Registry, ids: &[&str]) -> Result<Value> {
    let mut bundle = Bundle { registry, tags: registry.tags(), names: BTreeMap::new(), pending: Vec::new() };
    let roots: Vec<Value> = ids.iter().map(|id| bundle.link(id, "")).collect();
    let mut definitions = Map::new();
    while let Some((id, name)) = bundle.pending.pop() {
        let tree = registry.schema(&id)?;
        let schema = tree.root().map(|root| Document { bundle: &mut bundle, id: &id, root }.schema(root, 0));
        let mut schema = schema.unwrap_or(Value::Bool(true));
        if let Some(members) = schema.as_object_mut() {
            members.insert("$comment".to_owned(), id.into());
        }
        definitions.insert(name, schema);
    }
    let mut document = Map::new();
    document.insert("$schema".to_owned(), "http://json-schema.org/draft-07/schema#".into());
    match <[Value; 1]>::try_from(roots) {
        Ok([Value::Object(one)]) => document.extend(one),
        Ok(_) => {}
        Err(several) => {
            document.insert("anyOf".to_owned(), several.into());
        }
    }
    document.insert("definitions".to_owned(), definitions.into());
    Ok(Value::Object(document))
}

struct Bundle<'r> {
    registry: &'r Registry,
    tags: Vec<&'r str>,
    /// The name of each schema among the definitions.
    names: BTreeMap<String, String>,
    /// Referenced schemas that are not written yet.
    pending: Vec<(String, String)>,
}

impl Bundle<'_> {
    /// Returns a reference to a place in a schema, and adds the schema to the pending ones.
    fn link(&mut self, id: &str, pointer: &str) -> Value {
        let name = match self.names.get(id) {
            Some(name) => name.clone(),
            None => {
                let name = self.name(id);
                self.names.insert(id.to_owned(), name.clone());
                self.pending.push((id.to_owned(), name.clone()));
                name
            }
        };
        json!({"$ref": format!("#/definitions/{name}{}", uri::encode(pointer, FRAGMENT))})
    }

    /// Returns a unique name for an id that needs no escapes.
    fn name(&self, id: &str) -> String {
        let rest = id.split_once("://").map_or(id, |(_, rest)| rest);
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let name: String = rest.chars().map(plain).collect();
        let taken: BTreeSet<&String> = self.names.values().collect();
        let numbered = (2..).map(|number: u32| format!("{name}-{number}"));
        std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(name)
    }

    /// Returns the schema for a `tag`: the schemas of one of the tags that match the pattern.
    fn tagged(&mut self, pattern: &str) -> Option<Value> {
        if pattern.starts_with(YAML_TAG) {
            return None;
        }
        let registry = self.registry;
        let fitting: Vec<&str> = match registry.schemas_of(pattern).is_empty() {
            false => vec![pattern],
            true => self.tags.iter().copied().filter(|tag| tag_matches(pattern, tag)).collect(),
        };
        let mut options: Vec<Value> = Vec::new();
        for tag in fitting {
            let schemas = registry.schemas_of(tag);
            // A tag without a known schema accepts anything.
            if schemas.iter().any(|id| registry.text(id).is_none()) {
                return None;
            }
            let mut links: Vec<Value> = schemas.iter().map(|id| self.link(id, "")).collect();
            let option = match links.len() {
                0 => return None,
                1 => links.remove(0),
                _ => json!({ "allOf": links }),
            };
            if !options.contains(&option) {
                options.push(option);
            }
        }
        match options.len() {
            0 => None,
            1 => options.pop(),
            _ => Some(json!({ "anyOf": options })),
        }
    }
}

/// The characters of a JSON Pointer that need no escape in a fragment, besides letters and digits.
const FRAGMENT: &[u8] = b"/!$&'()*+,;=:@";

struct Document<'a, 'r> {
    bundle: &'a mut Bundle<'r>,
    id: &'a str,
    root: NodeRef<'a>,
}

/// The maximum depth of schemas, which is also that of YAML texts.
const MAX_DEPTH: usize = 512;

impl Document<'_, '_> {
    fn schema(&mut self, node: NodeRef<'_>, depth: usize) -> Value {
        if depth > MAX_DEPTH {
            return Value::Bool(true);
        }
        // References go into an `allOf`, because draft 7 ignores all keywords beside a `$ref`.
        let mut all: Vec<Value> = Vec::new();
        let mut members = Map::new();
        for (key, value) in node.entries() {
            match key.as_str() {
                Some("$ref") => all.extend(value.as_str().and_then(|reference| self.reference(reference))),
                Some("tag") => all.extend(value.as_str().and_then(|pattern| self.bundle.tagged(pattern))),
                Some(key) => {
                    if let Some(value) = self.keyword(key, value, node, depth) {
                        members.insert(key.to_owned(), value);
                    }
                }
                None => {}
            }
        }
        if all.is_empty() {
            return Value::Object(members);
        }
        if let (true, Some(Value::Object(_))) = (members.is_empty() && all.len() == 1, all.first()) {
            return all.remove(0);
        }
        if let Some(Value::Array(own)) = members.remove("allOf") {
            all.extend(own);
        }
        members.insert("allOf".to_owned(), all.into());
        Value::Object(members)
    }

    fn reference(&mut self, reference: &str) -> Option<Value> {
        let (mut id, fragment) = target(self.id, reference).ok()?;
        let mut pointer = pointer::from_fragment(fragment);
        if id == self.id {
            if let Some(Found::Elsewhere(elsewhere)) = Schema::new(self.root).follow(&pointer) {
                (id, pointer) = target(self.id, &elsewhere).ok()?;
            }
        }
        if id.starts_with("http://json-schema.org/draft-0") {
            return None;
        }
        Some(self.bundle.link(&id, &pointer))
    }

    fn keyword(&mut self, key: &str, value: NodeRef<'_>, parent: NodeRef<'_>, depth: usize) -> Option<Value> {
        let holds = keyword(key).filter(|keyword| keyword.draft == Draft::Four).map(|keyword| keyword.holds);
        let limit = match key {
            "minimum" | "exclusiveMinimum" => Schema::new(parent).minimum(),
            "maximum" | "exclusiveMaximum" => Schema::new(parent).maximum(),
            _ => None,
        };
        match key {
            // References to these definitions are resolved to the other schema.
            "definitions" if value.get("$ref").is_some_and(|it| it.as_str().is_some()) => None,
            _ if holds.is_some_and(Holds::has_schemas) => {
                with_schemas(holds?, value, &mut |node| self.schema(node, depth + 1))
            }
            // In draft 4 this is a flag beside the limit; in draft 7 it is the limit.
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                let limit = limit.filter(|limit| limit.is_exclusive == key.starts_with("exclusive"))?;
                plain(limit.number).filter(Value::is_number)
            }
            "multipleOf" => plain(value).filter(Value::is_number),
            _ if holds == Some(Holds::Count) => value.as_u64().map(Into::into),
            "required" if value.kind() == Kind::Sequence => plain(value),
            "enum" => plain(value).filter(|list| list.as_array().is_some_and(|list| !list.is_empty())),
            "uniqueItems" => Some(Schema::new(parent).flag(key).into()),
            "type" => plain(value),
            "title" | "description" | "pattern" => value.text().map(Into::into),
            "default" => plain(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_become_those_of_draft_7() {
        for (text, expected) in [
            ("{minimum: 1, exclusiveMinimum: true}", json!({"exclusiveMinimum": 1})),
            ("{maximum: 1, exclusiveMaximum: false}", json!({"maximum": 1})),
            // Python's asdf does not know the limits of later drafts.
            ("{maximum: 1, exclusiveMaximum: 5, exclusiveMinimum: 7}", json!({"exclusiveMaximum": 1})),
            (
                "{$ref: '#/definitions/a', title: t, definitions: {a: {type: string}}}",
                json!({
                    "allOf": [{"$ref": "#/definitions/x.org-s/definitions/a"}], "title": "t",
                    "definitions": {"a": {"type": "string"}},
                }),
            ),
            ("{tag: 'tag:yaml.org,2002:str', ndim: 2, examples: [[a, b]], default: .inf}", json!({})),
            (
                "{tag: 'asdf://x.org/t', allOf: [{type: object}]}",
                json!({
                    "allOf": [{"$ref": "#/definitions/x.org-s"}, {"type": "object"}],
                }),
            ),
            (
                "{propertyOrder: [a], required: true, dependencies: {a: [b]}, x: 1}",
                json!({"dependencies": {"a": ["b"]}}),
            ),
        ] {
            let mut registry = Registry::empty();
            registry.add_schema_as("asdf://x.org/s", text).unwrap();
            registry.add_tag("asdf://x.org/t", "asdf://x.org/s");
            let mut made = bundle(&registry, &["asdf://x.org/s"]).unwrap();
            let mut schema = made["definitions"]["x.org-s"].take();
            schema.as_object_mut().unwrap().remove("$comment");
            assert_eq!(schema, expected, "{text}");
        }
        assert!(bundle(&Registry::empty(), &["asdf://x.org/s"]).is_err());
    }
}
