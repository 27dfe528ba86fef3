//! The loaded documents: schemas by id, and tags with their schemas.

mod document;
mod folder;
mod manifest;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use asdf_core::tree::tag_matches;
use asdf_core::{NodeId, NodeRef};
use asdf_schema_model::uri::resolve;
use asdf_schema_model::{Found, Schema};

pub(crate) use document::Document;
pub(crate) use manifest::Tag;

use crate::settings::Settings;
use crate::{Error, Result, uri};

/// A node of a document: a schema or a part of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) document: usize,
    pub(crate) node: NodeId,
}

/// All schemas and tags.
#[derive(Debug)]
pub(crate) struct Library {
    /// Sorted by id.
    documents: Vec<Document>,
    ids: BTreeMap<String, usize>,
    /// Sorted by tag.
    tags: Vec<Tag>,
    /// The tags of the manifests without a version, which no type can have.
    unversioned: Vec<String>,
    /// For each document, the documents that build on it: they refer to it in `allOf`.
    derived: BTreeMap<usize, BTreeSet<usize>>,
}

impl Library {
    /// Reads the packages.
    pub(crate) fn load(packages: &[PathBuf], configs: &[PathBuf], settings: &Settings) -> Result<Self> {
        let mut found: BTreeMap<String, (usize, Document)> = BTreeMap::new();
        for (number, package) in packages.iter().enumerate() {
            for document in folder::read(package, configs)? {
                match found.get(&document.id) {
                    // A package may come with schemas of another.
                    Some((first, _)) if *first < number => {}
                    Some((_, first)) => {
                        let what =
                            format!("the id {} is already used by {}", document.id, first.file.display());
                        return Err(document.error_at_id(what));
                    }
                    None => {
                        found.insert(document.id.clone(), (number, document));
                    }
                }
            }
        }
        let mut documents: Vec<Document> = found.into_values().map(|(_, document)| document).collect();
        let ids: BTreeMap<String, usize> =
            documents.iter().enumerate().map(|(index, document)| (document.id.clone(), index)).collect();
        let (tags, others): (Vec<Tag>, Vec<Tag>) =
            manifest::tags(&documents, settings)?.into_iter().partition(|tag| uri::is_tag(&tag.uri));
        let unversioned = others.into_iter().map(|tag| tag.uri).collect();
        for tag in &tags {
            for schema in &tag.schemas {
                if let Some(document) = ids.get(schema).and_then(|&index| documents.get_mut(index)) {
                    document.current |= tag.current;
                }
            }
        }
        let mut library = Self { documents, ids, tags, unversioned, derived: BTreeMap::new() };
        library.find_bases();
        library.find_current_bases();
        Ok(library)
    }

    /// Finds the bases: documents that a document with a tag, or another base, refers to in `allOf`.
    fn find_bases(&mut self) {
        let mut pending: Vec<usize> =
            (0..self.documents.len()).filter(|&index| self.tags_of(index).next().is_some()).collect();
        while let Some(index) = pending.pop() {
            let root = self.root(index);
            let branches: Vec<String> = self
                .node(root)
                .get("allOf")
                .into_iter()
                .flat_map(NodeRef::items)
                .filter_map(|branch| branch.get("$ref")?.as_str().map(str::to_owned))
                .collect();
            for reference in branches {
                let Some(base) = self.target(root, &reference).place else { continue };
                if self.is_root(base) && base.document != index {
                    self.derived.entry(base.document).or_default().insert(index);
                }
                if let Some(document) = self.documents.get_mut(base.document) {
                    if document.root == base.node && !document.base && base.document != index {
                        document.base = true;
                        pending.push(base.document);
                    }
                }
            }
        }
    }

    /// Marks the bases of current documents as current.
    fn find_current_bases(&mut self) {
        let mut pending: Vec<usize> = self.derived.keys().copied().collect();
        while let Some(base) = pending.pop() {
            let mut derived = self.derived.get(&base).into_iter().flatten();
            let current = derived.any(|&index| self.document(index).current);
            if let Some(document) = self.documents.get_mut(base).filter(|base| current && !base.current) {
                document.current = true;
                // The bases of this base.
                pending.extend(
                    self.derived.iter().filter(|(_, on)| on.contains(&base)).map(|(&index, _)| index),
                );
            }
        }
    }

    /// The documents with tags that build on any version of a base, directly or not.
    pub(crate) fn derived_from(&self, family: &str) -> BTreeSet<usize> {
        let versions = self.documents.iter().enumerate().filter(|(_, document)| document.family == family);
        let mut pending: Vec<usize> = versions.map(|(index, _)| index).collect();
        let mut found = BTreeSet::new();
        while let Some(index) = pending.pop() {
            let more = self.derived.get(&index).into_iter().flatten().copied();
            pending.extend(more.filter(|&document| found.insert(document)));
        }
        found.retain(|&index| self.document(index).family != family && self.tags_of(index).next().is_some());
        found
    }

