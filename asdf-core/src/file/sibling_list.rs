//! The list of the files that a write of an exploded file creates and removes.
//!
//! `.NAME.asdf-set` lies next to `NAME` while the exploded file is written. If the program is killed meanwhile, the next
//! write removes the listed files that `NAME` does not refer to. Each line names a file, percent-encoded. Once the file
//! exists, another line adds its identity: three numbers of the system, which no later file of the same name has.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::disk::{self, Out, folder_of};
use super::journal::{Identity, identity};
use super::unfinished::{self, Unfinished};
use crate::error::{Error, Result};
use crate::tree::{percent_decode, percent_encode};

/// A list that is being written, which other processes see as locked.
#[derive(Debug)]
pub(super) struct SiblingList {
    path: PathBuf,
    out: Out,
    /// `None` once the list is needed after this process.
    unfinished: Option<Unfinished>,
}

/// The files of a list, by name.
pub(super) type Listed = BTreeMap<String, Option<Identity>>;

/// A list is not read beyond this size.
const MOST: u64 = 64 << 20;

impl SiblingList {
    /// Creates the list of an exploded file; `main` is its path. `None` if another user has taken the name.
    pub(super) fn create(main: &Path) -> Result<Option<Self>> {
        let Some(path) = path_of(main) else { return Ok(None) };
        let io = |error| Error::io("listing the files of the arrays", error).at_file(&path);
        let step = unfinished::step();
        let out = match Out::create_new(&path, None) {
            Ok(out) => out,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return match is_own(&path) {
                    true => Err(busy(main)),
                    false => Ok(None),
                };
            }
            Err(error) => return Err(io(error)),
        };
        let unfinished = Some(Unfinished::new(path.clone()));
        drop(step);
        let list = Self { path, out, unfinished };
        if list.out.lock() {
            return Ok(Some(list));
        }
        Err(busy(main))
    }

    /// Adds a file.
    pub(super) fn add(&mut self, name: &str, identity: Option<Identity>) -> Result<()> {
        let mut line = percent_encode(name);
        for number in identity.into_iter().flatten() {
            line.push_str(&format!(" {number}"));
        }
        line.push('\n');
        self.out.write_all(line.as_bytes()).map_err(|error| self.io(error))
    }

    pub(super) fn sync(&self) -> Result<()> {
        self.out.sync().map_err(|error| self.io(error))
    }

    /// Leaves the list on disk if the process ends from now on.
    pub(super) fn keep(&mut self) {
        self.unfinished = None;
    }

    /// Removes the list.
    pub(super) fn remove(self) {
        // A failure does no harm: the next write reads the list and removes it.
        let _ = disk::remove(&self.path);
    }

    fn io(&self, error: io::Error) -> Error {
        Error::io("listing the files of the arrays", error).at_file(&self.path)
    }
}

/// Reads the list that a killed process left, calls `remove` with its files, and removes it if that returns `true`.
///
/// # Errors
/// Fails if a living process is writing the file.
pub(super) fn recover(main: &Path, remove: impl FnOnce(Listed) -> bool) -> Result<()> {
    let Some(path) = path_of(main).filter(|path| is_own(path)) else { return Ok(()) };
    let Ok(list) = Out::open_itself(&path) else { return Ok(()) };
    if !list.lock() {
        return Err(busy(main));
    }
    // It was empty or complete, and its process removed it before it was locked here.
    if list.is_gone().unwrap_or(true) {
        return Ok(());
    }
    let mut bytes = Vec::new();
    if list.file().take(MOST).read_to_end(&mut bytes).is_ok() && remove(parse(&bytes)) {
        let _ = disk::remove(&path);
    }
    Ok(())
}

/// The files of a list. A line that was not written to its end is left out.
fn parse(bytes: &[u8]) -> Listed {
    let mut listed = Listed::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok());
        let mut words = line.unwrap_or_default().split(' ');
        let Some(name) = words.next().and_then(percent_decode).filter(|name| !name.is_empty()) else {
            continue;
        };
        let numbers: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
        listed.insert(name, Identity::try_from(numbers).ok());
    }
    listed
}

fn path_of(main: &Path) -> Option<PathBuf> {
    let mut name = std::ffi::OsString::from(".");
    name.push(main.file_name()?);
    name.push(".asdf-set");
    Some(folder_of(main).join(name))
}

fn busy(main: &Path) -> Error {
    Error::usage("another process is writing this file").at_file(main)
}

/// Whether a path is a file of this user, whose words can be trusted.
fn is_own(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_file() && disk::is_own(&found))
}

/// Whether a path is the file that was listed. A file that was listed before it was created has no bytes.
pub(super) fn is_listed(path: &Path, listed: Option<Identity>) -> bool {
    path.symlink_metadata().is_ok_and(|found| {
        found.is_file() && (found.len() == 0 || (listed.is_some() && identity(&found) == listed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_up_to_its_last_complete_line() {
        let text =
            b"a%20b0000.asdf\nx0001.asdf 1 2 3\nx0002.asdf 1 2\na%20b0000.asdf 4 5 6\nx0003.asdf 7 8 9";
        let listed = parse(text);
        let expected =
            [("a b0000.asdf", Some([4, 5, 6])), ("x0001.asdf", Some([1, 2, 3])), ("x0002.asdf", None)];
        assert_eq!(listed, expected.map(|(name, identity)| (name.to_owned(), identity)).into());
    }

    #[test]
    fn only_one_process_writes_a_list() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("x.asdf");
        let list = SiblingList::create(&main).unwrap().unwrap();
        let error = SiblingList::create(&main).unwrap_err();
        assert_eq!(error.message(), busy(&main).message());
        list.remove();
        assert!(SiblingList::create(&main).unwrap().is_some());
    }

    #[test]
    fn a_folder_at_the_path_of_a_list_is_not_a_list() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("x.asdf");
        std::fs::create_dir(path_of(&main).unwrap()).unwrap();
        assert!(SiblingList::create(&main).unwrap().is_none());
        let error = SiblingList::create(&folder.path().join("missing/x.asdf")).unwrap_err();
        assert_eq!(error.kind(), crate::error::Kind::Io);
    }

    #[test]
    fn a_list_is_removed_by_the_end_of_the_process_until_it_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("x.asdf");
        let mut list = SiblingList::create(&main).unwrap().unwrap();
        assert!(unfinished::is_unfinished(&list.path));
        list.keep();
        assert!(!unfinished::is_unfinished(&list.path));
    }

    #[cfg(unix)]
    #[test]
    fn only_a_file_with_its_identity_is_the_listed_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x0000.asdf");
        std::fs::write(&path, "data").unwrap();
        let own = identity(&path.symlink_metadata().unwrap());
        assert!(own.is_some() && is_listed(&path, own));
        assert!(!is_listed(&path, None));
        assert!(!is_listed(&path, Some([1, 2, 3])));
        std::fs::write(&path, "").unwrap();
        assert!(is_listed(&path, None) && is_listed(&path, Some([1, 2, 3])));
        let other = folder.path().join("folder");
        std::fs::create_dir(&other).unwrap();
        assert!(!is_listed(&other, identity(&other.symlink_metadata().unwrap())));
    }
}
