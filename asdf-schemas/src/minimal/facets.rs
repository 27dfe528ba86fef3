//! All schemas that one value has to satisfy, as one list.

use std::rc::Rc;

use asdf_core::Tree;
use asdf_core::tree::NodeRef;

use crate::documents::{Documents, Place};

/// A schema among those of a value.
pub(super) type Facet = (Place, Rc<Tree>);

/// The schemas of a value, with those that they refer to and are made of.
#[derive(Default)]
pub(super) struct Facets {
    pub(super) all: Vec<Facet>,
    /// Lists of alternatives, one of each to be chosen.
    pub(super) choices: Vec<Vec<Place>>,
    /// What the tag has to be.
    pub(super) tag: Option<String>,
}

impl Facets {
    /// Adds schemas with all that `$ref` and `allOf` lead to. The error is a reference that leads nowhere.
    pub(super) fn add(&mut self, schemas: Vec<Place>, documents: &mut Documents<'_>) -> Result<(), String> {
        let mut pending = schemas;
        pending.reverse();
        while let Some(place) = pending.pop() {
            let Some(tree) = documents.tree(place) else { continue };
            if self.all.iter().any(|(known, _)| *known == place) {
                continue;
            }
            let schema = tree.node(place.node);
            let at = |part: NodeRef<'_>| Place { node: part.id(), ..place };
            if let Some(tag) = schema.get("tag").and_then(NodeRef::as_str) {
                self.tag.get_or_insert_with(|| tag.to_owned());
            }
            for choice in ["anyOf", "oneOf"] {
                let alternatives: Vec<Place> =
                    schema.get(choice).into_iter().flat_map(NodeRef::items).map(at).collect();
                if !alternatives.is_empty() {
                    self.choices.push(alternatives);
                }
            }
            pending.extend(schema.get("allOf").into_iter().flat_map(NodeRef::items).rev().map(at));
            if let Some(reference) = schema.get("$ref") {
                let text = || reference.text().unwrap_or("?").to_owned();
                pending.push(documents.resolve(place, reference).ok_or_else(text)?);
            }
            self.all.push((place, tree.clone()));
        }
        Ok(())
    }

    /// A keyword in each schema that has it.
    pub(super) fn each<'s>(&'s self, keyword: &'s str) -> impl Iterator<Item = NodeRef<'s>> {
        self.all.iter().filter_map(move |(place, tree)| tree.node(place.node).get(keyword))
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        self.each(keyword).next().is_some()
    }

    /// The largest of the numbers that a keyword has.
    pub(super) fn most(&self, keyword: &str) -> u64 {
        self.each(keyword).filter_map(NodeRef::as_u64).max().unwrap_or(0)
    }

    /// A keyword that is a schema, or has some by names, in each schema that has it.
    pub(super) fn places<'s>(&'s self, keyword: &'s str) -> impl Iterator<Item = (Place, NodeRef<'s>)> {
        self.all.iter().filter_map(move |(place, tree)| Some((*place, tree.node(place.node).get(keyword)?)))
    }
}
