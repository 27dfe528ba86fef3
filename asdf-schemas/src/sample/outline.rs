//! All that several schemas together say of a value.

use std::ops::Deref;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Datatype, FromNode as _, Node};
use asdf_schema_model::{Items, Limit, Others, Schema};

use super::text;
use crate::Registry;
use crate::documents::{Documents, Place};

/// How the ids of schemas begin that arrays and datatypes have.
const ARRAYS: &str = "http://stsci.edu/schemas/asdf/core/ndarray-";
const DATATYPES: &str = "http://stsci.edu/schemas/asdf/core/datatype-";

/// What holds for a value.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// All schemas, those that are referred to included.
    pub(super) schemas: Vec<Place>,
    /// The first title, and the defaults.
    pub(crate) title: Option<String>,
    pub(crate) defaults: Vec<Node>,
    /// Patterns of tags.
    pub(super) tags: Vec<String>,
    /// The names of `type`, and those below `not`.
    pub(super) types: Option<Vec<String>>,
    pub(super) other_types: Vec<String>,
    pub(super) values: Option<Vec<Node>>,
    pub(super) date_time: bool,
    pub(super) patterns: Vec<String>,
    pub(super) min_length: usize,
    pub(super) max_length: Option<usize>,
    pub(super) minimum: Option<(f64, bool)>,
    pub(super) maximum: Option<(f64, bool)>,
    pub(super) multiple: Option<f64>,
    pub(super) min_items: usize,
    pub(super) max_items: Option<usize>,
    /// The schemas of all items, and those of the first ones.
    pub(super) items: Vec<Place>,
    pub(super) first_items: Vec<Vec<Place>>,
    pub(super) more_items: bool,
    /// The schemas of items that have to be there.
    pub(super) contains: Vec<Place>,
    /// The names of properties, in the order of the schemas, and patterns of names.
    pub(super) names: Vec<String>,
    pub(super) name_patterns: Vec<String>,
    pub(super) required: Vec<String>,
    /// Properties that need others to be there.
    pub(super) dependencies: Vec<(String, Vec<String>)>,
    pub(super) closed: bool,
    /// Whether properties that are not listed have a schema.
    pub(super) has_others: bool,
    pub(super) min_properties: usize,
    pub(super) axes: Option<usize>,
    pub(super) most_axes: Option<usize>,
    pub(super) datatype: Option<Datatype>,
    /// Whether it is an array, or the name of a datatype: what is one, schemas say in part only.
    pub(super) is_array: bool,
    pub(super) is_datatype: bool,
    /// The unions whose branch is not chosen yet.
    pub(super) unions: Vec<(Place, Vec<Place>)>,
}

impl Outline {
    /// What places say together, unions apart whose branch was chosen. The error is a reference that leads
    /// nowhere.
    pub(crate) fn of<R: Deref<Target = Registry>>(
        documents: &mut Documents<R>,
        places: &[Place],
        chosen: &[Place],
    ) -> Result<Self, String> {
        let mut outline = Self { more_items: true, ..Self::default() };
        let mut pending: Vec<Place> = places.iter().rev().copied().collect();
        while let Some(place) = pending.pop() {
            let Some(tree) = documents.tree(place).filter(|_| !outline.schemas.contains(&place)) else {
                continue;
            };
            outline.schemas.push(place);
            let schema = tree.node(place.node);
            let id = documents.id(place).unwrap_or_default();
            let is_at = |pointer: &str| tree.find(pointer).is_some_and(|node| node.id() == place.node);
            let (array, datatype) = (id.starts_with(ARRAYS), id.starts_with(DATATYPES));
            outline.is_array |= array && (is_at("") || is_at("/anyOf/1"));
            let defined = is_at("/definitions/datatype") || is_at("/definitions/scalar-datatype");
            outline.is_datatype |= ((array || datatype) && defined) || (datatype && is_at(""));
            let part = |node: NodeRef<'_>| Place { document: place.document, node: node.id() };
            pending.extend(schema.get("allOf").into_iter().flat_map(NodeRef::items).rev().map(part));
            if let Some(reference) = schema.get("$ref") {
                let text = || reference.text().unwrap_or("?").to_owned();
                pending.push(documents.resolve(place, reference).ok_or_else(text)?);
            }
            if !chosen.contains(&place) {
                let unions = ["anyOf", "oneOf"].into_iter().filter_map(|name| schema.get(name));
                for union in unions {
                    outline.unions.push((place, union.items().map(part).collect()));
                }
            }
            outline.add(schema, &part);
        }
        Ok(outline)
    }

