//! The keywords of a schema, and whether each has a value of the right type.
//!
//! The keywords are those of JSON Schema draft 4 and of ASDF's YAML Schema (`tag`, `propertyOrder`). Keywords of later
//! drafts are ignored, as in the Python library asdf.

mod demand;
mod elements;
mod fault;

use asdf_core::NodeRef;
use asdf_schema_model::{Draft, Limits, Others, keyword};

pub(crate) use demand::{Demand, Test};
pub(crate) use elements::Elements;
pub(crate) use fault::fault;

/// A schema whose keywords have values of the right type.
pub(crate) type Schema<'a> = asdf_schema_model::Schema<NodeRef<'a>>;

/// A keyword with its value.
pub(crate) type Member<'a> = (&'a str, NodeRef<'a>);

/// Returns the keywords that are not part of the language: `unit`, `archive_catalog`, misspelled ones.
pub(crate) fn unknown<'a>(node: NodeRef<'a>) -> impl Iterator<Item = Member<'a>> {
    let members = node.entries().filter_map(|(key, value)| Some((key.as_str()?, value)));
    members.filter(|(name, value)| {
        let is_of_draft = keyword(name).is_some_and(|keyword| keyword.draft == Draft::Four);
        let is_of_asdf = matches!(*name, "tag" | "propertyOrder" | "examples");
        !is_of_draft && !is_of_asdf && !Elements::default().read(name, *value)
    })
}

/// Returns the keywords that no type can check: `dependencies`, `minProperties`, `maxProperties`, and every `not` that
/// does not require an item in a list.
pub(crate) fn loose<'a>(node: NodeRef<'a>) -> impl Iterator<Item = Member<'a>> {
    let is_contained = Schema::new(node).contained().is_some();
    let members = node.entries().filter_map(|(key, value)| Some((key.as_str()?, value)));
    members.filter(move |(name, _)| LOOSE.contains(name) && !(is_contained && *name == "not"))
}

const LOOSE: [&str; 4] = ["not", "dependencies", "minProperties", "maxProperties"];

/// Returns whether a schema restricts values itself, apart from references and branches.
pub(crate) fn says_something(node: NodeRef<'_>) -> bool {
    says_more(node, &[])
}

/// Returns whether a schema only requires properties.
pub(crate) fn only_requires(node: NodeRef<'_>) -> bool {
    let schema = Schema::new(node);
    let requires = !schema.names("required").is_empty() || loose(node).next().is_some();
    let is_object =
        schema.types().is_some_and(|types| !types.is_empty() && types.iter().all(|name| *name == "object"));
    let has_properties = schema.named("properties").next().is_some();
    let leads_on = ["$ref", "allOf", "anyOf", "oneOf"].iter().any(|keyword| schema.get(keyword).is_some());
    let passed = ["required", "properties", "not", "dependencies", "minProperties", "maxProperties", "type"];
    let passed = passed.get(..if is_object { 7 } else { 6 }).unwrap_or_default();
    requires && !has_properties && !leads_on && schema.contained().is_none() && !says_more(node, passed)
}

/// Returns whether keywords other than those in `passed` restrict values.
fn says_more(node: NodeRef<'_>, passed: &[&str]) -> bool {
    let schema = Schema::new(node);
    let says = |name: &str| match name {
        "tag" | "type" | "enum" | "properties" | "items" => true,
        "patternProperties" => schema.named(name).next().is_some(),
        "additionalProperties" => schema.others(name) != Others::Allowed,
        "required" => !schema.names(name).is_empty(),
        // In the Python library asdf, only this format has an effect, and only beside a type.
        "format" => schema.is_date_time(),
        name => LOOSE.contains(&name),
    };
    let mut names = node.entries().filter_map(|(key, _)| key.as_str());
    names.any(|name| !passed.contains(&name) && says(name))
        || Limits::from_schema(schema) != Limits::default()
        || !Elements::of(node).is_empty()
}
