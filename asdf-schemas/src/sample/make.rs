//! Nodes that fit schemas.

use std::sync::Arc;

use asdf_core::tree::{Kind, tag_matches};
use asdf_core::{Datatype, NodeId, Style, Tree};

use super::choices::Choices;
use super::library::{Library, Place};
use super::outline::Outline;
use super::text;
use crate::registry::Edition;

/// How deep values are made. Deeper, only what has to be there is.
const DEEP: usize = 10;
/// How deep a value may have to be.
const DEEPEST: usize = 48;
/// How many nodes are made, those that did not fit included.
const MOST_NODES: usize = 4000;
/// The most items or properties that are added to what has to be there.
const MOST_MORE: usize = 3;

/// Datatypes that all versions of the standard have.
const DATATYPES: [&str; 6] = ["float64", "float32", "int16", "int64", "uint8", "bool8"];

const NDARRAY: &str = "tag:stsci.edu:asdf/core/ndarray-";

/// Makes a value.
pub(super) struct Maker<'a, 'b> {
    pub(super) trees: &'a mut Library,
    pub(super) edition: Arc<Edition>,
    pub(super) choices: Choices<'b>,
    pub(super) tree: Tree,
    nodes: usize,
}

impl<'a, 'b> Maker<'a, 'b> {
    pub(super) fn new(trees: &'a mut Library, edition: Arc<Edition>, bytes: &'b [u8]) -> Self {
        let tree = Tree::new();
        Self { trees, edition, choices: Choices::new(bytes), tree, nodes: 0 }
    }

    /// A node with a tag.
    pub(super) fn tagged(&mut self, tag: &str, more: &[Place], depth: usize) -> Option<NodeId> {
        let ids: Vec<String> = self.trees.registry().schemas_of(tag).into_iter().map(str::to_owned).collect();
        let mut places = more.to_vec();
        for id in ids {
            places.push(self.trees.root(&id)?);
        }
        if places.is_empty() {
            return None;
        }
        let node = match tag.starts_with(NDARRAY) {
            true => self.array(&places)?,
            false => self.value(&places, &[], Some(tag), depth)?,
        };
        self.tree.set_tag(node, Some(tag));
        Some(node)
    }

    /// A node that fits all schemas. `own` is the tag that it will have, if that is known.
    pub(super) fn value(
        &mut self,
        places: &[Place],
        chosen: &[Place],
        own: Option<&str>,
        depth: usize,
    ) -> Option<NodeId> {
        self.nodes += 1;
        if depth > DEEPEST || self.nodes > MOST_NODES {
            return None;
        }
        let outline = Outline::of(self.trees, places, chosen)?;
        if outline.is_array {
            return self.array(places);
        }
        if outline.is_datatype && outline.values.is_none() {
            let name = DATATYPES.get(self.choices.of(DATATYPES.len()))?;
            return Some(self.tree.add_str(name));
        }
        if let Some((owner, branches)) = outline.unions.first() {
            let first = self.choices.of(branches.len());
            let chosen: Vec<Place> = chosen.iter().copied().chain([*owner]).collect();
            // Where one branch leads nowhere, the next may.
            return (0..branches.len()).find_map(|step| {
                let branch = *branches.get((first + step) % branches.len())?;
                let mut places = places.to_vec();
                places.push(branch);
                self.value(&places, &chosen, own, depth + 1)
            });
        }
        let foreign = outline.tags.iter().find(|pattern| own.is_none_or(|own| !tag_matches(pattern, own)));
        if let (Some(pattern), None) = (foreign, own) {
            if let Some(kind) = pattern.strip_prefix("tag:yaml.org,2002:") {
                return self.of_yaml(kind, &outline, depth);
            }
            return self.of_pattern(pattern, places, depth);
        }
        if foreign.is_some() {
            return None;
        }
        self.untagged(&outline, depth)
    }