    pub(crate) fn documents(&self) -> impl ExactSizeIterator<Item = &Document> {
        self.documents.iter()
    }

    #[allow(clippy::indexing_slicing, reason = "only this library hands out indices")]
    pub(crate) fn document(&self, index: usize) -> &Document {
        &self.documents[index]
    }

    /// The rank among versions of a family: versions of default manifests come first, then the newest.
    pub(crate) fn rank(&self, document: usize) -> impl Ord + use<> {
        let document = self.document(document);
        (document.current, document.version.clone())
    }

    pub(crate) fn index(&self, id: &str) -> Option<usize> {
        self.ids.get(id).copied()
    }

    /// The tags whose only schema is this document.
    pub(crate) fn tags_of(&self, index: usize) -> impl Iterator<Item = &Tag> {
        let id = &self.document(index).id;
        self.tags.iter().filter(move |tag| matches!(tag.schemas.as_slice(), [only] if only == id))
    }

    /// The tags of the manifests without a version, which no type can have.
    pub(crate) fn unversioned(&self) -> &[String] {
        &self.unversioned
    }

    /// The tags that fit a pattern.
    pub(crate) fn tags_like<'a>(&'a self, pattern: &'a str) -> impl Iterator<Item = &'a Tag> {
        self.tags.iter().filter(move |tag| tag_matches(pattern, &tag.uri))
    }

    pub(crate) fn node(&self, place: Place) -> NodeRef<'_> {
        self.document(place.document).tree.node(place.node)
    }

    pub(crate) fn root(&self, document: usize) -> Place {
        Place { document, node: self.document(document).root }
    }

    pub(crate) fn is_root(&self, place: Place) -> bool {
        self.document(place.document).root == place.node
    }

    /// A part of the schema at a place.
    pub(crate) fn part(&self, place: Place, node: NodeRef<'_>) -> Place {
        Place { document: place.document, node: node.id() }
    }

    /// The path of a place in its document, as a JSON Pointer.
    pub(crate) fn pointer(&self, place: Place) -> &str {
        self.document(place.document).pointer(place.node)
    }

    /// A place as `id`, or as `id#pointer`.
    pub(crate) fn name(&self, place: Place) -> String {
        let id = &self.document(place.document).id;
        match self.pointer(place) {
            "" => id.clone(),
            pointer => format!("{id}#{pointer}"),
        }
    }

    /// An error at a node of the document of a place.
    pub(crate) fn error(&self, place: Place, message: impl Into<String>) -> Error {
        let document = self.document(place.document);
        document.error(self.node(place), message)
    }

    /// The target of a reference: its id and pointer, and its place if it is loaded.
    pub(crate) fn target(&self, at: Place, reference: &str) -> Target {
        let (id, pointer) = resolve(&self.document(at.document).id, reference);
        let place = self.place(id.clone(), pointer.clone());
        let name = if pointer.is_empty() { id.clone() } else { format!("{id}#{pointer}") };
        Target { id, name, place }
    }

    /// The place with an id and a pointer. Definitions can be references to another schema, up to `MOST_HOPS` times.
    fn place(&self, mut id: String, mut pointer: String) -> Option<Place> {
        const MOST_HOPS: usize = 32;
        for _ in 0..MOST_HOPS {
            let index = self.index(&id)?;
            match Schema::new(self.node(self.root(index))).follow(&pointer)? {
                Found::Node(node) => return Some(Place { document: index, node: node.id() }),
                Found::Elsewhere(reference) => (id, pointer) = resolve(&id, &reference),
            }
        }
        None
    }

    /// The error for a reference without a target.
    pub(crate) fn lost(&self, at: Place, target: &Target) -> Error {
        let error = match self.index(&target.id) {
            Some(_) => {
                self.error(at, format!("the reference leads to {}, which does not exist", target.name))
            }
            None => self.error(
                at,
                format!("the reference leads to {}, but no loaded schema has that id", target.name),
            ),
        };
        match self.closest(&target.id) {
            Some(close) if self.index(&target.id).is_none() => error.with_hint(format!(
                "did you mean {close}? Otherwise add the package with the schema, or make it an `extern` type"
            )),
            None => error.with_hint("add the package with the schema, or make it an `extern` type"),
            Some(_) => error,
        }
    }

    /// The newest loaded id that differs from another only in its version.
    fn closest(&self, id: &str) -> Option<&str> {
        let (family, _) = uri::split_version(id);
        let same = self.documents.iter().filter(|document| document.family == family);
        same.max_by(|a, b| a.version.cmp(&b.version)).map(|document| document.id.as_str())
    }
}

/// The target of a reference.
#[derive(Debug)]
pub(crate) struct Target {
    id: String,
    /// `id` or `id#pointer`.
    pub(crate) name: String,
    pub(crate) place: Option<Place>,
}
