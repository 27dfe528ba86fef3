//! Manifests: documents that map tags to schemas.

use std::collections::BTreeMap;

use asdf_core::NodeRef;
use asdf_core::tree::tag_matches;

use super::Document;
use crate::settings::Settings;
use crate::uri::{Version, split_version};
use crate::{Error, Result};

/// A tag in a manifest.
#[derive(Debug, Clone)]
pub(crate) struct Tag {
    pub(crate) uri: String,
    pub(crate) version: Option<Version>,
    pub(crate) title: Option<String>,
    /// The ids of its schemas, which apply together.
    pub(crate) schemas: Vec<String>,
    /// Whether a default manifest has it.
    pub(crate) current: bool,
}

/// The tags of the chosen manifests, sorted.
pub(super) fn tags(documents: &[Document], settings: &Settings) -> Result<Vec<Tag>> {
    let manifests: Vec<&Document> = documents.iter().filter(|document| document.is_manifest()).collect();
    for pattern in settings.manifests.iter().chain(&settings.default) {
        if !manifests.iter().any(|manifest| tag_matches(pattern, &manifest.id)) {
            return Err(no_manifest(pattern, &manifests));
        }
    }
    let among = |patterns: &[String], id: &str| patterns.iter().any(|pattern| tag_matches(pattern, id));
    let mut tags: BTreeMap<String, Tag> = BTreeMap::new();
    for manifest in manifests {
        let current = among(&settings.default, &manifest.id);
        if !(current || settings.manifests.is_empty() || among(&settings.manifests, &manifest.id)) {
            continue;
        }
        let list = manifest.tree.node(manifest.root).get("tags");
        for entry in list.into_iter().flat_map(NodeRef::items) {
            let (uri, schemas) = read(manifest, entry)?;
            let version = split_version(&uri).1;
            let tag = tags.entry(uri.clone()).or_insert_with(|| Tag {
                uri: uri.clone(),
                version,
                title: entry.get("title").and_then(NodeRef::as_str).map(str::to_owned),
                schemas: schemas.clone(),
                current: false,
            });
            tag.current |= current;
            if tag.schemas != schemas {
                let (one, other) = (tag.schemas.join(", "), schemas.join(", "));
                let message =
                    format!("the tag {uri} has the schema {other} here, but {one} in another manifest");
                return Err(manifest
                    .error(entry, message)
                    .with_hint("choose the manifests to use with `manifests`, or use separate packages"));
            }
        }
    }
    Ok(tags.into_values().collect())
}

/// A tag and the ids of its schemas.
fn read(manifest: &Document, entry: NodeRef<'_>) -> Result<(String, Vec<String>)> {
    if let Some(tag) = entry.as_str() {
        return Ok((tag.to_owned(), Vec::new()));
    }
    let Some(tag) = entry.get("tag_uri").and_then(NodeRef::as_str) else {
        return Err(manifest.error(entry, "the entry of the manifest has no `tag_uri`"));
    };
    let Some(schema) = entry.get("schema_uri") else { return Ok((tag.to_owned(), Vec::new())) };
    let text = |node: NodeRef<'_>| match node.as_str() {
        Some(id) => Ok(id.trim_end_matches('#').to_owned()),
        None => Err(manifest.expected(node, "the id of a schema")),
    };
    let schemas = match schema.as_str() {
        Some(_) => vec![text(schema)?],
        None => schema.items().map(text).collect::<Result<_>>()?,
    };
    Ok((tag.to_owned(), schemas))
}

fn no_manifest(pattern: &str, manifests: &[&Document]) -> Error {
    let ids: Vec<&str> = manifests.iter().map(|manifest| manifest.id.as_str()).collect();
    let error = Error::usage(format!("no manifest has the id {pattern}"));
    if ids.is_empty() {
        error.with_hint("add a package that has manifests")
    } else {
        error.with_hint(format!("use one of {}", ids.join(", ")))
    }
}
