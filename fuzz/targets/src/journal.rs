//! Undo journals of updates in place, as `asdf_core` writes them: see `asdf-core/src/file/journal.rs`.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Returns the path of the journal of a file.
pub fn path_of(file: &Path) -> PathBuf {
    let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
    file.with_file_name(format!(".{name}.asdf-undo"))
}

/// Returns a valid journal of some ranges of a file of these bytes.
pub fn made(file: &Path, bytes: &[u8], ranges: &[Range<usize>]) -> Vec<u8> {
    let metadata = std::fs::metadata(file).expect("the file exists");
    let created = metadata.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let created = created.map_or(0, |since| since.as_nanos() as u64);
    let mut journal = b"asdf undo 1\n\0\0\0\0".to_vec();
    let mut put = |number: u64| journal.extend_from_slice(&number.to_be_bytes());
    let len = bytes.len() as u64;
    for number in [metadata.dev(), metadata.ino(), created, len, len, ranges.len() as u64] {
        put(number);
    }
    for range in ranges {
        put(range.start as u64);
        put(range.len() as u64);
    }
    for range in ranges {
        journal.extend_from_slice(&bytes[range.clone()]);
    }
    let digest = asdf_core::block::md5(&journal);
    journal.extend_from_slice(&digest);
    journal
}

/// Overwrites ranges of a file with a byte, as an interrupted update would.
pub fn overwrite(file: &Path, ranges: &[Range<usize>], byte: u8) {
    let mut out = std::fs::OpenOptions::new().write(true).open(file).expect("the file opens");
    for range in ranges {
        out.seek(SeekFrom::Start(range.start as u64)).expect("within the file");
        out.write_all(&vec![byte; range.len()]).expect("within the file");
    }
}
