//! Tests that make every call that changes the disk fail, or be the last one. The path then holds the old file or the
//! new one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::disk::faults::{Fault, run};
use super::disk::{Call, record};
use super::{File, OpenOptions, Padding, Storage, StreamOptions, StreamWriter, UpdateOptions, WriteOptions};
use crate::array::{ByteOrder, Datatype, NdArray};
use crate::error::Result;
use crate::tree::NodeRef;
use crate::value::FromNode;

const ENOSPC: i32 = 28;
const EIO: i32 = 5;

/// The contents of a file, with verified checksums.
fn state(path: &Path) -> Result<String> {
    let file = OpenOptions::new().verify_checksums(true).open(path)?;
    // Without the numbers of blocks and the names of files, which may change.
    let lines = file.tree().text().lines().filter(|line| !line.trim_start().starts_with("source: "));
    let mut state = lines.collect::<Vec<_>>().join("\n");
    for node in file.tree().root().into_iter().flat_map(NodeRef::walk) {
        if node.tag().is_some_and(NdArray::accepts_tag) {
            let bytes = NdArray::from_node(node)?.packed_bytes(ByteOrder::Little)?;
            state.push_str(&format!("\n{} bytes: {:?}", bytes.len(), crate::block::md5(&bytes)));
        }
    }
    Ok(state)
}

fn array(len: u64, first: u32) -> NdArray {
    let elements: Vec<u32> = (first..).take(usize::try_from(len).unwrap()).collect();
    NdArray::new(&[len], &elements).unwrap()
}

/// A file with three blocks. The second is written in several pieces.
fn old_file() -> File {
    let mut file = File::new();
    file.set("/title", "old").unwrap();
    file.set("/a", &array(50, 0)).unwrap();
    file.set("/b", &array(1100, 100)).unwrap();
    file.set("/c", &array(30, 7)).unwrap();
    file
}

/// Makes the old file.
type Make = fn(&Path);
/// Changes it.
type Work = fn(&Path) -> Result<()>;

fn make_plain(path: &Path) {
    old_file().write(path).unwrap();
}

fn make_padded(path: &Path) {
    WriteOptions::new().padding(Padding::Bytes(700)).write(&old_file(), path).unwrap();
}

fn make_stream(path: &Path) {
    let mut stream = StreamOptions::new().create(path, &old_file(), "/rows", Datatype::Uint32, &[3]).unwrap();
    stream.push(&[1_u32, 2, 3, 4, 5, 6]).unwrap();
    stream.finish().unwrap();
}

fn make_exploded(path: &Path) {
    WriteOptions::new().storage(Storage::External).write(&old_file(), path).unwrap();
}

fn edit_title(file: &mut File) -> Result<()> {
    file.set("/title", "new")
}

fn edit_longer(file: &mut File) -> Result<()> {
    file.set("/title", &"x".repeat(600))
}

fn edit_much_longer(file: &mut File) -> Result<()> {
    file.set("/title", &"x".repeat(6000))
}

fn edit_first(file: &mut File) -> Result<()> {
    file.set("/a", &array(10, 3))
}

fn edit_middle(file: &mut File) -> Result<()> {
    file.set("/b", &array(1000, 5))?;
    file.set("/title", "new")
}

fn edit_remove(file: &mut File) -> Result<()> {
    file.set("/c", "no array")
}

fn edit_add(file: &mut File) -> Result<()> {
    file.set("/d", &array(800, 9))
}

const EDITS: [fn(&mut File) -> Result<()>; 7] =
    [edit_title, edit_longer, edit_much_longer, edit_first, edit_middle, edit_remove, edit_add];

fn update<const EDIT: usize, const IN_PLACE: bool>(path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    EDITS.get(EDIT).unwrap()(&mut file)?;
    UpdateOptions::new().in_place(IN_PLACE).update(&mut file)
}

fn write_over(path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    edit_middle(&mut file)?;
    file.write(path)
}

fn compact(path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    edit_remove(&mut file)?;
    UpdateOptions::new().compact(true).update(&mut file)
}

