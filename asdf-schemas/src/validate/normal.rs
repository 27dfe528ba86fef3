//! Brings schemas into the form that the engine accepts.
//!
//! The engine follows draft 4 strictly, but many schemas do not. This module rewrites whatever Python's asdf tolerates:
//!
//! - `$ref` with other keywords beside it becomes an `allOf`.
//! - Booleans and numbers in place of schemas, empty lists, exclusive limits of later drafts, and annotations are
//!   removed.
//! - `definitions: {$ref: ...}` is followed.

use asdf_core::tree::{Kind, NodeRef, Path};
use asdf_schema_model::{Found, Holds, Limit, Schema, keyword, pointer, uri};
use serde_json::{Map, Value};

use super::steps::STEP;

/// The keyword that refuses timestamps in schemas with `type: string` and without `format: date-time`.
pub(super) const NO_TIMESTAMP: &str = "asdf-no-timestamp";

/// Rewrites a whole schema document. `own` says which keywords the validating program has added.
pub(super) fn document(root: NodeRef<'_>, own: &dyn Fn(&str) -> bool) -> Value {
    let normal = Normal { root, own };
    let mut schema = normal.schema(root, 0);
    // The base of relative references.
    if let (Some(members), Some(id)) = (schema.as_object_mut(), root.get("id").and_then(NodeRef::as_str)) {
        members.insert("id".to_owned(), id.into());
    }
    schema
}

struct Normal<'a> {
    root: NodeRef<'a>,
    own: &'a dyn Fn(&str) -> bool,
}

/// The branches of unions with more branches are counted, because each can make an error for each node.
const FEW_BRANCHES: usize = 32;

/// The maximum depth of schemas, which is also that of YAML texts.
const MAX_DEPTH: usize = 512;

impl Normal<'_> {
    fn schema(&self, node: NodeRef<'_>, depth: usize) -> Value {
        let mut members = Map::new();
        if depth > MAX_DEPTH {
            return Value::Object(members);
        }
        for (key, value) in node.entries() {
            let Some(key) = key.as_str() else { continue };
            if let Some(value) = self.keyword(key, value, node, depth) {
                members.insert(key.to_owned(), value);
            }
        }
        if refuses_timestamps(node) {
            members.insert(NO_TIMESTAMP.to_owned(), true.into());
        }
        match members.remove("$ref") {
            None => Value::Object(members),
            Some(reference) => {
                // Counted before the reference is followed.
                let step = serde_json::json!({ STEP: true });
                let reference = serde_json::json!({ "$ref": reference });
                // References refer to these by their place, so they stay in place.
                let kept = ["definitions", "$defs"].map(|name| (name, members.remove(name)));
                // An `id` beside a reference is not the base of that reference.
                members.remove("id");
                let mut schema = match members.is_empty() {
                    true => Map::from_iter([("allOf".to_owned(), vec![step, reference].into())]),
                    false => {
                        let parts = vec![step, reference, Value::Object(members)];
                        Map::from_iter([("allOf".to_owned(), parts.into())])
                    }
                };
                let kept = kept.into_iter().filter_map(|(name, kept)| Some((name.to_owned(), kept?)));
                schema.extend(kept);
                Value::Object(schema)
            }
        }
    }

    fn keyword(&self, key: &str, value: NodeRef<'_>, parent: NodeRef<'_>, depth: usize) -> Option<Value> {
        let holds = keyword(key).map(|keyword| keyword.holds);
        match key {
            "$ref" => value.as_str().map(|reference| self.reference(reference).into()),
            "id" => value.as_str().filter(|id| is_uri(id)).map(Into::into),
            _ if holds.is_some_and(Holds::has_schemas) => {
                let counted = matches!(key, "anyOf" | "oneOf") && value.len() > FEW_BRANCHES;
                with_schemas(holds?, value, &mut |node| {
                    let mut schema = self.schema(node, depth + 1);
                    if let Some(members) = schema.as_object_mut().filter(|_| counted) {
                        members.insert(STEP.to_owned(), true.into());
                    }
                    schema
                })
            }
            "exclusiveMinimum" => Schema::new(parent).minimum().and_then(exclusive),
            "exclusiveMaximum" => Schema::new(parent).maximum().and_then(exclusive),
            "required" => strings(value),
            "enum" => json(value).filter(|list| list.as_array().is_some_and(|list| !list.is_empty())),
            _ if holds == Some(Holds::Count) => value.as_u64().map(Into::into),
            _ if holds == Some(Holds::Number) => json(value).filter(Value::is_number),
            "uniqueItems" => Some(Schema::new(parent).flag(key).into()),
            "exact_datatype" => value.as_bool().map(Into::into),
            "pattern" | "tag" => value.as_str().map(Into::into),
            "type" => {
                json(value).filter(|kind| kind.is_string() || kind.as_array().is_some_and(|k| !k.is_empty()))
            }
            "datatype" => json(value),
            _ if (self.own)(key) => json(value),
            "default" | "example" | "examples" | "const" => None,
            // Not a keyword, but a reference can refer to it.
            _ => (value.kind() == Kind::Mapping).then(|| self.schema(value, depth + 1)),
        }
    }

    fn reference(&self, reference: &str) -> String {
        let reference = match uri::split(reference) {
            (uri, fragment) if reference.contains('#') => {
                &format!("{uri}#{}", pointer::from_fragment(fragment.to_owned()))
            }
            _ => reference,
        };
        let own = reference.strip_prefix('#').and_then(|pointer| Schema::new(self.root).follow(pointer));
        match own {
            Some(Found::Elsewhere(elsewhere)) => elsewhere,
            _ => reference.to_owned(),
        }
    }
}

