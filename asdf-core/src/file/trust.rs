//! Whether an undo journal can be trusted: whoever writes a journal decides what is read as the file.
//!
//! In a folder such as `/tmp` every user can put a file with the name of a journal beside the file of another user. So a
//! journal is used only if it belongs to the owner of the file or to root, only they can write it, and it has one name.

use std::fs::{File, Metadata};
use std::path::Path;

use crate::error::{Error, Result};

/// The file that lies at the path of a journal.
#[derive(Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "other systems have no updates in place"))]
pub(super) enum Found {
    Nothing,
    /// A file that is not used, and a warning that says why.
    Untrusted(Error),
    Trusted(File, Metadata),
}

/// Opens the journal at a path if it can be trusted for a file with these metadata.
#[cfg(unix)]
pub(super) fn find(path: &Path, file: &Metadata) -> Result<Found> {
    use std::io::ErrorKind::{NotFound, PermissionDenied};
    use std::os::unix::fs::OpenOptionsExt as _;
    let io = |error| Error::io("opening the undo journal", error).at_file(path);
    // Nearly all files have none. A device is not opened, because that can have effects.
    let Ok(lies) = path.symlink_metadata() else { return Ok(Found::Nothing) };
    if let Some(reason) = doubt(&lies, file) {
        return Ok(Found::Untrusted(warning(path, &reason)));
    }
    // It can be replaced between the two calls, so the open file is examined again.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).unwrap_or(0);
    let found = match std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path) {
        // The update was completed meanwhile.
        Err(error) if error.kind() == NotFound => return Ok(Found::Nothing),
        // Its permissions are not set yet, and it is still empty.
        Err(error) if error.kind() == PermissionDenied && lies.len() == 0 => return Ok(Found::Nothing),
        found => found.map_err(io)?,
    };
    let metadata = found.metadata().map_err(io)?;
    Ok(match doubt(&metadata, file) {
        // Removed after it was opened.
        _ if std::os::unix::fs::MetadataExt::nlink(&metadata) == 0 => Found::Nothing,
        Some(reason) => Found::Untrusted(warning(path, &reason)),
        None => Found::Trusted(found, metadata),
    })
}

#[cfg(not(unix))]
pub(super) fn find(_: &Path, _: &Metadata) -> Result<Found> {
    Ok(Found::Nothing)
}

/// Why a journal cannot be trusted.
#[cfg(unix)]
fn doubt(journal: &Metadata, file: &Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;
    const ROOT: u32 = 0;
    const OTHERS_WRITE: u32 = 0o022;
    if !journal.is_file() {
        return Some("it is not a regular file".into());
    }
    if journal.uid() != file.uid() && journal.uid() != ROOT {
        return Some(format!("it belongs to user {}, but the file to user {}", journal.uid(), file.uid()));
    }
    if journal.mode() & OTHERS_WRITE != 0 {
        return Some(format!("other users can write it (mode {:o})", journal.mode() & 0o7777));
    }
    (journal.nlink() > 1).then(|| format!("it has {} names (hard links)", journal.nlink()))
}

#[cfg(unix)]
fn warning(path: &Path, reason: &str) -> Error {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Error::usage(format!("`{name}` is not used as the undo journal of the file: {reason}"))
        .with_hint("delete it; if it belongs to another user, ask them or the administrator to do so")
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    fn reason(found: &Found) -> String {
        match found {
            Found::Untrusted(error) => error.message().to_string(),
            found => format!("{found:?}"),
        }
    }

    #[test]
    fn only_a_plain_file_of_the_owner_is_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let (file, journal) = (folder.path().join("file"), folder.path().join(".file.asdf-undo"));
        std::fs::write(&file, "data").unwrap();
        let metadata = std::fs::metadata(&file).unwrap();
        let found = || find(&journal, &metadata).unwrap();
        assert!(matches!(found(), Found::Nothing));
        symlink(&file, &journal).unwrap();
        assert!(reason(&found()).contains("not a regular file"));
        std::fs::remove_file(&journal).unwrap();
        std::fs::create_dir(&journal).unwrap();
        assert!(reason(&found()).contains("not a regular file"));
        std::fs::remove_dir(&journal).unwrap();
        std::fs::write(&journal, "undo").unwrap();
        for (mode, writes) in [(0o600, false), (0o644, false), (0o664, true), (0o606, true)] {
            std::fs::set_permissions(&journal, std::fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(reason(&found()).contains("other users can write it"), writes, "{mode:o}");
        }
        std::fs::set_permissions(&journal, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert!(matches!(found(), Found::Trusted(..)));
        std::fs::hard_link(&journal, folder.path().join("second")).unwrap();
        assert!(reason(&found()).contains("2 names"));
    }

    #[test]
    fn the_journal_of_another_user_is_not_trusted() {
        // The system's programs belong to root.
        let roots = std::fs::metadata("/bin/sh").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "data").unwrap();
        let make = |uid| {
            // Only root can give a file away.
            std::os::unix::fs::chown(&path, Some(uid), None).ok().map(|()| std::fs::metadata(&path).unwrap())
        };
        let own = std::fs::metadata(&path).unwrap();
        if own.uid() == 0 {
            let (anne, bob) = (make(1234).unwrap(), make(1235).unwrap());
            assert!(doubt(&anne, &bob).unwrap().contains("user 1234, but the file to user 1235"));
            assert_eq!(doubt(&roots, &bob).filter(|reason| reason.contains("user")), None);
            assert!(doubt(&bob, &roots).unwrap().contains("user 1235"));
        } else {
            assert!(doubt(&own, &roots).unwrap().contains("belongs to user"));
        }
    }
}