fn explode(path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    edit_title(&mut file)?;
    WriteOptions::new().storage(Storage::External).replace_siblings(true).write(&file, path)
}

fn explode_over(path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    edit_middle(&mut file)?;
    edit_remove(&mut file)?;
    WriteOptions::new().storage(Storage::External).replace_siblings(true).write(&file, path)
}

/// One array stays in its file, and the others get new ones.
fn explode_some(path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    edit_middle(&mut file)?;
    let options = WriteOptions::new().storage(Storage::External).storage_at("/a", Storage::Kept);
    options.replace_siblings(true).write(&file, path)
}

fn implode_over(path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    edit_title(&mut file)?;
    WriteOptions::new().storage(Storage::Internal).replace_siblings(true).write(&file, path)
}

fn explode_by_update(path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    edit_add(&mut file)?;
    let options = WriteOptions::new().storage_at("/d", Storage::External).replace_siblings(true);
    UpdateOptions::new().write_options(options).update(&mut file)
}

fn stream_over(path: &Path) -> Result<()> {
    let options = WriteOptions::new().storage(Storage::External).replace_siblings(true);
    let stream = StreamOptions::new().write_options(options);
    let mut stream = stream.create(path, &old_file(), "/rows", Datatype::Uint32, &[2])?;
    for row in 0..30_u32 {
        stream.push(&[row, row + 1])?;
    }
    stream.finish()
}

fn stream_create(path: &Path) -> Result<()> {
    let mut stream = StreamOptions::new().create(path, &old_file(), "/rows", Datatype::Uint32, &[2])?;
    for row in 0..30_u32 {
        stream.push(&[row, row + 1])?;
    }
    stream.finish()
}

/// The files in the folder of a file that do not belong to it.
fn left_over(path: &Path) -> Vec<String> {
    let file = File::open(path).unwrap();
    let nodes = file.tree().root().into_iter().flat_map(NodeRef::walk);
    let sources = nodes.filter_map(|node| node.get("source")?.as_str());
    let mut own: Vec<&str> = sources.collect();
    own.push(path.file_name().unwrap().to_str().unwrap());
    let names = std::fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).filter(|name| !own.contains(&name.as_str())).collect()
}

/// All files of a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// Makes every call of a function fail in every way. Returns the number of calls.
fn every_crash(name: &str, make: Make, work: Work) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = folder.join("file.asdf");
    make(&path);
    let original = files(folder);
    let old = state(&path).unwrap();
    let (done, calls) = run(usize::MAX, Fault::Stop, || work(&path));
    done.unwrap();
    let new = state(&path).unwrap();
    assert_ne!(old, new, "{name} changes nothing");
    assert_eq!(left_over(&path), [""; 0], "{name}");
    let count = calls.len();
    for fault in [Fault::Stop, Fault::Error(EIO), Fault::Broken(ENOSPC), Fault::Short] {
        for at in 0..count {
            let context = format!("{name}: {fault:?} at call {at} of {count}, {:?}", calls.get(at));
            for entry in std::fs::read_dir(folder).unwrap() {
                std::fs::remove_file(entry.unwrap().path()).unwrap();
            }
            original.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
            let (result, _) = run(at, fault, || work(&path));
            let found = state(&path).unwrap_or_else(|error| panic!("{context}: {error}"));
            assert!(found == old || found == new, "{context}: neither the old file nor the new one");
            if fault == Fault::Short {
                result.unwrap_or_else(|error| panic!("{context}: {error}"));
            } else if result.is_ok() {
                // Only the failed removal of an unneeded file is not an error.
                assert_eq!(found, new, "{context}: no error, but nothing was done");
            } else if matches!(fault, Fault::Error(_)) && calls.get(at) != Some(&Call::SyncFolder) {
                assert!(found == old || calls.get(at) == Some(&Call::Remove), "{context}: error, but new");
            }
            if !matches!(fault, Fault::Stop | Fault::Broken(_)) && calls.get(at) != Some(&Call::Remove) {
                let mut left = left_over(&path);
                if matches!(fault, Fault::Error(_))
                    && calls.get(at) == Some(&Call::SyncFolder)
                    && found == new
                {
                    // A loss of power could bring back the old file, so its other files and their list stay.
                    left.retain(|name| name.ends_with(".tmp"));
                }
                assert_eq!(left, [""; 0], "{context}");
            }
            // After any fault the next write succeeds and removes old temporary files.
            work(&path).unwrap_or_else(|error| panic!("{context}, again: {error}"));
            assert_eq!(state(&path).unwrap(), new, "{context}, again");
            assert_eq!(left_over(&path), [""; 0], "{context}, again");
        }
    }
    count
}

