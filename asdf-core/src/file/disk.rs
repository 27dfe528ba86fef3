//! All calls that change the disk. A crash can interrupt each of them, so tests make each call fail or be the last.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use super::file_id::FileId;
#[cfg(unix)]
use crate::threads;

/// How many bytes a call may write. Tests make calls fail or write less.
fn step(call: Call, len: usize) -> io::Result<usize> {
    #[cfg(test)]
    return faults::step(call, len);
    #[cfg(not(test))]
    {
        let _ = call;
        Ok(len)
    }
}

/// A kind of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    Create,
    Write,
    Resize,
    Permissions,
    Sync,
    Rename,
    Remove,
    SyncFolder,
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct Out {
    file: File,
    locked: AtomicBool,
}

impl Out {
    /// Creates a file, which must not exist. It has the usual permissions, or those of `like`.
    ///
    /// A file that is like another can be read only by its owner until it has its permissions.
    pub(super) fn create_new(path: &Path, like: Option<&Metadata>) -> io::Result<Self> {
        step(Call::Create, 0)?;
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        if like.is_some() {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        #[cfg(not(unix))]
        let _ = like;
        let file = options.read(true).write(true).create_new(true).open(path)?;
        #[cfg(test)]
        record::note(record::Done::Created(record::id(&file), path.to_path_buf()));
        Ok(Self::from(file))
    }

    /// Opens an existing file for writing.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        OpenOptions::new().read(true).write(true).open(path).map(Self::from)
    }

