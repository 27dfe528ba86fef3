//! The pairs of files to compare.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asdf_core::{Error, Result};

use crate::input::below;
use crate::remote::{self, Remote};

/// Two files of the same name, or one that is only in one folder.
#[derive(Debug)]
pub(super) struct Pair {
    /// The name within the folders.
    pub(super) name: PathBuf,
    pub(super) left: Option<PathBuf>,
    pub(super) right: Option<PathBuf>,
}

/// Returns whether a path is a folder, on this machine or at a URL.
pub(super) fn is_folder(path: &Path) -> bool {
    remote::url(path).map_or_else(|| path.is_dir(), |url| url.ends_with('/'))
}

/// Returns the two files, or the files of two folders, paired by name and sorted.
pub(super) fn pairs(left: &Path, right: &Path, remote: &Remote) -> Result<Vec<Pair>> {
    match (is_folder(left), is_folder(right)) {
        (true, true) => {}
        (false, false) => {
            let (left, right) = (left.to_path_buf(), right.to_path_buf());
            return Ok(vec![Pair { name: left.clone(), left: Some(left), right: Some(right) }]);
        }
        (is_folder, _) => {
            let (folder, file) = if is_folder { (left, right) } else { (right, left) };
            return Err(Error::usage(format!("found a folder, but {} is a file", file.display()))
                .at_file(folder)
                .with_hint("compare two files, or two folders"));
        }
    }
    let mut all: BTreeMap<PathBuf, Pair> = BTreeMap::new();
    for (side, folder) in [left, right].into_iter().enumerate() {
        let found: Box<dyn Iterator<Item = Result<PathBuf>>> = match remote::url(folder) {
            Some(url) => Box::new(remote.list(url).map(|found| Ok(found?.path))),
            None => Box::new(below(folder.to_path_buf()).map(|input| Ok(input?.path))),
        };
        for path in found {
            let path = path?;
            let name = path.strip_prefix(folder).unwrap_or(&path).to_path_buf();
            let pair = all.entry(name.clone()).or_insert(Pair { name, left: None, right: None });
            *(if side == 0 { &mut pair.left } else { &mut pair.right }) = Some(path);
        }
    }
    Ok(all.into_values().collect())
}
