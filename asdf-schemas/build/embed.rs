//! The tables through which the registry finds embedded schemas without parsing any of them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use asdf_core::yaml;

/// Rust text: `DOCUMENTS`, the id and text of each schema, and `TAGS`, the schemas of each tag that
/// a manifest names; both sorted.
pub(crate) fn text(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut documents = BTreeMap::new();
    let mut tags: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files(root)? {
        let text = std::fs::read_to_string(&path)?;
        let tree = yaml::parse(&text).map_err(|error| error.at_file(&path))?;
        let id: String = tree.get("/id").map_err(|error| error.at_file(&path))?;
        for tag in tree.find("/tags").into_iter().flat_map(|tags| tags.items()) {
            let Some(uri) = tag.get("tag_uri").and_then(|uri| uri.as_str()) else { continue };
            let schemas = tags.entry(uri.to_owned()).or_default();
            let one_or_more = tag.get("schema_uri").map(|schema| {
                schema.as_str().map_or_else(
                    || schema.items().filter_map(|item| item.as_str()).collect(),
                    |schema| vec![schema],
                )
            });
            for schema in one_or_more.unwrap_or_default() {
                if !schemas.iter().any(|known| known == schema) {
                    schemas.push(schema.to_owned());
                }
            }
        }
        documents.insert(id, path);
    }
    let mut out = String::new();
    writeln!(out, "static DOCUMENTS: &[(&str, &str)] = &[")?;
    for (id, path) in documents {
        writeln!(out, "    ({id:?}, include_str!({:?})),", path.display().to_string())?;
    }
    writeln!(out, "];\n\nstatic TAGS: &[(&str, &[&str])] = &[")?;
    for (tag, schemas) in tags {
        writeln!(out, "    ({tag:?}, &{schemas:?}),")?;
    }
    writeln!(out, "];")?;
    Ok(out)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
