//! Lists the values that schemas describe, for programs that make tables or forms of them.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use asdf_core::tree::{ASDF_TAG, Node, NodeRef, tag_matches};
use asdf_schema_model::{Items, Kinds, Schema};

use crate::Registry;
use crate::documents::{Documents, Place};
use crate::registry::versioned;
use crate::sample::Gathered;

/// The maximum depth of a description, for schemas that contain themselves.
const DEEPEST: usize = 24;

/// The maximum number of alternatives of one value.
const MOST_ALTERNATIVES: usize = 64;

/// The description of a value, from all schemas that apply to it.
///
/// References, `allOf` and tags are followed. Alternatives (`anyOf`, `oneOf`) are described together: the value can be of
/// any of their kinds, and has the properties of all of them.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Described {
    /// The kinds that `type`, or else `enum`, allows. `None` if the schemas have neither.
    pub kinds: Option<Kinds>,
    /// Whether the value is a time: it has the tag `time` of the standard, or is a string in the format `date-time`.
    pub is_time: bool,
    /// The tags, or patterns of tags, in the schemas.
    pub tags: Vec<String>,
    /// The first title, on one line.
    pub title: Option<String>,
    /// The first description, on one line.
    pub description: Option<String>,
    /// The unit, if the schemas name exactly one.
    pub unit: Option<String>,
    /// The properties of a mapping, in the order of the schemas.
    pub properties: Vec<(String, Arc<Described>)>,
    /// The items of a sequence, if all of them have the same schemas.
    pub items: Option<Arc<Described>>,
    /// The values of the keyword of [`Describer::keyword`], each once.
    pub notes: Vec<Node>,
}

/// Describes values by the schemas of a registry.
///
/// # Examples
///
/// ```
/// use asdf_schemas::Registry;
/// use asdf_schemas::described::Describer;
///
/// let mut registry = Registry::new();
/// registry.add_schema("{id: 'asdf://x.org/lens', properties: {mm: {title: Focal length, type: number, unit: mm}}}")?;
/// registry.add_tag("asdf://x.org/lens-1.0.0", "asdf://x.org/lens");
/// let lens = Describer::new(registry.into()).tag("asdf://x.org/lens-1.0.0").expect("a schema");
/// let (name, mm) = &lens.properties[0];
/// assert_eq!((name.as_str(), mm.title.as_deref(), mm.unit.as_deref()), ("mm", Some("Focal length"), Some("mm")));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Describer {
    documents: Documents<Arc<Registry>>,
    keyword: Option<String>,
    /// The newest tag that matches a pattern.
    newest: HashMap<String, Option<String>>,
    inner: BTreeSet<String>,
    /// Many schemas share parts.
    known: HashMap<Vec<Place>, Arc<Described>>,
}

impl Describer {
    /// Uses the schemas of a registry. They are parsed when they are first needed.
    #[must_use]
    pub fn new(registry: Arc<Registry>) -> Self {
        Self {
            documents: Documents::of(registry),
            keyword: None,
            newest: HashMap::new(),
            inner: BTreeSet::new(),
            known: HashMap::new(),
        }
    }

    /// Also collects the values of a keyword, such as one that only a package uses.
    #[must_use]
    pub fn keyword(mut self, name: impl Into<String>) -> Self {
        self.keyword = Some(name.into());
        self
    }

    /// Describes the values with a tag; `None` if the registry has no schema for it.
    #[must_use]
    pub fn tag(&mut self, tag: &str) -> Option<Arc<Described>> {
        let places = self.schemas_of(tag);
        (!places.is_empty()).then(|| self.value(&places, &[]))
    }

    /// Describes the values of the schema with an id; `None` if the registry has no such schema.
    #[must_use]
    pub fn schema(&mut self, id: &str) -> Option<Arc<Described>> {
        let place = self.documents.get(id)?;
        Some(self.value(&[place], &[]))
    }

    /// Returns the tags of values inside the values that were described, sorted.
    pub fn inner_tags(&self) -> impl Iterator<Item = &str> {
        self.inner.iter().map(String::as_str)
    }

    fn schemas_of(&mut self, tag: &str) -> Vec<Place> {
        let registry = self.documents.registry().clone();
        registry.schemas_of(tag).into_iter().filter_map(|id| self.documents.get(id)).collect()
    }

    /// Describes a value by its schemas. `above` are the schemas of the values around it.
    fn value(&mut self, places: &[Place], above: &[&[Place]]) -> Arc<Described> {
        let is_inside_itself = above.contains(&places);
        if is_inside_itself || above.len() >= DEEPEST {
            return Arc::default();
        }
        if let Some(known) = self.known.get(places) {
            return known.clone();
        }
        let described = Arc::new(self.new_value(places, above));
        self.known.insert(places.to_vec(), described.clone());
        described
    }

