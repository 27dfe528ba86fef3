//! Replacing files atomically.

use std::collections::hash_map::RandomState;
use std::fs::Metadata;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use super::disk::{self, Out, folder_of};
use super::journal;
use super::unfinished::{self, Unfinished};
use crate::block::md5;
use crate::error::{Error, Result};
use crate::threads::Threads;

/// The target of a write: a file, memory or a stream.
pub(super) trait Output: Write + Seek {
    /// Syncs the written bytes to disk, while the caller has to wait anyway. The last sync is then faster.
    fn settle(&mut self) -> io::Result<()>;

    /// Whether the target cannot seek, so that a header has to be complete before it is written.
    fn is_stream(&self) -> bool {
        false
    }
}

impl Output for io::BufWriter<Out> {
    fn settle(&mut self) -> io::Result<()> {
        self.flush()?;
        self.get_ref().sync()
    }
}

/// A writer of the caller, which is written from beginning to end.
pub(super) struct Stream<W>(pub(super) W);

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W> Seek for Stream<W> {
    fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::NotSeekable.into())
    }
}

impl<W: Write> Output for Stream<W> {
    /// Flushes only: the writer need not be a file.
    fn settle(&mut self) -> io::Result<()> {
        self.flush()
    }

    fn is_stream(&self) -> bool {
        true
    }
}

