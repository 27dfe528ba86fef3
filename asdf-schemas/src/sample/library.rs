//! The schemas that values are made for, as trees.

use std::collections::BTreeMap;
use std::sync::Arc;

use asdf_core::{NodeId, Tree};

use crate::Registry;
use crate::package::target;

/// A schema, or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) document: usize,
    pub(super) node: NodeId,
}

/// Schemas that were asked for, each read once.
#[derive(Debug)]
pub(super) struct Library {
    registry: Arc<Registry>,
    /// All tags that have schemas, sorted.
    tags: Arc<[String]>,
    documents: Vec<(String, Arc<Tree>)>,
    ids: BTreeMap<String, Option<usize>>,
}

impl Library {
    pub(super) fn new(registry: Arc<Registry>) -> Self {
        let tags = registry.tags().into_iter().map(str::to_owned).collect();
        Self { registry, tags, documents: Vec::new(), ids: BTreeMap::new() }
    }

    pub(super) fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// All tags that have schemas, sorted.
    pub(super) fn tags(&self) -> Arc<[String]> {
        self.tags.clone()
    }

    /// Adds a schema that is not in the registry, in the place of an earlier one with its id.
    pub(super) fn add(&mut self, id: &str, tree: Tree) {
        let known = self.ids.get(id).copied().flatten();
        let document = (id.to_owned(), Arc::new(tree));
        match known.and_then(|index| self.documents.get_mut(index)) {
            Some(place) => *place = document,
            None => {
                self.ids.insert(id.to_owned(), Some(self.documents.len()));
                self.documents.push(document);
            }
        }
    }

    /// The whole schema of an id.
    pub(super) fn root(&mut self, id: &str) -> Option<Place> {
        let document = match self.ids.get(id) {
            Some(known) => (*known)?,
            None => match self.registry.schema(id) {
                Ok(tree) => {
                    self.add(id, tree);
                    self.documents.len().checked_sub(1)?
                }
                Err(_) => {
                    self.ids.insert(id.to_owned(), None);
                    return None;
                }
            },
        };
        let node = self.documents.get(document)?.1.root()?.id();
        Some(Place { document, node })
    }

    #[allow(clippy::indexing_slicing, reason = "places are given out by this library only")]
    pub(super) fn tree(&self, place: Place) -> Arc<Tree> {
        self.documents[place.document].1.clone()
    }

    /// The id of the schema that a place is in.
    #[allow(clippy::indexing_slicing, reason = "places are given out by this library only")]
    pub(super) fn id(&self, place: Place) -> &str {
        &self.documents[place.document].0
    }

    /// Where a reference in a schema leads.
    pub(super) fn target(&mut self, from: Place, reference: &str) -> Option<Place> {
        let base = self.documents.get(from.document)?.0.clone();
        let (mut id, mut pointer) = target(&base, reference).ok()?;
        // Definitions may be elsewhere, and no further.
        for _ in 0..2 {
            let root = self.root(&id)?;
            let tree = self.tree(root);
            let schema = tree.node(root.node);
            if let Some(found) = schema.find(&pointer) {
                return Some(Place { document: root.document, node: found.id() });
            }
            let elsewhere = crate::package::moved(schema, &pointer)?;
            (id, pointer) = target(&id, &elsewhere).ok()?;
        }
        None
    }
}
