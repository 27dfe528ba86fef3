//! The chapters of the book as modules: their Rust examples are tests of the documentation.

use std::io;
use std::path::Path;

include!(concat!(env!("OUT_DIR"), "/chapters.rs"));

/// Makes a folder with the files of `docs/book/files`, and makes it the current one. Removed with the value.
///
/// # Errors
///
/// If the folder cannot be made, or a file not copied.
pub fn folder() -> io::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/files");
    for entry in walkdir::WalkDir::new(&files).min_depth(1) {
        let entry = entry?;
        let to = folder.path().join(entry.path().strip_prefix(&files).unwrap_or(entry.path()));
        match entry.file_type().is_dir() {
            true => std::fs::create_dir_all(to)?,
            false => drop(std::fs::copy(entry.path(), to)?),
        }
    }
    std::env::set_current_dir(folder.path())?;
    Ok(folder)
}
