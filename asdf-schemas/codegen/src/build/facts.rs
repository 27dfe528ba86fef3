//! Combines all schemas that apply to a value: a schema, the targets of its references, and the branches of `allOf`.

use std::collections::BTreeSet;

use asdf_core::NodeRef;
use asdf_schema_model::{Kinds, Number};

use super::inline::inline;
use super::{Builder, Key, docs};
use crate::Result;
use crate::library::Place;
use crate::model::Docs;
use crate::schema::{Elements, loose, unknown};

/// Keywords that do not restrict values, or that are checked elsewhere, such as those of tags and arrays.
const OTHER_KEYWORDS: [&str; 15] = [
    "id",
    "$schema",
    "$ref",
    "allOf",
    "tag",
    "definitions",
    "title",
    "description",
    "default",
    "examples",
    "propertyOrder",
    "ndim",
    "max_ndim",
    "datatype",
    "exact_datatype",
];

/// All schemas that apply to a value, combined.
#[derive(Debug)]
pub(super) struct Facts<'a> {
    pub(super) key: Key,
    /// The requirements that a type can represent.
    pub(super) schema: asdf_schema_model::Facts<'a, Place, NodeRef<'a>>,
    /// Existing types, with the names of their places in the configuration.
    pub(super) externs: Vec<(String, String)>,
    pub(super) elements: Elements,
    /// Whether parts of the schema contradict each other about the elements.
    pub(super) elements_differ: bool,
    pub(super) unions: Vec<Group>,
    pub(super) loose: Vec<(Place, &'a str, NodeRef<'a>)>,
    /// The names of the keywords that restrict values, in the order of the schemas.
    restricting: Vec<&'a str>,
    pub(super) docs: Docs,
    pub(super) examples: Option<NodeRef<'a>>,
}

/// `anyOf` or `oneOf`.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) owner: Place,
    pub(super) exactly_one: bool,
    pub(super) branches: Vec<Place>,
}

impl<'a> Builder<'a> {
    /// Collects all schemas that apply. Each schema is added once, even if it refers to itself.
    pub(super) fn gather(&self, key: &Key) -> Result<Facts<'a>> {
        let mut facts = Facts::new(key.clone());
        let mut seen = BTreeSet::new();
        // A stack and not recursion, so that the depth is not limited; the first schema is on top.
        let mut pending: Vec<Place> = key.places.iter().rev().copied().collect();
        let roots = pending.clone();
        while let Some(place) = pending.pop() {
            if !seen.insert(place) {
                continue;
            }
            let name = self.packages.name(place);
            if let Some(found) = self.settings.extern_for(&name).filter(|_| !roots.contains(&place)) {
                facts.externs.push((name, found.path.clone()));
                continue;
            }
            let schema = self.schema(place)?;
            facts.docs = facts.docs.or(&docs::of(schema));
            facts.examples = facts.examples.or(schema.get("examples"));
            let mut next = Vec::new();
            if let Some(node) = schema.get("$ref") {
                let reference = node.as_str().unwrap_or_default();
                let target = self.packages.target(place, reference);
                match (target.place, self.settings.extern_for(&target.name)) {
                    (_, Some(found)) => facts.externs.push((target.name, found.path.clone())),
                    (Some(target), None) => next.push(target),
                    (None, None) => return Err(self.packages.lost(self.packages.part(place, node), &target)),
                }
            }
            next.extend(schema.branches("allOf").map(|branch| self.packages.part(place, branch)));
            for (exactly_one, branches) in self.unions_of(place) {
                if key.without.contains(&place) {
                    continue;
                }
                match branches.as_slice() {
                    [only] => next.push(*only),
                    _ => facts.unions.push(Group { owner: place, exactly_one, branches }),
                }
            }
            facts.add(self, place);
            pending.extend(next.into_iter().rev());
        }
        Ok(facts)
    }

    /// The branches of `anyOf`, and of `oneOf` with true: exactly one of them must apply.
    pub(super) fn unions_of(&self, place: Place) -> impl Iterator<Item = (bool, Vec<Place>)> + use<'a> {
        let library = self.packages;
        let members = library.node(place).entries();
        members.filter(|(key, _)| matches!(key.as_str(), Some("anyOf" | "oneOf"))).map(move |(key, value)| {
            let branches = value.items().map(|branch| library.part(place, branch));
            (key.as_str() == Some("oneOf"), branches.collect())
        })
    }
}

