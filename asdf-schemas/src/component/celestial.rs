//! Coordinates of asdf-astropy: on the sky, in space, and on the Earth.

use std::collections::BTreeMap;

use asdf_core::Result;
use asdf_core::tree::{Kind, NodeRef, tag_matches};

use super::{Component, all_of as of_node, in_words, quantity};

/// Whether values with this tag are numbers with a unit.
pub(super) fn is_quantity(tag: &str) -> bool {
    ["angle", "latitude", "longitude", "spectralcoord"].iter().any(|name| {
        tag.strip_prefix("tag:astropy.org:astropy/coordinates/")
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|version| version.starts_with('-'))
    })
}

/// Returns the coordinates that are arrays. The other properties become the metadata of each of them.
pub(super) fn all_of(node: NodeRef<'_>, tag: &str, depth: usize) -> Result<Vec<Component>> {
    let mut found = Vec::new();
    let mut metadata = BTreeMap::new();
    let mut add = |key: &str, value: NodeRef<'_>| -> Result<()> {
        let inner = match value.own_tag() {
            // The first version of ICRS has numbers and units without a tag.
            None if value.kind() == Kind::Mapping => quantity(value),
            _ => of_node(value, depth + 1),
        };
        let inner = inner.map_err(|error| error.under(key))?;
        let inner: Vec<_> = inner.into_iter().filter(|inner| !inner.array.shape().is_empty()).collect();
        if inner.is_empty() {
            metadata.extend(in_words(value).map(|text| (key.to_owned(), text)));
        }
        found.extend(inner.into_iter().map(|inner| inner.under(key)));
        Ok(())
    };
    if tag_matches("tag:astropy.org:astropy/coordinates/frames/*", tag) {
        let (_, name) = tag.rsplit_once('/').unwrap_or_default();
        let frame = name.rsplit_once('-').map_or(name, |(name, _)| name);
        for (key, value) in entries(node).chain(node.get("frame_attributes").into_iter().flat_map(entries)) {
            if !matches!(key, "data" | "frame_attributes") {
                add(key, value)?;
            }
        }
        if let Some(data) = node.get("data") {
            let inner = of_node(data, depth + 1).map_err(|error| error.under("data"))?;
            found.extend(
                inner.into_iter().map(|inner| Component { name: renamed(&inner.name, frame), ..inner }),
            );
        }
        metadata.insert("frame".to_owned(), frame.to_owned());
    } else {
        // A representation has its coordinates one level deeper.
        let inner = node.get("components").filter(|inner| inner.own_tag().is_none());
        for (key, value) in entries(node).chain(inner.into_iter().flat_map(entries)) {
            if key != "components" {
                add(key, value)?;
            }
        }
    }
    for component in &mut found {
        for (key, value) in &metadata {
            component.metadata.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    Ok(found)
}

fn entries(node: NodeRef<'_>) -> impl Iterator<Item = (&str, NodeRef<'_>)> {
    node.entries().filter_map(|(key, value)| Some((key.text()?, value)))
}

/// Returns astropy's name of a spherical coordinate in a frame.
fn renamed(name: &str, frame: &str) -> String {
    let renamed = match (frame, name) {
        (
            "icrs" | "fk4" | "fk4noeterms" | "fk5" | "gcrs" | "cirs" | "tete" | "precessedgeocentric",
            "lon",
        ) => "ra",
        (
            "icrs" | "fk4" | "fk4noeterms" | "fk5" | "gcrs" | "cirs" | "tete" | "precessedgeocentric",
            "lat",
        ) => "dec",
        ("galactic", "lon") => "l",
        ("galactic", "lat") => "b",
        _ => name,
    };
    renamed.to_owned()
}
