//! The files of the repository, for tests that read them.

use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

/// Returns the root folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns the files with this extension, without those in hidden folders, in `target`, and in folders with these names.
pub(crate) fn files(extension: &str, left_out: &[&str]) -> Vec<PathBuf> {
    let is_kept = |entry: &DirEntry| {
        let name = entry.file_name().to_str().unwrap();
        entry.depth() == 0 || !(name.starts_with('.') || name == "target" || left_out.contains(&name))
    };
    let entries = WalkDir::new(root()).sort_by_file_name().into_iter().filter_entry(is_kept);
    let paths = entries.map(|entry| entry.unwrap().into_path());
    paths.filter(|path| path.is_file() && path.extension().is_some_and(|found| found == extension)).collect()
}