    fn new_value(&mut self, places: &[Place], above: &[&[Place]]) -> Described {
        let mut described = Described::default();
        let alternatives = self.alternatives(places, !above.is_empty());
        let mut properties: Vec<(String, Vec<Place>)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut items: Vec<Place> = Vec::new();
        let mut own: Option<Kinds> = None;
        let mut others: Option<Kinds> = None;
        let mut units: Vec<String> = Vec::new();
        for (number, gathered) in alternatives.iter().enumerate() {
            let outline = gathered.outline();
            let facts = &outline.facts;
            let kinds = if number == 0 { &mut own } else { &mut others };
            let listed = || facts.values.as_ref().map(|values| of_values(values));
            *kinds = match (*kinds, facts.types.or_else(listed)) {
                (Some(known), Some(more)) => Some(known.or(more)),
                (known, more) => known.or(more),
            };
            described.is_time |= facts.date_time;
            for (_, tag) in &facts.tags {
                described.is_time |= tag.starts_with(ASDF_TAG) && tag.contains("/time-");
                if !described.tags.iter().any(|known| known == tag) {
                    described.tags.push((*tag).to_owned());
                }
            }
            for property in &facts.properties {
                let at = *known.entry(property.name.to_owned()).or_insert_with(|| {
                    properties.push((property.name.to_owned(), Vec::new()));
                    properties.len() - 1
                });
                let Some((_, all)) = properties.get_mut(at) else { continue };
                all.extend(
                    property.places.iter().filter(|place| !all.contains(place)).copied().collect::<Vec<_>>(),
                );
            }
            for (_, each) in &facts.items {
                if let Items::Each(item) = each {
                    items.push(*item);
                }
            }
            for schema in gathered.schemas() {
                self.texts(schema, &mut described, &mut units);
            }
        }
        described.kinds = match (own, others) {
            (Some(own), Some(others)) if !own.and(others).is_empty() => Some(own.and(others)),
            (own, others) => own.or(others),
        };
        // A quantity has its unit in a property of its own.
        if units.is_empty() && described.tags.iter().any(|tag| tag.contains("/quantity-")) {
            if let Some((_, places)) = properties.iter().find(|(name, _)| name == "unit") {
                units = self.only_text(&places.clone()).into_iter().collect();
            }
        }
        described.unit = <[String; 1]>::try_from(units).ok().map(|[unit]| unit);
        let mut chain = above.to_vec();
        chain.push(places);
        for (name, places) in &properties {
            described.properties.push((name.clone(), self.value(places, &chain)));
        }
        if !items.is_empty() {
            described.items = Some(self.value(&items, &chain));
        }
        described
    }

    /// Collects the schemas of a value, and then those of its alternatives and tags.
    fn alternatives(&mut self, places: &[Place], is_inside: bool) -> Vec<Gathered> {
        let mut alternatives = Vec::new();
        let mut pending = VecDeque::from([places.to_vec()]);
        let mut tags = BTreeSet::new();
        while let Some(places) = pending.pop_front() {
            // A reference without a target describes nothing.
            let Ok(gathered) = Gathered::of(&mut self.documents, &places, &[]) else { continue };
            pending.extend(gathered.branches().map(|branch| vec![branch]));
            let tagged: Vec<String> =
                gathered.outline().facts.tags.iter().map(|(_, tag)| (*tag).to_owned()).collect();
            for tag in tagged {
                // The types of the standard are known without their schemas.
                if !tag.starts_with(ASDF_TAG) && tags.insert(tag.clone()) {
                    let Some(tag) = self.newest(&tag) else { continue };
                    if is_inside {
                        self.inner.insert(tag.clone());
                    }
                    pending.push_back(self.schemas_of(&tag));
                }
            }
            alternatives.push(gathered);
            if alternatives.len() == MOST_ALTERNATIVES {
                break;
            }
        }
        alternatives
    }

    /// Returns the newest tag that matches a pattern.
    fn newest(&mut self, pattern: &str) -> Option<String> {
        if let Some(known) = self.newest.get(pattern) {
            return known.clone();
        }
        let registry = self.documents.registry();
        let matching = registry.tags().into_iter().filter(|tag| tag_matches(pattern, tag));
        let newest = matching.max_by_key(|tag| versioned(tag).map(|(_, version)| version)).map(str::to_owned);
        self.newest.insert(pattern.to_owned(), newest.clone());
        newest
    }

    /// Adds the texts of one schema.
    fn texts(&self, schema: NodeRef<'_>, described: &mut Described, units: &mut Vec<String>) {
        let text = |name: &str| {
            let text = Schema::new(schema).text(name)?;
            Some(text.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
        };
        described.title = described.title.take().or_else(|| text("title"));
        described.description = described.description.take().or_else(|| text("description"));
        if let Some(unit) = text("unit").filter(|unit| !units.contains(unit)) {
            units.push(unit);
        }
        let note = self.keyword.as_ref().and_then(|keyword| schema.get(keyword));
        if let Some(note) = note.filter(|note| described.notes.iter().all(|known| known.view() != *note)) {
            described.notes.extend(Node::from_ref(note).ok());
        }
    }

    /// Returns the text that a value must have, if the schemas allow only one.
    fn only_text(&mut self, places: &[Place]) -> Option<String> {
        let alternatives = self.alternatives(places, true);
        alternatives.iter().find_map(|gathered| {
            let values = gathered.outline().facts.values?;
            match values.as_slice() {
                [only] => only.text().map(str::to_owned),
                _ => None,
            }
        })
    }
}

fn of_values(values: &[NodeRef<'_>]) -> Kinds {
    values.iter().map(|value| Kinds::from(value.kind())).fold(Kinds::NONE, Kinds::or)
}
