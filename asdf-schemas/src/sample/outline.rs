//! Combines the schemas of a value.

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::Arc;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Datatype, FromNode as _, Tree};
use asdf_schema_model::{Facts, Items, Kinds, Others, Schema};

use super::text;
use crate::Registry;
use crate::documents::{Documents, Place};

/// The prefixes of the ids of the schemas of arrays and datatypes.
const ARRAYS: &str = "http://stsci.edu/schemas/asdf/core/ndarray-";
const DATATYPES: &str = "http://stsci.edu/schemas/asdf/core/datatype-";

/// The kinds of values, the most informative first.
const KINDS: [Kind; 7] =
    [Kind::Mapping, Kind::Sequence, Kind::String, Kind::Float, Kind::Int, Kind::Bool, Kind::Null];

/// The schemas of a value, including those that they refer to.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    schemas: Vec<(Place, Arc<Tree>)>,
    /// Whether the value is an array, or the name of a datatype. The schemas describe these only in part.
    pub(super) is_array: bool,
    pub(super) is_datatype: bool,
    /// The unions without a chosen branch.
    pub(super) unions: Vec<(Place, Vec<Place>)>,
}

/// The combined rules for a value.
#[derive(Debug)]
pub(crate) struct Outline<'s> {
    pub(crate) facts: Facts<'s, Place, NodeRef<'s>>,
    /// The first title, and the defaults.
    pub(crate) title: Option<&'s str>,
    pub(crate) defaults: Vec<NodeRef<'s>>,
    /// The kinds of `not: {type: ...}`.
    other_types: Kinds,
    /// Properties that require other properties.
    pub(super) dependencies: Vec<(&'s str, NodeRef<'s>)>,
    pub(super) min_properties: usize,
    pub(super) axes: Option<usize>,
    pub(super) max_axes: Option<usize>,
    pub(super) datatype: Option<Datatype>,
}

impl Gathered {
    /// Collects the schemas of places, without the unions whose branch was chosen. The error is a reference without a target.
    pub(crate) fn of<R: Deref<Target = Registry>>(
        documents: &mut Documents<R>,
        places: &[Place],
        chosen: &[Place],
    ) -> Result<Self, String> {
        let mut gathered = Self::default();
        let mut met = HashSet::new();
        let mut pending: Vec<Place> = places.iter().rev().copied().collect();
        while let Some(place) = pending.pop() {
            let Some(tree) = documents.tree(place).filter(|_| met.insert(place)) else { continue };
            let schema = tree.node(place.node);
            let id = documents.id(place).unwrap_or_default();
            let is_at = |pointer: &str| tree.find(pointer).is_some_and(|node| node.id() == place.node);
            let (array, datatype) = (id.starts_with(ARRAYS), id.starts_with(DATATYPES));
            gathered.is_array |= array && (is_at("") || is_at("/anyOf/1"));
            let defined = is_at("/definitions/datatype") || is_at("/definitions/scalar-datatype");
            gathered.is_datatype |= ((array || datatype) && defined) || (datatype && is_at(""));
            let part = |node: NodeRef<'_>| Place { document: place.document, node: node.id() };
            pending.extend(schema.get("allOf").into_iter().flat_map(NodeRef::items).rev().map(part));
            if let Some(reference) = schema.get("$ref") {
                let text = || reference.text().unwrap_or("?").to_owned();
                pending.push(documents.resolve(place, reference).ok_or_else(text)?);
            }
            if !chosen.contains(&place) {
                let unions = ["anyOf", "oneOf"].into_iter().filter_map(|name| schema.get(name));
                for union in unions {
                    gathered.unions.push((place, union.items().map(part).collect()));
                }
            }
            gathered.schemas.push((place, tree));
        }
        Ok(gathered)
    }

    /// Returns the schemas, those of the places first.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = NodeRef<'_>> {
        self.schemas.iter().map(|(place, tree)| tree.node(place.node))
    }

    /// Returns the branches of the unions without a chosen branch.
    pub(crate) fn branches(&self) -> impl Iterator<Item = Place> {
        self.unions.iter().flat_map(|(_, branches)| branches.iter().copied())
    }

    /// Combines the rules of the schemas.
    pub(crate) fn outline(&self) -> Outline<'_> {
        let mut outline = Outline {
            facts: Facts::default(),
            title: None,
            defaults: Vec::new(),
            other_types: Kinds::NONE,
            dependencies: Vec::new(),
            min_properties: 0,
            axes: None,
            max_axes: None,
            datatype: None,
        };
        for (place, tree) in &self.schemas {
            outline.add(*place, tree.node(place.node));
        }
        outline
    }
}

