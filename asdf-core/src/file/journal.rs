//! The undo journal of an update in place: the old bytes of the file, until the update is complete.
//!
//! While the bytes of `NAME` are changed, `.NAME.asdf-undo` lies next to it. A journal is valid only if it is complete,
//! as its digest shows, and if it belongs to this very file and not to one that was replaced since. All numbers are
//! big-endian:
//!
//! ```text
//! "asdf undo 1\n\0\0\0\0"   16 bytes
//! device, inode, created    the file, as the system knows it
//! old length, new length
//! count                     then for each range: offset, length
//! the old bytes of each range, one after the other
//! MD5 of all of it
//! ```

use std::fs::Metadata;
use std::io::{ErrorKind, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use super::disk::{self, Out, folder_of};
use super::file_id::FileId;
use super::trust::{self, Found};
use crate::block::Md5;
use crate::error::{Error, Result};
use crate::source::{FileSource, Source};

const MAGIC: &[u8; 16] = b"asdf undo 1\n\0\0\0\0";
/// The bytes that are copied at once. Few in tests, so that ranges have several pieces.
const PIECE: u64 = if cfg!(test) { 64 } else { 1 << 20 };
/// The number of bytes before the list of ranges.
const HEAD: u64 = 16 + 6 * 8;
/// A limit on the number of ranges, larger than that of any update.
const MOST: u64 = 1 << 24;

/// A valid journal.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    source: FileSource,
    /// The journal itself. It stays open, so no other journal has the same identity meanwhile.
    id: FileId,
    old_len: u64,
    /// Ranges of the file in ascending order, and the offsets of their old bytes in the journal.
    ranges: Vec<(Range<u64>, u64)>,
}

/// The path of the journal of a file.
fn path_of(target: &Path) -> Option<PathBuf> {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name()?);
    name.push(".asdf-undo");
    Some(folder_of(target).join(name))
}

/// The identity of a file among others of the same name.
pub(super) type Identity = [u64; 3];

/// The identity of a file. `None` if the system has no such identity.
pub(super) fn identity(metadata: &Metadata) -> Option<Identity> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let created = metadata.created().ok().and_then(|time| {
            let since = time.duration_since(std::time::UNIX_EPOCH).ok()?;
            u64::try_from(since.as_nanos()).ok()
        });
        Some([metadata.dev(), metadata.ino(), created.unwrap_or(0)])
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}

impl Journal {
    /// Whether this system supports journals.
    pub(super) const fn supported() -> bool {
        cfg!(unix)
    }

    /// Reads the journal of a file with these metadata, if it has a valid one. A journal that cannot be trusted becomes a
    /// warning.
    pub(super) fn of(target: &Path, file: &Metadata) -> Result<(Option<Self>, Option<Error>)> {
        let Some(path) = path_of(target) else { return Ok((None, None)) };
        match trust::find(&path, file)? {
            Found::Nothing => Ok((None, None)),
            Found::Untrusted(warning) => Ok((None, Some(warning))),
            Found::Trusted(found, metadata) => {
                let source = FileSource::of(found, &metadata, &path);
                Ok((Self::read(path, source, FileId::of(&metadata), file)?, None))
            }
        }
    }

    /// The journal itself, to notice that it was replaced by another.
    pub(super) fn id(&self) -> FileId {
        self.id
    }

    /// Reads a journal. Returns `None` if it is incomplete or belongs to another file.
    fn read(path: PathBuf, source: FileSource, id: FileId, file: &Metadata) -> Result<Option<Self>> {
        let len = source.len();
        if len < HEAD + 16 {
            return Ok(None);
        }
        let head = source.read(0..HEAD)?;
        let mut numbers = head.get(MAGIC.len()..).unwrap_or_default().chunks_exact(8).map(number);
        let mut next = || numbers.next().unwrap_or(0);
        let own = [next(), next(), next()];
        let (old_len, new_len, count) = (next(), next(), next());
        let between = old_len.min(new_len)..=old_len.max(new_len);
        if !head.starts_with(MAGIC)
            || identity(file) != Some(own)
            || !between.contains(&file.len())
            || count > MOST
            || HEAD + count * 16 > len - 16
        {
            return Ok(None);
        }
        let mut ranges = Vec::new();
        let mut at = HEAD + count * 16;
        let mut before = 0;
        for entry in source.read(HEAD..at)?.chunks_exact(16) {
            let (start, size) = (number(entry), number(entry.get(8..).unwrap_or_default()));
            let end = start.checked_add(size).filter(|&end| start >= before && end <= old_len);
            let (Some(end), Some(next)) = (end, at.checked_add(size)) else { return Ok(None) };
            ranges.push((start..end, at));
            (before, at) = (end, next);
        }
        if at != len - 16 {
            return Ok(None);
        }
        let mut digest = Md5::new();
        let mut done = 0;
        while done < at {
            let next = at.min(done + PIECE);
            digest.update(&source.read(done..next)?);
            done = next;
        }
        if source.read(at..len)?.as_ref() != digest.finish().as_slice() {
            return Ok(None);
        }
        Ok(Some(Self { path, source, id, old_len, ranges }))
    }

