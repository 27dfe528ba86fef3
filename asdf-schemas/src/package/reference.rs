//! Checks of the references between schemas.

use std::collections::HashMap;
use std::sync::Arc;

use asdf_core::Tree;
use asdf_core::error::Hint;
use asdf_core::tree::{Kind, NodeRef, Path};
use asdf_schema_model::nearest;
use asdf_schema_model::uri::{decode, split};
use asdf_schema_model::{Found, Schema};
use jsonschema::uri;

use super::document::{Document, each_schema};
use crate::Registry;
use crate::validate::{Code, Violation};

/// Reports references whose target does not exist. Returns whether all targets exist.
pub(super) fn check(
    registry: &Registry,
    document: &Document,
    root: NodeRef<'_>,
    out: &mut Vec<Violation>,
) -> bool {
    let before = out.len();
    let mut targets = Targets { registry, trees: HashMap::new() };
    each_schema(root, &mut |schema, path| {
        let Some(node) = schema.get("$ref").filter(|node| node.kind() == Kind::String) else { return };
        let Some(reference) = node.as_str() else { return };
        let Err((message, hint)) = targets.follow(&document.id, reference) else { return };
        let mut path: Path = path.clone();
        path.push("$ref");
        let mut violation = Violation::at(node, path, Code::Reference, message);
        violation.hint = hint.map(Hint::from);
        out.push(violation);
    });
    out.len() == before
}

/// Resolves a reference in a schema to an id and a JSON Pointer. The error is the message for the user.
pub(super) fn target(base: &str, reference: &str) -> Result<(String, String), String> {
    let text = reference.escape_debug();
    let base = uri::from_str(base)
        .map_err(|_| format!("cannot resolve {text}: the id of the schema is not an absolute URI"))?;
    let all = uri::resolve_against(&base.borrow(), reference)
        .map_err(|_| format!("found '{text}', expected a URI reference"))?;
    let (id, fragment) = split(all.as_str());
    Ok((id.to_owned(), decode(fragment)))
}

/// The schemas that references lead to, each parsed once.
struct Targets<'r> {
    registry: &'r Registry,
    trees: HashMap<String, Option<Arc<Tree>>>,
}

impl Targets<'_> {
    /// Returns the message and a hint if the target of a reference does not exist.
    fn follow(&mut self, base: &str, reference: &str) -> Result<(), (String, Option<String>)> {
        let (mut id, mut pointer) = target(base, reference).map_err(|why| (why, None))?;
        // The definitions of a schema can be a reference to another schema. It is followed once.
        for _ in 0..2 {
            // Every validator has the metaschemas of JSON Schema.
            if id.starts_with("http://json-schema.org/draft-0") {
                return Ok(());
            }
            let Some(tree) = self.tree(&id) else {
                let like = nearest(&id, &self.registry.ids()).map(|like| format!("did you mean '{like}'?"));
                return Err((format!("unknown schema '{}'", id.escape_debug()), like));
            };
            let Some(root) = tree.root() else { return Ok(()) };
            let is_pointer = pointer.is_empty() || pointer.starts_with('/');
            return match Schema::new(root).follow(&pointer).filter(|_| is_pointer) {
                Some(Found::Elsewhere(elsewhere)) => {
                    (id, pointer) = target(&id, &elsewhere).map_err(|why| (why, None))?;
                    continue;
                }
                Some(Found::Node(_)) => Ok(()),
                None => {
                    let message = format!("{} does not exist in {id}", pointer.escape_debug());
                    let slash = format!("/{pointer}");
                    let hint = match pointer.contains('/') && root.find(&slash).is_some() {
                        true => Some(format!("write a slash after the '#': '#{}'", slash.escape_debug())),
                        false => sibling(&tree, &pointer),
                    };
                    Err((message, hint))
                }
            };
        }
        Ok(())
    }

    fn tree(&mut self, id: &str) -> Option<Arc<Tree>> {
        if let Some(known) = self.trees.get(id) {
            return known.clone();
        }
        let tree = self.registry.schema(id).ok().map(Arc::new);
        self.trees.insert(id.to_owned(), tree.clone());
        tree
    }
}

/// Suggests a member of the same mapping with a similar name.
fn sibling(tree: &Tree, pointer: &str) -> Option<String> {
    let (above, name) = pointer.rsplit_once('/')?;
    let names: Vec<&str> = tree.find(above)?.entries().filter_map(|(key, _)| key.as_str()).collect();
    nearest(name, &names).map(|like| format!("did you mean '{}'?", like.escape_debug()))
}
