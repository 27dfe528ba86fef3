//! Makes nodes that match schemas.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;

use asdf_core::tree::{Kind, NodeRef, Style, tag_matches};
use asdf_core::{Datatype, Error, FromNode as _, NdArray, Node, NodeId, Result, Tree};
use asdf_schema_model::Others;

use super::choices::Choices;
use super::outline::{Gathered, Outline, property};
use super::text;
use crate::Registry;
use crate::documents::{Documents, Place};
use crate::registry::Edition;

/// The depth below which only required values are made.
const DEEP: usize = 10;
/// The maximum depth of required values.
const DEEPEST: usize = 60;
/// The maximum number of nodes that are made, including discarded ones.
const MOST_NODES: usize = 20_000;
/// The maximum number of optional items or elements that are added.
const MOST_MORE: usize = 3;
/// The maximum number of properties that are made because of `minProperties`.
const MOST_PROPERTIES: usize = 1000;

/// Datatypes in all versions of the standard.
const DATATYPES: [&str; 6] = ["float64", "float32", "int16", "int64", "uint8", "bool8"];

/// The tag of arrays, in one of its versions.
const NDARRAY: &str = "tag:stsci.edu:asdf/core/ndarray-1.0.0";

/// Makes a value.
pub(crate) struct Maker<'a, 'b, R> {
    documents: &'a mut Documents<R>,
    edition: &'a Edition,
    /// All tags that have schemas, sorted.
    tags: &'a [String],
    choices: Choices<'b>,
    pub(crate) tree: Tree,
    /// The mappings that were made, inner ones first. Some belong to discarded attempts.
    pub(crate) mappings: Vec<Made>,
    /// The schemas of the values that are being made without choices, and whether the value has a tag. A repeated entry means
    /// endless recursion.
    open: Vec<(Vec<Place>, bool)>,
    nodes: usize,
}

/// A mapping that was made.
pub(crate) struct Made {
    pub(crate) id: NodeId,
    /// Its schemas, including those that they refer to.
    pub(crate) schemas: Vec<Place>,
    /// The properties that it could also have.
    pub(crate) left_out: Vec<String>,
}

fn fail(why: impl std::fmt::Display) -> Error {
    Error::unsupported(format!("cannot make a value: {why}"))
        .with_hint("add a `default` to the schema, which is used if it fits")
        .at_path("")
}

impl<'a, 'b, R: Deref<Target = Registry>> Maker<'a, 'b, R> {
    pub(crate) fn new(
        documents: &'a mut Documents<R>,
        edition: &'a Edition,
        tags: &'a [String],
        bytes: &'b [u8],
    ) -> Self {
        Self {
            documents,
            edition,
            tags,
            choices: Choices::new(bytes),
            tree: Tree::new(),
            mappings: Vec::new(),
            open: Vec::new(),
            nodes: 0,
        }
    }

    /// Makes a node with a tag that matches the schemas of the tag and those in `more`.
    pub(crate) fn tagged(&mut self, tag: &str, more: &[Place], depth: usize) -> Result<NodeId> {
        let ids: Vec<String> =
            self.documents.registry().schemas_of(tag).into_iter().map(str::to_owned).collect();
        let mut places = more.to_vec();
        for id in ids {
            places.extend(self.documents.get(&id));
        }
        let node = match NdArray::accepts_tag(tag) {
            true => self.array(&places)?,
            false => self.value(&places, &[], Some(tag), depth)?,
        };
        self.tree.set_tag(node, Some(tag));
        Ok(node)
    }

    /// Makes a node that matches all schemas.
    ///
    /// `own` is the tag that the node will get, if it is known. `chosen` has the unions of which a branch is already among the
    /// schemas.
    pub(crate) fn value(
        &mut self,
        places: &[Place],
        chosen: &[Place],
        own: Option<&str>,
        depth: usize,
    ) -> Result<NodeId> {
        self.nodes += 1;
        if depth > DEEPEST {
            return Err(fail(format_args!("the schemas require more than {DEEPEST} levels")));
        }
        if self.nodes > MOST_NODES {
            return Err(fail(format_args!("more than {MOST_NODES} nodes were tried")));
        }
        let around = self.open.len();
        if self.choices.are_over() {
            // Without choices, the same schemas would lead to the same recursion again.
            if self.open.iter().any(|(open, tagged)| open == places && *tagged == own.is_some()) {
                return Err(fail("the value would have to contain itself"));
            }
            self.open.push((places.to_vec(), own.is_some()));
        }
        let made = self.of(places, chosen, own, depth);
        self.open.truncate(around);
        made
    }

