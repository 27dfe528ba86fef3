//! Other files that a file names by a URI: arrays' data and references.

use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result};
use crate::tree::percent_decode;

/// The real path of a file that a URI names: a relative one, from the folder of the file that names it,
/// or `file:` and an absolute path. `names` begins the message when it is refused: "the array's data
/// is in".
///
/// Only files in the same folder or below it are taken, after symbolic links were followed; what is
/// elsewhere is not even looked for. Other schemes are refused.
pub(super) fn locate(file: &Path, uri: &str, names: &str) -> Result<PathBuf> {
    let refuse = |why: &str| {
        Error::unsupported(format!("{names} '{}', {why}", uri.escape_debug()))
            .at_file(file)
            .with_hint("only files in the folder of this file, or below it, are read")
    };
    let local = local_path(uri);
    let scheme = local.is_none() && uri.split('/').next().is_some_and(|first| first.contains(':'));
    let path = percent_decode(local.unwrap_or(uri)).ok_or_else(|| refuse("which is no URI of a file"))?;
    let path = Path::new(&path);
    if scheme || uri.is_empty() || uri.contains(['?', '#']) {
        return Err(refuse("which is not the relative path of a file"));
    }
    let given = match file.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let io = |path: &Path, error: std::io::Error| {
        let doing = format!("{names} '{}', which cannot be opened", uri.escape_debug());
        Error::io(doing, error).at_file(path)
    };
    let folder = given.canonicalize().map_err(|error| io(&given, error))?;
    // Below the folder by its words alone, before anything there is touched.
    let below = match local {
        Some(_) => path.strip_prefix(&folder).or_else(|_| path.strip_prefix(&given)).ok(),
        None => Some(path),
    };
    let inside =
        |path: &&Path| path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let path = folder.join(below.filter(inside).ok_or_else(|| refuse("which is outside the folder"))?);
    let real = path.canonicalize().map_err(|error| io(&path, error))?;
    if real.starts_with(&folder) { Ok(real) } else { Err(refuse("which leads outside the folder")) }
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
