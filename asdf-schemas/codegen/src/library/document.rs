//! A YAML file with an id.

use std::collections::HashMap;
use std::path::PathBuf;

use asdf_core::{NodeId, NodeRef, Tree};

use crate::uri::{Version, split_version};
use crate::{Error, Result};

/// A schema or manifest.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) id: String,
    /// The id without its version.
    pub(crate) family: String,
    pub(crate) version: Option<Version>,
    pub(crate) file: PathBuf,
    pub(crate) tree: Tree,
    pub(crate) root: NodeId,
    /// Whether it is the schema of a tag in a default manifest.
    pub(crate) current: bool,
    /// Whether documents with tags build on it. A value for a reference to this document can then have one of their tags.
    pub(crate) base: bool,
    pointers: HashMap<NodeId, String>,
}

impl Document {
    /// Creates a document from a parsed file. `None` if it has no id and is not marked as a schema.
    pub(super) fn new(file: PathBuf, tree: Tree) -> Result<Option<Self>> {
        let Some(root) = tree.root() else { return Ok(None) };
        let Some(id) = root.get("id") else {
            if root.get("$schema").is_some() {
                let error = root.error("the schema has no `id`").at_file(&file).at_path("");
                return Err(error.with_hint("add an `id`: a URI whose last part is the name of the file"));
            }
            return Ok(None);
        };
        let Some(text) = id.as_str() else {
            return Err(id.expected("a URI").under("id").at_file(&file));
        };
        let text = text.trim_end_matches('#').to_owned();
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let last = text.rsplit('/').next().unwrap_or_default();
        if last != stem {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            return Err(id
                .error(format!("the id {text} does not fit the file's name, {name}"))
                .under("id")
                .at_file(&file)
                .with_hint(format!("rename the file to {last}.yaml, or change the id")));
        }
        let mut pointers = HashMap::new();
        let mut walk = root.walk();
        while let Some(node) = walk.next() {
            pointers.insert(node.id(), walk.path().to_string());
        }
        let root = root.id();
        let (family, version) = split_version(&text);
        let family = family.to_owned();
        Ok(Some(Self { id: text, family, version, file, tree, root, current: false, base: false, pointers }))
    }

    pub(super) fn pointer(&self, node: NodeId) -> &str {
        self.pointers.get(&node).map_or("", String::as_str)
    }

    /// An error at a node.
    pub(crate) fn error(&self, node: NodeRef<'_>, message: impl Into<String>) -> Error {
        self.locate(node, Error::malformed(message))
    }

    /// Adds the place of a node to an error.
    pub(crate) fn locate(&self, node: NodeRef<'_>, error: Error) -> Error {
        let error = match node.position() {
            Some((line, column)) => error.at_position(line, column),
            None => error,
        };
        error.at_path(self.pointer(node.id())).at_file(&self.file)
    }

    /// A mismatch error at a node.
    pub(crate) fn expected(&self, node: NodeRef<'_>, what: &str) -> Error {
        self.error(node, node.expected(what).message())
    }

    /// An error at the `id`.
    pub(super) fn error_at_id(&self, message: impl Into<String>) -> Error {
        let root = self.tree.node(self.root);
        self.error(root.get("id").unwrap_or(root), message)
    }

    /// The last part of the id, without the version.
    pub(crate) fn stem(&self) -> &str {
        self.family.rsplit('/').next().unwrap_or(&self.family)
    }

    /// Whether this is a manifest.
    pub(crate) fn is_manifest(&self) -> bool {
        let root = self.tree.node(self.root);
        root.get("extension_uri").is_some() && root.get("$schema").is_none()
    }
}
