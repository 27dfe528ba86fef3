//! Updates: writing a file back to its path with as few changes as possible.
//!
//! Two writers do not lose an update: the file is locked before it is compared with what was opened. `file::snapshot` says
//! why the comparison notices each update.

use std::collections::BTreeSet;
use std::io::Seek as _;
use std::ops::Range;
use std::path::Path;

use super::atomic::{Temporary, buffered, not_writable};
use super::disk::Out;
use super::encoder::Encoder;
use super::journal::Journal;
use super::opened::Opened;
use super::plan::{Arranged, signed};
use super::prepared::Prepared;
use super::snapshot::Snapshot;
use super::update_plan::{Change, UpdatePlan};
use super::{File, WriteOptions, unfinished};
use crate::error::{Error, Result};
use crate::source::{FileSource, Source as _};
use crate::threads::Threads;

/// Options for updating a file: writing it back to the path from which it was opened.
///
/// Blocks that did not change stay where they are. The tree is written to its old place and may use the free space after
/// it. New and changed blocks go to the places of blocks that are not used any more, or to the end. The block index
/// follows. If the new tree does not fit, or new blocks would follow a streamed block, the whole file is written as by
/// [`WriteOptions::write`].
///
/// | | default | [`in_place`](Self::in_place) |
/// |---|---|---|
/// | writes | a copy of the file, which the file system may share, then the changes | an undo journal with the old bytes, then the changes |
/// | a program that has the file open | sees the old file | sees a mixture in blocks that it reads later |
/// | a program that opens it meanwhile | sees the old file | sees the old file until all changes are on disk |
/// | killed, or the disk is full | the old file stays | the old file is restored from the journal |
/// | other names of the file (hard links) | keep the old file | see the new file |
/// | disk space | the size of the file | the bytes that are overwritten |
///
/// # Examples
/// ```
/// use asdf_core::file::{Padding, UpdateOptions};
/// use asdf_core::{File, NdArray, WriteOptions};
///
/// let folder = std::env::temp_dir().join(format!("asdf-update-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("m31.asdf");
/// let mut file = File::new();
/// file.set("/data", &NdArray::new(&[3], &[1.0_f32, 2.0, 3.0])?)?;
/// WriteOptions::new().padding(Padding::Bytes(500)).write(&file, &path)?;
///
/// let mut file = File::open(&path)?;
/// file.set("/target", "M31")?;
/// file.update()?;                       // only the tree changes
/// file.set("/flags", &NdArray::new(&[3], &[0_u8, 0, 1])?)?;
/// UpdateOptions::new().in_place(true).update(&mut file)?;
/// assert_eq!(File::open(&path)?.array("/flags")?.read::<u8>()?, [0, 0, 1]);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct UpdateOptions {
    write: WriteOptions,
    in_place: bool,
    compact: bool,
    keep_ids: bool,
}

/// How an update is done.
enum Way {
    /// Changes, the new length, and the blocks that stay.
    Changes(Vec<Change>, u64, BTreeSet<u64>),
    Anew,
}

impl UpdateOptions {
    /// Makes the default options: a changed copy replaces the file.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether to change the bytes of the file itself instead of a copy.
    ///
    /// That is faster for small changes of large files.
    /// An undo journal, `.NAME.asdf-undo`, lies next to the file until all changes are on disk. The table above says what
    /// other programs see meanwhile. If the update was interrupted, this library reads the old file through the journal.
    /// The next update or append restores the old bytes first. Other programs see a half-changed file, and a copy
    /// without its journal cannot be restored. Read the arrays of the opened file before the update.
    ///
    /// A journal is used only if it belongs to the owner of the file or to root, and only they can write it.
    /// [`File::warnings`] reports any other.
    ///
    /// The default way is used on systems other than Unix, for mapped files, and if new blocks come from other opened
    /// files. It is used too if the file belongs to another user, and if another user's file has the name of the journal,
    /// and if the file has a time in the future.
    #[must_use]
    pub fn in_place(mut self, yes: bool) -> Self {
        self.in_place = yes;
        self
    }

