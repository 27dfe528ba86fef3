//! All that several schemas together say of a value.

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Datatype, FromNode as _, Node};

use super::library::{Library, Place};

/// How the ids of schemas begin that arrays and datatypes have.
const ARRAYS: &str = "http://stsci.edu/schemas/asdf/core/ndarray-";
const DATATYPES: &str = "http://stsci.edu/schemas/asdf/core/datatype-";

/// What holds for a value.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Patterns of tags.
    pub(super) tags: Vec<String>,
    /// The names of `type`.
    pub(super) types: Option<Vec<String>>,
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
    pub(super) properties: Vec<(String, Vec<Place>)>,
    pub(super) required: Vec<String>,
    pub(super) closed: bool,
    /// The schemas of properties that are not listed.
    pub(super) others: Vec<Place>,
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
    /// What places say together, unions apart whose branch was chosen. `None` when a reference leads
    /// nowhere.
    pub(super) fn of(library: &mut Library, places: &[Place], chosen: &[Place]) -> Option<Self> {
        let mut outline = Self { more_items: true, ..Self::default() };
        let mut seen: Vec<Place> = Vec::new();
        let mut pending: Vec<Place> = places.iter().rev().copied().collect();
        while let Some(place) = pending.pop() {
            if seen.contains(&place) {
                continue;
            }
            seen.push(place);
            let tree = library.tree(place);
            let schema = tree.node(place.node);
            let id = library.id(place);
            let is_at = |pointer: &str| tree.find(pointer).is_some_and(|node| node.id() == place.node);
            let (array, datatype) = (id.starts_with(ARRAYS), id.starts_with(DATATYPES));
            outline.is_array |= array && (is_at("") || is_at("/anyOf/1"));
            let defined = is_at("/definitions/datatype") || is_at("/definitions/scalar-datatype");
            outline.is_datatype |= ((array || datatype) && defined) || (datatype && is_at(""));
            if let Some(reference) = schema.get("$ref").and_then(NodeRef::as_str) {
                pending.push(library.target(place, reference)?);
            }
            let part = |node: NodeRef<'_>| Place { document: place.document, node: node.id() };
            for branch in schema.get("allOf").into_iter().flat_map(NodeRef::items) {
                pending.push(part(branch));
            }
            if !chosen.contains(&place) {
                let unions = ["anyOf", "oneOf"].into_iter().filter_map(|name| schema.get(name));
                for union in unions {
                    outline.unions.push((place, union.items().map(part).collect()));
                }
            }
            outline.add(schema, &part);
        }
        Some(outline)
    }

    fn add(&mut self, schema: NodeRef<'_>, part: &dyn Fn(NodeRef<'_>) -> Place) {
        let text = |name: &str| schema.get(name).and_then(NodeRef::as_str);
        let texts = |node: NodeRef<'_>| -> Vec<String> {
            node.items().filter_map(|item| item.as_str()).map(str::to_owned).collect()
        };
        let count = |name: &str| schema.get(name)?.as_u64().and_then(|count| usize::try_from(count).ok());
        self.tags.extend(text("tag").map(str::to_owned));
        if let Some(types) = schema.get("type") {
            let types = types.as_str().map_or_else(|| texts(types), |one| vec![one.to_owned()]);
            self.date_time |= text("format") == Some("date-time");
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
        self.patterns.extend(text("pattern").map(str::to_owned));
        self.min_length = self.min_length.max(count("minLength").unwrap_or_default());
        self.max_length = least(self.max_length, count("maxLength"));
        self.min_items = self.min_items.max(count("minItems").unwrap_or_default());
        self.max_items = least(self.max_items, count("maxItems"));
        self.min_properties = self.min_properties.max(count("minProperties").unwrap_or_default());
        let flag = |name: &str| schema.get(name).is_some_and(|flag| flag.as_bool() == Some(true));
        let bound = |name: &str, exclusive: &str| {
            schema.get(name).and_then(NodeRef::as_f64).map(|bound| (bound, flag(exclusive)))
        };
        let higher = |a: &(f64, bool), b: &(f64, bool)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let lower = |a: &(f64, bool), b: &(f64, bool)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
        self.minimum = self.minimum.into_iter().chain(bound("minimum", "exclusiveMinimum")).max_by(higher);
        self.maximum = self.maximum.into_iter().chain(bound("maximum", "exclusiveMaximum")).min_by(lower);
        self.multiple = self.multiple.or(schema.get("multipleOf").and_then(NodeRef::as_f64));
        match schema.get("items") {
            Some(items) if items.kind() == Kind::Mapping => self.items.push(part(items)),
            Some(items) if items.kind() == Kind::Sequence => {
                for (index, item) in items.items().enumerate() {
                    match self.first_items.get_mut(index) {
                        Some(known) => known.push(part(item)),
                        None => self.first_items.push(vec![part(item)]),
                    }
                }
                self.more_items &=
                    schema.get("additionalItems").is_none_or(|more| more.as_bool() != Some(false));
            }
            _ => {}
        }
        let contained = schema.get("not").and_then(|not| not.get("items")?.get("not"));
        if let Some(contained) = contained {
            self.contains.push(part(contained));
            self.types.get_or_insert_with(|| vec!["array".to_owned()]);
        }
        for (key, value) in schema.get("properties").into_iter().flat_map(NodeRef::entries) {
            let Some(name) = key.text() else { continue };
            match self.properties.iter_mut().find(|(known, _)| known == name) {
                Some((_, places)) => places.push(part(value)),
                None => self.properties.push((name.to_owned(), vec![part(value)])),
            }
        }
        let required = schema.get("required").map(texts).unwrap_or_default();
        for name in required {
            if !self.required.contains(&name) {
                self.required.push(name);
            }
        }
        match schema.get("additionalProperties") {
            Some(others) if others.kind() == Kind::Mapping => self.others.push(part(others)),
            Some(others) => self.closed |= others.as_bool() == Some(false),
            None => {}
        }
        self.axes = self.axes.or_else(|| count("ndim"));
        self.most_axes = least(self.most_axes, count("max_ndim"));
        let datatype = || Datatype::from_node(schema.get("datatype")?).ok();
        self.datatype = self.datatype.take().or_else(datatype);
    }

    /// The kinds that a value may have, the most telling first.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let all = [
            ("object", Kind::Mapping),
            ("string", Kind::String),
            ("array", Kind::Sequence),
            ("integer", Kind::Int),
            ("number", Kind::Int),
            ("number", Kind::Float),
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
        let mapping = !self.properties.is_empty() || !self.required.is_empty() || !self.others.is_empty();
        let sequence = !self.items.is_empty() || !self.first_items.is_empty() || self.min_items > 0;
        let string = !self.patterns.is_empty() || self.min_length > 0 || self.max_length.is_some();
        let number = self.minimum.is_some() || self.maximum.is_some() || self.multiple.is_some();
        let spoken = [
            (mapping, Kind::Mapping),
            (sequence, Kind::Sequence),
            (string, Kind::String),
            (number, Kind::Int),
        ];
        let mut kinds: Vec<Kind> =
            spoken.into_iter().filter(|(speaks, _)| *speaks).map(|(_, kind)| kind).collect();
        if kinds.is_empty() {
            kinds = vec![Kind::String, Kind::Int, Kind::Bool, Kind::Mapping, Kind::Sequence, Kind::Float];
        }
        kinds
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