    /// Opens an existing file for writing and locks it. Returns `None` if another process has locked it.
    ///
    /// If the file was replaced before it was locked, the new one is opened: the lock is that of the file at the path.
    pub(super) fn open_locked(path: &Path) -> io::Result<Option<Self>> {
        loop {
            let out = Self::open(path)?;
            if !out.lock() {
                return Ok(None);
            }
            match std::fs::metadata(path) {
                Ok(now) if FileId::of(&now) == FileId::of(&out.metadata()?) => return Ok(Some(out)),
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }

    /// Waits until the clock of the file system is later than `past`, for a few ticks. Returns whether it is. The file gets
    /// the present time.
    #[cfg(unix)]
    pub(super) fn wait_until_after(&self, past: SystemTime) -> io::Result<bool> {
        use rustix::fs::{Timespec, Timestamps, UTIME_NOW, UTIME_OMIT, futimens};
        let at = |tv_nsec| Timespec { tv_sec: 0, tv_nsec };
        for _ in 0..12 {
            futimens(
                &self.file,
                &Timestamps { last_access: at(UTIME_OMIT), last_modification: at(UTIME_NOW) },
            )?;
            if self.file.metadata()?.modified()? > past {
                return Ok(true);
            }
            threads::pause(std::time::Duration::from_millis(2));
        }
        Ok(false)
    }

    #[cfg(not(unix))]
    pub(super) fn wait_until_after(&self, _: SystemTime) -> io::Result<bool> {
        Ok(true)
    }

    /// Lets the users read it who can read another file. Only its owner can write it.
    #[cfg(unix)]
    pub(super) fn readable_as(&self, other: &Metadata) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt as _;
        step(Call::Permissions, 0)?;
        let mode = (other.permissions().mode() & 0o444) | 0o600;
        self.file.set_permissions(std::fs::Permissions::from_mode(mode))
    }

    #[cfg(not(unix))]
    pub(super) fn readable_as(&self, _: &Metadata) -> io::Result<()> {
        step(Call::Permissions, 0).map(|_| ())
    }

    /// Opens an existing file for reading and writing. A symbolic link is not followed, and a pipe is not waited for.
    pub(super) fn open_itself(path: &Path) -> io::Result<Self> {
        itself(OpenOptions::new().read(true).write(true)).open(path).map(Self::from)
    }

    /// Whether the file was removed while it is open.
    pub(super) fn is_gone(&self) -> io::Result<bool> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            Ok(self.file.metadata()?.nlink() == 0)
        }
        #[cfg(not(unix))]
        Ok(false)
    }

    pub(super) fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn set_len(&self, len: u64) -> io::Result<()> {
        step(Call::Resize, 0)?;
        #[cfg(test)]
        record::note(record::Done::Resized(record::id(&self.file), len));
        self.file.set_len(len)
    }

    /// Syncs the file to disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        step(Call::Sync, 0)?;
        #[cfg(test)]
        record::note(record::Done::Synced(record::id(&self.file)));
        // Tests need not survive a loss of power.
        if cfg!(test) { Ok(()) } else { self.file.sync_all() }
    }

    /// Copies a whole file; the file system may share its bytes.
    pub(super) fn copy(&mut self, mut from: &File) -> io::Result<u64> {
        step(Call::Write, 0)?;
        from.seek(SeekFrom::Start(0))?;
        #[cfg(test)]
        record::note_copy(from, &self.file)?;
        io::copy(&mut from, &mut self.file)
    }

    /// Sets the owner, group and permissions of another file; the owner and group only if the system allows it.
    pub(super) fn become_like(&self, old: &Metadata) -> io::Result<()> {
        step(Call::Permissions, 0)?;
        #[cfg(unix)]
        {
            use std::fs::Permissions;
            use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
            let own = self.file.metadata()?;
            // Only root can change the owner. Other users can choose one of their groups.
            if (own.uid(), own.gid()) != (old.uid(), old.gid())
                && fchown(&self.file, Some(old.uid()), Some(old.gid())).is_err()
            {
                let _ = fchown(&self.file, None, Some(old.gid()));
            }
            let own = self.file.metadata()?;
            let mode = mode_of(old.mode(), own.uid() == old.uid(), own.gid() == old.gid());
            self.file.set_permissions(Permissions::from_mode(mode))
        }
        #[cfg(not(unix))]
        self.file.set_permissions(old.permissions())
    }

    /// Locks the file until this value is dropped. Returns `false` if it is locked already.
    ///
    /// On file systems without locks every call succeeds.
    pub(super) fn lock(&self) -> bool {
        let locked = lock(&self.file);
        self.locked.store(locked, Ordering::Relaxed);
        locked
    }

    pub(super) fn try_clone(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

impl Drop for Out {
    /// Unlocks the file. Closing it is not enough: a process that another thread starts inherits the open file, and with
    /// it the lock, until it runs its program.
    fn drop(&mut self) {
        #[cfg(unix)]
        if self.locked.load(Ordering::Relaxed) {
            let _ = rustix::fs::flock(&self.file, rustix::fs::FlockOperation::Unlock);
        }
    }
}

/// The mode of a file that replaces one with the mode `old`, and whether it has the same owner and group.
///
/// Another owner gets no set-user-ID bit. Another group gets only the permissions that all users have.
#[cfg(unix)]
fn mode_of(old: u32, same_owner: bool, same_group: bool) -> u32 {
    let mode = if same_owner && same_group { old & 0o7777 } else { old & 0o777 };
    if same_group { mode } else { (mode & 0o707) | ((mode & 0o007) << 3) }
}

/// Fails if this user must not write an existing file.
pub(super) fn check_writable(path: &Path) -> io::Result<()> {
    match itself(OpenOptions::new().write(true)).open(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
        // Other errors do not stop a rename: a program that runs, for example, cannot be opened for writing.
        _ => Ok(()),
    }
}

/// Makes the options not follow a symbolic link that another user could have put there, nor wait for a pipe.
pub(super) fn itself(options: &mut OpenOptions) -> &OpenOptions {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
        options.custom_flags(i32::try_from(flags).unwrap_or(0));
    }
    options
}

/// Whether the user of this process owns a file.
pub(super) fn is_own(file: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        file.uid() == rustix::process::geteuid().as_raw()
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        true
    }
}

/// Locks a file until it is closed. Returns `false` if another process has locked it.
#[cfg(unix)]
pub(super) fn lock(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(rustix::io::Errno::WOULDBLOCK)
}

#[cfg(not(unix))]
pub(super) fn lock(_: &File) -> bool {
    true
}