    fn add(&mut self, schema: NodeRef<'_>, part: &dyn Fn(NodeRef<'_>) -> Place) {
        let text = |name: &str| schema.get(name).and_then(NodeRef::as_str);
        let texts = |node: NodeRef<'_>| -> Vec<String> {
            node.items().filter_map(|item| item.as_str()).map(str::to_owned).collect()
        };
        let count = |name: &str| schema.get(name)?.as_u64().and_then(|count| usize::try_from(count).ok());
        let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect::<Vec<_>>();
        if self.title.is_none() {
            self.title = text("title").map(str::to_owned);
        }
        self.defaults.extend(schema.get("default").and_then(|default| Node::copy(default).ok()));
        self.tags.extend(text("tag").map(str::to_owned));
        let said = Schema::new(schema);
        if let Some(types) = said.types() {
            let types = owned(types);
            self.types = Some(match self.types.take() {
                None => types,
                Some(known) => narrower(&known, &types),
            });
        }
        if let Some(values) = schema.get("enum") {
            let values: Vec<Node> = values.items().filter_map(|value| Node::copy(value).ok()).collect();
            self.values = Some(match self.values.take() {
                None => values,
                Some(known) => known.into_iter().filter(|value| values.contains(value)).collect(),
            });
        }
        self.date_time |= said.is_date_time();
        self.patterns.extend(text("pattern").map(str::to_owned));
        self.min_length = self.min_length.max(count("minLength").unwrap_or_default());
        self.max_length = least(self.max_length, count("maxLength"));
        self.min_items = self.min_items.max(count("minItems").unwrap_or_default());
        self.max_items = least(self.max_items, count("maxItems"));
        self.min_properties = self.min_properties.max(count("minProperties").unwrap_or_default());
        let bound = |limit: Option<Limit<NodeRef<'_>>>| {
            limit.and_then(|limit| Some((limit.number.as_f64()?, limit.is_exclusive)))
        };
        let higher = |a: &(f64, bool), b: &(f64, bool)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let lower = |a: &(f64, bool), b: &(f64, bool)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
        self.minimum = self.minimum.into_iter().chain(bound(said.minimum())).max_by(higher);
        self.maximum = self.maximum.into_iter().chain(bound(said.maximum())).min_by(lower);
        self.multiple = self.multiple.or(schema.get("multipleOf").and_then(NodeRef::as_f64));
        match said.items() {
            Some(Items::Each(items)) if items.kind() == Kind::Mapping => self.items.push(part(items)),
            Some(Items::InTurn(first, others)) => {
                for (index, item) in first.into_iter().enumerate() {
                    match self.first_items.get_mut(index) {
                        Some(known) => known.push(part(item)),
                        None => self.first_items.push(vec![part(item)]),
                    }
                }
                self.more_items &= others != Others::Refused;
            }
            _ => {}
        }
        let not = schema.get("not").map(Schema::new).filter(|not| matches!(not.only(), Some(("type", _))));
        self.other_types.extend(not.and_then(Schema::types).map(owned).unwrap_or_default());
        if let Some(contained) = said.contained() {
            self.contains.push(part(contained));
            self.types.get_or_insert_with(|| vec!["array".to_owned()]);
        }
        let keys = |name: &str| -> Vec<String> { said.named(name).map(|(key, _)| key.to_owned()).collect() };
        add_new(&mut self.names, keys("properties"));
        add_new(&mut self.name_patterns, keys("patternProperties"));
        add_new(&mut self.required, owned(said.names("required")));
        let needed = said.named("dependencies").map(|(key, needed)| (key.to_owned(), texts(needed)));
        self.dependencies.extend(needed);
        match said.others("additionalProperties") {
            Others::Schema(_) => self.has_others = true,
            Others::Refused => self.closed = true,
            Others::Allowed => {}
        }
        self.axes = self.axes.or_else(|| count("ndim"));
        self.most_axes = least(self.most_axes, count("max_ndim"));
        let datatype = || Datatype::from_node(schema.get("datatype")?).ok();
        self.datatype = self.datatype.take().or_else(datatype);
    }

    /// Whether a value has a type that all schemas allow, and is in all enumerations.
    pub(super) fn takes(&self, value: &Node) -> bool {
        let name = match value.view().kind() {
            Kind::Null => "null",
            Kind::Bool => "boolean",
            Kind::Int => "integer",
            Kind::Float => "number",
            Kind::String | Kind::Timestamp => "string",
            Kind::Sequence => "array",
            Kind::Mapping => "object",
        };
        let is = |allowed: &String| allowed == name || (allowed == "number" && name == "integer");
        self.types.as_ref().is_none_or(|types| types.iter().any(is))
            && self.values.as_ref().is_none_or(|values| values.contains(value))
    }

    /// The kinds that a value may have, the most telling first. Of what schemas say nothing, that is null, and an
    /// empty mapping where they say nothing but the tag: what has one is something.
    pub(super) fn kinds(&self, tagged: bool) -> Vec<Kind> {
        let all = [
            ("object", Kind::Mapping),
            ("string", Kind::String),
            ("array", Kind::Sequence),
            ("integer", Kind::Int),
            ("number", Kind::Float),
            ("number", Kind::Int),
            ("boolean", Kind::Bool),
            ("null", Kind::Null),
        ];
        if let Some(types) = &self.types {
            let mut kinds: Vec<Kind> = Vec::new();
            // In the order of the schema.
            for name in types {
                let of = all.iter().filter(|(known, kind)| known == name && !kinds.contains(kind));
                let of: Vec<Kind> = of.map(|(_, kind)| *kind).collect();
                kinds.extend(of);
            }
            return kinds;
        }
        let mapping = self.has_others
            || self.closed
            || self.min_properties > 0
            || [&self.names, &self.name_patterns, &self.required].into_iter().any(|names| !names.is_empty());
        let bounded = self.min_items > 0 || self.max_items.is_some();
        let sequence = bounded || !self.items.is_empty() || !self.first_items.is_empty();
        let lengths = self.min_length > 0 || self.max_length.is_some();
        let string = lengths || self.date_time || !self.patterns.is_empty();
        let number = self.minimum.is_some() || self.maximum.is_some() || self.multiple.is_some();
        let spoken = [
            (mapping, Kind::Mapping),
            (sequence, Kind::Sequence),
            (string, Kind::String),
            (number, Kind::Float),
            (number, Kind::Int),
        ];
        let mut kinds: Vec<Kind> =
            spoken.into_iter().filter(|(speaks, _)| *speaks).map(|(_, kind)| kind).collect();
        if kinds.is_empty() {
            let first = if tagged { Kind::Mapping } else { Kind::Null };
            let others = [Kind::String, Kind::Int, Kind::Bool, Kind::Mapping, Kind::Sequence, Kind::Float];
            let excluded = |kind: &Kind| {
                all.iter().any(|(name, of)| of == kind && self.other_types.iter().any(|other| other == name))
            };
            kinds = [first].into_iter().chain(others.into_iter().filter(|kind| *kind != first)).collect();
            kinds.retain(|kind| !excluded(kind));
        }
        kinds
    }
}