impl Output for io::Cursor<Vec<u8>> {
    fn settle(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A temporary file in the folder of the file that it will replace. It is removed if dropped before [`put`](Self::put).
///
/// It is always created by this process: an existing file or symbolic link is never opened for writing. The first name
/// is derived from that of the target, so that the next writer finds and removes the file of a killed program without
/// reading the whole folder. With 100,000 files that takes a tenth of a second. A file that is still
/// being written is locked and stays; on systems without locks nothing is removed. If the first name is taken, by another
/// writer or by an attacker who guessed it, the next names are unpredictable. Only then the folder is read, to remove the
/// files of killed programs with such names.
#[derive(Debug)]
pub(super) struct Temporary {
    /// `None` once it was renamed.
    at: Option<Unfinished>,
    target: PathBuf,
    folder: PathBuf,
    old: Option<Metadata>,
    /// The path as the caller gave it, for errors.
    path: PathBuf,
    /// The threads that may close the old file.
    threads: Threads,
}

impl Temporary {
    /// Creates a file in the folder of `path`, with the permissions of an old file.
    ///
    /// A symbolic link is followed, so its target will be replaced. A link to a file that does not exist is refused: in a
    /// shared folder, another user could make this process create a file anywhere.
    pub(super) fn create(path: &Path, threads: Threads) -> Result<(Self, Out)> {
        let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let old = std::fs::metadata(&target).ok();
        match &old {
            Some(old) if !old.is_file() => {
                return Err(Error::usage("cannot replace it: not a regular file").at_file(path));
            }
            Some(_) => disk::check_writable(&target).map_err(|error| not_writable(path, error))?,
            None if target.is_symlink() => {
                let error = Error::usage("found a symbolic link to a file that does not exist").at_file(path);
                return Err(error.with_hint("remove the link, or create the file that it refers to"));
            }
            None => {}
        }
        let folder = folder_of(&target);
        let step = unfinished::step();
        let (at, out) = create(&folder, &target, old.as_ref()).map_err(|error| {
            let missing = error.kind() == io::ErrorKind::NotFound;
            let error = Error::io("creating a temporary file in its folder", error).at_file(path);
            match missing {
                true => error.with_hint(format!("create the folder {} first", folder.display())),
                false => error,
            }
        })?;
        let at = Unfinished::new(at);
        drop(step);
        let temporary = Self { at: Some(at), target, folder, old, path: path.to_path_buf(), threads };
        if let Some(old) = &temporary.old {
            // Before the file has contents that not everybody may read.
            out.become_like(old).map_err(|error| temporary.io("setting the permissions", error))?;
        }
        Ok((temporary, out))
    }

    /// Syncs its bytes to disk, without renaming it.
    pub(super) fn settle(&self, out: &Out) -> Result<()> {
        out.sync().map_err(|error| self.io("syncing to disk", error))
    }

    /// Renames the settled file to its path, and calls `placed` at once.
    pub(super) fn put(mut self, placed: impl FnOnce()) -> Result<()> {
        if let Some(at) = &self.at {
            let old = self.held();
            let step = unfinished::step();
            disk::rename(at.path(), &self.target)
                .map_err(|error| self.io("renaming the temporary file", error))?;
            self.at = None;
            placed();
            drop(step);
            if let Some(old) = old {
                // Without another thread, this one closes it. In browsers a file has no `Drop`, so `drop` does not apply.
                drop(self.threads.background(move || {
                    let _closed = old;
                }));
            }
            journal::forget(&self.target);
        }
        // The new name is on disk once the folder is synced.
        disk::sync_folder(&self.folder).map_err(|error| self.io("syncing the folder", error))
    }

    /// Opens a large old file, so that another thread frees it: the system needs a fifth of a second per gigabyte.
    fn held(&self) -> Option<std::fs::File> {
        // Other systems cannot replace an open file.
        let large = cfg!(unix) && self.old.as_ref().is_some_and(|old| old.len() >= MUCH);
        if large { std::fs::File::open(&self.target).ok() } else { None }
    }

    fn io(&self, doing: &str, error: io::Error) -> Error {
        Error::io(doing, error).at_file(&self.path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(at) = &self.at {
            // An error is being returned already.
            let _ = disk::remove(at.path());
        }
    }
}

/// The new file that [`replace`] writes, before it gets its name. Writes are buffered.
pub struct Replacement<'o>(&'o mut dyn Output);

impl std::fmt::Debug for Replacement<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replacement").finish_non_exhaustive()
    }
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for Replacement<'_> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// Writes a file of any format atomically, as [`WriteOptions::write`](super::WriteOptions::write) writes ASDF files.
///
/// The function `write` fills a temporary file in the same folder. The file is then synced to disk and renamed to `path`.
/// On any error, and after [`abandon_writes`](super::abandon_writes), the old file stays and the temporary file is
/// removed. The next write of the same path removes the temporary file of a killed program.
///
/// | an old file's | in the new file |
/// |---|---|
/// | permissions, owner and group | are the same. If the system does not allow that, the new file belongs to this user: without set-user-ID bits, and its group gets only the permissions that all users have |
/// | symbolic link | is followed, and its target is replaced in the target's folder; a link to a file that does not exist is refused |
/// | hard links | keep the old contents: only this path gets the new file |
/// | extended attributes and access control lists | are lost |
///
/// # Errors
/// Returns the error of `write`. Fails with [`Io`](crate::error::Kind::Io) if the system refuses an operation, or if the
/// user must not write the old file. Fails with [`Usage`](crate::error::Kind::Usage) if `path` is not a regular file.
///
/// # Examples
/// ```
/// use std::io::Write as _;
///
/// let path = std::env::temp_dir().join(format!("asdf-doc-replace-{}", std::process::id()));
/// asdf_core::file::replace(&path, |out| {
///     out.write_all(b"a,b\n").map_err(|error| asdf_core::Error::io("writing", error))
/// })?;
/// assert_eq!(std::fs::read(&path).unwrap(), b"a,b\n");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub fn replace(path: impl AsRef<Path>, write: impl FnOnce(&mut Replacement<'_>) -> Result<()>) -> Result<()> {
    replace_with(path.as_ref(), Threads::ALL, |out| write(&mut Replacement(out)), || ())
}

/// Writes a new file in the folder of `path` and renames it to `path` once it is complete and on disk.
///
/// On any error the old file stays and the new one is removed. A symbolic link is followed, so its target is replaced.
/// The new file gets the permissions of the old one, and its owner if the system allows it.
///
/// `placed` is called right after the rename, before a later step can fail.
pub(super) fn replace_with(
    path: &Path,
    threads: Threads,
    write: impl FnOnce(&mut dyn Output) -> Result<()>,
    placed: impl FnOnce(),
) -> Result<()> {
    let (temporary, out) = Temporary::create(path, threads)?;
    let out = buffered(out, path, write)?;
    temporary.settle(&out)?;
    temporary.put(placed)
}

/// An old file of at least this size is freed by another thread.
const MUCH: u64 = 64 << 20;

/// The size of the write buffer. Small in tests, so that a crash can happen between writes.
pub(super) const BUFFER: usize = if cfg!(test) { 300 } else { 1 << 18 };