impl From<File> for Out {
    /// Wraps a file that was opened for writing.
    fn from(file: File) -> Self {
        Self { file, locked: AtomicBool::new(false) }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let most = step(Call::Write, bytes.len())?;
        let bytes = bytes.get(..most).unwrap_or(bytes);
        #[cfg(test)]
        record::note(record::Done::Wrote(
            record::id(&self.file),
            self.file.stream_position()?,
            bytes.to_vec(),
        ));
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Out {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Renames a file; an existing file is replaced.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    step(Call::Rename, 0)?;
    #[cfg(test)]
    record::note(record::Done::Renamed(from.to_path_buf(), to.to_path_buf()));
    std::fs::rename(from, to)
}

pub(super) fn remove(path: &Path) -> io::Result<()> {
    step(Call::Remove, 0)?;
    #[cfg(test)]
    record::note(record::Done::Removed(path.to_path_buf()));
    std::fs::remove_file(path)
}

/// Syncs the names in a folder to disk. Systems that cannot open a folder skip it.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    step(Call::SyncFolder, 0)?;
    #[cfg(test)]
    record::note(record::Done::SyncedFolder);
    if cfg!(all(unix, not(test))) {
        if let Ok(folder) = File::open(folder) {
            folder.sync_all()?;
        }
    }
    Ok(())
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// Calls that fail in tests.
#[cfg(test)]
pub(super) mod faults {
    use std::cell::RefCell;
    use std::io;

    use super::Call;

    /// What happens to the chosen call.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in crate::file) enum Fault {
        /// It fails with an error of the system; later calls succeed.
        Error(i32),
        /// It fails, and so does every later write and sync: the disk stays full or broken.
        Broken(i32),
        /// A write accepts only half of its bytes; other calls succeed.
        Short,
        /// A write accepts half of its bytes and all later calls fail, as if the process was killed.
        Stop,
    }

    struct Plan {
        at: usize,
        fault: Fault,
        count: usize,
        calls: Vec<Call>,
    }

    thread_local! {
        static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
    }

    /// Runs a function whose call number `at` (from 0) has a fault. Returns the calls that were made.
    pub(in crate::file) fn run<T>(at: usize, fault: Fault, work: impl FnOnce() -> T) -> (T, Vec<Call>) {
        PLAN.set(Some(Plan { at, fault, count: 0, calls: Vec::new() }));
        let result = work();
        let calls = PLAN.take().map(|plan| plan.calls).unwrap_or_default();
        (result, calls)
    }

    pub(super) fn step(call: Call, len: usize) -> io::Result<usize> {
        PLAN.with_borrow_mut(|plan| {
            let Some(plan) = plan else { return Ok(len) };
            let (number, fault) = (plan.count, plan.fault);
            plan.count += 1;
            plan.calls.push(call);
            let stopped = || io::Error::other("stopped");
            match fault {
                Fault::Stop if number > plan.at => Err(stopped()),
                Fault::Broken(code)
                    if number > plan.at
                        && matches!(call, Call::Write | Call::Sync | Call::Create | Call::Resize) =>
                {
                    Err(io::Error::from_raw_os_error(code))
                }
                _ if number != plan.at => Ok(len),
                Fault::Error(code) | Fault::Broken(code) => Err(io::Error::from_raw_os_error(code)),
                Fault::Short => Ok(if len > 1 { len / 2 } else { len }),
                // Half of the write, then nothing more.
                Fault::Stop if call == Call::Write && len > 1 => Ok(len / 2),
                Fault::Stop => Err(stopped()),
            }
        })
    }
}

/// A record of the calls, for tests that simulate a loss of power.
#[cfg(test)]
pub(super) mod record {
    use std::cell::RefCell;
    use std::fs::File;
    use std::io::{self, Read as _, Seek as _};
    use std::path::PathBuf;

    /// A call that was made. Files are identified by their inode.
    #[derive(Debug, Clone)]
    pub(in crate::file) enum Done {
        Created(u64, PathBuf),
        Wrote(u64, u64, Vec<u8>),
        Resized(u64, u64),
        Synced(u64),
        Renamed(PathBuf, PathBuf),
        Removed(PathBuf),
        SyncedFolder,
    }

    thread_local! {
        static LOG: RefCell<Option<Vec<Done>>> = const { RefCell::new(None) };
    }