    fn gathered(&mut self, places: &[Place], chosen: &[Place]) -> Result<Gathered> {
        Gathered::of(self.documents, places, chosen).map_err(|reference| {
            fail(format_args!("the target of the reference {} does not exist", reference.escape_debug()))
        })
    }

    fn of(&mut self, places: &[Place], chosen: &[Place], own: Option<&str>, depth: usize) -> Result<NodeId> {
        let gathered = self.gathered(places, chosen)?;
        let outline = gathered.outline();
        let tags = &outline.facts.tags;
        if gathered.is_array && (own.is_some() || tags.is_empty()) {
            let array = self.array(places)?;
            if own.is_none() {
                // A schema that refers to that of arrays does not require the tag, but without it the node would be a mapping.
                self.tree.set_tag(array, self.edition.newest(NDARRAY));
            }
            return Ok(array);
        }
        if gathered.is_datatype && outline.facts.values.is_none() {
            let name = DATATYPES.get(self.choices.of(DATATYPES.len())).copied().unwrap_or_default();
            return Ok(self.tree.add_str(name));
        }
        if let Some((owner, branches)) = gathered.unions.first() {
            let chosen: Vec<Place> = chosen.iter().copied().chain([*owner]).collect();
            let mut branches = branches.clone();
            if let Some(&default) = outline.defaults.iter().find(|default| outline.takes(**default)) {
                branches.sort_by_cached_key(|branch| !self.takes(*branch, default));
            }
            return self.first_of(&branches, "the schema has no alternatives", |maker, branch| {
                let places: Vec<Place> = places.iter().copied().chain([*branch]).collect();
                maker.value(&places, &chosen, own, depth + 1)
            });
        }
        let mut patterns = tags.iter().map(|(_, pattern)| *pattern);
        let foreign = patterns.find(|pattern| own.is_none_or(|own| !tag_matches(pattern, own)));
        match (foreign, own) {
            (None, _) => self.untagged(&outline, None, own.is_some(), depth),
            (Some(pattern), None) => match pattern.strip_prefix("tag:yaml.org,2002:") {
                Some(name) => self.of_yaml(name, &outline, depth),
                None => self.of_pattern(pattern, places, depth),
            },
            (Some(pattern), Some(own)) => {
                let (pattern, own) = (pattern.escape_debug(), own.escape_debug());
                Err(fail(format_args!("the tag is {own}, but the schemas require {pattern}")))
            }
        }
    }

    /// Whether an alternative accepts a value without a tag.
    fn takes(&mut self, branch: Place, value: NodeRef<'_>) -> bool {
        self.gathered(&[branch], &[]).is_ok_and(|gathered| {
            let outline = gathered.outline();
            outline.facts.tags.is_empty() && outline.takes(value)
        })
    }

    /// Makes a node of the first alternative that succeeds, starting with a chosen one. The error is that of the first attempt.
    fn first_of<T>(
        &mut self,
        alternatives: &[T],
        none: &str,
        make: impl Fn(&mut Self, &T) -> Result<NodeId>,
    ) -> Result<NodeId> {
        let (before, after) =
            alternatives.split_at_checked(self.choices.of(alternatives.len())).unwrap_or_default();
        let mut why = None;
        for alternative in after.iter().chain(before) {
            match make(self, alternative) {
                Ok(node) => return Ok(node),
                Err(error) => why = why.or(Some(error)),
            }
        }
        Err(why.unwrap_or_else(|| fail(none)))
    }

    /// Makes a node with one of the tags that match a pattern. Prefers tags of the edition, then newer tags.
    fn of_pattern(&mut self, pattern: &str, places: &[Place], depth: usize) -> Result<NodeId> {
        let mut fitting: Vec<&str> =
            self.tags.iter().map(String::as_str).filter(|tag| tag_matches(pattern, tag)).collect();
        if fitting.is_empty() && !pattern.contains('*') {
            // The tag has no schema of its own, so only the schemas around it apply.
            fitting.push(pattern);
        }
        let edition = self.edition;
        let of_edition = |tag: &&str| !edition.schemas_of(tag).is_empty();
        if fitting.iter().any(of_edition) {
            fitting.retain(of_edition);
        }
        fitting.reverse();
        fitting.sort_by_key(|tag| edition.newest(tag) != Some(tag));
        let none = format!("no schema for the tag {}", pattern.escape_debug());
        self.first_of(&fitting, &none, |maker, tag| maker.tagged(tag, places, depth + 1))
    }