    /// Sets whether to write the whole file again, without unused space, as by [`WriteOptions::write`].
    #[doc(alias = "defragment")]
    #[must_use]
    pub fn compact(mut self, yes: bool) -> Self {
        self.compact = yes;
        self
    }

    /// Sets whether the nodes of the file have the same ids after the update; the default is no.
    ///
    /// A node keeps its id if a node of the same kind is at its path afterwards. An id that is not in the tree any more becomes
    /// that of a null. It takes time and memory for a pass over the tree.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::File;
    /// use asdf_core::file::UpdateOptions;
    ///
    /// # let folder = std::env::temp_dir().join(format!("asdf-keep-ids-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// # let path = folder.join("m31.asdf");
    /// let mut file = File::new();
    /// file.set("/target", "M31")?;
    /// file.write(&path)?;
    ///
    /// let mut file = File::open(&path)?;
    /// file.set("/filter", "F158")?;
    /// let filter = file.at("/filter")?.id();
    /// UpdateOptions::new().keep_ids(true).update(&mut file)?;
    /// assert_eq!(file.tree().node(filter).as_str(), Some("F158"));
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn keep_ids(mut self, yes: bool) -> Self {
        self.keep_ids = yes;
        self
    }

    /// Sets the options for the tree and new blocks, or for the whole file if it is written again.
    ///
    /// In an update, blocks that did not change keep their codec, alignment and free space.
    #[must_use]
    pub fn write_options(mut self, options: WriteOptions) -> Self {
        self.write = options;
        self
    }

    /// Checks that the file at a path can be opened for writing, which an update needs, before edits begin.
    ///
    /// Nothing is written or locked.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::file::UpdateOptions;
    ///
    /// let error = UpdateOptions::new().check_writable("missing.asdf").unwrap_err();
    /// assert!(error.to_string().contains("opening for writing"));
    /// ```
    ///
    /// # Errors
    /// Fails with [`Io`](crate::error::Kind::Io) if the file does not exist or cannot be opened for writing.
    pub fn check_writable(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        Out::open(path).map(drop).map_err(|error| not_writable(path, error))
    }

    /// Writes a file back to the path from which it was opened, and opens it again.
    ///
    /// The ids of its nodes are not valid any more afterwards, unless [`keep_ids`](Self::keep_ids) is set.
    ///
    /// # Errors
    /// Fails with [`Usage`](crate::error::Kind::Usage) if the file was not opened from a path, has changed there since, or
    /// is being written by another process. Fails with [`Unsupported`](crate::error::Kind::Unsupported) if it is in a
    /// [container](super::OpenOptions::container). Fails also for the reasons of [`WriteOptions::write`]. After an error the
    /// file on disk is the old one, and `file` keeps the changes.
    pub fn update(&self, file: &mut File) -> Result<()> {
        file.refuse_container()?;
        let (Some(path), Some(opened)) = (file.path().map(Path::to_path_buf), file.opened.clone()) else {
            return Err(Error::usage("cannot update: the file was not opened from a path")
                .with_hint("write the file to a path and open it from there"));
        };
        self.write.check()?;
        let io = |error| not_writable(&path, error);
        let target = path.canonicalize().map_err(io)?;
        // Locked until the end, so that only one process updates the file.
        let Some(mut old) = Out::open_locked(&target).map_err(io)? else {
            return Err(Error::usage("another process is writing this file").at_file(&path));
        };
        let now = old.metadata().map_err(io)?;
        let (journal, _) = Journal::of(&target, &now)?;
        if Snapshot::new(&now, journal.as_ref()) != opened.snapshot {
            return Err(Error::usage("the file was changed by another program since it was opened")
                .at_file(&path)
                .with_hint("open it again and repeat the edits"));
        }
        if let Some(journal) = journal {
            journal.undo(&target, &mut old)?;
            // The bytes are those that were read through the journal.
            file.is_at(&target, &old);
        }
        let len = old.metadata().map_err(io)?.len();
        let way = if self.compact || opened.draft { Way::Anew } else { self.way(file, &opened, len, &path)? };
        match way {
            Way::Anew => self.write.write(file, &path)?,
            Way::Changes(changes, new_len, kept) => {
                let in_place = self.in_place
                    && Journal::supported()
                    && !opened.options.is_mapped()
                    && changes.iter().all(Change::is_here);
                let done = in_place && in_place_of(file, &target, &mut old, &changes, new_len)?;
                if !done {
                    file.check_copied(&kept)?;
                    by_copy(&path, &old, &changes, new_len, self.write.threads_for(file))?;
                }
            }
        }
        let mut new = opened.options.open(&path)?;
        if self.keep_ids {
            new.tree.renumber_as(&file.tree)?;
        }
        *file = new;
        Ok(())
    }