    /// Runs a function and returns all of its calls.
    pub(in crate::file) fn run<T>(work: impl FnOnce() -> T) -> (T, Vec<Done>) {
        LOG.set(Some(Vec::new()));
        let result = work();
        (result, LOG.take().unwrap_or_default())
    }

    pub(super) fn note(done: Done) {
        LOG.with_borrow_mut(|log| log.as_mut().map(|log| log.push(done)));
    }

    pub(super) fn note_copy(mut from: &File, to: &File) -> io::Result<()> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        from.rewind()?;
        note(Done::Wrote(id(to), 0, bytes));
        Ok(())
    }

    #[cfg(unix)]
    pub(in crate::file) fn id(file: &File) -> u64 {
        use std::os::unix::fs::MetadataExt as _;
        file.metadata().map_or(0, |metadata| metadata.ino())
    }

    #[cfg(not(unix))]
    pub(in crate::file) fn id(_: &File) -> u64 {
        0
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn another_owner_or_group_gets_no_more_than_all_users() {
        for (old, same_owner, same_group, new) in [
            (0o640, true, true, 0o640),
            (0o4755, true, true, 0o4755),
            (0o4755, false, true, 0o755),
            (0o2770, true, false, 0o700),
            (0o640, false, false, 0o600),
            (0o664, false, false, 0o644),
            (0o606, true, false, 0o666),
            (0o660, false, true, 0o660),
        ] {
            assert_eq!(mode_of(old, same_owner, same_group), new, "{old:o} {same_owner} {same_group}");
        }
    }

    #[test]
    fn a_lock_ends_with_its_value_though_the_file_is_open_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let first = Out::create_new(&path, None).unwrap();
        assert!(first.lock());
        let second = Out::open(&path).unwrap();
        assert!(!second.lock());
        // Between fork and exec a child process has the file open too.
        let elsewhere = first.try_clone().unwrap();
        drop(first);
        assert!(second.lock());
        drop(elsewhere);
        drop(Out::open(&path).unwrap());
        assert!(!Out::open(&path).unwrap().lock(), "a value without the lock does not unlock");
    }

    #[test]
    fn a_file_system_has_a_later_time_after_a_few_ticks() {
        let folder = tempfile::tempdir().unwrap();
        let out = Out::create_new(&folder.path().join("file"), None).unwrap();
        let past = out.metadata().unwrap().modified().unwrap();
        assert!(out.wait_until_after(past).unwrap());
        assert!(out.metadata().unwrap().modified().unwrap() > past);
        assert!(!out.wait_until_after(past + std::time::Duration::from_secs(3600)).unwrap());
    }

    #[test]
    fn the_lock_is_that_of_the_file_at_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let (path, new) = (folder.path().join("file"), folder.path().join("new"));
        std::fs::write(&path, "old").unwrap();
        std::fs::write(&new, "new file").unwrap();
        let first = Out::open_locked(&path).unwrap().unwrap();
        assert!(Out::open_locked(&path).unwrap().is_none());
        rename(&new, &path).unwrap();
        // The old file is still locked, but no longer at the path.
        let second = Out::open_locked(&path).unwrap().unwrap();
        assert_eq!(second.metadata().unwrap().len(), 8);
        drop(first);
    }

    #[test]
    fn only_missing_permissions_stop_a_replacement() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("file", &link).unwrap();
        assert!(itself(OpenOptions::new().write(true)).open(&link).is_err());
        check_writable(&link).unwrap();
        check_writable(&folder.path().join("missing")).unwrap();
    }

    #[test]
    fn a_file_is_gone_once_it_has_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let out = Out::create_new(&path, None).unwrap();
        assert!(!out.is_gone().unwrap());
        remove(&path).unwrap();
        assert!(out.is_gone().unwrap());
    }

    #[test]
    fn a_file_is_own_if_it_has_the_user_of_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "").unwrap();
        assert!(is_own(&std::fs::metadata(&path).unwrap()));
        // Only root can give a file away. Nobody else owns the system's programs.
        let other = match std::os::unix::fs::chown(&path, Some(1234), None) {
            Ok(()) => path,
            Err(_) => "/bin/sh".into(),
        };
        assert!(!is_own(&std::fs::metadata(other).unwrap()));
    }
}