/// Writes through a buffer; larger pieces bypass it.
pub(super) fn buffered(
    out: Out,
    path: &Path,
    write: impl FnOnce(&mut dyn Output) -> Result<()>,
) -> Result<Out> {
    let mut writer = io::BufWriter::with_capacity(BUFFER, out);
    match write(&mut writer) {
        Ok(()) => writer.into_inner().map_err(|error| Error::io("writing", error.into_error()).at_file(path)),
        Err(error) => {
            // Dropping the writer would try to write its buffer again.
            let _ = writer.into_parts();
            Err(error)
        }
    }
}

/// The number of names that are tried. If all are taken, a program takes them on purpose.
const NAMES: u32 = 20;

fn create(folder: &Path, target: &Path, like: Option<&Metadata>) -> io::Result<(PathBuf, Out)> {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    let [a, b, c, d, ..] = md5(name);
    let name = format!(".asdf-{:08x}", u32::from_be_bytes([a, b, c, d]));
    let first = folder.join(format!("{name}.tmp"));
    if first.symlink_metadata().is_ok() {
        take_away_others(folder, &name);
    }
    for number in 0..NAMES {
        let path = match number {
            0 => first.clone(),
            _ => folder.join(format!("{name}-{:016x}.tmp", unpredictable())),
        };
        // The second time is for after the removal of an abandoned file.
        for _ in 0..2 {
            match Out::create_new(&path, like) {
                Ok(out) if out.lock() && !out.is_gone()? => return Ok((path, out)),
                // Another process considered it abandoned before it was locked.
                Ok(_) => break,
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                Err(_) if !take_away(&path) => break,
                Err(_) => {}
            }
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("all {NAMES} names for a temporary file, `{name}*.tmp`, are taken"),
    ))
}

/// The error for an existing file that this user must not write.
pub(super) fn not_writable(path: &Path, error: io::Error) -> Error {
    let denied = error.kind() == io::ErrorKind::PermissionDenied;
    let error = Error::io("opening for writing", error).at_file(path);
    if denied { error.with_hint("make the file writable, or write to another file") } else { error }
}

/// Removes the abandoned temporary files that have an unpredictable name.
fn take_away_others(folder: &Path, name: &str) {
    let begin = format!("{name}-");
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = |name: &str| name.starts_with(&begin) && name.ends_with(".tmp");
        if entry.file_name().to_str().is_some_and(is_ours) {
            take_away(&entry.path());
        }
    }
}

/// A random number of the system, from the keys of a new hash table.
fn unpredictable() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Removes an abandoned temporary file. Returns whether it did.
#[cfg(unix)]
fn take_away(path: &Path) -> bool {
    let file = disk::itself(std::fs::OpenOptions::new().read(true)).open(path);
    // The lock is held during the removal.
    file.is_ok_and(|file| disk::lock(&file) && disk::remove(path).is_ok())
}

