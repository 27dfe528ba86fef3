//! Other files that a file names by a URI: arrays' data and references.

use std::path::{Component, Path, PathBuf};

use super::disk::folder_of;
use crate::error::{Code, Error, Hint, Result};
use crate::tree::percent_decode;

/// The folders, beside a file's own, of which it may name files. Cloning is cheap where there are none.
#[derive(Debug, Clone, Default)]
pub(super) struct Folders(Vec<PathBuf>);

impl Folders {
    /// Adds a folder, whose relative path is one from where the program is now.
    pub(super) fn add(&mut self, folder: &Path) {
        // An empty path would be the beginning of all others.
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        self.0.push(std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()));
    }

    /// Whether a real path is in one of them. One that is not there has no files.
    pub(super) fn hold(&self, real: &Path) -> bool {
        self.0.iter().any(|folder| folder.canonicalize().is_ok_and(|folder| real.starts_with(folder)))
    }

    /// The same by the words of an absolute path without `..`, which is not touched.
    fn name(&self, path: &Path) -> bool {
        self.0.iter().any(|folder| path.starts_with(folder)) || self.hold(path)
    }

    /// The real path of a file that a URI names: a relative one, from the folder of the file that names it,
    /// or `file:` and an absolute path. `names` begins the message when it is refused: "the array's data
    /// is in".
    ///
    /// Only files in that folder, in these or below are taken, after symbolic links were followed; what is
    /// elsewhere is not even looked for. Other schemes are refused.
    pub(super) fn locate(&self, file: &Path, uri: &str, names: &str) -> Result<PathBuf> {
        const HERE: &str = "use a relative path to a file in the folder of this file, or below it";
        let refused = |why: &str| {
            Error::unsupported(format!("{names} '{}', {why}", uri.escape_debug()))
                .with_code(Code::Outside)
                .at_file(file)
        };
        let outside = |why: &str| match self.0.as_slice() {
            [] => refused(&format!("which {why} the folder")).with_hint(Hint::AllowFolder { allowed: 0 }),
            allowed => refused(&format!("which {why} the folder and the allowed folders"))
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
        // By its words alone, before anything there is touched.
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

    /// A path that is not plainly below the own folder, where its words lead back there or into one of these.
    fn elsewhere(&self, own: &Path, path: &Path, local: bool) -> Option<PathBuf> {
        if self.0.is_empty() || (path.has_root() && !local) {
            return None;
        }
        let path = straight(&own.join(path));
        (path.starts_with(own) || self.name(&path)).then_some(path)
    }
}

/// The path that a relative URI without fragment names from a file, by its words; the file itself if it is
/// empty. `None` for other URIs.
pub(super) fn named_by(file: &Path, uri: &str) -> Option<PathBuf> {
    let folder = folder_of(file).canonicalize().ok()?;
    if uri.is_empty() {
        return Some(folder.join(file.file_name()?));
    }
    let path = percent_decode(local_path(uri).unwrap_or(uri))?;
    let scheme = local_path(uri).is_none() && uri.split('/').next().is_some_and(|first| first.contains(':'));
    (!scheme && !uri.contains('?')).then(|| straight(&folder.join(path)))
}

/// Whether a path only goes down.
fn is_plain(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// A path without `..`, each of which takes away the word before it. Of URIs that is the meaning, also where
/// the word is that of a symbolic link.
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

/// The absolute path of a `file:` URI of this machine.
fn local_path(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once(':')?;
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    (scheme.eq_ignore_ascii_case("file") && path.starts_with('/') && !path.starts_with("//")).then_some(path)
}
