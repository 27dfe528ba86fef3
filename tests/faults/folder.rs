//! The files of a folder, with their contents.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The files of a folder and below, by their paths in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder(BTreeMap<PathBuf, Vec<u8>>);

impl Folder {
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        let (mut files, mut waiting) = (BTreeMap::new(), vec![root.to_path_buf()]);
        while let Some(folder) = waiting.pop() {
            for entry in std::fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    waiting.push(path);
                } else if let Ok(name) = path.strip_prefix(root) {
                    files.insert(name.to_path_buf(), std::fs::read(&path)?);
                }
            }
        }
        Ok(Self(files))
    }

    /// Replaces the contents of a folder.
    pub(crate) fn restore(&self, root: &Path) -> io::Result<()> {
        if root.exists() {
            std::fs::remove_dir_all(root)?;
        }
        std::fs::create_dir_all(root)?;
        for (name, bytes) in &self.0 {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(root))?;
            std::fs::write(path, bytes)?;
        }
        Ok(())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(Path::new(name)).map(Vec::as_slice)
    }

    /// The names of files that another folder does not have.
    pub(crate) fn not_in(&self, other: &Self) -> Vec<&Path> {
        self.0.keys().filter(|name| !other.0.contains_key(*name)).map(PathBuf::as_path).collect()
    }
}