/// Makes a test of each change. The last column is the least number of faults that a change has to meet.
macro_rules! changes {
    ($every:ident: $($name:ident: $make:ident, $work:expr, $least:literal;)+) => {$(
        #[test]
        fn $name() {
            let count = $every(stringify!($name), $make, $work);
            assert!(count >= $least, "{count}");
        }
    )+};
}

/// The same for a file without padding and for one with padding.
macro_rules! changes_of_both {
    ($every:ident: $($name:ident: $work:expr, $least:literal;)+) => {$(
        mod $name {
            use super::*;

            changes! { $every:
                plain: make_plain, $work, $least;
                padded: make_padded, $work, $least;
            }
        }
    )+};
}

mod every_call {
    use super::*;

    changes! { every_crash:
        writing: make_plain, write_over, 11;
        compacting: make_plain, compact, 11;
        streaming: make_plain, stream_create, 16;
        exploding: make_plain, explode, 16;
        exploding_again: make_exploded, explode_over, 16;
        exploding_some: make_exploded, explode_some, 16;
        imploding: make_exploded, implode_over, 16;
        update_exploded: make_exploded, explode_by_update, 16;
        streaming_with_other_files: make_exploded, stream_over, 16;
    }

    changes_of_both! { every_crash:
        update_0_copy: update::<0, false>, 8;
        update_1_copy: update::<1, false>, 8;
        update_2_copy: update::<2, false>, 8;
        update_3_copy: update::<3, false>, 8;
        update_4_copy: update::<4, false>, 8;
        update_5_copy: update::<5, false>, 8;
        update_6_copy: update::<6, false>, 8;
        update_0_in_place: update::<0, true>, 8;
        update_1_in_place: update::<1, true>, 8;
        update_2_in_place: update::<2, true>, 8;
        update_3_in_place: update::<3, true>, 8;
        update_4_in_place: update::<4, true>, 8;
        update_5_in_place: update::<5, true>, 8;
        update_6_in_place: update::<6, true>, 8;
    }
}

#[test]
fn appending_rows() {
    const ROWS: u32 = 40;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.asdf");
    let append = |path: &Path| -> Result<()> {
        let mut stream = StreamWriter::append(path)?;
        for row in 0..ROWS {
            stream.push(&[row; 3])?;
        }
        stream.finish()
    };
    let rows = |path: &Path| File::open(path).unwrap().array("/rows").unwrap().read::<u32>().unwrap();
    let mut all = vec![1, 2, 3, 4, 5, 6];
    all.extend((0..ROWS).flat_map(|row| [row; 3]));
    make_stream(&path);
    let (done, calls) = run(usize::MAX, Fault::Stop, || append(&path));
    done.unwrap();
    assert_eq!(rows(&path), all);
    assert!(calls.len() > 10, "{calls:?}");
    for fault in [Fault::Stop, Fault::Error(ENOSPC), Fault::Broken(EIO), Fault::Short] {
        for at in 0..calls.len() {
            make_stream(&path);
            let (result, _) = run(at, fault, || append(&path));
            assert_eq!(result.is_ok(), fault == Fault::Short, "{fault:?} at {at}");
            let found = rows(&path);
            assert!(found.len() >= 6 && found.len() % 3 == 0 && all.starts_with(&found), "{fault:?} at {at}");
            // An incomplete row is overwritten.
            StreamWriter::append(&path).unwrap().push(&[99_u32; 3]).unwrap();
            assert_eq!(rows(&path), [found, vec![99; 3]].concat(), "{fault:?} at {at}");
        }
    }
}