    /// A node with one of the tags that fit a pattern.
    fn of_pattern(&mut self, pattern: &str, places: &[Place], depth: usize) -> Option<NodeId> {
        let tags = self.trees.tags();
        let mut fitting: Vec<&str> =
            tags.iter().map(String::as_str).filter(|tag| tag_matches(pattern, tag)).collect();
        let of_edition = |tag: &&str| !self.edition.schemas_of(tag).is_empty();
        if fitting.iter().any(of_edition) {
            fitting.retain(of_edition);
        }
        fitting.reverse();
        let first = self.choices.of(fitting.len());
        (0..fitting.len()).find_map(|step| {
            let tag = *fitting.get((first + step) % fitting.len())?;
            self.tagged(tag, places, depth + 1)
        })
    }

    fn of_yaml(&mut self, kind: &str, outline: &Outline, depth: usize) -> Option<NodeId> {
        let kind = match kind {
            "str" => Kind::String,
            "int" => Kind::Int,
            "float" => Kind::Float,
            "bool" => Kind::Bool,
            "seq" => Kind::Sequence,
            "map" => Kind::Mapping,
            _ => return None,
        };
        self.kind(kind, outline, depth)
    }

    fn untagged(&mut self, outline: &Outline, depth: usize) -> Option<NodeId> {
        if let Some(values) = &outline.values {
            let value = values.get(self.choices.of(values.len()))?;
            return self.tree.graft(value.view()).ok();
        }
        let kinds = outline.kinds();
        let first = self.choices.of(kinds.len());
        (0..kinds.len()).find_map(|step| {
            let kind = *kinds.get((first + step) % kinds.len())?;
            self.kind(kind, outline, depth)
        })
    }

    fn kind(&mut self, kind: Kind, outline: &Outline, depth: usize) -> Option<NodeId> {
        match kind {
            Kind::Null => Some(self.tree.add_null()),
            Kind::Bool => {
                let value = self.choices.more();
                Some(self.tree.add_bool(value))
            }
            Kind::Int => self.int(outline),
            Kind::Float => self.float(outline),
            Kind::Timestamp => Some(self.tree.add_timestamp("2000-01-01T00:00:00")),
            Kind::String if outline.date_time => Some(self.moment()),
            Kind::String => {
                let text = text::matching(
                    &outline.patterns,
                    outline.min_length,
                    outline.max_length,
                    &mut self.choices,
                )?;
                Some(self.tree.add_str(&text))
            }
            Kind::Sequence => self.sequence(outline, depth),
            Kind::Mapping => self.mapping(outline, depth),
        }
    }

