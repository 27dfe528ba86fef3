//! Schemas in files that are read when they are needed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use asdf_core::{Threads, yaml};

use super::text;

/// The schemas of a package whose manifests list its tags.
///
/// A file is read when its schema is needed. Its name is nearly always the end of its id. To find another id, or to list all
/// ids, all files are read.
#[derive(Debug)]
pub(super) struct Unread {
    files: Vec<Unopened>,
    /// The files by name without extension, in their order.
    names: HashMap<String, Vec<usize>>,
    /// The number of threads that read all files.
    threads: Threads,
    /// The first file with each id.
    ids: OnceLock<HashMap<String, usize>>,
}

#[derive(Debug)]
struct Unopened {
    path: PathBuf,
    /// The schema, or `None` if the file cannot be read or has no schema with an id.
    found: OnceLock<Option<Found>>,
}

#[derive(Debug)]
struct Found {
    id: String,
    text: Arc<str>,
}

impl Unread {
    pub(super) fn new(files: Vec<PathBuf>, threads: Threads) -> Self {
        let mut names: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, path) in files.iter().enumerate() {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            names.entry(name.into_owned()).or_default().push(index);
        }
        let files = files.into_iter().map(|path| Unopened { path, found: OnceLock::new() }).collect();
        Self { files, names, threads, ids: OnceLock::new() }
    }

    /// Returns the text of a schema in a file named like the end of its id.
    pub(super) fn likely(&self, id: &str) -> Option<&str> {
        let mut files = self.called(id).filter_map(Unopened::found);
        files.find(|found| found.id == id).map(|found| &*found.text)
    }

    /// Returns the text of a schema in any of the files.
    pub(super) fn text(&self, id: &str) -> Option<&str> {
        let file = self.ids().get(id).and_then(|&index| self.files.get(index));
        file.and_then(Unopened::found).map(|found| &*found.text)
    }

    /// Returns the files without a schema with an id. Reads all files.
    pub(super) fn unusable(&self) -> impl Iterator<Item = &Path> {
        self.ids();
        self.files.iter().filter(|file| file.found().is_none()).map(|file| file.path.as_path())
    }

    /// Returns all ids. Reads all files.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.ids().keys().map(String::as_str)
    }

    fn called(&self, id: &str) -> impl Iterator<Item = &Unopened> {
        let name = id.rsplit(['/', ':']).next().unwrap_or(id);
        self.names.get(name).into_iter().flatten().filter_map(|&index| self.files.get(index))
    }

    fn ids(&self) -> &HashMap<String, usize> {
        self.ids.get_or_init(|| {
            // Other threads can read single files at the same time.
            let unread: Vec<&Unopened> =
                self.files.iter().filter(|file| file.found.get().is_none()).collect();
            let paths: Vec<&Path> = unread.iter().map(|file| file.path.as_path()).collect();
            for (file, text) in unread.into_iter().zip(text::texts(&paths, self.threads)) {
                file.found.get_or_init(|| text.ok().and_then(Found::of));
            }
            let mut ids = HashMap::new();
            for (index, file) in self.files.iter().enumerate() {
                if let Some(found) = file.found() {
                    ids.entry(found.id.clone()).or_insert(index);
                }
            }
            ids
        })
    }
}

impl Unopened {
    fn found(&self) -> Option<&Found> {
        self.found.get_or_init(|| Found::of(text::read(&self.path).ok()?.into())).as_ref()
    }
}

impl Found {
    fn of(text: Arc<str>) -> Option<Self> {
        let id = match text::id_line(&text) {
            Some(id) => id.to_owned(),
            None => yaml::parse(&text).ok()?.find("/id")?.as_str()?.to_owned(),
        };
        Some(Self { id: id.trim_end_matches('#').to_owned(), text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads that read single schemas while others read all do not mix up files.
    #[test]
    fn every_file_has_its_own_text() {
        let folder = tempfile::tempdir().unwrap();
        let id = |number: usize| format!("asdf://x.org/schemas/s{number}-1.0.0");
        let files: Vec<PathBuf> =
            (0..60).map(|number| folder.path().join(format!("s{number}-1.0.0.yaml"))).collect();
        for (number, file) in files.iter().enumerate() {
            std::fs::write(file, format!("id: {}\n", id(number))).unwrap();
        }
        for _ in 0..50 {
            let unread = Unread::new(files.clone(), Threads::ALL);
            std::thread::scope(|scope| {
                scope.spawn(|| unread.all().count());
                for first in 0..3 {
                    let unread = &unread;
                    scope.spawn(move || {
                        (first..60).step_by(3).rev().all(|one| unread.likely(&id(one)).is_some())
                    });
                }
            });
            assert_eq!(unread.all().count(), files.len());
            assert!(
                (0..60).all(|number| unread.text(&id(number)).is_some_and(|text| text.contains(&id(number))))
            );
        }
    }
}
