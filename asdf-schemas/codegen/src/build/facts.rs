//! All that holds for a value: a schema, what it refers to and the branches of `allOf`, together.

use std::collections::BTreeSet;

use asdf_core::{Kind, NodeRef};

use super::inline::inline;
use super::{Builder, Key, docs};
use crate::Result;
use crate::library::Place;
use crate::model::Docs;
use crate::schema::{Checks, Elements, Items, Kinds, Num, Others};

/// Keywords that restrict no value themselves, or only what stands elsewhere: tags and arrays have checks of their own.
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

/// All that holds for a value.
#[derive(Debug)]
pub(super) struct Facts<'a> {
    pub(super) key: Key,
    /// All schemas that hold.
    pub(super) seen: BTreeSet<Place>,
    /// Types that exist, by the names of their places in the configuration, and by path.
    pub(super) externs: Vec<(String, String)>,
    pub(super) tags: Vec<(Place, &'a str)>,
    /// What `type` leaves.
    pub(super) declared: Option<Kinds>,
    pub(super) date_time: bool,
    pub(super) values: Option<Vec<NodeRef<'a>>>,
    pub(super) properties: Vec<Property<'a>>,
    pub(super) has_properties: bool,
    pub(super) patterns: Vec<(&'a str, Place)>,
    /// `additionalProperties`, with the names that its own schema lists.
    pub(super) others: Vec<OtherProperties<'a>>,
    pub(super) required: Vec<&'a str>,
    pub(super) order: Vec<&'a str>,
    pub(super) items: Vec<(Place, Items<'a>)>,
    pub(super) checks: Checks,
    pub(super) elements: Elements,
    /// Whether parts of the schema say different things about the elements.
    pub(super) elements_differ: bool,
    pub(super) unions: Vec<Group>,
    /// What items have to be that a list has to have.
    pub(super) contains: Vec<Place>,
    pub(super) loose: Vec<(Place, &'a str, NodeRef<'a>)>,
    /// The names of the keywords that restrict values, in the order in which they were met.
    restricting: Vec<&'a str>,
    pub(super) docs: Docs,
    pub(super) examples: Option<NodeRef<'a>>,
}

#[derive(Debug)]
pub(super) struct Property<'a> {
    pub(super) name: &'a str,
    pub(super) places: Vec<Place>,
}

#[derive(Debug)]
pub(super) struct OtherProperties<'a> {
    pub(super) place: Place,
    pub(super) others: Others<'a>,
    pub(super) listed: Vec<&'a str>,
}

/// `anyOf` or `oneOf`.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) owner: Place,
    pub(super) exactly_one: bool,
    pub(super) branches: Vec<Place>,
}

impl<'a> Builder<'a> {
    /// Collects all that holds. A schema that refers to itself adds nothing the second time.
    pub(super) fn gather(&self, key: &Key) -> Result<Facts<'a>> {
        let mut facts = Facts::new(key.clone());
        let mut seen = BTreeSet::new();
        // A stack, so that no schema is too deep; the first is on top.
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
            let keywords = self.keywords(place)?;
            facts.docs = facts.docs.or(&docs::of(&keywords));
            facts.examples = facts.examples.or(keywords.examples);
            let mut next = Vec::new();
            if let Some((reference, node)) = keywords.reference {
                let target = self.packages.target(place, reference);
                match (target.place, self.settings.extern_for(&target.name)) {
                    (_, Some(found)) => facts.externs.push((target.name, found.path.clone())),
                    (Some(target), None) => next.push(target),
                    (None, None) => return Err(self.packages.lost(self.packages.part(place, node), &target)),
                }
            }
            next.extend(keywords.all_of.iter().map(|&branch| self.packages.part(place, branch)));
            for union in &keywords.unions {
                let branches: Vec<Place> =
                    union.branches.iter().map(|&branch| self.packages.part(place, branch)).collect();
                if key.without.contains(&place) {
                    continue;
                }
                match branches.as_slice() {
                    [only] => next.push(*only),
                    _ => facts.unions.push(Group { owner: place, exactly_one: union.exactly_one, branches }),
                }
            }
            facts.add(self, place, keywords);
            pending.extend(next.into_iter().rev());
        }
        facts.seen = seen;
        Ok(facts)
    }
}

impl<'a> Facts<'a> {
    fn new(key: Key) -> Self {
        Self {
            key,
            seen: BTreeSet::new(),
            externs: Vec::new(),
            tags: Vec::new(),
            declared: None,
            date_time: false,
            values: None,
            properties: Vec::new(),
            has_properties: false,
            patterns: Vec::new(),
            others: Vec::new(),
            required: Vec::new(),
            order: Vec::new(),
            items: Vec::new(),
            checks: Checks::default(),
            elements: Elements::default(),
            elements_differ: false,
            unions: Vec::new(),
            contains: Vec::new(),
            loose: Vec::new(),
            restricting: Vec::new(),
            docs: Docs::default(),
            examples: None,
        }
    }

