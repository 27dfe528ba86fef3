//! The titles that schemas give to nodes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use asdf_core::Tree;
use asdf_core::tree::{Kind, NodeRef, Path};
use asdf_schema_model::uri;
use asdf_schemas::Registry;

/// References lead to references at most this many times, and schemas combine schemas at most this deep.
const DEEPEST: usize = 16;

/// Finds titles in the schemas of a registry.
pub(super) struct Titles {
    registry: Arc<Registry>,
    /// Schemas that were parsed; `None` for those that cannot be.
    documents: RefCell<HashMap<String, Option<Rc<Tree>>>>,
}

/// A place in a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    id: String,
    path: String,
}

impl Titles {
    pub(super) fn new(registry: Arc<Registry>) -> Self {
        Self { registry, documents: RefCell::default() }
    }

    /// What the schemas say about a node: the schema of its tag, or else what that of the node above says of `key`.
    pub(super) fn of(&self, node: NodeRef<'_>, key: &str, above: Option<&Place>) -> Option<Place> {
        let own = node.own_tag().filter(|tag| !tag.starts_with(asdf_core::tree::ASDF_TAG));
        let own = own.and_then(|tag| self.registry.schemas_of(tag).first().map(|id| (*id).to_owned()));
        match own {
            Some(id) => Some(Place { id, path: String::new() }),
            None => self.property(above?, key, 0),
        }
    }

    /// What the schemas say about the node at a pointer.
    pub(super) fn at_path(&self, root: NodeRef<'_>, path: &str) -> Option<Place> {
        let mut node = root;
        let mut place = self.of(root, "", None);
        for step in path.split('/').skip(1) {
            node = node.find(&format!("/{step}"))?;
            let key = step.replace("~1", "/").replace("~0", "~");
            place = self.of(node, &key, place.as_ref());
        }
        place
    }

    /// The title at a place; `None` if there is none, or more than one.
    pub(super) fn title(&self, place: &Place) -> Option<String> {
        self.title_within(place, 0)
    }

    fn title_within(&self, place: &Place, depth: usize) -> Option<String> {
        let place = self.followed(place, depth)?;
        let own =
            self.at(&place, |node| node.get("title").and_then(NodeRef::text).map(str::to_owned)).flatten();
        let combined =
            self.combined(&place).into_iter().filter_map(|place| self.title_within(&place, depth + 1));
        let title = only(own.into_iter().chain(combined))?;
        Some(title.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The schema of a property; `None` if there is none, or more than one.
    fn property(&self, place: &Place, key: &str, depth: usize) -> Option<Place> {
        let place = self.followed(place, depth)?;
        let has = |node: NodeRef<'_>| node.get("properties").is_some_and(|all| all.get(key).is_some());
        let own = self.at(&place, has).unwrap_or(false).then(|| place.below(&["properties", key]));
        let combined =
            self.combined(&place).into_iter().filter_map(|place| self.property(&place, key, depth + 1));
        only(own.into_iter().chain(combined))
    }

    /// The schemas that a schema combines.
    fn combined(&self, place: &Place) -> Vec<Place> {
        let mut found = Vec::new();
        for keyword in ["allOf", "oneOf", "anyOf"] {
            let count = self.at(place, |node| {
                node.get(keyword).filter(|list| list.kind() == Kind::Sequence).map_or(0, NodeRef::len)
            });
            found.extend((0..count.unwrap_or(0)).map(|at| place.below(&[keyword, &at.to_string()])));
        }
        found
    }

    /// Where the references at a place lead to.
    fn followed(&self, place: &Place, depth: usize) -> Option<Place> {
        let mut place = place.clone();
        for _ in depth..DEEPEST {
            let reference =
                self.at(&place, |node| node.get("$ref").and_then(NodeRef::text).map(str::to_owned))?;
            let Some(reference) = reference else { return Some(place) };
            let (id, path) = uri::resolve(&place.id, &reference);
            place = Place { id, path };
        }
        None
    }

    fn at<T>(&self, place: &Place, ask: impl FnOnce(NodeRef<'_>) -> T) -> Option<T> {
        let mut documents = self.documents.borrow_mut();
        let document = documents
            .entry(place.id.clone())
            .or_insert_with(|| self.registry.schema(&place.id).ok().map(Rc::new))
            .clone();
        drop(documents);
        document?.find(&place.path).map(ask)
    }
}

impl Place {
    fn below(&self, steps: &[&str]) -> Self {
        let below: Path = steps.iter().collect();
        Self { id: self.id.clone(), path: format!("{}{below}", self.path) }
    }
}

/// The one that there is.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}
