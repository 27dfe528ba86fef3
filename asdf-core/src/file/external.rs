//! Arrays whose data is in another file ("Exploded form").

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{FileBlock, Limits, OpenOptions};
use crate::error::{Error, Result};

/// The first block of a file that a URI names, relative to the file that names it.
///
/// Only files in the same folder or below it are read, after symbolic links were followed; other
/// schemes than none are refused. What the other file refers to is not followed.
pub(super) fn first_block(file: &Path, uri: &str, limits: Limits, check: bool) -> Result<Arc<FileBlock>> {
    let refuse = |why: &str| {
        Error::unsupported(format!("the array's data is in '{}', {why}", uri.escape_debug()))
            .at_file(file)
            .with_hint("only files in the folder of this file, or below it, are read")
    };
    let relative = decode(uri).ok_or_else(|| refuse("which is no URI of a file"))?;
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
        Error::io(format!("opening the file of the array's data '{}'", uri.escape_debug()), error)
            .at_file(path)
    };
    let folder = folder.canonicalize().map_err(|error| io(&folder, error))?;
    let path = folder.join(relative);
    let real = path.canonicalize().map_err(|error| io(&path, error))?;
    if !real.starts_with(&folder) {
        return Err(refuse("which leads outside the folder"));
    }
    let other = OpenOptions::new().limits(limits).verify_checksums(check).open_front(&real)?;
    other.file_block(0)
}

/// Undoes percent-encoding; `None` for what is not UTF-8 or has zeros in it.
fn decode(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let hex = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}