    fn way(&self, file: &File, opened: &Opened, len: u64, path: &Path) -> Result<Way> {
        let mut arranged = Arranged::new(&self.write, file, Some(path))?;
        if !arranged.siblings.is_empty() {
            return Ok(Way::Anew);
        }
        let old = file.blocks()?;
        let kept = arranged.kept()?;
        let count = old.len() as u64;
        let mut new = Vec::new();
        let encoder =
            Encoder::new(&self.write, self.write.codecs_for(file), &arranged.tree, &arranged.survey);
        for &number in kept.iter().filter(|&&number| number >= count) {
            let block = arranged.tree.blocks().block(signed(number)?)?;
            new.push((number, Prepared::new(number, &block, &encoder, false)?));
        }
        let kept: BTreeSet<u64> = kept.into_iter().filter(|&number| number < count).collect();
        let Some(space) = UpdatePlan::find(&old, len, &kept, new, &self.write)? else { return Ok(Way::Anew) };
        arranged.renumber(&space.numbers)?;
        let text = arranged.text(&self.write)?;
        Ok(match space.finish(text, opened.text_end, len, self.write.index) {
            Some((changes, new_len)) => Way::Changes(changes, new_len, kept),
            None => Way::Anew,
        })
    }
}

/// Changes a copy and replaces the file with it.
fn by_copy(path: &Path, old: &Out, changes: &[Change], new_len: u64, threads: Threads) -> Result<()> {
    let io = |error| Error::io("copying the file", error).at_file(path);
    let (temporary, mut out) = Temporary::create(path, threads)?;
    out.copy(old.file()).map_err(io)?;
    let out = apply(path, out, changes, new_len)?;
    temporary.settle(&out)?;
    temporary.put(|| ())
}

/// Changes the file itself, with a journal to undo it. Returns `false` if readers would not trust the journal.
fn in_place_of(
    opened: &mut File,
    target: &Path,
    old: &mut Out,
    changes: &[Change],
    new_len: u64,
) -> Result<bool> {
    let io = |error| Error::io("opening for writing", error).at_file(target);
    let metadata = old.metadata().map_err(io)?;
    let source = FileSource::of(old.try_clone().map_err(io)?, &metadata, target);
    // A program that ends by `abandon_writes` finishes this step first.
    let _step = unfinished::step();
    let ranges = overwritten(changes, source.len(), new_len);
    let Some(journal) = Journal::make(target, &source, &metadata, &ranges, new_len)? else {
        return Ok(false);
    };
    let file = old.try_clone().map_err(io)?;
    let written = apply(target, Out::from(file), changes, new_len)
        .and_then(|out| out.sync().map_err(|error| Error::io("syncing to disk", error).at_file(target)));
    match written {
        Ok(()) => journal.remove().map(|()| true),
        Err(error) => {
            // If this fails too, the journal stays and is used when the file is opened again.
            let _ = journal.undo(target, old);
            // The caller can try again.
            opened.is_at(target, old);
            Err(error)
        }
    }
}

fn apply(path: &Path, mut out: Out, changes: &[Change], new_len: u64) -> Result<Out> {
    out.rewind().map_err(|error| Error::io("writing", error).at_file(path))?;
    let out = buffered(out, path, |out| {
        changes.iter().try_for_each(|change| change.write(out)).map_err(|error| error.at_file(path))
    })?;
    out.set_len(new_len).map_err(|error| Error::io("setting the length", error).at_file(path))?;
    Ok(out)
}

/// The ranges of a file of `len` bytes that will be overwritten or cut off.
fn overwritten(changes: &[Change], len: u64, new_len: u64) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    let gone = new_len.min(len)..len;
    for range in changes.iter().map(Change::range).chain([gone]) {
        let range = range.start.min(len)..range.end.min(len);
        match ranges.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
    }
    ranges
}

