//! The input files of a command: files, folders, patterns and standard input.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use asdf_core::{Error, Result};

use crate::remote::{self, Found, Remote};
use crate::standard_streams::{STDIN, is_std};

/// A file that the command line names, or a file in a folder that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    /// Whether the file was found in a folder, rather than named itself.
    pub(crate) found: bool,
    /// The size and the time of the last change of a remote file, if a listing says them.
    pub(crate) known: Option<(u64, SystemTime)>,
}

impl Input {
    /// Creates the input for a file that the command line names.
    pub(crate) fn named(path: PathBuf) -> Self {
        Self { path, found: false, known: None }
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> String {
        if self.is_stdin() { STDIN.to_owned() } else { self.path.display().to_string() }
    }

    /// Returns the name with the exact bytes that the system uses.
    pub(crate) fn raw_name(&self) -> OsString {
        if self.is_stdin() { self.name().into() } else { self.path.clone().into_os_string() }
    }

    pub(crate) fn is_stdin(&self) -> bool {
        is_std(&self.path)
    }
}

/// Returns the files that paths name. A folder yields the files `*.asdf` below it, sorted by name. Patterns that the
/// shell did not expand are expanded, and `-` is standard input. URLs are listed by [`Remote`]. A folder that cannot be read or has no such file is
/// an error.
pub(crate) fn inputs(paths: Vec<PathBuf>, remote: &Remote) -> impl Iterator<Item = Result<Input>> + Send {
    let remote = remote.clone();
    paths.into_iter().flat_map(move |path| -> Inputs {
        if let Some(url) = remote::url(&path) {
            return Box::new(remote.list(url).map(|found| {
                let Found { path, is_listed, known } = found?;
                Ok(Input { path, found: is_listed, known })
            }));
        }
        if path.is_dir() {
            return folder(path);
        }
        let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']) && !path.exists());
        match pattern.and_then(|pattern| glob::glob(pattern).ok()) {
            Some(paths) => {
                let mut found = paths.filter_map(std::result::Result::ok).peekable();
                if found.peek().is_none() {
                    return Box::new(std::iter::once(Err(
                        Error::usage("no file matches this pattern").at_file(path)
                    )));
                }
                // As if the shell had expanded the pattern, folders are walked.
                Box::new(found.flat_map(|path| match path.is_dir() {
                    true => folder(path),
                    false => Box::new(std::iter::once(Ok(Input::named(path)))),
                }))
            }
            None => Box::new(std::iter::once(Ok(Input::named(path)))),
        }
    })
}

/// Returns whether a path can name several files: a folder or a pattern.
pub(crate) fn names_many(path: &Path) -> bool {
    match remote::url(path) {
        Some(url) => remote::names_many(url),
        None => path.is_dir() || !(path.exists() || is_std(path)),
    }
}

type Inputs = Box<dyn Iterator<Item = Result<Input>> + Send>;

fn folder(path: PathBuf) -> Inputs {
    let mut found = below(path.clone()).peekable();
    if found.peek().is_none() {
        let error = Error::usage("found no *.asdf file in this folder").at_file(path);
        return Box::new(std::iter::once(Err(
            error.with_hint("name files with another extension one by one")
        )));
    }
    Box::new(found)
}

/// Returns the files `*.asdf` in a folder and below.
pub(crate) fn below(path: PathBuf) -> impl Iterator<Item = Result<Input>> + Send {
    walkdir::WalkDir::new(path).sort_by_file_name().into_iter().filter_map(|entry| match entry {
        Ok(entry) => {
            let asdf = entry.path().extension().is_some_and(|extension| extension == "asdf");
            let file = entry.file_type().is_file() || (entry.path_is_symlink() && entry.path().is_file());
            (asdf && file).then(|| Ok(Input { path: entry.into_path(), found: true, known: None }))
        }
        Err(error) => {
            let path = error.path().map(Path::to_path_buf).unwrap_or_default();
            let error =
                error.into_io_error().unwrap_or_else(|| std::io::Error::other("a cycle of symbolic links"));
            Some(Err(Error::io("reading the folder", error).at_file(path)))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_in_order_and_patterns_expanded() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("b/c")).unwrap();
        for name in ["b/c/2.asdf", "b/1.asdf", "b/1.fits", "a.asdf"] {
            std::fs::write(at(name), "").unwrap();
        }
        let names = |paths: &[PathBuf]| -> Vec<String> {
            let relative =
                |input: Input| input.path.strip_prefix(folder.path()).unwrap().display().to_string();
            inputs(paths.to_vec(), &Remote::default())
                .map(|input| input.map_or_else(|error| error.message().to_owned(), relative))
                .collect()
        };
        assert_eq!(names(&[folder.path().to_path_buf()]), ["a.asdf", "b/1.asdf", "b/c/2.asdf"]);
        assert_eq!(names(&[at("b/*.asdf"), at("a.asdf")]), ["b/1.asdf", "a.asdf"]);
        assert_eq!(names(&[at("b/1.fits"), at("none.asdf")]), ["b/1.fits", "none.asdf"]);
        assert_eq!(names(&[at("x*.asdf")]), ["no file matches this pattern"]);
        assert_eq!(names(&[at("?")]), ["b/1.asdf", "b/c/2.asdf"]);
        std::fs::create_dir(at("empty")).unwrap();
        assert_eq!(names(&[at("empty"), at("a.asdf")]), ["found no *.asdf file in this folder", "a.asdf"]);
    }
}