/// After a failed sync, the rows on disk are unknown.
#[test]
fn rows_after_a_failed_sync_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.asdf");
    make_stream(&path);
    let mut failed = 0;
    for at in 0..20 {
        let mut stream = StreamWriter::append(&path).unwrap();
        stream.push(&[1_u32; 3]).unwrap();
        let (synced, _) = run(at, Fault::Error(EIO), || stream.sync());
        stream.push(&[2_u32; 3]).unwrap();
        assert_eq!(stream.flush().is_ok(), synced.is_ok(), "{at}");
        failed += usize::from(synced.is_err());
    }
    assert!((2..20).contains(&failed), "{failed}");
}

/// A disk after a loss of power: of the writes that were not synced, some are done, in any order.
#[cfg(unix)]
struct Disk {
    /// The synced contents of each file, and the writes that may be done.
    files: BTreeMap<u64, (Vec<u8>, Vec<record::Done>)>,
    /// The synced names.
    names: BTreeMap<PathBuf, u64>,
    /// Changes of names. The first of them may be done, in their order, as in file systems with a journal.
    pending: Vec<record::Done>,
}

#[cfg(unix)]
impl Disk {
    fn take(&mut self, done: record::Done) {
        use record::Done;
        match done {
            Done::Created(id, path) => {
                self.files.insert(id, (Vec::new(), Vec::new()));
                self.pending.push(Done::Created(id, path));
            }
            Done::Wrote(id, ..) | Done::Resized(id, _) => self.files.get_mut(&id).unwrap().1.push(done),
            Done::Synced(id) => {
                let (bytes, pending) = self.files.get_mut(&id).unwrap();
                std::mem::take(pending).iter().for_each(|done| Self::apply(bytes, done));
            }
            Done::Renamed(..) | Done::Removed(_) => self.pending.push(done),
            Done::SyncedFolder => {
                let pending = std::mem::take(&mut self.pending);
                pending.iter().for_each(|done| Self::name(&mut self.names, done));
            }
        }
    }

    /// Divides a write at the borders of pages.
    fn pages(done: &record::Done, page: u64) -> Vec<record::Done> {
        let record::Done::Wrote(id, at, mut bytes) = done.clone() else { return vec![done.clone()] };
        let (mut parts, mut at) = (Vec::new(), at);
        while !bytes.is_empty() {
            let len = usize::try_from(page - at % page).unwrap().min(bytes.len());
            let rest = bytes.split_off(len);
            parts.push(record::Done::Wrote(id, at, std::mem::replace(&mut bytes, rest)));
            at += len as u64;
        }
        parts
    }

    fn apply(bytes: &mut Vec<u8>, done: &record::Done) {
        match done {
            record::Done::Wrote(_, at, new) => {
                let at = usize::try_from(*at).unwrap();
                bytes.resize(bytes.len().max(at + new.len()), 0);
                bytes[at..at + new.len()].copy_from_slice(new);
            }
            record::Done::Resized(_, len) => bytes.resize(usize::try_from(*len).unwrap(), 0),
            _ => {}
        }
    }

    fn name(names: &mut BTreeMap<PathBuf, u64>, done: &record::Done) {
        match done {
            record::Done::Created(id, path) => {
                names.insert(path.clone(), *id);
            }
            record::Done::Renamed(from, to) => {
                if let Some(id) = names.remove(from) {
                    names.insert(to.clone(), id);
                }
            }
            record::Done::Removed(path) => {
                names.remove(path);
            }
            _ => {}
        }
    }