#[cfg(not(unix))]
fn take_away(_: &Path) -> bool {
    false
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// The names in a folder that begin with a dot.
    fn hidden(folder: &Path) -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).filter(|name| name.starts_with('.')).collect()
    }

    #[test]
    fn a_file_with_a_guessed_name_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let (path, victim) = (folder.path().join("x.asdf"), folder.path().join("victim"));
        let mut guess = String::new();
        replace(&path, |_| {
            guess = hidden(folder.path()).remove(0);
            Ok(())
        })
        .unwrap();
        std::fs::write(&victim, "mine").unwrap();
        std::os::unix::fs::symlink(&victim, folder.path().join(&guess)).unwrap();
        let mut names = std::collections::HashSet::new();
        for round in 0..3 {
            replace(&path, |out| {
                names.extend(hidden(folder.path()));
                out.write_all(b"new").map_err(|error| Error::io("writing", error))
            })
            .unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), b"new");
            assert_eq!(std::fs::read(&victim).unwrap(), b"mine");
            assert_eq!(names.len(), round + 2, "the other names are new each time: {names:?}");
        }
        assert_eq!(hidden(folder.path()), [guess]);
    }

    #[test]
    fn the_files_of_killed_writers_are_removed_whatever_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let nested = |out: &mut Replacement<'_>| {
            let first = hidden(folder.path()).remove(0);
            replace(&path, |_| {
                let names = hidden(folder.path());
                assert_eq!(names.len(), 2, "{names:?}");
                // Copies, which no process has locked.
                for name in names {
                    std::fs::copy(folder.path().join(&name), folder.path().join(format!("kept{name}")))
                        .unwrap();
                }
                Ok(())
            })
            .unwrap();
            assert_eq!(hidden(folder.path()), [first]);
            out.write_all(b"new").map_err(|error| Error::io("writing", error))
        };
        replace(&path, nested).unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let kept = entry.unwrap().path();
            if let Some(name) = kept.file_name().unwrap().to_str().unwrap().strip_prefix("kept") {
                std::fs::rename(&kept, folder.path().join(name)).unwrap();
            }
        }
        assert_eq!(hidden(folder.path()).len(), 2);
        replace(&path, |_| Ok(())).unwrap();
        assert_eq!(hidden(folder.path()), [""; 0]);
    }

    #[test]
    fn a_link_to_nothing_is_refused_and_one_to_a_file_is_followed() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (link, target) = (folder.path().join("x.asdf"), other.path().join("y.asdf"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let error = replace(&link, |_| Ok(())).unwrap_err();
        assert!(error.hint().is_some() && !target.exists(), "{error}");
        std::fs::write(&target, "old").unwrap();
        replace(&link, |out| {
            assert_eq!((hidden(folder.path()).len(), hidden(other.path()).len()), (0, 1));
            out.write_all(b"new").map_err(|error| Error::io("writing", error))
        })
        .unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
    }

    #[test]
    fn a_file_is_private_until_it_has_the_permissions_of_the_old_one() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        std::fs::write(&path, "old").unwrap();
        let old = std::fs::metadata(&path).unwrap();
        let out = Out::create_new(&folder.path().join("new"), Some(&old)).unwrap();
        assert_eq!(out.metadata().unwrap().mode() & 0o777, 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o751)).unwrap();
        replace(&path, |_| Ok(())).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o751);
    }

    #[test]
    fn only_a_missing_folder_is_to_be_created() {
        let folder = tempfile::tempdir().unwrap();
        let error = replace(folder.path().join("missing/x.asdf"), |_| Ok(())).unwrap_err();
        assert!(error.hint().unwrap().to_string().starts_with("create the folder"), "{error}");
        std::fs::write(folder.path().join("file"), "").unwrap();
        let error = replace(folder.path().join("file/x.asdf"), |_| Ok(())).unwrap_err();
        assert!(error.hint().is_none(), "{error}");
    }

    #[test]
    fn the_new_file_can_be_flushed_and_changed_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let io = |error| Error::io("writing", error);
        replace(&path, |out| {
            assert_eq!(format!("{out:?}"), "Replacement { .. }");
            out.write_all(b"abcdef").map_err(io)?;
            out.flush().map_err(io)?;
            let name = hidden(folder.path()).remove(0);
            assert_eq!(std::fs::read(folder.path().join(name)).unwrap(), b"abcdef");
            assert_eq!(out.seek(io::SeekFrom::Start(2)).map_err(io)?, 2);
            out.write_all(b"XY").map_err(io)
        })
        .unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"abXYef");
    }

    #[test]
    fn a_stream_is_flushed_and_cannot_seek() {
        let mut stream = Stream(io::BufWriter::new(Vec::new()));
        stream.write_all(b"abc").unwrap();
        assert_eq!(stream.0.get_ref(), b"");
        stream.settle().unwrap();
        assert_eq!(stream.0.get_ref(), b"abc");
        assert_eq!(stream.seek(io::SeekFrom::Start(0)).unwrap_err().kind(), io::ErrorKind::NotSeekable);
    }

    #[test]
    fn an_abandoned_file_gives_its_name_back_and_files_of_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let names = || {
            let mut names = Vec::new();
            replace(&path, |_| {
                names = hidden(folder.path());
                names.sort();
                Ok(())
            })
            .unwrap();
            names
        };
        let first = names().remove(0);
        let begin = first.strip_suffix(".tmp").unwrap();
        let others = [format!("{begin}-1.txt"), ".other.tmp".to_owned()];
        for name in others.iter().chain([&first]) {
            std::fs::write(folder.path().join(name), "left").unwrap();
        }
        let mut expected = vec![first.clone(), others[0].clone(), others[1].clone()];
        expected.sort();
        assert_eq!(names(), expected);
        expected.retain(|name| *name != first);
        let mut left = hidden(folder.path());
        left.sort();
        assert_eq!(left, expected);
    }
}
