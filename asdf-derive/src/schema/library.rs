//! Reads the schema file of an attribute and the files that it refers to.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use asdf_schema_model::{Value as _, uri};

use super::document::Node;

/// A schema file.
pub(crate) struct Document {
    /// The path for messages: as in the attribute, or relative to that path.
    pub(crate) shown: String,
    path: PathBuf,
    pub(crate) id: Option<String>,
    pub(crate) root: Node,
}

/// A schema: a document or a part of a document.
#[derive(Clone)]
pub(crate) struct Schema {
    pub(crate) document: Rc<Document>,
    pub(crate) node: Node,
}

/// The documents that have been read.
#[derive(Default)]
pub(crate) struct Library {
    documents: Vec<Rc<Document>>,
}

impl Library {
    /// Reads a file whose path is relative to a folder.
    pub(crate) fn open(&mut self, folder: &Path, shown: &str) -> Result<Schema, String> {
        let path = folder.join(shown);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            format!(
                "cannot read {shown}: {error}; the path is relative to the folder of Cargo.toml, {}",
                folder.display()
            )
        })?;
        self.add(path, shown.to_owned(), &text)
    }

    fn add(&mut self, path: PathBuf, shown: String, text: &str) -> Result<Schema, String> {
        let root =
            Node::parse(text).map_err(|(line, error)| format!("{shown}:{line}: not valid YAML: {error}"))?;
        let id = root.get("id").and_then(|id| id.text()).map(|id| id.trim_end_matches('#').to_owned());
        let document = Rc::new(Document { shown, path, id, root: root.clone() });
        self.documents.push(document.clone());
        Ok(Schema { document, node: root })
    }

    /// The paths of the files that were read, so that changes can be detected.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.documents.iter().map(|document| document.path.as_path())
    }

    /// Returns the schema that a `$ref` refers to: a part of the same document, or another file. The path of the other
    /// file is found from the two ids and the path of this file. `None` if there is no such file.
    pub(crate) fn follow(&mut self, from: &Rc<Document>, reference: &str) -> Option<Schema> {
        let base = from.id.as_deref().unwrap_or_default();
        let (id, pointer) = uri::resolve(base, reference);
        let document = if id == base { from.clone() } else { self.document(from, &id)? };
        let node = document.root.at(&pointer)?;
        Some(Schema { document, node })
    }

    fn document(&mut self, from: &Rc<Document>, id: &str) -> Option<Rc<Document>> {
        let base = from.id.as_deref()?;
        if let Some(known) = self.documents.iter().find(|document| document.id.as_deref() == Some(id)) {
            return Some(known.clone());
        }
        let beside = relative(base, id)?;
        let near = |path: &str| match path.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{beside}.yaml"),
            None => format!("{beside}.yaml"),
        };
        let path = from.path.parent()?.join(format!("{beside}.yaml"));
        let text = std::fs::read_to_string(&path).ok()?;
        let found = self.add(path, near(&from.shown), &text).ok()?;
        (found.document.id.as_deref() == Some(id)).then_some(found.document)
    }
}

/// The relative path from the folder of one URI to another URI on the same host.
fn relative(from: &str, to: &str) -> Option<String> {
    let (from, to): (Vec<_>, Vec<_>) = (from.split('/').collect(), to.split('/').collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // The path after the scheme and the host.
    if common < 3 || common >= to.len() {
        return None;
    }
    let up = from.len().checked_sub(common + 1)?;
    let steps = std::iter::repeat_n("..", up).chain(to.into_iter().skip(common));
    Some(steps.collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_between_ids() {
        let base = "asdf://x.org/schemas/a/b-1.0.0";
        for (id, path) in [
            ("asdf://x.org/schemas/a/c-1.0.0", Some("c-1.0.0")),
            ("asdf://x.org/schemas/d/c-1.0.0", Some("../d/c-1.0.0")),
            ("asdf://x.org/other/e-1.0.0", Some("../../other/e-1.0.0")),
            ("http://stsci.edu/schemas/core/a-1.0.0", None),
        ] {
            assert_eq!(relative(base, id).as_deref(), path, "{id}");
        }
    }
}