/// Applies a change to each schema in the value of a keyword. Returns `None` if nothing is left.
pub(crate) fn with_schemas(
    holds: Holds,
    value: NodeRef<'_>,
    change: &mut dyn FnMut(NodeRef<'_>) -> Value,
) -> Option<Value> {
    let is_list = value.kind() == Kind::Sequence;
    match holds {
        _ if holds.is_named() => {
            let members = value.entries().map(|(name, value)| {
                let is_names = holds == Holds::NamedOrStrings && value.kind() == Kind::Sequence;
                Some((name.text()?.to_owned(), if is_names { strings(value)? } else { change(value) }))
            });
            (value.kind() == Kind::Mapping).then(|| Value::Object(members.flatten().collect()))
        }
        _ if holds == Holds::List || (holds.is_list() && is_list) => {
            let schemas: Vec<Value> = value.items().map(change).collect();
            (!schemas.is_empty()).then(|| schemas.into())
        }
        Holds::SchemaOrFlag if value.as_bool().is_some() => value.as_bool().map(Into::into),
        _ => Some(change(value)),
    }
}

/// Whether the engine accepts a text as the `id` of a nested schema.
fn is_uri(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&byte))
}

/// Returns whether a limit is exclusive, or `None` if JSON cannot represent it.
fn exclusive(limit: Limit<NodeRef<'_>>) -> Option<Value> {
    limit.number.as_f64().filter(|number| number.is_finite()).map(|_| limit.is_exclusive.into())
}

/// Returns the distinct strings of a list, or `None` if there are none.
fn strings(node: NodeRef<'_>) -> Option<Value> {
    let mut names: Vec<&str> = node.items().filter_map(NodeRef::as_str).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| names.into())
}

fn refuses_timestamps(schema: NodeRef<'_>) -> bool {
    let schema = Schema::new(schema);
    schema.types().is_some_and(|types| types.contains(&"string")) && !schema.is_date_time()
}

/// Converts a value of a schema to JSON. Returns `None` if JSON cannot represent it.
///
/// The registry refuses schemas that are too large or too deep with their aliases expanded.
pub(crate) fn json(node: NodeRef<'_>) -> Option<Value> {
    match node.kind() {
        Kind::Null => Some(Value::Null),
        Kind::Bool => node.as_bool().map(Into::into),
        Kind::Int => node.as_i64().map(Into::into).or_else(|| node.as_u64().map(Into::into)),
        Kind::Float => serde_json::Number::from_f64(node.as_f64()?).map(Value::Number),
        Kind::String | Kind::Timestamp => node.text().map(Into::into),
        Kind::Sequence => node.items().map(json).collect::<Option<Vec<_>>>().map(Into::into),
        Kind::Mapping => {
            let members = node.entries().map(|(key, value)| Some((key.text()?.to_owned(), json(value)?)));
            members.collect::<Option<Map<_, _>>>().map(Value::Object)
        }
    }
}

