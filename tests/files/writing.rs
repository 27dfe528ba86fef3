//! Writing keeps what was not changed, and never leaves a partly written file.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::ops::Range;
use std::sync::Arc;

use asdf_core::file::Padding;
use asdf_core::source::Bytes;
use asdf_core::tree::{Block, Stored};
use asdf_core::{Compression, Error, File, NdArray, Result, WriteOptions};
use asdf_schemas::Validator;

fn image() -> NdArray {
    NdArray::new(&[2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap()
}

#[test]
fn a_written_file_is_valid_and_reads_back() {
    for compression in
        [Compression::NONE, Compression::ZLIB, Compression::BZP2, Compression::LZ4, Compression::BLS2]
    {
        let mut file = File::new();
        file.set("/data", &image()).unwrap();
        let bytes = WriteOptions::new().compression(compression).to_bytes(&file).unwrap();
        let back = File::from_bytes(bytes).unwrap();
        let report = Validator::standard().validate_file(&back);
        assert!(report.is_valid() && report.warnings().is_empty(), "{:?}", report.violations());
        assert_eq!(back.array("/data").unwrap(), image());
        assert_eq!(back.blocks().unwrap()[0].header().compression, compression.label());
    }
}

/// Writing one array of another file does not copy the other blocks of that file.
#[test]
fn an_array_of_another_file_comes_alone() {
    let mut many = File::new();
    for name in ["/a", "/b", "/c"] {
        many.set(name, &image()).unwrap();
    }
    let many = File::from_bytes(many.to_bytes().unwrap()).unwrap();
    let mut one = File::new();
    one.set("/b", &many.array("/b").unwrap()).unwrap();
    let one = File::from_bytes(one.to_bytes().unwrap()).unwrap();
    assert_eq!((one.blocks().unwrap().len(), one.array("/b").unwrap()), (1, image()));
}

/// Readers use the name of the library to choose how to verify the checksums of compressed blocks.
#[test]
fn an_edited_file_names_this_library() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/datatypes_zlib.asdf");
    let mut file = File::open(path).unwrap();
    assert_eq!(file.get::<String>("/asdf_library/name").unwrap(), "asdf");
    file.set("/note", "edited").unwrap();
    let back = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(back.get::<String>("/asdf_library/name").unwrap(), "asdf-core");
    for block in back.blocks().unwrap() {
        assert_eq!(block.checksum().unwrap(), asdf_core::block::Checksum::Stored);
    }
}

#[test]
fn deterministic() {
    let mut file = File::new();
    file.set("/data", &image()).unwrap();
    assert_eq!(file.to_bytes().unwrap(), file.to_bytes().unwrap());
}

/// An output like a pipe: it accepts only small writes, in order, and cannot seek.
#[derive(Default)]
struct Pipe {
    bytes: Vec<u8>,
    flushed: bool,
}

impl std::io::Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let some = bytes.len().min(10_000);
        self.bytes.extend_from_slice(&bytes[..some]);
        self.flushed = false;
        Ok(some)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.flushed = true;
        Ok(())
    }
}