    /// The files after the power is back; `chance` decides which writes are done.
    fn found(&self, chance: &mut impl FnMut() -> u64) -> BTreeMap<PathBuf, (u64, Vec<u8>)> {
        let mut names = self.names.clone();
        // Some file systems keep the order of names, others do not.
        let (in_order, most) = (chance() % 2 == 0, self.pending.len() as u64 + 1);
        let first = usize::try_from(chance() % most).unwrap();
        for (number, done) in self.pending.iter().enumerate() {
            let is_done = if in_order { number < first } else { chance() % 2 == 0 };
            if is_done {
                Self::name(&mut names, done);
            }
        }
        // A disk writes whole sectors or pages.
        let page = [512, 4096][usize::try_from(chance() % 2).unwrap()];
        let contents = names.into_iter().map(|(path, id)| {
            let (mut bytes, pending) = self.files[&id].clone();
            let mut pending: Vec<_> = pending.iter().flat_map(|done| Self::pages(done, page)).collect();
            pending.retain(|_| chance() % 3 > 0);
            for at in (1..pending.len()).rev() {
                if chance() % 4 == 0 {
                    pending.swap(at, usize::try_from(chance()).unwrap_or(0) % at);
                }
            }
            for done in pending {
                Self::apply(&mut bytes, &done);
            }
            (path, (id, bytes))
        });
        contents.collect()
    }
}

/// Simulates a loss of power after each call of a function, several times. Returns the number of checked disks.
#[cfg(unix)]
fn every_loss_of_power(name: &str, make: Make, work: Work) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let kept = tempfile::tempdir_in(folder.path()).unwrap();
    let folder = tempfile::tempdir_in(folder.path()).unwrap();
    let (path, original) = (folder.path().join("file.asdf"), kept.path().join("original"));
    make(&path);
    // The inode of the file has to stay, because a journal belongs to it.
    std::fs::hard_link(&path, &original).unwrap();
    let id_of = |path: &Path| record::id(&std::fs::File::open(path).unwrap());
    let id = id_of(&path);
    let all: Vec<_> =
        files(folder.path()).into_iter().map(|(path, bytes)| (id_of(&path), path, bytes)).collect();
    let old = state(&path).unwrap();
    let (done, log) = record::run(|| work(&path));
    done.unwrap();
    let new = state(&path).unwrap();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut chance = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed >> 8
    };
    let mut disk = Disk {
        names: all.iter().map(|(id, path, _)| (path.clone(), *id)).collect(),
        files: all.into_iter().map(|(id, _, bytes)| (id, (bytes, Vec::new()))).collect(),
        pending: Vec::new(),
    };
    let mut looked_at = 0;
    let count = log.len();
    for (number, done) in log.into_iter().enumerate() {
        let context = format!("{name}: after call {number} of {count}");
        disk.take(done);
        for luck in 0..12 {
            for entry in std::fs::read_dir(folder.path()).unwrap() {
                std::fs::remove_file(entry.unwrap().path()).unwrap();
            }
            for (path, (own, bytes)) in disk.found(&mut chance) {
                if own == id {
                    std::fs::write(&original, bytes).unwrap();
                    std::fs::hard_link(&original, path).unwrap();
                } else {
                    std::fs::write(&path, bytes).unwrap();
                    // As the journals have it, whatever is usual for this user.
                    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
                    std::fs::set_permissions(path, mode).unwrap();
                }
            }
            let found = state(&path).unwrap_or_else(|error| panic!("{context}, luck {luck}: {error}"));
            assert!(found == old || found == new, "{context}, luck {luck}: neither old nor new");
            if number + 1 == count {
                assert_eq!(found, new, "{context}: it was finished, but is not on disk");
            }
            looked_at += 1;
        }
    }
    looked_at
}

#[cfg(unix)]
mod losing_power {
    use super::*;

    changes! { every_loss_of_power:
        exploding: make_plain, explode, 220;
        exploding_again: make_exploded, explode_over, 220;
        exploding_some: make_exploded, explode_some, 220;
        imploding: make_exploded, implode_over, 220;
        update_exploded: make_exploded, explode_by_update, 220;
        streaming_with_other_files: make_exploded, stream_over, 220;
    }

    changes_of_both! { every_loss_of_power:
        writing: write_over, 130;
        streaming: stream_create, 130;
        update_4_copy: update::<4, false>, 130;
        update_0_in_place: update::<0, true>, 130;
        update_1_in_place: update::<1, true>, 130;
        update_3_in_place: update::<3, true>, 130;
        update_4_in_place: update::<4, true>, 130;
        update_5_in_place: update::<5, true>, 130;
        update_6_in_place: update::<6, true>, 130;
    }
}