    /// Writes and syncs the journal of a file, before its ranges are overwritten and its length becomes `new_len`.
    ///
    /// The ranges are in ascending order, disjoint, and within the file. `metadata` are those of `file`. Returns `None` if
    /// readers would not trust a journal of this user, another user's file has its name, or the time
    /// of the last change is in the future.
    pub(super) fn make(
        target: &Path,
        file: &dyn Source,
        metadata: &Metadata,
        ranges: &[Range<u64>],
        new_len: u64,
    ) -> Result<Option<Self>> {
        let path =
            path_of(target).ok_or_else(|| Error::usage("the path has no file name").at_file(target))?;
        let Some(own) = identity(metadata) else { return Ok(None) };
        let Some(out) = create(&path, metadata)? else { return Ok(None) };
        let made = write(out, &path, own, file, ranges, new_len).and_then(|()| {
            disk::sync_folder(&folder_of(target))
                .map_err(|error| Error::io("syncing the folder of the journal", error).at_file(&path))?;
            Self::of(target, metadata)
        });
        match made {
            Ok((Some(journal), _)) => Ok(Some(journal)),
            failed => {
                // The journal is incomplete or not needed, because the file is still unchanged.
                let _ = disk::remove(&path);
                failed.map(|_| None)
            }
        }
    }

    /// Restores the old bytes and removes the journal.
    pub(super) fn undo(self, target: &Path, out: &mut Out) -> Result<()> {
        let io = |error| Error::io("undoing an update that was interrupted", error).at_file(target);
        for (range, at) in &self.ranges {
            out.seek(SeekFrom::Start(range.start)).map_err(io)?;
            let size = range.end - range.start;
            let mut done = 0;
            while done < size {
                let next = size.min(done + PIECE);
                out.write_all(&self.source.read(at + done..at + next)?).map_err(io)?;
                done = next;
            }
        }
        out.set_len(self.old_len).map_err(io)?;
        out.sync().map_err(io)?;
        self.remove()
    }

    /// Removes the journal once the changes are on disk. At this moment the update is complete: readers see the new bytes.
    pub(super) fn remove(self) -> Result<()> {
        let io = |error| Error::io("removing the journal of an update", error).at_file(&self.path);
        disk::remove(&self.path).map_err(io)?;
        disk::sync_folder(&folder_of(&self.path)).map_err(io)
    }

    /// Returns a source of the file as it was before the update.
    pub(super) fn over(self, source: Arc<dyn Source>) -> Arc<dyn Source> {
        Arc::new(Undone { source, journal: self })
    }
}

/// Creates the file of a journal. Returns `None` if the system does not allow it to be one that readers trust.
fn create(path: &Path, file: &Metadata) -> Result<Option<Out>> {
    let io = |error| Error::io("writing the journal of an update", error).at_file(path);
    let out = match Out::create_new(path, Some(file)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            // It is invalid or not trusted, or it would have been used by now. Another user's file may have to stay.
            if disk::remove(path).is_err() {
                return Ok(None);
            }
            match Out::create_new(path, Some(file)) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
                made => made,
            }
        }
        made => made,
    }
    .map_err(io)?;
    // Some file systems have no permissions. And the clock must be later than the last change of the file, so that the
    // changes give it a time that it has not had before.
    let later = |out: &Out| file.modified().and_then(|past| out.wait_until_after(past));
    if out.readable_as(file).is_ok() && later(&out).map_err(io)? {
        return Ok(Some(out));
    }
    let _ = disk::remove(path);
    Ok(None)
}

fn write(
    mut out: Out,
    path: &Path,
    own: [u64; 3],
    file: &dyn Source,
    ranges: &[Range<u64>],
    new_len: u64,
) -> Result<()> {
    let io = |error| Error::io("writing the journal of an update", error).at_file(path);
    let mut digest = Md5::new();
    let mut put = |bytes: &[u8]| {
        digest.update(bytes);
        out.write_all(bytes).map_err(io)
    };
    let mut head = MAGIC.to_vec();
    let [device, inode, created] = own;
    for number in [device, inode, created, file.len(), new_len, ranges.len() as u64] {
        head.extend_from_slice(&number.to_be_bytes());
    }
    for range in ranges {
        head.extend_from_slice(&range.start.to_be_bytes());
        head.extend_from_slice(&(range.end - range.start).to_be_bytes());
    }
    put(&head)?;
    for range in ranges {
        let mut at = range.start;
        while at < range.end {
            let next = range.end.min(at + PIECE);
            put(&file.read(at..next)?)?;
            at = next;
        }
    }
    let digest = digest.finish();
    out.write_all(&digest).map_err(io)?;
    out.sync().map_err(io)
}