    /// Makes a node with a YAML tag, which is the same as a type of JSON Schema.
    fn of_yaml(&mut self, name: &str, outline: &Outline<'_>, depth: usize) -> Result<NodeId> {
        let kind = match name {
            "null" => Kind::Null,
            "str" => Kind::String,
            "int" => Kind::Int,
            "float" => Kind::Float,
            "bool" => Kind::Bool,
            "seq" => Kind::Sequence,
            "map" => Kind::Mapping,
            _ => return Err(fail(format_args!("the YAML tag '{}' is not supported", name.escape_debug()))),
        };
        self.untagged(outline, Some(kind), true, depth)
    }

    /// Makes a node without a tag. If `tagged`, it gets a tag later. `kind` is the kind of a YAML tag.
    fn untagged(
        &mut self,
        outline: &Outline<'_>,
        kind: Option<Kind>,
        tagged: bool,
        depth: usize,
    ) -> Result<NodeId> {
        // A default is preferred to the smallest value.
        if let Some(&default) = outline.defaults.iter().find(|default| outline.takes(**default)) {
            if !self.choices.more() {
                return self.tree.graft(default);
            }
        }
        if let Some(values) = &outline.facts.values {
            let fitting: Vec<_> = values.iter().filter(|value| outline.takes(**value)).collect();
            let value = fitting.get(self.choices.of(fitting.len()));
            let value = value.ok_or_else(|| fail("no value is in every enumeration"))?;
            return self.tree.graft(**value);
        }
        let kinds = kind.map_or_else(|| outline.kinds(tagged), |kind| vec![kind]);
        self.first_of(&kinds, "the schemas require different types", |maker, kind| {
            maker.kind(*kind, outline, depth)
        })
    }

    fn kind(&mut self, kind: Kind, outline: &Outline<'_>, depth: usize) -> Result<NodeId> {
        match kind {
            Kind::Null => Ok(self.tree.add_null()),
            Kind::Bool => {
                let value = self.choices.more();
                Ok(self.tree.add_bool(value))
            }
            Kind::Int => self.int(outline).ok_or_else(|| fail("no integer is within the limits")),
            Kind::Float => self.float(outline).ok_or_else(|| fail("no number is within the limits")),
            Kind::Timestamp => Ok(self.tree.add_timestamp(text::MOMENT)),
            Kind::String if outline.facts.date_time => Ok(self.moment()),
            Kind::String => {
                let patterns = &outline.facts.limits.patterns;
                let (shortest, longest) = outline.lengths();
                let text = text::matching(patterns, shortest, longest, &mut self.choices);
                let text = text.ok_or_else(|| match patterns.is_empty() {
                    true => fail(format_args!(
                        "no string of up to {} characters has the required length",
                        text::MOST
                    )),
                    false => fail("found no string that matches the pattern"),
                })?;
                Ok(self.tree.add_str(&text))
            }
            Kind::Sequence => self.sequence(outline, depth),
            Kind::Mapping => self.mapping(outline, depth),
        }
    }

    fn moment(&mut self) -> NodeId {
        let (day, hour) = (self.choices.of(28) + 1, self.choices.of(24));
        self.tree.add_timestamp(&format!("2000-01-{day:02}T{hour:02}:00:00"))
    }

