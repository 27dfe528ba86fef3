//! Writes the tables that the registry uses to find embedded schemas without parsing them.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use asdf_core::yaml;
use flate2::{Compression, write::ZlibEncoder};

/// Writes `embedded.rs` and the files that it includes to a folder.
///
/// - `FAMILIES`: the texts of all versions of a schema, compressed together because they hardly differ.
/// - `DOCUMENTS`: the id of each schema, its family, and the byte range of its text there. Sorted by id.
/// - `TAGS`: the schemas of each tag of a manifest. Sorted by tag.
/// - `MANIFESTS`: the content of each manifest.
pub(crate) fn write(root: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let (documents, tags, manifests) = read(root)?;
    let families: BTreeSet<&str> = documents.keys().map(|id| family(id)).collect();
    let mut places = BTreeMap::new();
    for (index, name) in families.iter().enumerate() {
        let mut all = String::new();
        for (id, document) in documents.iter().filter(|(id, _)| family(id) == *name) {
            places.insert(id, (index, all.len(), all.len() + document.len()));
            all.push_str(document);
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(all.as_bytes())?;
        std::fs::write(out.join(format!("family-{index}.zlib")), encoder.finish()?)?;
    }
    let mut text = String::from("static DOCUMENTS: &[Document] = &[\n");
    for (id, (family, start, end)) in places {
        writeln!(text, "    Document {{ id: {id:?}, family: {family}, start: {start}, end: {end} }},")?;
    }
    writeln!(text, "];\n\nstatic FAMILIES: [Family; {}] = [", families.len())?;
    for index in 0..families.len() {
        let file = format!("/family-{index}.zlib");
        writeln!(text, "    Family::new(include_bytes!(concat!(env!(\"OUT_DIR\"), {file:?}))),")?;
    }
    writeln!(text, "];\n\nstatic TAGS: &[(&str, &[&str])] = &[")?;
    for (tag, schemas) in tags {
        writeln!(text, "    ({tag:?}, &{schemas:?}),")?;
    }
    writeln!(text, "];\n\nstatic MANIFESTS: &[Manifest] = &[")?;
    for manifest in manifests {
        let Manifest { id, exactly, least, beyond, tags } = manifest;
        writeln!(
            text,
            "    Manifest {{ id: {id:?}, exactly: {exactly:?}, least: {least:?}, beyond: {beyond:?}, tags: &["
        )?;
        for (tag, schemas) in tags {
            writeln!(text, "        ({tag:?}, &{schemas:?}),")?;
        }
        writeln!(text, "    ] }},")?;
    }
    writeln!(text, "];")?;
    std::fs::write(out.join("embedded.rs"), text)?;
    Ok(())
}

type Documents = BTreeMap<String, String>;
type Tags = BTreeMap<String, Vec<String>>;

struct Manifest {
    id: String,
    exactly: Option<String>,
    least: Option<String>,
    beyond: Option<String>,
    tags: Vec<(String, Vec<String>)>,
}

/// Reads the texts of all schemas and manifests by id, the schemas of all tags, and the content of manifests.
fn read(root: &Path) -> Result<(Documents, Tags, Vec<Manifest>), Box<dyn Error>> {
    let (mut documents, mut tags, mut manifests) = (Documents::new(), Tags::new(), Vec::new());
    for path in files(root)? {
        let text = std::fs::read_to_string(&path)?;
        let tree = yaml::parse(&text).map_err(|error| error.at_file(&path))?;
        let string = |pointer: &str| tree.find(pointer).and_then(|node| node.as_str()).map(str::to_owned);
        // Files without an id are version maps, not schemas.
        let Some(id) = string("/id") else { continue };
        let mut own = Vec::new();
        for tag in tree.find("/tags").into_iter().flat_map(|tags| tags.items()) {
            let Some(uri) = tag.get("tag_uri").and_then(|uri| uri.as_str()) else { continue };
            let one_or_more = tag.get("schema_uri").map(|schema| {
                let several = || schema.items().filter_map(|item| item.as_str()).map(str::to_owned).collect();
                schema.as_str().map_or_else(several, |schema| vec![schema.to_owned()])
            });
            own.push((uri.to_owned(), one_or_more.unwrap_or_default()));
        }
        for (uri, of_manifest) in &own {
            let schemas: &mut Vec<String> = tags.entry(uri.clone()).or_default();
            for schema in of_manifest {
                if !schemas.contains(schema) {
                    schemas.push(schema.clone());
                }
            }
        }
        if id.contains("/manifests/") {
            let [exactly, least, beyond] =
                ["", "/gte", "/lt"].map(|key| string(&format!("/asdf_standard_requirement{key}")));
            manifests.push(Manifest { id: id.clone(), exactly, least, beyond, tags: own });
        }
        documents.insert(id, text);
    }
    Ok((documents, tags, manifests))
}

/// An id without its version.
fn family(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(family, _)| family)
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
