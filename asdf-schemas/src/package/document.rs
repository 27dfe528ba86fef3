//! One file of a package, and the check of a schema.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use asdf_core::Result;
use asdf_core::Tree;
use asdf_core::tree::{Kind, NodeId, NodeRef, Path as Pointer};
use asdf_schema_model::Schema;

use crate::Validator;
use crate::registry::{file, folder, text};
use crate::validate::{Code, Severity, Violation};

/// The metaschema of schemas without a `$schema`, or with that of plain JSON Schema, whose rules it includes.
const METASCHEMA: &str = "http://stsci.edu/schemas/asdf/asdf-schema-1.1.0";

#[derive(Debug)]
pub(super) struct Document {
    pub(super) path: PathBuf,
    pub(super) found: bool,
    pub(super) text: String,
    pub(super) tree: Result<Tree>,
    /// Its `id` without an empty fragment, or the URL of the file.
    pub(super) id: String,
}

impl Document {
    pub(super) fn read(path: &Path, found: bool) -> Result<Self> {
        let text = text::read(path)?;
        let tree = super::parsed(path, &text);
        let own = tree.as_ref().ok().and_then(|tree| tree.find("/id")).and_then(NodeRef::as_str);
        let id = own.map_or_else(|| file::url(path), |id| id.trim_end_matches('#').to_owned());
        Ok(Self { path: path.to_path_buf(), found, text, tree, id })
    }

    pub(super) fn root(&self) -> Option<NodeRef<'_>> {
        self.tree.as_ref().ok().and_then(Tree::root)
    }

    /// Whether it is a schema or manifest, or is not YAML.
    pub(super) fn is_meant(&self) -> bool {
        let has = |key| self.root().is_some_and(|root| root.get(key).is_some());
        self.tree.is_err() || has("id") || has("$schema")
    }

    /// Whether it has no `id`.
    pub(super) fn is_named_by_file(&self) -> bool {
        self.root().is_some_and(|root| root.kind() == Kind::Mapping && root.get("id").is_none())
    }

    pub(super) fn is_manifest(&self) -> bool {
        self.root().is_some_and(folder::is_manifest)
    }
}

/// Validates a schema against its metaschema. Returns whether there are no errors.
pub(super) fn check(validator: &Validator, root: NodeRef<'_>, out: &mut Vec<Violation>) -> bool {
    let named = root.get("$schema").and_then(NodeRef::as_str).map(|id| id.trim_end_matches('#'));
    let known = named.filter(|id| validator.registry().text(id).is_some());
    if let (Some(node), Some(id), None) = (root.get("$schema"), named, known) {
        if !id.starts_with("http://json-schema.org/draft-0") {
            let message = format!("unknown schema '{}'", id.escape_debug());
            out.push(Violation::at(node, Pointer::from_iter(["$schema"]), Code::Reference, message));
        }
    }
    let before = out.len();
    match validator.validate_node(root, known.unwrap_or(METASCHEMA)) {
        Ok(report) => out.extend(report.findings().cloned()),
        Err(error) => {
            let message = error.message().to_owned();
            let hint = error.hint().cloned();
            out.push(Violation { hint, ..Violation::at(root, Pointer::root(), Code::Schema, message) });
        }
    }
    out.iter().skip(before).all(|finding| finding.severity() != Severity::Error)
}

/// The maximum depth of schemas, which is also that of YAML texts.
const MAX_DEPTH: usize = 512;

/// Visits every schema in a document once, with its path.
pub(super) fn each_schema<'t>(root: NodeRef<'t>, visit: &mut dyn FnMut(NodeRef<'t>, &Pointer)) {
    let mut met = HashSet::new();
    descend(root, &Pointer::root(), 0, &mut met, visit);
}

fn descend<'t>(
    node: NodeRef<'t>,
    path: &Pointer,
    depth: usize,
    met: &mut HashSet<NodeId>,
    visit: &mut dyn FnMut(NodeRef<'t>, &Pointer),
) {
    if depth > MAX_DEPTH || node.entries().next().is_none() || !met.insert(node.id()) {
        return;
    }
    visit(node, path);
    for part in Schema::new(node).parts() {
        let mut below = path.clone();
        below.push(part.keyword);
        if let Some(step) = part.step {
            below.push(&step.to_string());
        }
        descend(part.schema, &below, depth + 1, met, visit);
    }
}
