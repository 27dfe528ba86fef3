//! The files of a package.

use std::path::{Path, PathBuf};

use asdf_core::yaml;

use super::Document;
use crate::{Error, Result};

/// The maximum depth of folders in a package, since a link to a parent folder would never end.
const MAX_DEPTH: usize = 32;

/// Reads every document in a folder and its subfolders, except configuration files.
pub(super) fn read(folder: &Path, configs: &[PathBuf]) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    for file in files(folder, 0)? {
        if configs.contains(&file) {
            continue;
        }
        let text = std::fs::read_to_string(&file)
            .map_err(|error| Error::io("reading a schema", error).at_file(&file))?;
        let tree = yaml::parse(&text).map_err(|error| error.at_file(&file))?;
        documents.extend(Document::new(file, tree)?);
    }
    Ok(documents)
}

/// The YAML files, sorted by name.
fn files(folder: &Path, depth: usize) -> Result<Vec<PathBuf>> {
    if depth > MAX_DEPTH {
        return Err(Error::limit(format!("the folders of the package nest deeper than {MAX_DEPTH} levels"))
            .at_file(folder));
    }
    let failed = |error| Error::io("reading the folder of a package", error).at_file(folder);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    let mut files_found = Vec::new();
    for path in paths {
        if path.is_dir() {
            files_found.extend(files(&path, depth + 1)?);
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files_found.push(path);
        }
    }
    Ok(files_found)
}