    /// Makes the integer nearest to 0 within the limits, or one of the next thousand above or below. Smaller ones are made only
    /// if the schema has a minimum.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a bound beyond is cut off, and the value is validated"
    )]
    fn int(&mut self, outline: &Outline<'_>) -> Option<NodeId> {
        let lowest = outline.minimum().map(|(bound, excluded)| {
            let above = bound.ceil();
            (above as i64).saturating_add(i64::from(excluded && above == bound))
        });
        let highest = outline.maximum().map(|(bound, excluded)| {
            let below = bound.floor();
            (below as i64).saturating_sub(i64::from(excluded && below == bound))
        });
        let step =
            outline.multiple().filter(|step| step.fract() == 0.0).map_or(1, |step| (step as i64).max(1));
        let nearest = 0.max(lowest.unwrap_or(i64::MIN)).min(highest.unwrap_or(i64::MAX));
        let steps = match nearest < 0 {
            true => nearest.div_euclid(step),
            false => nearest.checked_add(step - 1)?.div_euclid(step),
        };
        let start = steps.checked_mul(step)?;
        let inside = |value: i64| {
            lowest.is_none_or(|lowest| value >= lowest) && highest.is_none_or(|highest| value <= highest)
        };
        if !inside(start) {
            return None;
        }
        let range = |end: i64| (i64::try_from(end.abs_diff(start)).unwrap_or(i64::MAX) / step).min(1000);
        let above = range(highest.unwrap_or(i64::MAX));
        let below = lowest.map_or(0, range);
        let more = i64::try_from(self.choices.of(usize::try_from(above + below + 1).ok()?)).ok()?;
        let more = if more <= above { more } else { above - more };
        Some(self.tree.add_int(start + more * step))
    }

    /// Makes the number nearest to 0 within the limits, or one between that number and a limit.
    fn float(&mut self, outline: &Outline<'_>) -> Option<NodeId> {
        let (low, above) = outline.minimum().unwrap_or((f64::NEG_INFINITY, false));
        let (high, below) = outline.maximum().unwrap_or((f64::INFINITY, false));
        let beside = |limit: f64, other: f64, step: f64| match other.is_finite() {
            true => f64::midpoint(limit, other),
            false => limit + step,
        };
        let start = match 0.0_f64.max(low).min(high) {
            start if start == low && above => beside(low, high, 1.0),
            start if start == high && below => beside(high, low, -1.0),
            start => start,
        };
        let share = [0.0, 0.5, 0.25, 0.125].get(self.choices.of(4)).copied().unwrap_or_default();
        let end = if share > 0.0 && low.is_finite() && self.choices.more() { low } else { high };
        let end = if end.is_finite() { end } else { start + 100.0 };
        let value = start + (end - start) * share;
        let value = outline.multiple().filter(|step| *step > 0.0).map_or(value, |step| {
            let steps = value / step;
            step * if value < 0.0 { steps.floor() } else { steps.ceil() }
        });
        (value >= low && value <= high).then(|| self.tree.add_float(value))
    }

    fn sequence(&mut self, outline: &Outline<'_>, depth: usize) -> Result<NodeId> {
        let mut items = Vec::new();
        for &place in &outline.facts.contains {
            let mut places = outline.item(None);
            places.push(place);
            items.push(self.value(&places, &[], None, depth + 1).map_err(|error| error.under(items.len()))?);
        }
        let (least, most) = outline.item_counts();
        let range = most.saturating_sub(least).min(MOST_MORE);
        let more = if depth < DEEP { self.choices.of(range + 1) } else { 0 };
        let wanted = least.saturating_add(more).min(most);
        while items.len() < wanted {
            let places = outline.item(Some(items.len()));
            match self.value(&places, &[], None, depth + 1) {
                Ok(item) => items.push(item),
                Err(_) if items.len() >= least => break,
                Err(error) => return Err(error.under(items.len())),
            }
        }
        Ok(self.tree.add_sequence(items))
    }

    fn mapping(&mut self, outline: &Outline<'_>, depth: usize) -> Result<NodeId> {
        let mut needed = outline.facts.required.clone();
        with_dependencies(&mut needed, outline);
        let required: HashSet<&str> = needed.iter().copied().collect();
        let named: HashSet<&str> = outline.names().collect();
        let mut keys = Vec::new();
        for name in outline.names() {
            if required.contains(name) || (depth < DEEP && self.choices.more()) {
                keys.push(name);
            }
        }
        keys.extend(needed.iter().filter(|needed| !named.contains(**needed)));
        let is_closed = outline.facts.others.iter().any(|other| other.others == Others::Refused);
        if !is_closed && depth < DEEP && self.choices.more() && !keys.contains(&"another") {
            keys.push("another");
        }
        with_dependencies(&mut keys, outline);
        let mut entries: Vec<(String, NodeId)> = Vec::new();
        for key in keys {
            let schemas = property(self.documents, &outline.facts.schemas, key);
            match self.value(&schemas, &[], None, depth + 1) {
                Ok(value) => entries.push((key.to_owned(), value)),
                Err(error) if required.contains(key) => return Err(error.under(key)),
                Err(_) => {}
            }
        }
        self.fill(&mut entries, outline, depth)?;
        let made: HashSet<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
        let left_out = outline.names().filter(|name| !made.contains(name)).map(str::to_owned).collect();
        let entries: Vec<(NodeId, NodeId)> =
            entries.into_iter().map(|(name, value)| (self.tree.add_str(&name), value)).collect();
        let id = self.tree.add_mapping(entries);
        self.mappings.push(Made { id, schemas: outline.facts.schemas.clone(), left_out });
        Ok(id)
    }

    /// Adds properties until `minProperties` is reached: first named ones, then any.
    fn fill(
        &mut self,
        entries: &mut Vec<(String, NodeId)>,
        outline: &Outline<'_>,
        depth: usize,
    ) -> Result<()> {
        let least = outline.min_properties.min(MOST_PROPERTIES);
        if entries.len() >= least {
            return Ok(());
        }
        let patterns = outline.facts.patterns.iter();
        let fitting = patterns.filter_map(|(one, _)| text::smallest(one)).collect::<Vec<_>>();
        let spare = (0..least).map(|number| format!("x{number}"));
        let mut why = None;
        for key in outline.names().map(str::to_owned).chain(fitting).chain(spare) {
            if entries.len() >= least {
                return Ok(());
            }
            if entries.iter().any(|(known, _)| *known == key) {
                continue;
            }
            let schemas = property(self.documents, &outline.facts.schemas, &key);
            match self.value(&schemas, &[], None, depth + 1) {
                Ok(value) => entries.push((key, value)),
                Err(error) => why = why.or(Some(error.under(key))),
            }
        }
        match why {
            Some(error) if entries.len() < least => Err(error),
            _ => Ok(()),
        }
    }

    /// Makes an array with its elements in the tree.
    fn array(&mut self, places: &[Place]) -> Result<NodeId> {
        let gathered = self.gathered(places, places)?;
        let outline = gathered.outline();
        let axes = outline.axes.unwrap_or(1);
        if axes == 0 || axes > DEEP || outline.max_axes.is_some_and(|most| most < axes) {
            return Err(fail(format_args!("an array with {axes} axes is not supported")));
        }
        let datatype = outline.datatype.clone().unwrap_or(Datatype::Float64);
        let length = self.choices.of(MOST_MORE + 1);
        let mut items: Vec<NodeId> = Vec::new();
        for _ in 0..length {
            let Some(element) = element(&datatype) else { break };
            items.push(match element {
                Element::Bool => self.tree.add_bool(false),
                Element::Int => self.tree.add_int(0),
                Element::Float => self.tree.add_float(0.5),
                Element::Text => self.tree.add_str(""),
            });
        }
        let is_empty = items.is_empty();
        let mut data = self.tree.add_sequence(items);
        for _ in 1..if is_empty { 1 } else { axes } {
            data = self.tree.add_sequence([data]);
        }
        let datatype = Node::new(&datatype)?;
        let datatype = self.tree.graft(datatype.view())?;
        let mut entries = vec![("data", data), ("datatype", datatype)];
        if is_empty && axes > 1 {
            // An empty list does not show the number of axes.
            let zeros: Vec<NodeId> = (0..axes).map(|_| self.tree.add_int(0)).collect();
            entries.push(("shape", self.tree.add_sequence(zeros)));
        }
        let array = self.tree.add_mapping([]);
        for (key, value) in entries {
            self.tree.insert(array, key, value);
        }
        self.tree.set_style(array, Style::Flow);
        Ok(array)
    }
}