    fn moment(&mut self) -> NodeId {
        let (day, hour) = (self.choices.of(28) + 1, self.choices.of(24));
        self.tree.add_timestamp(&format!("2000-01-{day:02}T{hour:02}:00:00"))
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "a bound beyond is cut off, and the value is validated"
    )]
    fn int(&mut self, outline: &Outline) -> Option<NodeId> {
        let lowest = outline.minimum.map(|(bound, excluded)| {
            let above = bound.ceil();
            above as i64 + i64::from(excluded && above == bound)
        });
        let highest = outline.maximum.map(|(bound, excluded)| {
            let below = bound.floor();
            below as i64 - i64::from(excluded && below == bound)
        });
        let least = lowest.unwrap_or_else(|| highest.map_or(0, |highest| highest.min(0)));
        let step = outline.multiple.filter(|step| step.fract() == 0.0).map_or(1, |step| (step as i64).max(1));
        let most = highest.unwrap_or_else(|| least.saturating_add(1000));
        let start = least.checked_add(step - 1)?.div_euclid(step).checked_mul(step)?;
        if start > most {
            return None;
        }
        let room = usize::try_from((most.checked_sub(start)?) / step).unwrap_or(1000).min(1000);
        let more = i64::try_from(self.choices.of(room + 1)).ok()?;
        Some(self.tree.add_int(start + more * step))
    }

    fn float(&mut self, outline: &Outline) -> Option<NodeId> {
        let (least, excluded) = outline.minimum.unwrap_or((0.0, false));
        let most = outline.maximum.map_or(least + 100.0, |(bound, _)| bound);
        let least = if outline.minimum.is_none() { least.min(most) } else { least };
        let share = [0.0, 0.5, 0.25, 0.125].get(self.choices.of(4)).copied().unwrap_or_default();
        let share = if share == 0.0 && excluded { 0.5 } else { share };
        let value = least + (most - least) * share;
        let value = outline.multiple.map_or(value, |step| (value / step).ceil() * step);
        (value >= least && value <= most).then(|| self.tree.add_float(value))
    }

    fn sequence(&mut self, outline: &Outline, depth: usize) -> Option<NodeId> {
        let mut items = Vec::new();
        for &place in &outline.contains {
            let mut places = outline.items.clone();
            places.push(place);
            items.push(self.value(&places, &[], None, depth + 1)?);
        }
        let room = outline.max_items.unwrap_or(usize::MAX).saturating_sub(outline.min_items).min(MOST_MORE);
        let more = if depth < DEEP { self.choices.of(room + 1) } else { 0 };
        let mut wanted = outline.min_items + more;
        if !outline.more_items {
            wanted = wanted.min(outline.first_items.len());
        }
        while items.len() < wanted {
            let mut places = outline.items.clone();
            places.extend(outline.first_items.get(items.len()).into_iter().flatten());
            match self.value(&places, &[], None, depth + 1) {
                Some(item) => items.push(item),
                None if items.len() >= outline.min_items => break,
                None => return None,
            }
        }
        Some(self.tree.add_sequence(items))
    }

    fn mapping(&mut self, outline: &Outline, depth: usize) -> Option<NodeId> {
        let mut entries = Vec::new();
        for (name, places) in &outline.properties {
            let required = outline.required.contains(name);
            if !required && (depth >= DEEP || !self.choices.more()) {
                continue;
            }
            match self.value(places, &[], None, depth + 1) {
                Some(value) => entries.push((name.as_str(), value)),
                None if required => return None,
                None => {}
            }
        }
        let unlisted = |name: &&String| !outline.properties.iter().any(|(known, _)| known == *name);
        for name in outline.required.iter().filter(unlisted) {
            let value = self.value(&outline.others, &[], None, depth + 1)?;
            entries.push((name, value));
        }
        if !outline.closed && depth < DEEP && self.choices.more() {
            if let Some(value) = self.value(&outline.others, &[], None, depth + 1) {
                entries.push(("another", value));
            }
        }
        let spare = ["x", "y", "z"];
        for name in spare.into_iter().take(outline.min_properties.saturating_sub(entries.len())) {
            let value = self.value(&outline.others, &[], None, depth + 1)?;
            entries.push((name, value));
        }
        let entries: Vec<(NodeId, NodeId)> =
            entries.into_iter().map(|(name, value)| (self.tree.add_str(name), value)).collect();
        Some(self.tree.add_mapping(entries))
    }

    /// An array with its elements in the tree, as the schemas want it that ask for one.
    fn array(&mut self, places: &[Place]) -> Option<NodeId> {
        let outline = Outline::of(self.trees, places, places)?;
        let axes = outline.axes.unwrap_or(1);
        if axes == 0 || axes > DEEP || outline.most_axes.is_some_and(|most| most < axes) {
            return None;
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
        let mut data = self.tree.add_sequence(items);
        for _ in 1..axes {
            data = self.tree.add_sequence([data]);
        }
        self.tree.set_style(data, Style::Flow);
        let key = self.tree.add_str("data");
        let of = self.tree.add_str("datatype");
        let datatype = asdf_core::Node::new(&datatype).ok()?;
        let datatype = self.tree.graft(datatype.view()).ok()?;
        Some(self.tree.add_mapping([(key, data), (of, datatype)]))
    }
}

enum Element {
    Bool,
    Int,
    Float,
    Text,
}

/// What an element of a datatype is in the tree; nothing for what is left out.
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