/// Returns the place in the schema as it was written for a place in the normal form.
pub(super) fn original(root: NodeRef<'_>, place: &str) -> Path {
    let mut path = Path::root();
    let mut node = Some(root);
    // Below a keyword such as `properties` the next step is a name, even if it is also the name of a keyword.
    let mut named = false;
    let mut beside = false;
    let mut steps = pointer::steps(place);
    while let Some(step) = steps.next() {
        let reference = !named && node.is_some_and(|node| node.get("$ref").is_some());
        if reference && !beside && step == "allOf" {
            // The first schema counts, the second one is the reference, the third one has the keywords beside it.
            beside = steps.next().is_some();
            continue;
        }
        beside = false;
        let step = if step == NO_TIMESTAMP { "type".into() } else { step };
        path.push(&step);
        node = node.and_then(|node| node.child(&step));
        named = !named && keyword(&step).is_some_and(|keyword| keyword.holds.is_named());
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::parse;

    #[test]
    fn what_python_tolerates_becomes_draft_4() {
        for (text, expected) in [
            ("{$ref: x, title: t}", r#"{"allOf":[{"asdf-step":true},{"$ref":"x"}]}"#),
            ("{$ref: x, type: object}", r#"{"allOf":[{"asdf-step":true},{"$ref":"x"},{"type":"object"}]}"#),
            (
                "{items: {$ref: x, maxItems: 2}}",
                r#"{"items":{"allOf":[{"asdf-step":true},{"$ref":"x"},{"maxItems":2}]}}"#,
            ),
            ("{properties: {$ref: {type: integer}}}", r#"{"properties":{"$ref":{"type":"integer"}}}"#),
            ("{required: [], anyOf: [], enum: []}", "{}"),
            ("{required: true, exclusiveMinimum: 7}", "{}"),
            ("{minimum: 1, exclusiveMinimum: 7}", r#"{"exclusiveMinimum":true,"minimum":1}"#),
            ("{minimum: 1, exclusiveMinimum: 0}", r#"{"exclusiveMinimum":false,"minimum":1}"#),
            ("{minimum: .inf, exclusiveMinimum: true, uniqueItems: 1}", r#"{"uniqueItems":true}"#),
            ("{additionalProperties: false, not: true}", r#"{"additionalProperties":false,"not":{}}"#),
            ("{default: .inf, maximum: .inf, id: x, $schema: y, unit: m}", r#"{"id":"x"}"#),
            (
                "{not: {id: '#a'}, items: {id: b, $ref: c}}",
                r##"{"items":{"allOf":[{"asdf-step":true},{"$ref":"c"}]},"not":{"id":"#a"}}"##,
            ),
            ("{not: {id: a b}, default: {id: x}}", r#"{"not":{}}"#),
            (
                "{$defs: {a: {type: integer}}, x: {y: {minimum: 1}}}",
                r#"{"$defs":{"a":{"type":"integer"}},"x":{"y":{"minimum":1}}}"#,
            ),
            (
                "{definitions: {$ref: 'y#/definitions'}, items: {$ref: '#/definitions/a'}}",
                r##"{"definitions":{"$ref":{}},"items":{"allOf":[{"asdf-step":true},{"$ref":"y#/definitions/a"}]}}"##,
            ),
            ("{$ref: 'x#definitions/a'}", r##"{"allOf":[{"asdf-step":true},{"$ref":"x#/definitions/a"}]}"##),
            ("{$ref: '#anchor'}", r##"{"allOf":[{"asdf-step":true},{"$ref":"#anchor"}]}"##),
            ("{type: string}", r#"{"asdf-no-timestamp":true,"type":"string"}"#),
            ("{type: string, format: date-time}", r#"{"type":"string"}"#),
        ] {
            let tree = parse(text).unwrap();
            assert_eq!(document(tree.root().unwrap(), &|_| false).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn places_are_mapped_back_to_the_text() {
        let text =
            "{properties: {a: {$ref: x, items: {type: string}}, allOf: {$ref: x, allOf: [{minimum: 1}]}}}";
        let tree = parse(text).unwrap();
        for (place, expected) in [
            ("/properties/a/allOf/1/$ref", "/properties/a/$ref"),
            ("/properties/a/allOf/2/items/asdf-no-timestamp", "/properties/a/items/type"),
            ("/properties/allOf/allOf/2/allOf/0/minimum", "/properties/allOf/allOf/0/minimum"),
            ("/required", "/required"),
        ] {
            assert_eq!(original(tree.root().unwrap(), place).as_str(), expected, "{place}");
        }
    }
}