/// The schemas of a property: in each schema those of its name and of patterns that its name fits, else that
/// of all others.
pub(crate) fn property<R: Deref<Target = Registry>>(
    documents: &Documents<R>,
    schemas: &[Place],
    key: &str,
) -> Vec<Place> {
    let mut found = Vec::new();
    for place in schemas {
        let Some(tree) = documents.tree(*place) else { continue };
        let schema = tree.node(place.node);
        let own = schema.get("properties").and_then(|all| all.get(key));
        let said = Schema::new(schema);
        let fits = |pattern: &str| text::regex(pattern).is_some_and(|pattern| pattern.is_match(key));
        let fitting =
            said.named("patternProperties").filter(|(pattern, _)| fits(pattern)).map(|(_, schema)| schema);
        let mut parts: Vec<NodeRef<'_>> = own.into_iter().chain(fitting).collect();
        if let (true, Others::Schema(others)) = (parts.is_empty(), said.others("additionalProperties")) {
            parts.push(others);
        }
        found.extend(parts.into_iter().map(|part| Place { document: place.document, node: part.id() }));
    }
    found
}

/// Adds those that are not there yet.
fn add_new(known: &mut Vec<String>, more: Vec<String>) {
    for name in more {
        if !known.contains(&name) {
            known.push(name);
        }
    }
}

fn least(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.into_iter().chain(b).min()
}

/// The names in both lists; an integer is a number.
fn narrower(known: &[String], other: &[String]) -> Vec<String> {
    let has = |list: &[String], name: &str| list.iter().any(|one| one == name);
    let mut both: Vec<String> = known.iter().filter(|name| has(other, name)).cloned().collect();
    let integer =
        (has(known, "integer") && has(other, "number")) || (has(known, "number") && has(other, "integer"));
    if integer && !has(&both, "integer") && !has(&both, "number") {
        both.push("integer".to_owned());
    }
    both
}