impl File {
    /// Notes that the locked file has the bytes that this one was read from, though its metadata changed.
    fn is_at(&mut self, target: &Path, locked: &Out) {
        let (Some(opened), Ok(now)) = (&mut self.opened, locked.metadata()) else { return };
        if let Ok((journal, _)) = Journal::of(target, &now) {
            opened.snapshot = Snapshot::new(&now, journal.as_ref());
        }
    }

    /// Writes the file back to the path from which it was opened, with the default [`UpdateOptions`].
    ///
    /// Only the bytes that have to change are written, to a copy that then replaces the file. Blocks that are not used
    /// any more leave free space for later updates; [`UpdateOptions::compact`] removes it.
    ///
    /// # Errors
    /// See [`UpdateOptions::update`].
    ///
    /// # Examples
    /// ```
    /// use asdf_core::File;
    ///
    /// let path = std::env::temp_dir().join(format!("asdf-doc-update-{}.asdf", std::process::id()));
    /// let mut file = File::new();
    /// file.set("/target", "M31")?;
    /// file.write(&path)?;
    ///
    /// let mut file = File::open(&path)?;
    /// file.set("/target", "M33")?;
    /// file.update()?;
    /// assert_eq!(File::open(&path)?.get::<String>("/target")?, "M33");
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn update(&mut self) -> Result<()> {
        UpdateOptions::new().update(self)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    use super::super::file_id::FileId;
    use super::*;

    fn file_of(value: i64) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.asdf");
        let mut file = File::new();
        file.set("/value", &value).unwrap();
        file.write(&path).unwrap();
        (folder, path)
    }

    fn inode(path: &Path) -> FileId {
        FileId::of(&std::fs::metadata(path).unwrap())
    }

    fn value(path: &Path) -> i64 {
        File::open(path).unwrap().get("/value").unwrap()
    }

    #[test]
    fn the_second_of_two_updates_is_refused_though_they_are_in_one_tick() {
        for in_place in [true, false].repeat(10) {
            let (_folder, path) = file_of(1000);
            let (mut first, mut second) = (File::open(&path).unwrap(), File::open(&path).unwrap());
            first.set("/value", &1001).unwrap();
            second.set("/value", &1002).unwrap();
            UpdateOptions::new().in_place(true).update(&mut first).unwrap();
            let error = UpdateOptions::new().in_place(in_place).update(&mut second).unwrap_err();
            assert!(error.message().contains("changed by another program"), "{error}");
            assert_eq!(value(&path), 1001);
        }
    }

    #[test]
    fn a_file_from_the_future_is_updated_by_copy() {
        let (_folder, path) = file_of(1000);
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(3600);
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        let old = inode(&path);
        let mut file = File::open(&path).unwrap();
        file.set("/value", &1001).unwrap();
        UpdateOptions::new().in_place(true).update(&mut file).unwrap();
        assert_eq!(value(&path), 1001);
        assert_ne!(inode(&path), old);
    }

    #[test]
    fn a_journal_that_others_could_write_is_not_read() {
        let (folder, path) = file_of(1000);
        let journal = folder.path().join(".file.asdf.asdf-undo");
        let bytes = std::fs::read(&path).unwrap();
        let at = bytes.windows(4).position(|found| found == b"1000").unwrap() as u64;
        let (source, metadata) = FileSource::open_with_metadata(&path).unwrap();
        let made =
            Journal::make(&path, &source, &metadata, std::slice::from_ref(&(at..at + 4)), source.len())
                .unwrap()
                .unwrap();
        // As if an update had stopped after it changed the value.
        let mut out = Out::open(&path).unwrap();
        out.seek(std::io::SeekFrom::Start(at)).unwrap();
        std::io::Write::write_all(&mut out, b"1001").unwrap();
        drop((made, out));
        assert_eq!(value(&path), 1000, "a good journal is read");
        std::fs::set_permissions(&journal, std::fs::Permissions::from_mode(0o666)).unwrap();
        let mut file = File::open(&path).unwrap();
        assert_eq!(file.get::<i64>("/value").unwrap(), 1001);
        let warning = file.warnings().last().unwrap().to_string();
        assert!(
            warning.contains("not used as the undo journal") && warning.contains("mode 666"),
            "{warning}"
        );
        file.set("/value", &1002).unwrap();
        UpdateOptions::new().in_place(true).update(&mut file).unwrap();
        assert_eq!(value(&path), 1002);
        assert!(!journal.exists());
    }

