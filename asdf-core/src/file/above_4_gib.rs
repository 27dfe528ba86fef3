//! Tests with a file of more than 4 GiB, whose positions and sizes do not fit the address space of 32-bit machines.

// Other systems may write the gap of the file to the disk.
#![cfg(unix)]

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::array::Slice;
#[cfg(target_pointer_width = "32")]
use crate::error::Kind;
use crate::error::Result;
#[cfg(target_pointer_width = "32")]
use crate::file::Limits;
use crate::file::{File, OpenOptions};

const TREE: &str = "#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
large: !core/ndarray-1.1.0 {source: 0, shape: [5368709120], datatype: uint8, byteorder: little}
small: !core/ndarray-1.1.0 {source: 1, shape: [3], datatype: uint8, byteorder: little}
packed: !core/ndarray-1.1.0 {source: 2, shape: [5368709120], datatype: uint8, byteorder: little}
...
";
/// 5 GiB. Its lower 32 bits are a valid size too.
const LARGE: u64 = 5 << 30;

fn header(compression: &[u8; 4], stored: u64, data: u64) -> Vec<u8> {
    let mut bytes = b"\xd3BLK\x00\x30\0\0\0\0".to_vec();
    bytes.extend(compression);
    for size in [stored, stored, data] {
        bytes.extend(size.to_be_bytes());
    }
    bytes.extend([0; 16]);
    bytes
}

/// A file with a block of 5 GiB, a small block, and one that claims to contain 5 GiB. Only some kilobytes are on the disk.
fn write(folder: &Path) -> PathBuf {
    let path = folder.join("x.asdf");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(TREE.as_bytes()).unwrap();
    file.write_all(&header(&[0; 4], LARGE, LARGE)).unwrap();
    let start = file.stream_position().unwrap();
    file.seek(SeekFrom::Start(start + LARGE - 4)).unwrap();
    file.write_all(&[6, 7, 8, 9]).unwrap();
    file.write_all(&[header(&[0; 4], 3, 3), vec![1, 2, 3]].concat()).unwrap();
    file.write_all(&[header(b"zlib", 8, LARGE), vec![0; 8]].concat()).unwrap();
    path
}

fn last_three(file: &File) -> Result<Vec<u8>> {
    let last = Slice::from(i64::try_from(LARGE).unwrap() - 3..);
    file.array("/large").unwrap().slice(&[last]).unwrap().read::<u8>()
}

#[test]
fn blocks_beyond_4_gib_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::open(write(folder.path())).unwrap();
    assert_eq!(file.blocks().unwrap().len(), 3);
    assert_eq!(file.array("/small").unwrap().read::<u8>().unwrap(), [1, 2, 3]);
    assert_eq!(file.array("/large").unwrap().len(), LARGE);
    #[cfg(target_pointer_width = "64")]
    assert_eq!(last_three(&file).unwrap(), [7, 8, 9]);
    // Positions in a block are addresses, so this part of the block is out of reach.
    #[cfg(target_pointer_width = "32")]
    assert_eq!(last_three(&file).unwrap_err().kind(), Kind::Limit);
}

#[test]
fn a_claim_of_more_than_4_gib_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::open(write(folder.path())).unwrap();
    let packed = file.array("/packed").unwrap();
    assert!(packed.read::<u8>().is_err());
    assert!(packed.read_into(&mut [0_u8; 1 << 20]).is_err());
    assert!(file.blocks().unwrap()[2].verify().is_err());
}

/// Without limits only the address space is too small.
#[cfg(target_pointer_width = "32")]
#[test]
fn arrays_that_do_not_fit_the_address_space_are_errors() {
    use crate::tree::Block as _;
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path());
    let mut limits = Limits::default();
    (limits.decoded_size, limits.decoded_total) = (u64::MAX, Some(u64::MAX));
    let file = OpenOptions::new().limits(limits).open(&path).unwrap();
    for name in ["/large", "/packed"] {
        let array = file.array(name).unwrap();
        assert_eq!(array.read::<u8>().unwrap_err().kind(), Kind::Limit, "{name}");
        assert_eq!(array.view::<u8>().map(drop).unwrap_err().kind(), Kind::Limit, "{name}");
        assert!(array.read_into(&mut [0_u8; 1 << 20]).is_err(), "{name}");
    }
    assert_eq!(file.blocks().unwrap()[0].read(0..LARGE).unwrap_err().kind(), Kind::Limit);
    #[cfg(feature = "mmap")]
    assert_eq!(OpenOptions::new().mmap(true).open(&path).unwrap_err().kind(), Kind::Io);
}

/// The map covers the whole file, and only the pages that are read take memory.
#[cfg(all(feature = "mmap", target_pointer_width = "64"))]
#[test]
fn mapped_elements_beyond_4_gib_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = OpenOptions::new().mmap(true).open(write(folder.path())).unwrap();
    assert_eq!(last_three(&file).unwrap(), [7, 8, 9]);
}