    fn add(&mut self, builder: &Builder<'a>, place: Place, keywords: crate::schema::Keywords<'a>) {
        for name in builder.packages.node(place).entries().filter_map(|(key, _)| key.as_str()) {
            let is_unknown = keywords.unknown.iter().any(|(unknown, _)| *unknown == name);
            if !is_unknown && !OTHER_KEYWORDS.contains(&name) && !self.restricting.contains(&name) {
                self.restricting.push(name);
            }
        }
        if let Some((tag, _)) = keywords.tag {
            if !self.tags.iter().any(|(_, known)| *known == tag) {
                self.tags.push((place, tag));
            }
        }
        if let Some(kinds) = keywords.kinds {
            self.declared = Some(self.declared.map_or(kinds, |known| known.and(kinds)));
            self.date_time |= kinds.has(Kind::String) && keywords.format == Some("date-time");
        }
        if let Some(values) = keywords.values {
            self.values = Some(match self.values.take() {
                Some(known) => known.into_iter().filter(|value| values.contains(value)).collect(),
                None => values,
            });
        }
        let properties = keywords.properties.unwrap_or_default();
        self.has_properties |= !properties.is_empty();
        let mut listed = Vec::new();
        for (name, node) in properties {
            let part = builder.packages.part(place, node);
            listed.push(name);
            match self.properties.iter_mut().find(|known| known.name == name) {
                Some(known) if known.places.contains(&part) => {}
                Some(known) => known.places.push(part),
                None => self.properties.push(Property { name, places: vec![part] }),
            }
        }
        for (pattern, node) in keywords.patterns {
            self.patterns.push((pattern, builder.packages.part(place, node)));
        }
        if let Some(others) = keywords.others {
            self.others.push(OtherProperties { place, others, listed });
        }
        for name in keywords.required {
            if !self.required.contains(&name) {
                self.required.push(name);
            }
        }
        for name in keywords.order {
            if !self.order.contains(&name) {
                self.order.push(name);
            }
        }
        self.items.extend(keywords.items.map(|items| (place, items)));
        self.checks = std::mem::take(&mut self.checks).and(&keywords.checks);
        self.elements_differ |= self.elements.contradicts(&keywords.elements);
        self.elements = std::mem::take(&mut self.elements).and(&keywords.elements);
        if let Some(item) = keywords.contains {
            let list = Kinds::of(Kind::Sequence);
            self.declared = Some(self.declared.map_or(list, |known| known.and(list)));
            self.contains.push(builder.packages.part(place, item));
        }
        self.loose.extend(keywords.loose.into_iter().map(|(name, node)| (place, name, node)));
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

    /// Says that the keywords which restrict values are not checked, `beside` something that is. Unions are left out
    /// if they are checked.
    pub(super) fn not_checked(&self, beside: &str, are_unions_checked: bool) -> String {
        let is_checked = |name: &str| are_unions_checked && matches!(name, "anyOf" | "oneOf");
        let names = self.restricting.iter().filter(|name| !is_checked(name));
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        format!("{} beside {beside} {verb} not checked", names.join(", "))
    }

    /// Whether anything but references, unions and tags says something.
    pub(super) fn says_something(&self) -> bool {
        self.declared.is_some()
            || self.values.is_some()
            || self.speaks_of() != Kinds::NONE
            || !self.loose.is_empty()
    }

    /// The kinds that keywords other than `type` and `enum` speak of.
    fn speaks_of(&self) -> Kinds {
        let mut kinds = self.checks.kinds();
        let closed = self.others.iter().any(|other| !matches!(other.others, Others::Allowed));
        if self.has_properties || !self.patterns.is_empty() || closed || !self.required.is_empty() {
            kinds = kinds.or(Kinds::of(Kind::Mapping));
        }
        if !self.items.is_empty() {
            kinds = kinds.or(Kinds::of(Kind::Sequence));
        }
        kinds
    }

    /// The kinds of node that fit. The second is true when no `type` says so, and the kinds are those
    /// that the other keywords speak of.
    pub(super) fn kinds(&self) -> (Kinds, bool) {
        let (mut kinds, guessed) = match (self.declared, &self.values) {
            (Some(kinds), _) => (kinds, false),
            (None, Some(_)) => (Kinds::ANY, false),
            (None, None) => match self.speaks_of() {
                Kinds::NONE => (Kinds::ANY, false),
                kinds => (kinds, true),
            },
        };
        if self.date_time && kinds.has(Kind::String) {
            kinds = kinds.or(Kinds::of(Kind::Timestamp));
        }
        if let Some(values) = &self.values {
            let of_values = values.iter().fold(Kinds::NONE, |all, value| all.or(Kinds::of(value.kind())));
            kinds = kinds.and(of_values);
        }
        (kinds, guessed)
    }

    /// The properties in the order of `propertyOrder`, then in that of the schema, then those that are only required.
    pub(super) fn ordered(&self) -> Vec<(&'a str, &[Place])> {
        let find = |name: &str| self.properties.iter().find(|property| property.name == name);
        let mut ordered: Vec<(&'a str, &[Place])> = Vec::new();
        let first = self.order.iter().filter_map(|name| find(name));
        for property in first.chain(&self.properties) {
            if !ordered.iter().any(|(name, _)| *name == property.name) {
                ordered.push((property.name, &property.places));
            }
        }
        for name in &self.required {
            if find(name).is_none() {
                ordered.push((name, &[]));
            }
        }
        ordered
    }

    /// The numbers of `enum`, if all that it has of numbers can be checked.
    pub(super) fn numbers(&self) -> Option<Vec<Num>> {
        let numbers = self.values.as_ref()?.iter().filter(|value| Kinds::NUMBER.has(value.kind()));
        let mut all: Vec<Num> = Vec::new();
        for number in numbers {
            let number = match (number.as_i128(), number.as_f64()) {
                (Some(value), _) => Num::Int(value),
                (None, Some(value)) if value.is_finite() => Num::Float(value),
                _ => return None,
            };
            if !all.iter().any(|known| !known.beyond(number) && !number.beyond(*known)) {
                all.push(number);
            }
        }
        (!all.is_empty()).then_some(all)
    }

    /// The strings of `enum`.
    pub(super) fn words(&self) -> Option<Vec<&'a str>> {
        if !self.kinds().0.has(Kind::String) {
            return None;
        }
        let words: Vec<&str> = self.values.as_ref()?.iter().filter_map(|value| value.as_str()).collect();
        (!words.is_empty()).then_some(words)
    }
}
