//! Every call that changes the disk fails, or is the last one: what is at the path then is the old
//! file or the new one.

use std::path::Path;

use super::disk::Call;
use super::disk::faults::{Fault, run};
use super::{File, OpenOptions, Padding, Storage, StreamOptions, StreamWriter, UpdateOptions, WriteOptions};
use crate::array::{ByteOrder, Datatype, NdArray};
use crate::error::Result;
use crate::tree::NodeRef;
use crate::value::FromNode;

const ENOSPC: i32 = 28;
const EIO: i32 = 5;

/// Everything that a file says, checksums verified.
fn state(path: &Path) -> Result<String> {
    let file = OpenOptions::new().verify_checksums(true).open(path)?;
    // But not in which block: numbers may change.
    let numbered = |line: &str| {
        line.trim_start().strip_prefix("source: ").is_some_and(|source| source.parse::<u64>().is_ok())
    };
    let lines = file.tree().text().lines().filter(|line| !numbered(line));
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

/// A file with three blocks, of which the second is written in several pieces.
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
    let file = File::open(path)?;
    WriteOptions::new().storage(Storage::External).replace_siblings(true).write(&file, path)
}

fn stream_create(path: &Path) -> Result<()> {
    let mut stream = StreamOptions::new().create(path, &old_file(), "/rows", Datatype::Uint32, &[2])?;
    for row in 0..30_u32 {
        stream.push(&[row, row + 1])?;
    }
    stream.finish()
}

/// The files in a folder that are no one's.
fn left_over(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).filter(|name| name.starts_with('.')).collect()
}

/// Lets every call of some work meet every fault; gives the number of calls.
fn every_crash(name: &str, make: Make, work: Work) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = folder.join("file.asdf");
    make(&path);
    let old = state(&path).unwrap();
    let (done, calls) = run(usize::MAX, Fault::Stop, || work(&path));
    done.unwrap();
    let new = state(&path).unwrap();
    assert_ne!(old, new, "{name} changes nothing");
    assert_eq!(left_over(folder), [""; 0], "{name}");
    let count = calls.len();
    for fault in [Fault::Stop, Fault::Error(EIO), Fault::Broken(ENOSPC), Fault::Short] {
        for at in 0..count {
            let context = format!("{name}: {fault:?} at call {at} of {count}, {:?}", calls.get(at));
            for entry in std::fs::read_dir(folder).unwrap() {
                std::fs::remove_file(entry.unwrap().path()).unwrap();
            }
            make(&path);
            let (result, _) = run(at, fault, || work(&path));
            let found = state(&path).unwrap_or_else(|error| panic!("{context}: {error}"));
            assert!(found == old || found == new, "{context}: neither the old file nor the new one");
            if fault == Fault::Short {
                result.unwrap_or_else(|error| panic!("{context}: {error}"));
            } else if result.is_ok() {
                // Only a failed clean-up of what does not matter goes by in silence.
                assert_eq!(found, new, "{context}: no error, but nothing was done");
            } else if matches!(fault, Fault::Error(_)) && calls.get(at) != Some(&Call::SyncFolder) {
                assert!(found == old || calls.get(at) == Some(&Call::Remove), "{context}: error, but new");
            }
            if !matches!(fault, Fault::Stop | Fault::Broken(_)) && calls.get(at) != Some(&Call::Remove) {
                assert_eq!(left_over(folder), [""; 0], "{context}");
            }
            // Whatever happened, the next one can go on, and tidies up.
            work(&path).unwrap_or_else(|error| panic!("{context}, again: {error}"));
            assert_eq!(state(&path).unwrap(), new, "{context}, again");
            assert_eq!(left_over(folder), [""; 0], "{context}, again");
        }
    }
    count
}

#[test]
fn writing() {
    assert!(every_crash("write", make_plain, write_over) > 10);
    assert!(every_crash("compact", make_plain, compact) > 10);
    assert!(every_crash("stream", make_plain, stream_create) > 15);
}

#[test]
fn exploding() {
    assert!(every_crash("explode", make_plain, explode) > 20);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.asdf");
    make_plain(&path);
    let (error, _) = run(12, Fault::Error(ENOSPC), || explode(&path));
    error.unwrap_err();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "siblings are left");
}

#[test]
fn updates_by_copy() {
    let works: [Work; 7] = [
        update::<0, false>,
        update::<1, false>,
        update::<2, false>,
        update::<3, false>,
        update::<4, false>,
        update::<5, false>,
        update::<6, false>,
    ];
    for (number, work) in works.into_iter().enumerate() {
        every_crash(&format!("update {number}"), make_plain, work);
        every_crash(&format!("update {number} with padding"), make_padded, work);
    }
}

#[test]
fn updates_in_place() {
    let works: [Work; 7] = [
        update::<0, true>,
        update::<1, true>,
        update::<2, true>,
        update::<3, true>,
        update::<4, true>,
        update::<5, true>,
        update::<6, true>,
    ];
    for (number, work) in works.into_iter().enumerate() {
        every_crash(&format!("update {number} in place"), make_plain, work);
        every_crash(&format!("update {number} in place with padding"), make_padded, work);
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
            // What was torn is overwritten.
            StreamWriter::append(&path).unwrap().push(&[99_u32; 3]).unwrap();
            assert_eq!(rows(&path), [found, vec![99; 3]].concat(), "{fault:?} at {at}");
        }
    }
}
