//! What tells one state of a file from another, so that readers and writers notice each update.
//!
//! # The protocol
//!
//! An update by copy writes a new file and renames it: the file at the path is another one. It locks the old file first,
//! and the new one until it has removed the journal of the old one, so that it does not remove the journal of a later
//! update. An update in place keeps the file. It takes these steps, in this order, while it holds the lock of the file:
//!
//! 1. wait until the clock of the file system is later than the last change of the file
//! 2. write the undo journal, sync it and its folder
//! 3. change the bytes and the length, which gives the file a time that it has not had before
//! 4. sync the file
//! 5. remove the journal: now the update is complete
//! 6. sync the folder
//!
//! A **reader** takes no lock. It opens the file, takes a snapshot, reads the text, and takes a second snapshot. If they
//! differ, it begins again.
//!
//! - *No journal in both, and the same file, length and time*: an update that changed bytes while the reader read them
//!   was complete before the second look at the journal. So it had given the file a new time, and later updates give
//!   later times. The first snapshot cannot have this time: then the journal would have been there when the reader looked
//!   for it, after the time.
//! - *The same journal in both*: the bytes that change are read from the journal and the others do not change, so the
//!   reader has the state before the update. The update was not complete when the reader looked again.
//!
//! In both cases the text is the state that was current at the second look. So no later reader sees an older one.
//! A journal that is incomplete counts as none: the file changes only after the journal is complete.
//!
//! A **writer** locks the file at the path, and then takes a snapshot. It refuses to write if it differs from that of the
//! opening. Only one writer has the lock, and each update leaves another file, length or time behind. A file or journal
//! that is open keeps its identity, so a new one cannot be taken for it. An update that was interrupted leaves its
//! journal, which the opening has not seen or has read through.
//!
//! Rows that are appended to a stream change the length and the time, without a journal. They do not change bytes that
//! others have read. So a reader also accepts the text if it read the same text twice while the file grew.
//!
//! Not covered: programs that write without this protocol within one tick of the clock, a clock that is set back, and
//! blocks that are read long after the file was opened.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

use super::file_id::FileId;
use super::journal::Journal;
use crate::error::{Error, Result};

/// The state of a file, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snapshot {
    file: FileId,
    len: u64,
    modified: Option<SystemTime>,
    /// The valid journal of an update that is not complete.
    journal: Option<FileId>,
}

impl Snapshot {
    /// The state of a file with these metadata and this journal.
    pub(super) fn new(metadata: &Metadata, journal: Option<&Journal>) -> Self {
        Self {
            file: FileId::of(metadata),
            len: metadata.len(),
            modified: metadata.modified().ok(),
            journal: journal.map(Journal::id),
        }
    }

    /// Compares the state of the opened file with the present one at its path, after it was read.
    pub(super) fn compare(&self, path: &Path, target: &Path, opened: &Metadata) -> Result<Change> {
        if !Journal::supported() {
            return Ok(Change::None);
        }
        // First the journal, then the time: an update changes the time before it removes the journal.
        let (journal, _) = Journal::of(target, opened)?;
        let Ok(now) = std::fs::metadata(path) else { return Ok(Change::Other) };
        let now = Self::new(&now, journal.as_ref());
        Ok(match (self.journal, now.journal) {
            _ if self.file != now.file || self.journal != now.journal => Change::Other,
            (Some(_), Some(_)) => Change::None,
            _ if *self == now => Change::None,
            _ if self.len < now.len => Change::Grown,
            _ => Change::Other,
        })
    }
}

/// What happened to a file while it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    None,
    /// It became longer, perhaps by rows of a stream.
    Grown,
    Other,
}

/// The attempts to read a file that others keep changing.
#[derive(Debug, Default)]
pub(super) struct Attempts(u32);

impl Attempts {
    const MOST: u32 = 1000;

    /// Waits a little before the next attempt.
    pub(super) fn again(&mut self, path: &Path) -> Result<()> {
        self.0 += 1;
        if self.0 >= Self::MOST {
            return Err(Error::usage(format!("the file changed {} times while it was opened", Self::MOST))
                .at_file(path)
                .with_hint("open it again when other programs write it less often"));
        }
        // An update takes milliseconds, because it waits for the disk.
        if self.0 > 3 {
            crate::threads::pause(std::time::Duration::from_millis(1));
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_a_file_that_became_longer_has_grown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        std::fs::write(&path, "12345").unwrap();
        let opened = std::fs::metadata(&path).unwrap();
        let snapshot = Snapshot::new(&opened, None);
        let later = opened.modified().unwrap() + Duration::from_secs(1);
        let write = |text: &str| {
            let file = std::fs::OpenOptions::new().write(true).truncate(true).open(&path).unwrap();
            std::io::Write::write_all(&mut &file, text.as_bytes()).unwrap();
            file.set_modified(later).unwrap();
        };
        let now = || snapshot.compare(&path, &path, &opened).unwrap();
        assert_eq!(now(), Change::None);
        for (text, expected) in [("123456", Change::Grown), ("54321", Change::Other), ("1234", Change::Other)]
        {
            write(text);
            assert_eq!(now(), expected, "{text}");
        }
        std::fs::rename(&path, folder.path().join("old")).unwrap();
        assert_eq!(now(), Change::Other, "the file does not exist");
        std::fs::write(&path, "1234567").unwrap();
        assert_eq!(now(), Change::Other, "it is another file");
    }

    #[test]
    fn a_file_that_changes_all_the_time_is_given_up() {
        let mut attempts = Attempts(Attempts::MOST - 3);
        let path = Path::new("x.asdf");
        assert!(attempts.again(path).is_ok() && attempts.again(path).is_ok());
        let error = attempts.again(path).unwrap_err();
        assert_eq!(error.message(), "the file changed 1000 times while it was opened");
        let mut attempts = Attempts::default();
        assert!((1..5).all(|count| attempts.again(path).is_ok() && attempts.0 == count));
    }

    #[test]
    fn a_file_does_not_change_while_its_journal_has_the_old_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        std::fs::write(&path, "12345").unwrap();
        let (source, opened) = crate::source::FileSource::open_with_metadata(&path).unwrap();
        let journal =
            Journal::make(&path, &source, &opened, std::slice::from_ref(&(0..5)), 6).unwrap().unwrap();
        let snapshot = Snapshot::new(&opened, Some(&journal));
        let write = |text: &str| {
            let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
            std::io::Write::write_all(&mut &file, text.as_bytes()).unwrap();
            file.set_modified(opened.modified().unwrap() + Duration::from_secs(1)).unwrap();
        };
        write("54321");
        assert_eq!(snapshot.compare(&path, &path, &opened).unwrap(), Change::None);
        write("654321");
        assert_eq!(snapshot.compare(&path, &path, &opened).unwrap(), Change::None);
        journal.remove().unwrap();
        assert_eq!(snapshot.compare(&path, &path, &opened).unwrap(), Change::Other);
    }
}