#[test]
fn a_pipe_gets_the_bytes_that_a_file_gets() {
    let noise = |seed: u32| -> Vec<u32> {
        (0..300_000_u32).map(|n| (n ^ seed).wrapping_mul(2_654_435_761).rotate_left(n % 31)).collect()
    };
    let large = |seed| NdArray::new(&[300_000], &noise(seed)).unwrap();
    let mut file = File::new();
    file.set("/small", &image()).unwrap();
    file.set("/plain", &large(1)).unwrap();
    file.set("/encoded", &large(2).with_compression(Compression::LZ4).unwrap()).unwrap();
    file.set("/zeros", &NdArray::new(&[1_500_000], &vec![0_u8; 1_500_000]).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    file.write(&path).unwrap();
    let mut damaged = std::fs::read(&path).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let damaged = File::from_bytes(damaged).unwrap();
    // Write from memory, and copy from a file whose blocks are not in memory.
    for file in [&file, &File::open(&path).unwrap(), &damaged] {
        for options in [
            WriteOptions::new(),
            WriteOptions::new().compression(Compression::ZLIB).accept_damage(true),
            WriteOptions::new().padding(Padding::Percent(10)),
            WriteOptions::new().checksums(false),
        ] {
            let mut pipe = Pipe::default();
            options.write_to(file, &mut pipe).unwrap();
            assert!(pipe.flushed);
            assert!(pipe.bytes == options.to_bytes(file).unwrap(), "{options:?}");
        }
    }
    let mut pipe = Pipe::default();
    file.write_to(&mut pipe).unwrap();
    assert!(pipe.bytes == std::fs::read(&path).unwrap());
}

/// A source whose blocks cannot be read.
#[derive(Debug)]
struct Broken;

impl Block for Broken {
    fn size(&self) -> u64 {
        8
    }

    fn read(&self, _: Range<u64>) -> Result<Bytes> {
        Err(Error::malformed("this block is broken"))
    }

    fn stored(&self) -> Result<Stored> {
        Err(Error::malformed("this block is broken"))
    }
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    let mut file = File::new();
    file.set("/data", &image()).unwrap();
    file.write(&path).unwrap();
    let before = std::fs::read(&path).unwrap();

    let number = file.tree_mut().blocks_mut().attach(Arc::new(Broken)).unwrap();
    let source = file.tree_mut().add_int(number);
    file.tree_mut().edit("/data/source").set(source).unwrap();
    let error = file.write(&path).unwrap_err();
    assert!(error.to_string().contains("this block is broken"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file is left");
    assert!(file.write(folder.path()).is_err());
    assert!(file.write(folder.path().join("nowhere/x.asdf")).is_err());
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("x.asdf"), folder.path().join("link.asdf"));
    File::new().write(&path).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    let mut file = File::open(&link).unwrap();
    file.set("/data", &image()).unwrap();
    file.write(&link).unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(File::open(&path).unwrap().array("/data").unwrap(), image());
}

#[test]
fn a_file_can_be_written_over_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    let mut file = File::new();
    file.set("/data", &image()).unwrap();
    file.write(&path).unwrap();
    for round in 0..3_i64 {
        let mut file = File::open(&path).unwrap();
        file.set("/round", &round).unwrap();
        file.write(&path).unwrap();
    }
    let file = File::open(&path).unwrap();
    assert_eq!((file.get::<i64>("/round").unwrap(), file.array("/data").unwrap()), (2, image()));
}

#[test]
fn unused_blocks_are_left_out() {
    let mut file = File::new();
    for name in ["/a", "/b", "/c"] {
        file.set(name, &image()).unwrap();
    }
    let mut file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    file.set("/b", "no array now").unwrap();
    file.set("/d", &NdArray::new(&[1], &[7_u8]).unwrap()).unwrap();
    let back = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(back.blocks().unwrap().len(), 3);
    assert_eq!(back.array("/c").unwrap(), image());
    assert_eq!(back.array("/d").unwrap().read::<u8>().unwrap(), [7]);
}

#[test]
fn blocks_of_an_unknown_tag_keep_their_numbers() {
    let mut file = File::new();
    for name in ["/a", "/b", "/c"] {
        file.set(name, &image()).unwrap();
    }
    // Only a value with an unknown tag refers to block 2, as in asdf-zarr.
    let map = file.tree_mut().add_mapping([]);
    file.tree_mut().set_tag(map, Some("asdf://example.org/tags/chunks-1.0.0"));
    let number = file.tree_mut().add_int(2);
    file.tree_mut().insert(map, "chunk_block_map", number);
    let bytes = file.to_bytes().unwrap();
    let text = bytes.windows(9).position(|window| window == b"source: 2").unwrap();
    let mut bytes = bytes;
    bytes[text..text + 9].copy_from_slice(b"others: 2");
    let mut file = File::from_bytes(bytes).unwrap();
    file.set("/a", "no array now").unwrap();
    let back = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(back.blocks().unwrap().len(), 3);
    assert_eq!(back.get::<i64>("/b/source").unwrap(), 1);
}

#[test]
fn arrays_move_between_files_with_their_data() {
    let mut from = File::new();
    from.set("/x", &NdArray::new(&[1], &[9_u8]).unwrap()).unwrap();
    from.set("/group/image", &image()).unwrap_err();
    let group = from.tree_mut().add_mapping([]);
    from.tree_mut().edit("/group").set(group).unwrap();
    from.set("/group/image", &image().with_compression(Compression::ZLIB).unwrap()).unwrap();
    let from = File::from_bytes(from.to_bytes().unwrap()).unwrap();

    let mut to = File::new();
    to.set("/mine", &NdArray::new(&[1], &[1_u8]).unwrap()).unwrap();
    to.set("/group", &from.get::<asdf_core::Node>("/group").unwrap()).unwrap();
    let to = File::from_bytes(to.to_bytes().unwrap()).unwrap();
    assert_eq!(to.array("/group/image").unwrap(), image());
    assert_eq!(to.array("/mine").unwrap().read::<u8>().unwrap(), [1]);
    assert_eq!(to.blocks().unwrap().len(), 2);
    assert!(to.array("/x").is_err());
}
