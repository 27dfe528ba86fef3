//! Other files that a file names by a URI: arrays' data and references.

use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result};
use crate::tree::percent_decode;

/// The real path of a file that a URI names, relative to the file that names it. `names` begins
/// the message when it is refused: "the array's data is in".
///
/// Only files in the same folder or below it are taken, after symbolic links were followed; other
/// schemes than none are refused.
pub(super) fn locate(file: &Path, uri: &str, names: &str) -> Result<PathBuf> {
    let refuse = |why: &str| {
        Error::unsupported(format!("{names} '{}', {why}", uri.escape_debug()))
            .at_file(file)
            .with_hint("only files in the folder of this file, or below it, are read")
    };
    let relative = percent_decode(uri).ok_or_else(|| refuse("which is no URI of a file"))?;
    let relative = Path::new(&relative);
    let scheme = uri.split('/').next().is_some_and(|first| first.contains(':'));
    let inside = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if scheme || uri.is_empty() || uri.contains(['?', '#']) {
        return Err(refuse("which is not the relative path of a file"));
    }
    if !inside {
        return Err(refuse("which is outside the folder"));
    }
    let folder = match file.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let io = |path: &Path, error: std::io::Error| {
        let doing = format!("{names} '{}', which cannot be opened", uri.escape_debug());
        Error::io(doing, error).at_file(path)
    };
    let folder = folder.canonicalize().map_err(|error| io(&folder, error))?;
    let path = folder.join(relative);
    let real = path.canonicalize().map_err(|error| io(&path, error))?;
    if real.starts_with(&folder) { Ok(real) } else { Err(refuse("which leads outside the folder")) }
}
