//! Combines schemas that apply to the same value.

use std::collections::{HashMap, HashSet};

use crate::{Items, Kinds, Limits, Others, Schema, Value};

/// The combined requirements of all schemas that apply to a value.
///
/// These are the schema itself, the targets of its references, and the branches of `allOf`. The caller follows references,
/// chooses branches of `anyOf` and `oneOf`, and [`add`](Self::add)s each schema that applies. `P` is the caller's
/// identifier of a schema. [`Value`] has an example.
#[derive(Debug, Clone)]
pub struct Facts<'t, P, V> {
    /// The schemas that apply, in the order in which they were added.
    pub schemas: Vec<P>,
    /// The tag patterns, each with the first schema that requires it.
    pub tags: Vec<(P, &'t str)>,
    /// The kinds that every `type` allows. `None` if no schema has `type`.
    pub types: Option<Kinds>,
    /// The names in `type`, in the order in which they were added.
    pub types_in_order: Vec<Kinds>,
    /// Whether timestamps count as strings.
    pub date_time: bool,
    /// The values that every `enum` allows. `None` if no schema has `enum`.
    pub values: Option<Vec<V>>,
    /// Lengths, ranges and patterns.
    pub limits: Limits,
    /// The properties. Each name occurs once.
    pub properties: Vec<Property<'t, P>>,
    /// The patterns of `patternProperties`, with their schemas.
    pub patterns: Vec<(&'t str, P)>,
    /// Each `additionalProperties` that restricts properties.
    pub others: Vec<OtherProperties<'t, P>>,
    /// The names of the required properties.
    pub required: Vec<&'t str>,
    /// The names in `propertyOrder`.
    pub order: Vec<&'t str>,
    /// Each `items`, with the schema that has it.
    pub items: Vec<(P, Items<P>)>,
    /// The schemas of items that a list must contain.
    pub contains: Vec<P>,
}

/// A property and its schemas.
#[derive(Debug, Clone)]
pub struct Property<'t, P> {
    /// The name of the property.
    pub name: &'t str,
    /// The schemas of the property, which apply together.
    pub places: Vec<P>,
}

/// The `additionalProperties` of one schema.
#[derive(Debug, Clone)]
pub struct OtherProperties<'t, P> {
    /// The value of `additionalProperties`.
    pub others: Others<P>,
    /// The properties that the schema lists.
    pub listed: Vec<&'t str>,
}

impl<P, V> Default for Facts<'_, P, V> {
    fn default() -> Self {
        Self {
            schemas: Vec::new(),
            tags: Vec::new(),
            types: None,
            types_in_order: Vec::new(),
            date_time: false,
            values: None,
            limits: Limits::default(),
            properties: Vec::new(),
            patterns: Vec::new(),
            others: Vec::new(),
            required: Vec::new(),
            order: Vec::new(),
            items: Vec::new(),
            contains: Vec::new(),
        }
    }
}

impl<'t, P: Copy + PartialEq, V: Value<'t> + PartialEq> Facts<'t, P, V> {
    /// Adds the requirements of one schema. `part` returns the identifier of a schema nested in it.
    pub fn add(&mut self, place: P, node: V, part: impl Fn(V) -> P) {
        let schema = Schema::new(node);
        self.schemas.push(place);
        if let Some(tag) = schema.text("tag").filter(|tag| self.tags.iter().all(|(_, known)| known != tag)) {
            self.tags.push((place, tag));
        }
        if let Some(types) = schema.types() {
            let types: Vec<Kinds> = types.into_iter().filter_map(Kinds::from_type).collect();
            let kinds = types.iter().copied().fold(Kinds::NONE, Kinds::or);
            self.narrow(kinds);
            self.types_in_order.extend(types);
            self.date_time |= kinds.has(Kinds::STRING) && schema.is_date_time();
        }
        if let Some(values) = schema.get("enum") {
            let values: Vec<V> = values.items().collect();
            self.values = Some(match self.values.take() {
                Some(known) => known.into_iter().filter(|value| values.contains(value)).collect(),
                None => values,
            });
        }
        self.limits = std::mem::take(&mut self.limits).and(&Limits::from_schema(schema));
        let mut listed = Vec::new();
        let known = self.properties.iter().enumerate().map(|(at, property)| (property.name, at));
        let mut known: HashMap<&str, usize> = known.collect();
        for (name, node) in schema.named("properties") {
            listed.push(name);
            let part = part(node);
            match known.get(name).and_then(|at| self.properties.get_mut(*at)) {
                Some(property) if property.places.contains(&part) => {}
                Some(property) => property.places.push(part),
                None => {
                    known.insert(name, self.properties.len());
                    self.properties.push(Property { name, places: vec![part] });
                }
            }
        }
        self.patterns.extend(schema.named("patternProperties").map(|(pattern, node)| (pattern, part(node))));
        let others = schema.others("additionalProperties").map(&part);
        if others != Others::Allowed {
            self.others.push(OtherProperties { others, listed });
        }
        add_new(&mut self.required, schema.names("required"));
        add_new(&mut self.order, schema.names("propertyOrder"));
        self.items.extend(schema.items().map(|items| (place, items.map(&part))));
        if let Some(item) = schema.contained() {
            self.narrow(Kinds::SEQUENCE);
            self.types_in_order.push(Kinds::SEQUENCE);
            self.contains.push(part(item));
        }
    }

    fn narrow(&mut self, kinds: Kinds) {
        self.types = Some(self.types.map_or(kinds, |known| known.and(kinds)));
    }

    /// Returns whether any keyword restricts values.
    pub fn says_something(&self) -> bool {
        self.types.is_some() || self.values.is_some() || !self.speaks_of().is_empty()
    }

    /// Returns the kinds that keywords other than `type` and `enum` apply to.
    pub fn speaks_of(&self) -> Kinds {
        let mut kinds = self.limits.kinds();
        let has_names = !self.properties.is_empty() || !self.patterns.is_empty() || !self.required.is_empty();
        if has_names || !self.others.is_empty() {
            kinds = kinds.or(Kinds::MAPPING);
        }
        if !self.items.is_empty() {
            kinds = kinds.or(Kinds::SEQUENCE);
        }
        kinds
    }

    /// Returns the kinds of values that can be valid.
    ///
    /// The second value is true if neither `type` nor `enum` is given and the kinds are only those that other keywords
    /// apply to.
    pub fn kinds(&self) -> (Kinds, bool) {
        let (mut kinds, is_guessed) = match (self.types, &self.values) {
            (Some(kinds), _) => (kinds, false),
            (None, Some(_)) => (Kinds::ANY, false),
            (None, None) => match self.speaks_of() {
                Kinds::NONE => (Kinds::ANY, false),
                kinds => (kinds, true),
            },
        };
        if self.date_time && kinds.has(Kinds::STRING) {
            kinds = kinds.or(Kinds::TIMESTAMP);
        }
        if let Some(values) = &self.values {
            kinds = kinds.and(values.iter().fold(Kinds::NONE, |all, value| all.or(value.kinds())));
        }
        (kinds, is_guessed)
    }
}

/// Adds names that are not known yet.
fn add_new<'t>(known: &mut Vec<&'t str>, more: Vec<&'t str>) {
    let mut met: HashSet<&str> = known.iter().copied().collect();
    known.extend(more.into_iter().filter(|name| met.insert(name)));
}
