//! The folders to whose files a file can refer, by references and for the data of arrays.

use std::path::{Component, Path, PathBuf};

use super::disk::folder_of;
use crate::error::{Code, Error, Hint, Result};
use crate::tree::percent_decode;

/// The folders besides its own to whose files a file can refer. Cloning is cheap if there are none.
#[derive(Debug, Clone, Default)]
pub(super) struct Folders(Vec<PathBuf>);

impl Folders {
    /// Adds a folder. A relative path starts at the current folder of the program.
    pub(super) fn add(&mut self, folder: &Path) {
        // An empty path would be a prefix of all others.
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        self.0.push(std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()));
    }

    /// Whether a real path is in one of the folders. A folder that does not exist has no files.
    pub(super) fn hold(&self, real: &Path) -> bool {
        self.0.iter().any(|folder| folder.canonicalize().is_ok_and(|folder| real.starts_with(folder)))
    }

    /// Whether an absolute path without `..` is in one of the folders, by its text alone or after following links.
    fn name(&self, path: &Path) -> bool {
        self.0.iter().any(|folder| path.starts_with(folder)) || self.hold(path)
    }

    /// The real path of the file that a URI in `file` refers to.
    ///
    /// The URI is relative to the folder of `file`, or `file:` with an absolute path; other schemes are refused. `names`
    /// begins the message of a refusal: "the array's data is in".
    ///
    /// The file has to be in that folder, in an allowed one or below, after symbolic links are followed. Files elsewhere
    /// are refused before the disk is accessed.
    pub(super) fn locate(&self, file: &Path, uri: &str, names: &str) -> Result<PathBuf> {
        const HERE: &str = "use a relative path to a file in the folder of this file, or below it";
        let refused = |why: &str| {
            Error::unsupported(format!("{names} '{}', {why}", uri.escape_debug()))
                .with_code(Code::Outside)
                .at_file(file)
        };
        let outside = |why: &str| match self.0.as_slice() {
            [] => refused(&format!("which {why} the folder of this file"))
                .with_hint(Hint::AllowFolder { allowed: 0 }),
            allowed => refused(&format!("which {why} the folder of this file and the allowed folders"))
                .with_hint(Hint::AllowFolder { allowed: allowed.len() }),
        };
        let local = local_path(uri);
        let scheme = local.is_none() && uri.split('/').next().is_some_and(|first| first.contains(':'));
        let path = percent_decode(local.unwrap_or(uri))
            .ok_or_else(|| refused("which is not the URI of a file").with_hint(HERE))?;
        let path = Path::new(&path);
        if scheme || uri.is_empty() || uri.contains(['?', '#']) {
            return Err(refused("which is not the relative path of a file").with_hint(HERE));
        }
        let io = |path: &Path, error: std::io::Error| {
            let doing = format!("{names} '{}', which cannot be opened", uri.escape_debug());
            Error::io(doing, error).at_file(path)
        };
        let given = folder_of(file);
        let folder = given.canonicalize().map_err(|error| io(&given, error))?;
        // By the text of the path alone, before the disk is accessed.
        let below = match local {
            Some(_) => path.strip_prefix(&folder).or_else(|_| path.strip_prefix(&given)).ok(),
            None => Some(path),
        };
        let path = match below.filter(|below| is_plain(below)) {
            Some(below) => folder.join(below),
            None => {
                let path = self.elsewhere(&folder, path, local.is_some());
                path.ok_or_else(|| outside("is outside"))?
            }
        };
        let real = path.canonicalize().map_err(|error| io(&path, error))?;
        if real.starts_with(&folder) || self.hold(&real) { Ok(real) } else { Err(outside("leads outside")) }
    }

    /// Normalizes a path with `..` or a root, if it then leads into the own folder or an allowed one.
    fn elsewhere(&self, own: &Path, path: &Path, local: bool) -> Option<PathBuf> {
        if self.0.is_empty() || (path.has_root() && !local) {
            return None;
        }
        let path = straight(&own.join(path));
        (path.starts_with(own) || self.name(&path)).then_some(path)
    }
}

/// The path that a relative URI without a fragment leads to from a file, by its text alone.
///
/// An empty URI leads to the file itself. `None` for other URIs.
pub(super) fn named_by(file: &Path, uri: &str) -> Option<PathBuf> {
    let folder = folder_of(file).canonicalize().ok()?;
    if uri.is_empty() {
        return Some(folder.join(file.file_name()?));
    }
    let path = percent_decode(local_path(uri).unwrap_or(uri))?;
    let scheme = local_path(uri).is_none() && uri.split('/').next().is_some_and(|first| first.contains(':'));
    (!scheme && !uri.contains('?')).then(|| straight(&folder.join(path)))
}

/// Whether a path is relative and has no `..`.
fn is_plain(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Removes each `..` and the name before it. In URIs that is the meaning of `..`, even after a symbolic link.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(straight.pop()),
            Component::CurDir => {}
            part => straight.push(part),
        }
    }
    straight
}

/// The absolute path of a `file:` URI on this machine.
fn local_path(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once(':')?;
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    (scheme.eq_ignore_ascii_case("file") && path.starts_with('/') && !path.starts_with("//")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_names_a_file_below_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let main = folder.join("main.asdf");
        let local = format!("file://{}/b.asdf", folder.display());
        std::fs::write(folder.join("b.asdf"), "").unwrap();
        #[cfg(unix)]
        for odd in ["b?c", "b#c", "x:y"] {
            std::fs::write(folder.join(odd), "").unwrap();
        }
        let located = |uri: &str| Folders::default().locate(&main, uri, "the array's data is in");
        for uri in ["b.asdf", "./b.asdf", "%62.asdf", local.as_str()] {
            assert_eq!(located(uri).unwrap(), folder.join("b.asdf"), "{uri}");
        }
        for uri in ["", "b?c", "b#c", "x:y", "../b.asdf", "/b.asdf", "file:///b.asdf"] {
            assert_eq!(located(uri).unwrap_err().code(), Some(Code::Outside), "{uri}");
        }
    }

    #[test]
    fn a_uri_names_a_path_by_its_text() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let main = folder.join("main.asdf");
        for (uri, expected) in [
            ("", Some(main.clone())),
            ("b.asdf", Some(folder.join("b.asdf"))),
            ("./a/../%62.asdf", Some(folder.join("b.asdf"))),
            ("../b.asdf", Some(folder.parent().unwrap().join("b.asdf"))),
            ("file:///a/b.asdf", Some(PathBuf::from("/a/b.asdf"))),
            ("http://x.org/b.asdf", None),
            ("b.asdf?c", None),
            ("http://x.org/b.asdf?c", None),
        ] {
            assert_eq!(named_by(&main, uri), expected, "{uri}");
        }
        assert_eq!(named_by(&folder.join("none/main.asdf"), "b.asdf"), None);
    }

    #[test]
    fn only_a_file_uri_of_this_machine_has_a_path() {
        for (uri, expected) in [
            ("file:/a", Some("/a")),
            ("FILE:///a", Some("/a")),
            ("file://localhost/a", Some("/a")),
            ("file:a", None),
            ("file:////a", None),
            ("file://host/a", None),
            ("http:/a", None),
            ("http:///a", None),
            ("x:a", None),
            ("/a", None),
        ] {
            assert_eq!(local_path(uri), expected, "{uri}");
        }
    }
}