    #[test]
    fn a_journal_that_cannot_be_removed_does_not_stop_updates() {
        let (folder, path) = file_of(1000);
        // A folder stands for the file of another user in a folder such as /tmp.
        let journal = folder.path().join(".file.asdf.asdf-undo");
        std::fs::create_dir(&journal).unwrap();
        let old = inode(&path);
        let mut file = File::open(&path).unwrap();
        file.set("/value", &1001).unwrap();
        UpdateOptions::new().in_place(true).update(&mut file).unwrap();
        assert_eq!(value(&path), 1001);
        assert_ne!(inode(&path), old, "it was updated by copy");
        assert!(journal.exists());
    }

    #[test]
    fn a_journal_of_a_file_that_a_group_can_write_is_trusted() {
        let (_folder, path) = file_of(1000);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o664)).unwrap();
        let (source, metadata) = FileSource::open_with_metadata(&path).unwrap();
        let journal =
            Journal::make(&path, &source, &metadata, std::slice::from_ref(&(0..4)), source.len()).unwrap();
        assert!(journal.is_some());
        let journal = path.with_file_name(".file.asdf.asdf-undo");
        assert_eq!(std::fs::metadata(journal).unwrap().permissions().mode() & 0o777, 0o644);
    }

    #[test]
    fn the_journal_gets_each_byte_that_changes_once() {
        type Ranges = &'static [(u64, u64)];
        let cases: [(Ranges, u64, Ranges); 9] = [
            (&[(0, 3), (3, 5), (7, 9)], 20, &[(0, 5), (7, 9)]),
            (&[(0, 3), (2, 9)], 20, &[(0, 9)]),
            (&[(0, 9), (2, 3), (10, 11)], 20, &[(0, 9), (10, 11)]),
            (&[(4, 4), (5, 6)], 20, &[(5, 6)]),
            (&[(5, 6), (6, 6), (7, 8)], 20, &[(5, 6), (7, 8)]),
            (&[(5, 6), (20, 30)], 30, &[(5, 6)]),
            (&[(15, 25)], 25, &[(15, 20)]),
            (&[(2, 3)], 16, &[(2, 3), (16, 20)]),
            (&[(10, 18)], 16, &[(10, 20)]),
        ];
        for (changed, new_len, expected) in cases {
            let changes: Vec<Change> = changed.iter().map(|&(from, to)| Change::Zeros(from..to)).collect();
            let found = overwritten(&changes, 20, new_len);
            let found: Vec<(u64, u64)> = found.iter().map(|range| (range.start, range.end)).collect();
            assert_eq!(found, expected, "{changed:?} {new_len}");
        }
    }

    #[test]
    fn an_update_in_place_that_failed_can_be_tried_again() {
        use super::super::disk::{Call, faults};
        let update = |file: &mut File| UpdateOptions::new().in_place(true).update(file);
        let opened = |path: &Path| {
            let mut file = File::open(path).unwrap();
            file.set("/value", &1001).unwrap();
            file
        };
        let (_folder, path) = file_of(1000);
        let fault = faults::Fault::Error(28);
        let (done, calls) = faults::run(usize::MAX, fault, || update(&mut opened(&path)));
        done.unwrap();
        // The length is set after the bytes were changed.
        let resizes: Vec<usize> = (0..calls.len()).filter(|&at| calls[at] == Call::Resize).collect();
        assert!(!resizes.is_empty());
        for at in resizes {
            let (_folder, path) = file_of(1000);
            let mut file = opened(&path);
            faults::run(at, fault, || update(&mut file)).0.unwrap_err();
            assert_eq!(value(&path), 1000);
            update(&mut file).unwrap();
            assert_eq!(value(&path), 1001);
        }
    }
}