fn number(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// Undoes an interrupted update of a locked file, before it is written again.
pub(super) fn restore(target: &Path, out: &mut Out) -> Result<()> {
    let io = |error| Error::io("reading its metadata", error).at_file(target);
    match Journal::of(target, &out.metadata().map_err(io)?)?.0 {
        Some(journal) => journal.undo(target, out),
        None => Ok(()),
    }
}

/// Removes the journal of a replaced file, which is not valid any more.
pub(super) fn forget(target: &Path) {
    if let Some(path) = path_of(target).filter(|path| path.symlink_metadata().is_ok()) {
        // A failure does no harm: the journal belongs to another file and is ignored.
        let _ = disk::remove(&path);
    }
}

/// A file as it was before an interrupted update.
#[derive(Debug)]
struct Undone {
    source: Arc<dyn Source>,
    journal: Journal,
}

impl Source for Undone {
    fn len(&self) -> u64 {
        self.journal.old_len
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let len = self.len();
        if range.start > range.end || range.end > len {
            return Err(Error::malformed(format!(
                "the file ends at byte {len}, but the bytes {} to {} are needed",
                range.start, range.end
            ))
            .at_offset(range.start));
        }
        let ranges = &self.journal.ranges;
        let first = ranges.partition_point(|(saved, _)| saved.end <= range.start);
        let mut saved = ranges.get(first..).unwrap_or_default().iter();
        let mut next = saved.next().filter(|(saved, _)| saved.start < range.end);
        if next.is_none() {
            return self.source.read(range);
        }
        let mut bytes = BytesMut::new();
        let mut at = range.start;
        while at < range.end {
            let piece = match next {
                Some((saved_range, place)) if saved_range.start <= at => {
                    let end = saved_range.end.min(range.end);
                    let from = place + (at - saved_range.start);
                    let piece = self.journal.source.read(from..from + (end - at))?;
                    next = saved.next().filter(|(saved, _)| saved.start < range.end);
                    at = end;
                    piece
                }
                _ => {
                    let end = next.map_or(range.end, |(saved, _)| saved.start);
                    let piece = self.source.read(at..end)?;
                    at = end;
                    piece
                }
            };
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes.freeze())
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::*;

    /// A file of 256 bytes, each equal to its offset, and its path.
    #[cfg(unix)]
    fn numbers() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let bytes: Vec<u8> = (0..=255).collect();
        std::fs::write(&path, &bytes).unwrap();
        (folder, path, bytes)
    }

    #[cfg(unix)]
    fn make(path: &Path, ranges: &[Range<u64>], new_len: u64) -> Journal {
        let (source, metadata) = FileSource::open_with_metadata(path).unwrap();
        Journal::make(path, &source, &metadata, ranges, new_len).unwrap().unwrap()
    }

    #[cfg(unix)]
    fn of(path: &Path) -> Option<Journal> {
        Journal::of(path, &std::fs::metadata(path).unwrap()).unwrap().0
    }

    #[cfg(unix)]
    #[test]
    fn the_old_file_is_read_through_the_journal_and_restored() {
        for new_len in [180, 256, 300] {
            let (folder, path, bytes) = numbers();
            let mut ranges = vec![0..3, 3..4, 20..90, 150..170];
            if new_len < 256 {
                ranges.push(new_len..256);
            }
            make(&path, &ranges, new_len);
            let mut torn = bytes.clone();
            torn.resize(usize::try_from(new_len).unwrap(), 0xee);
            for range in &ranges {
                for at in range.clone().filter(|&at| at < new_len) {
                    torn[usize::try_from(at).unwrap()] = 0xdd;
                }
            }
            // Writes into the same file, because a new one would have another inode.
            let mut out = Out::open(&path).unwrap();
            out.write_all(&torn).unwrap();
            out.set_len(new_len).unwrap();
            let journal = of(&path).unwrap();
            let source = journal.over(std::sync::Arc::new(FileSource::open(&path).unwrap()));
            assert_eq!(source.len(), 256);
            for start in 0..256_usize {
                for end in [start, start + 1, start + 2, start + 50, 256] {
                    let read = source.read(start as u64..end as u64);
                    match bytes.get(start..end) {
                        Some(expected) => assert_eq!(read.unwrap(), expected, "{start}..{end} of {new_len}"),
                        None => assert!(read.is_err(), "{start}..{end}"),
                    }
                }
            }
            restore(&path, &mut out).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
            assert!(of(&path).is_none());
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_incomplete_journal_is_invalid() {
        let (_folder, path, _) = numbers();
        let journal = make(&path, &[5..10, 20..30], 256);
        let at = journal.path.clone();
        let whole = std::fs::read(&at).unwrap();
        for len in 0..whole.len() {
            std::fs::write(&at, &whole[..len]).unwrap();
            assert!(of(&path).is_none(), "cut to {len}");
        }
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 0x10;
            std::fs::write(&at, &damaged).unwrap();
            assert!(of(&path).is_none(), "damaged at {place}");
        }
        std::fs::write(&at, [&whole[..], b"x"].concat()).unwrap();
        assert!(of(&path).is_none(), "longer");
        std::fs::write(&at, &whole).unwrap();
        assert!(of(&path).is_some());
        // The journal does not belong to another file of the same name.
        let other = path.with_extension("other");
        std::fs::write(&other, vec![1; 256]).unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert!(of(&path).is_none());
    }
}