impl<'s> Outline<'s> {
    fn add(&mut self, place: Place, node: NodeRef<'s>) {
        let schema = Schema::new(node);
        self.facts.add(place, node, |part| Place { document: place.document, node: part.id() });
        let number = |name: &str| count(node.get(name)?.as_u64());
        self.title = self.title.or(schema.text("title"));
        self.defaults.extend(schema.get("default"));
        let not = schema.get("not").map(Schema::new).filter(|not| matches!(not.only(), Some(("type", _))));
        for name in not.and_then(Schema::types).unwrap_or_default() {
            self.other_types = self.other_types.or(Kinds::from_type(name).unwrap_or_default());
        }
        self.dependencies.extend(schema.named("dependencies"));
        self.min_properties = self.min_properties.max(number("minProperties").unwrap_or_default());
        self.axes = self.axes.or_else(|| number("ndim"));
        self.max_axes = self.max_axes.into_iter().chain(number("max_ndim")).min();
        let datatype = || Datatype::from_node(schema.get("datatype")?).ok();
        self.datatype = self.datatype.take().or_else(datatype);
    }

    /// Returns the minimum and maximum length of a string.
    pub(super) fn lengths(&self) -> (usize, Option<usize>) {
        let limits = &self.facts.limits;
        (count(limits.min_length).unwrap_or_default(), count(limits.max_length))
    }

    /// Returns the minimum of a number, and whether it is excluded.
    pub(super) fn minimum(&self) -> Option<(f64, bool)> {
        self.facts.limits.minimum.map(|(number, excluded)| (number.value(), excluded))
    }

    /// Returns the maximum of a number, and whether it is excluded.
    pub(super) fn maximum(&self) -> Option<(f64, bool)> {
        self.facts.limits.maximum.map(|(number, excluded)| (number.value(), excluded))
    }

    /// Returns the number of `multipleOf`.
    pub(super) fn multiple(&self) -> Option<f64> {
        self.facts.limits.multiples.first().map(|number| number.value())
    }

    /// Returns the minimum and maximum number of items.
    pub(super) fn item_counts(&self) -> (usize, usize) {
        let limits = &self.facts.limits;
        let lists = self.facts.items.iter().filter_map(|(_, items)| match items {
            Items::InTurn(first, others) => Some((first.len(), others)),
            Items::Each(_) => None,
        });
        let longest = lists.clone().map(|(length, _)| length).max().unwrap_or_default();
        let is_closed = lists.into_iter().any(|(_, others)| *others == Others::Refused);
        let most = count(limits.max_items).unwrap_or(usize::MAX);
        (count(limits.min_items).unwrap_or_default(), if is_closed { most.min(longest) } else { most })
    }

    /// Returns the schemas of an item: those of all items, and those of its position.
    pub(super) fn item(&self, index: Option<usize>) -> Vec<Place> {
        let schemas = self.facts.items.iter().filter_map(|(_, items)| match items {
            Items::Each(schema) => Some(*schema),
            Items::InTurn(first, _) => first.get(index?).copied(),
        });
        schemas.collect()
    }

    /// Returns the names of properties, in the order of the schemas.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> {
        self.facts.properties.iter().map(|property| property.name)
    }

    /// Whether a value has an allowed type and is in all enumerations.
    pub(super) fn takes(&self, value: NodeRef<'_>) -> bool {
        let kind = if value.kind() == Kind::Timestamp { Kinds::STRING } else { value.kind().into() };
        self.facts.types.is_none_or(|types| types.has(kind))
            && self.facts.values.as_ref().is_none_or(|values| values.contains(&value))
    }

    /// Returns the kinds that a value can have, the most informative first. Without any rules null comes first, or a mapping if
    /// the value has a tag.
    pub(super) fn kinds(&self, tagged: bool) -> Vec<Kind> {
        let of = |kinds: Kinds| KINDS.into_iter().filter(move |&kind| kinds.has(kind.into()));
        if let Some(types) = self.facts.types {
            let mut kinds: Vec<Kind> = Vec::new();
            // In the order of the schema.
            for kind in self.facts.types_in_order.iter().flat_map(|name| of(name.and(types))) {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            return kinds;
        }
        let mapping = if self.min_properties > 0 { Kinds::MAPPING } else { Kinds::NONE };
        let mut kinds: Vec<Kind> = of(self.facts.speaks_of().or(mapping)).collect();
        if kinds.is_empty() {
            let first = if tagged { Kind::Mapping } else { Kind::Null };
            let others = [Kind::String, Kind::Int, Kind::Bool, Kind::Mapping, Kind::Sequence, Kind::Float];
            kinds = [first].into_iter().chain(others.into_iter().filter(|kind| *kind != first)).collect();
            kinds.retain(|&kind| !self.other_types.has(kind.into()));
        }
        kinds
    }
}

fn count(count: Option<u64>) -> Option<usize> {
    usize::try_from(count?).ok()
}

/// Returns the schemas of a property: in each schema those of its name and of matching patterns, or else that of additional
/// properties.
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