/// Adds the properties that those in a list depend on.
fn with_dependencies<'s>(keys: &mut Vec<&'s str>, outline: &Outline<'s>) {
    let mut needed: HashMap<&str, Vec<NodeRef<'s>>> = HashMap::new();
    for (name, names) in &outline.dependencies {
        needed.entry(name).or_default().push(*names);
    }
    let mut met: HashSet<&str> = keys.iter().copied().collect();
    let mut at = 0;
    while let Some(&key) = keys.get(at) {
        let names = needed.get(key).into_iter().flatten().flat_map(|names| names.items());
        keys.extend(names.filter_map(NodeRef::as_str).filter(|name| met.insert(name)));
        at += 1;
    }
}

enum Element {
    Bool,
    Int,
    Float,
    Text,
}

/// Returns the form of the elements of a datatype in the tree, or `None` if the array stays empty.
fn element(datatype: &Datatype) -> Option<Element> {
    Some(match datatype {
        Datatype::Bool8 => Element::Bool,
        Datatype::Float16 | Datatype::Float32 | Datatype::Float64 => Element::Float,
        Datatype::Ascii(_) | Datatype::Ucs4(_) => Element::Text,
        Datatype::Struct(_) | Datatype::Complex32 | Datatype::Complex64 | Datatype::Complex128 => {
            return None;
        }
        _ => Element::Int,
    })
}