impl<'a> Facts<'a> {
    fn new(key: Key) -> Self {
        Self {
            key,
            schema: asdf_schema_model::Facts::default(),
            externs: Vec::new(),
            elements: Elements::default(),
            elements_differ: false,
            unions: Vec::new(),
            loose: Vec::new(),
            restricting: Vec::new(),
            docs: Docs::default(),
            examples: None,
        }
    }

    fn add(&mut self, builder: &Builder<'a>, place: Place) {
        let node = builder.packages.node(place);
        for name in node.entries().filter_map(|(key, _)| key.as_str()) {
            let is_unknown = unknown(node).any(|(unknown, _)| unknown == name);
            if !is_unknown && !OTHER_KEYWORDS.contains(&name) && !self.restricting.contains(&name) {
                self.restricting.push(name);
            }
        }
        self.schema.add(place, node, |node| builder.packages.part(place, node));
        let elements = Elements::of(node);
        self.elements_differ |= self.elements.contradicts(&elements);
        self.elements = std::mem::take(&mut self.elements).and(&elements);
        self.loose.extend(loose(node).map(|(name, node)| (place, name, node)));
    }

    /// The docs of a type for a part of a schema.
    pub(super) fn docs_of_part(&self) -> Docs {
        let mut docs = self.docs.clone();
        docs.default = None;
        for (_, keyword, value) in &self.loose {
            docs.rules.push(format!("Not checked: `{keyword}: {}`.", inline(*value)));
        }
        docs
    }

    /// The message that keywords which restrict values are not checked `beside` a reference or tag. Unions are omitted if
    /// they are checked.
    pub(super) fn not_checked(&self, beside: &str, are_unions_checked: bool) -> String {
        let is_checked = |name: &str| are_unions_checked && matches!(name, "anyOf" | "oneOf");
        let names = self.restricting.iter().filter(|name| !is_checked(name));
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        format!("{} beside {beside} {verb} not checked", names.join(", "))
    }

    /// Whether any keyword other than references, unions and tags restricts values.
    pub(super) fn says_something(&self) -> bool {
        self.schema.says_something() || !self.loose.is_empty()
    }

    /// The properties in the order of `propertyOrder`, then of the schema, then those that are only in `required`.
    pub(super) fn ordered(&self) -> Vec<(&'a str, &[Place])> {
        let find = |name: &str| self.schema.properties.iter().find(|property| property.name == name);
        let mut ordered: Vec<(&'a str, &[Place])> = Vec::new();
        let first = self.schema.order.iter().filter_map(|name| find(name));
        for property in first.chain(&self.schema.properties) {
            if !ordered.iter().any(|(name, _)| *name == property.name) {
                ordered.push((property.name, &property.places));
            }
        }
        for name in &self.schema.required {
            if find(name).is_none() {
                ordered.push((name, &[]));
            }
        }
        ordered
    }

    /// The numbers of `enum`, if all of them can be checked.
    pub(super) fn numbers(&self) -> Option<Vec<Number>> {
        let numbers =
            self.schema.values.as_ref()?.iter().filter(|value| Kinds::NUMBER.has(value.kind().into()));
        let mut all: Vec<Number> = Vec::new();
        for number in numbers {
            let number = Number::from_value(*number)?;
            if !all.iter().any(|known| !known.beyond(number) && !number.beyond(*known)) {
                all.push(number);
            }
        }
        (!all.is_empty()).then_some(all)
    }

    /// The strings of `enum`.
    pub(super) fn words(&self) -> Option<Vec<&'a str>> {
        if !self.schema.kinds().0.has(Kinds::STRING) {
            return None;
        }
        let words: Vec<&str> =
            self.schema.values.as_ref()?.iter().filter_map(|value| value.as_str()).collect();
        (!words.is_empty()).then_some(words)
    }
}
