//! Parses each schema once, and resolves the references in schemas.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use asdf_core::Tree;
use asdf_core::tree::{NodeId, NodeRef};
use asdf_schema_model::{Found, Schema, uri};

use crate::Registry;

/// A schema, or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) document: usize,
    pub(crate) node: NodeId,
}

/// The maximum number of chained references.
const MOST_HOPS: usize = 32;

/// The schemas of a registry that were used. The registry is borrowed or shared.
#[derive(Debug)]
pub(crate) struct Documents<R> {
    registry: R,
    /// The schemas by id; `None` for schemas that cannot be loaded.
    known: HashMap<String, Option<usize>>,
    all: Vec<(String, Arc<Tree>)>,
}

impl<R: Deref<Target = Registry>> Documents<R> {
    pub(crate) fn of(registry: R) -> Self {
        Self { registry, known: HashMap::new(), all: Vec::new() }
    }

    pub(crate) fn registry(&self) -> &R {
        &self.registry
    }

    /// Adds a schema that is not in the registry. Replaces an earlier one with the same id.
    pub(crate) fn add(&mut self, id: &str, tree: Tree) {
        let known = self.known.get(id).copied().flatten();
        let document = (id.to_owned(), Arc::new(tree));
        match known.and_then(|number| self.all.get_mut(number)) {
            Some(place) => *place = document,
            None => {
                self.known.insert(id.to_owned(), Some(self.all.len()));
                self.all.push(document);
            }
        }
    }

    /// Returns the id of the schema of a place.
    pub(crate) fn id(&self, place: Place) -> Option<&str> {
        self.all.get(place.document).map(|(id, _)| id.as_str())
    }

    /// Returns the document of a place.
    pub(crate) fn tree(&self, place: Place) -> Option<Arc<Tree>> {
        self.all.get(place.document).map(|(_, tree)| tree.clone())
    }

    /// Returns the whole schema with an id.
    pub(crate) fn get(&mut self, id: &str) -> Option<Place> {
        let number = match self.known.get(id) {
            Some(&number) => number?,
            None => {
                let tree = self.registry.schema(id).ok().filter(|tree| tree.root().is_some());
                let number = tree.map(|tree| {
                    self.all.push((id.to_owned(), Arc::new(tree)));
                    self.all.len() - 1
                });
                self.known.insert(id.to_owned(), number);
                number?
            }
        };
        let (_, tree) = self.all.get(number)?;
        Some(Place { document: number, node: tree.root()?.id() })
    }

    /// Returns the target of a `$ref` in a schema.
    pub(crate) fn resolve(&mut self, place: Place, reference: NodeRef<'_>) -> Option<Place> {
        let mut reference = reference.as_str()?.to_owned();
        let mut place = place;
        for _ in 0..MOST_HOPS {
            let (base, _) = self.all.get(place.document)?;
            let (id, fragment) = uri::resolve(base, &reference);
            let document = self.get(&id)?;
            let tree = self.tree(document)?;
            match Schema::new(tree.node(document.node)).follow(&fragment)? {
                Found::Node(node) => return Some(Place { document: document.document, node: node.id() }),
                Found::Elsewhere(other) => {
                    place = document;
                    reference = other;
                }
            }
        }
        None
    }
}
