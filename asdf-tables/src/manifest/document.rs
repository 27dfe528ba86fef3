//! The nodes of a manifest: groups and arrays with their metadata, in order.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use super::array::{MappedArray, Placed};
use super::names::Names;

/// A group, or an array with its attributes. Its path has no `/` at the ends; that of the root is empty.
pub(super) enum Entry<'m> {
    Group(String),
    Array { path: String, array: &'m MappedArray, attributes: Json },
}

/// The `.zgroup` of zarr, version 2.
pub(super) fn zgroup() -> Json {
    json!({"zarr_format": 2})
}

/// Returns the key of a node's metadata, such as `roman/data/.zarray`.
pub(super) fn key(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}

/// Returns the metadata of all nodes by their keys, as in `.zmetadata`.
pub(super) fn metadata(arrays: &[Placed], names: &Names) -> Map<String, Json> {
    let mut all = Map::new();
    for node in entries(arrays, names) {
        match node {
            Entry::Group(path) => {
                all.insert(key(&path, ".zgroup"), zgroup());
            }
            Entry::Array { path, array, attributes } => {
                all.insert(key(&path, ".zarray"), array.zarray());
                all.insert(key(&path, ".zattrs"), attributes);
            }
        }
    }
    all
}

/// Iterates over the nodes: each group before its first array, and the arrays in order.
pub(super) fn entries<'m>(arrays: &'m [Placed], names: &Names) -> impl Iterator<Item = Entry<'m>> {
    let mut names = names.clone();
    let mut written: BTreeSet<&[String]> = BTreeSet::new();
    let mut files: BTreeMap<&[String], String> = BTreeMap::new();
    let root = arrays.is_empty().then(|| Entry::Group(String::new()));
    let nodes = arrays.iter().flat_map(move |Placed { steps, array }| {
        let mut found = Vec::new();
        for group in (0..steps.len()).filter_map(|length| steps.get(..length)) {
            if written.insert(group) {
                found.push(Entry::Group(group.join("/")));
            }
        }
        let (name, group) = match steps.split_last() {
            Some((name, group)) => (name.as_str(), group),
            None => ("", steps.as_slice()),
        };
        let mut dimensions = Vec::new();
        if array.stacked {
            let file = files.entry(group).or_insert_with(|| names.unique(group, "file".to_owned()));
            dimensions.push(file.clone());
        }
        for axis in 0..array.shape.len() - dimensions.len() {
            dimensions.push(names.unique(group, format!("{name}_dim{axis}")));
        }
        let attributes = json!({"_ARRAY_DIMENSIONS": dimensions});
        found.push(Entry::Array { path: steps.join("/"), array, attributes });
        found
    });
    root.into_iter().chain(nodes)
}
