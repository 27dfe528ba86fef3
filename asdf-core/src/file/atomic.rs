//! Replacing a file in one step.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Writes a new file beside `path` and puts it in its place when it is whole and on the disk. On
/// any error the old file stays as it was and nothing is left behind. A symbolic link is followed,
/// so its target is replaced; permissions of an old file are kept.
pub(super) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let io = |doing: &str, error: std::io::Error| Error::io(doing, error).at_file(path);
    let target = match path.canonicalize() {
        Ok(target) => target,
        Err(_) => path.to_path_buf(),
    };
    let old = std::fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(Error::usage("this is not a regular file, so it is not replaced").at_file(path));
    }
    let folder = match target.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".asdf-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any new file: what the umask leaves of it.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let temporary =
        builder.tempfile_in(&folder).map_err(|error| io("making a temporary file in its folder", error))?;
    let mut writer = std::io::BufWriter::with_capacity(1 << 18, temporary);
    write(&mut writer)?;
    let temporary = writer.into_inner().map_err(|error| io("writing", error.into_error()))?;
    if let Some(old) = old {
        let file = temporary.as_file();
        file.set_permissions(old.permissions()).map_err(|error| io("keeping its permissions", error))?;
    }
    temporary.as_file().sync_all().map_err(|error| io("putting it on the disk", error))?;
    temporary.persist(&target).map_err(|error| io("putting it in its place", error.error))?;
    // The name is on the disk once the folder is. Not every system lets a folder be opened.
    #[cfg(unix)]
    if let Ok(folder) = std::fs::File::open(&folder) {
        folder.sync_all().map_err(|error| io("putting its name on the disk", error))?;
    }
    Ok(())
}
