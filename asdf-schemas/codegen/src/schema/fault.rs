//! Detects keywords whose value has the wrong type.

use asdf_core::NodeRef;
use asdf_core::tree::Kind;
use asdf_schema_model::Kinds;

/// Returns the first value in a schema that has the wrong type for its keyword, and what was expected. Nested schemas are
/// not checked.
pub(crate) fn fault(schema: NodeRef<'_>) -> Option<(NodeRef<'_>, &'static str)> {
    match schema.kind() {
        Kind::Mapping => {}
        // In the Python library asdf, both are schemas that allow every value.
        Kind::Bool => return None,
        _ => return Some((schema, "a schema (a mapping)")),
    }
    schema.entries().find_map(|(key, value)| match key.as_str() {
        Some(name) => of_keyword(name, value),
        None => Some((key, "a keyword (a string)")),
    })
}

fn of_keyword<'a>(name: &str, value: NodeRef<'a>) -> Option<(NodeRef<'a>, &'static str)> {
    let is_text = |node: NodeRef<'_>| node.as_str().is_some();
    let wrong = |is_right: bool, expected| (!is_right).then_some((value, expected));
    let kind = value.kind();
    let is_list = kind == Kind::Sequence;
    match name {
        "title" | "description" | "$ref" | "tag" | "format" => wrong(is_text(value), "a string"),
        "pattern" => wrong(is_text(value), "a regular expression"),
        "type" => std::iter::once(value).filter(|_| !is_list).chain(value.items()).find_map(of_type),
        "enum" => wrong(is_list, "a list"),
        // `required: true` is from draft 3. The Python library asdf accepts and ignores it.
        "required" | "propertyOrder" if kind == Kind::Bool => None,
        "required" | "propertyOrder" => wrong(is_list, "a list")
            .or_else(|| value.items().find(|item| !is_text(*item)).map(|item| (item, "a string"))),
        "allOf" | "anyOf" | "oneOf" => {
            wrong(is_list, "a list").or_else(|| wrong(!value.is_empty(), "a list of at least one schema"))
        }
        "properties" | "patternProperties" => {
            let mut keys = value.entries().map(|(key, _)| key);
            wrong(kind == Kind::Mapping, "a mapping of schemas")
                .or_else(|| keys.find(|key| key.text().is_none()).map(|key| (key, "the name of a property")))
        }
        "additionalProperties" | "additionalItems" => {
            wrong(matches!(kind, Kind::Bool | Kind::Mapping), "a boolean or a schema")
        }
        "items" => {
            wrong(is_list || matches!(kind, Kind::Bool | Kind::Mapping), "a schema or a list of schemas")
        }
        "minimum" | "maximum" | "multipleOf" => wrong(value.as_f64().is_some(), "a number"),
        "minLength" | "maxLength" | "minItems" | "maxItems" => {
            wrong(value.as_u64().is_some(), "a non-negative integer")
        }
        _ => None,
    }
}

fn of_type(name: NodeRef<'_>) -> Option<(NodeRef<'_>, &'static str)> {
    match name.as_str() {
        None => Some((name, "a string")),
        Some(text) => match Kinds::from_type(text) {
            None => Some((name, "null, boolean, integer, number, string, array or object")),
            Some(_) => None,
        },
    }
}
