//! Which schema a tag has, and where its text is.
//!
//! The schemas of the standard are embedded in the program; their texts are parsed when they are
//! first asked for. Others are added as text.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Error, Result, Tree, yaml};

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Schemas by their id, and the schemas of each tag.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    standard: bool,
    documents: HashMap<String, Arc<str>>,
    tags: HashMap<String, Vec<String>>,
}

impl Registry {
    /// A registry of nothing.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The schemas of every version of the standard.
    #[must_use]
    pub fn new() -> Self {
        Self { standard: true, ..Self::default() }
    }

    /// The schemas of every version of the standard, shared.
    #[must_use]
    pub fn standard() -> Arc<Self> {
        static STANDARD: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(Registry::new()));
        STANDARD.clone()
    }

    /// Adds a schema; it is found by its `id`. One with the same id is replaced.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::ErrorKind::Malformed) when the text is not YAML,
    /// [`Mismatch`](asdf_core::ErrorKind::Mismatch) when it has no `id`.
    pub fn add_schema(&mut self, text: &str) -> Result<()> {
        let tree = yaml::parse(text)?;
        let id: String = tree.get("/id")?;
        self.documents.insert(id.trim_end_matches('#').to_owned(), text.into());
        Ok(())
    }

    /// Adds an extension manifest: its tags are validated by the schemas that it names, which have
    /// to be added too.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::ErrorKind::Malformed) when the text is not YAML,
    /// [`Mismatch`](asdf_core::ErrorKind::Mismatch) when it has no list of tags.
    pub fn add_manifest(&mut self, text: &str) -> Result<()> {
        let tree = yaml::parse(text)?;
        let tags = tree.at("/tags")?;
        if tags.kind() != Kind::Sequence {
            return Err(tags.expected("a sequence").at_path("/tags"));
        }
        for (index, tag) in tags.items().enumerate() {
            let at = |error: Error| error.under(index).at_path("/tags");
            let uri = tag.at("tag_uri").map_err(at)?;
            let uri = uri.as_str().ok_or_else(|| at(uri.expected("a string")))?;
            let Some(schema) = tag.get("schema_uri").filter(|schema| !schema.is_null()) else { continue };
            self.tags.insert(uri.to_owned(), strings(schema).map_err(at)?);
        }
        Ok(())
    }

    /// Says by which schema a tag is validated, without a manifest.
    pub fn add_tag(&mut self, tag: &str, schema: &str) {
        self.tags.entry(tag.to_owned()).or_default().push(schema.to_owned());
    }

    /// The ids of the schemas that a tag's nodes are validated by; none for an unknown tag.
    #[must_use]
    pub fn schemas_of(&self, tag: &str) -> Vec<&str> {
        if let Some(schemas) = self.tags.get(tag) {
            return schemas.iter().map(String::as_str).collect();
        }
        let found = TAGS.binary_search_by(|(known, _)| (*known).cmp(tag)).ok().filter(|_| self.standard);
        found.and_then(|index| TAGS.get(index)).map(|(_, schemas)| schemas.to_vec()).unwrap_or_default()
    }

    /// The text of a schema, by its id without a fragment.
    #[must_use]
    pub fn text(&self, id: &str) -> Option<&str> {
        if let Some(text) = self.documents.get(id) {
            return Some(text);
        }
        let found = DOCUMENTS.binary_search_by(|(known, _)| (*known).cmp(id)).ok().filter(|_| self.standard);
        found.and_then(|index| DOCUMENTS.get(index)).map(|(_, text)| *text)
    }

    /// A schema, parsed.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::ErrorKind::Usage) when there is none with this id; its `file` is the id when
    /// the text is damaged.
    pub fn schema(&self, id: &str) -> Result<Tree> {
        let text = self.text(id).ok_or_else(|| {
            Error::usage(format!("there is no schema {}", id.escape_debug()))
                .with_hint("add the package that has it to the registry")
        })?;
        yaml::parse(text).map_err(|error| error.at_file(id))
    }

    /// The ids of all schemas and manifests, sorted.
    #[must_use]
    pub fn ids(&self) -> Vec<&str> {
        let embedded = DOCUMENTS.iter().filter(|_| self.standard).map(|(id, _)| *id);
        let mut ids: Vec<&str> = self.documents.keys().map(String::as_str).chain(embedded).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// All tags that have schemas, sorted.
    #[must_use]
    pub fn tags(&self) -> Vec<&str> {
        let embedded = TAGS.iter().filter(|_| self.standard).map(|(tag, _)| *tag);
        let mut tags: Vec<&str> = self.tags.keys().map(String::as_str).chain(embedded).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }
}

/// A string, or a list of them.
fn strings(node: NodeRef<'_>) -> Result<Vec<String>> {
    if let Some(one) = node.as_str() {
        return Ok(vec![one.to_owned()]);
    }
    if node.kind() != Kind::Sequence {
        return Err(node.expected("a string or a list of strings"));
    }
    node.items()
        .map(|item| item.as_str().map(str::to_owned).ok_or_else(|| item.expected("a string")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_lead_to_schemas_and_texts() {
        let registry = Registry::standard();
        let tag = "tag:stsci.edu:asdf/core/ndarray-1.1.0";
        assert_eq!(registry.schemas_of(tag), ["http://stsci.edu/schemas/asdf/core/ndarray-1.1.0"]);
        for tag in registry.tags() {
            for id in registry.schemas_of(tag) {
                assert!(registry.text(id).is_some(), "{tag} names {id}, which is not embedded");
            }
        }
        assert!(Registry::empty().schemas_of(tag).is_empty());
        assert!(registry.schemas_of("tag:nobody.org:x-1.0.0").is_empty());
    }

    #[test]
    fn packages_can_be_added() {
        let mut registry = Registry::new();
        registry.add_schema("id: asdf://x.org/schemas/a-1.0.0\ntype: string\n").unwrap();
        registry
            .add_manifest("tags:\n- {tag_uri: 'asdf://x.org/tags/a-1.0.0', schema_uri: 'asdf://x.org/schemas/a-1.0.0'}\n")
            .unwrap();
        assert_eq!(registry.schemas_of("asdf://x.org/tags/a-1.0.0"), ["asdf://x.org/schemas/a-1.0.0"]);
        assert!(registry.add_schema("type: string").unwrap_err().to_string().contains("'id'"));
        assert!(registry.add_manifest("tags: 5").is_err());
        assert!(registry.schema("http://nowhere").is_err());
    }
}
