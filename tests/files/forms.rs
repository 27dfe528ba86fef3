//! Writes files in every form: aligned, padded, exploded, inline, shared, streamed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;

use asdf_core::array::{ByteOrder, Field, Mask};
use asdf_core::file::{Padding, Storage, StreamOptions, StreamWriter, Version};
use asdf_core::value::{Reference, Timestamp};
use asdf_core::{Compression, Datatype, File, NdArray, Node, OpenOptions, WriteOptions, error};
use asdf_schemas::Validator;
use proptest::prelude::*;

fn image(count: u64, first: f32) -> NdArray {
    let elements: Vec<f32> = (0..count).map(|n| first + n as f32).collect();
    NdArray::new(&[count], &elements).unwrap()
}

/// Returns a file with arrays of several kinds, one masked, two of one table.
fn sample() -> File {
    let mut file = File::new();
    file.set("/image", &image(1000, 0.0)).unwrap();
    file.set("/small", &image(3, 0.5)).unwrap();
    file.set("/one", &NdArray::new(&[], &[7_u8]).unwrap()).unwrap();
    file.set("/zip", &image(500, 1.0).with_compression(Compression::ZLIB).unwrap()).unwrap();
    let mask = NdArray::new(&[3], &[true, false, true]).unwrap();
    file.set("/masked", &image(3, 2.0).with_mask(Mask::Array(Box::new(mask))).unwrap()).unwrap();
    let datatype = Datatype::Struct(vec![Field::new("x", Datatype::Int16), Field::new("y", Datatype::Uint8)]);
    let table = NdArray::from_bytes(datatype, ByteOrder::Big, &[2], vec![0, 1, 2, 0, 3, 4]).unwrap();
    file.set("/table", &table).unwrap();
    file.set("/column", &table.field("x").unwrap()).unwrap();
    file.set("/listed", &image(4, 9.0).inlined().unwrap()).unwrap();
    file
}

const NAMES: [&str; 8] = ["/image", "/small", "/one", "/zip", "/masked", "/table", "/column", "/listed"];

/// Checks that all arrays are as in the sample, and that the file is valid.
fn check(file: &File) {
    let sample = sample();
    for name in NAMES {
        assert_eq!(file.array(name).unwrap(), sample.array(name).unwrap(), "{name}");
    }
    let report = Validator::standard().validate_file(file);
    assert!(
        report.is_valid() && report.warnings().is_empty(),
        "{:?} {:?}",
        report.violations(),
        report.warnings()
    );
}

fn reopened(options: &WriteOptions, file: &File) -> File {
    OpenOptions::new().verify_checksums(true).open_bytes(options.to_bytes(file).unwrap()).unwrap()
}

#[test]
fn data_begins_where_it_is_asked_to() {
    for alignment in [1, 2, 64, 4096, 32768] {
        for padding in [Padding::None, Padding::Bytes(100), Padding::Percent(10)] {
            let options = WriteOptions::new().alignment(alignment).padding(padding);
            let file = reopened(&options, &sample());
            check(&file);
            for block in file.blocks().unwrap() {
                let header = block.header();
                assert_eq!(header.data_offset(block.offset()).unwrap() % alignment, 0);
                // The alignment must not use space that the header counts as data.
                let space = header.allocated_size - header.used_size;
                let expected = match padding {
                    Padding::None => 0,
                    Padding::Bytes(bytes) => bytes,
                    Padding::Percent(percent) => header.used_size * u64::from(percent) / 100,
                    other => panic!("{other:?} is not one of these"),
                };
                assert_eq!(space, expected);
            }
            assert_eq!(file.index().unwrap(), asdf_core::file::IndexState::Right);
        }
    }
    for alignment in [0, 3, 65536] {
        let error = WriteOptions::new().alignment(alignment).to_bytes(&sample()).unwrap_err();
        assert_eq!(error.kind(), error::Kind::Usage);
    }
}

#[test]
fn the_same_tree_and_options_give_the_same_bytes() {
    let options = WriteOptions::new().alignment(64).padding(Padding::Percent(5)).inline_below(4);
    for options in [WriteOptions::new(), options.clone(), options.sign(false)] {
        assert_eq!(options.to_bytes(&sample()).unwrap(), options.to_bytes(&sample()).unwrap());
    }
    let unsigned = WriteOptions::new().sign(false).to_bytes(&sample()).unwrap();
    assert!(!unsigned.windows(12).any(|window| window == b"asdf_library"));
    // A file that was written without a signature is written again byte for byte.
    let again = File::from_bytes(unsigned.clone()).unwrap();
    assert_eq!(WriteOptions::new().sign(false).to_bytes(&again).unwrap(), unsigned);
}

#[test]
fn views_share_their_block() {
    let file = reopened(&WriteOptions::new(), &sample());
    assert_eq!(file.array("/table").unwrap().source(), file.array("/column").unwrap().source());
    let mut copy = File::new();
    for name in NAMES {
        copy.set(name, &file.array(name).unwrap()).unwrap();
    }
    let copy = reopened(&WriteOptions::new(), &copy);
    check(&copy);
    assert_eq!(copy.blocks().unwrap().len(), file.blocks().unwrap().len());
}

#[test]
fn arrays_are_stored_where_it_is_said() {
    let inline = |file: &File| -> Vec<&str> {
        NAMES.into_iter().filter(|name| file.array(name).unwrap().is_inline()).collect()
    };
    let options = WriteOptions::new().inline_below(4);
    let file = reopened(&options, &sample());
    check(&file);
    assert_eq!(inline(&file), ["/small", "/masked", "/table", "/column", "/listed"]);

    let options = options.storage_at("/small", Storage::Internal).storage_at("/zip", Storage::Inline);
    let file = reopened(&options, &sample());
    check(&file);
    assert_eq!(inline(&file), ["/zip", "/masked", "/table", "/column", "/listed"]);

    let file = reopened(&WriteOptions::new().storage(Storage::Inline), &sample());
    check(&file);
    assert_eq!(inline(&file).len(), NAMES.len() - 1, "all but the one without axes");
    let file = reopened(&WriteOptions::new().storage(Storage::Internal), &file);
    check(&file);
    assert_eq!(inline(&file), [""; 0]);

    let error = WriteOptions::new().storage_at("/asdf", Storage::Inline).to_bytes(&sample()).unwrap_err();
    assert_eq!(error.path(), Some("/asdf"), "{error}");
    let mut file = sample();
    file.set("/text", "x").unwrap();
    let error = WriteOptions::new().storage_at("/text", Storage::Inline).to_bytes(&file).unwrap_err();
    assert!(error.to_string().contains("expected an array"), "{error}");
    let error = WriteOptions::new().storage(Storage::External).to_bytes(&sample()).unwrap_err();
    assert_eq!(error.kind(), error::Kind::Usage);
}

#[test]
fn integers_too_large_for_the_tree_stay_in_blocks() {
    let mut file = File::new();
    file.set("/fits", &NdArray::new(&[2], &[1_u64, 1 << 62]).unwrap()).unwrap();
    let large = NdArray::new(&[2], &[1, u64::MAX]).unwrap();
    file.set("/large", &large).unwrap();
    let back = reopened(&WriteOptions::new().storage(Storage::Inline), &file);
    assert!(Validator::standard().validate_file(&back).is_valid());
    assert!(back.array("/fits").unwrap().is_inline());
    assert_eq!((back.array("/large").unwrap().source(), &back.array("/large").unwrap()), (Some(0), &large));
    let lowest = NdArray::new(&[1], &[i64::MIN + 1]).unwrap();
    assert!(lowest.inlined().is_err() && NdArray::new(&[1], &[i64::MIN + 2]).unwrap().inlined().is_ok());
    let error = large.inlined().unwrap_err();
    assert!(
        error.to_string().contains("cannot write the integer 18446744073709551615 into the tree"),
        "{error}"
    );
}

#[test]
fn lists_with_holes_stay_lists() {
    let text = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
        holes: !core/ndarray-1.1.0\n  data: [1, null, 3]\n  datatype: int8\nbare: &b !core/ndarray-1.1.0 [1, 2]\nagain: *b\n...\n";
    let file = File::from_bytes(text.as_slice()).unwrap();
    let back = reopened(&WriteOptions::new().storage(Storage::Internal), &file);
    assert!(back.array("/holes").unwrap().is_inline());
    assert_eq!(back.array("/bare").unwrap().source(), Some(0));
    assert_eq!(back.array("/bare").unwrap().read::<i64>().unwrap(), [1, 2]);
    assert_eq!(back.at("/again").unwrap().id(), back.at("/bare").unwrap().id());
}

#[test]
fn files_explode_and_implode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b#1.asdf");
    let options = WriteOptions::new().storage(Storage::External);
    options.write(&sample(), &path).unwrap();
    let file = File::open(&path).unwrap();
    check(&file);
    assert!(file.blocks().unwrap().is_empty());
    assert_eq!(file.array("/image").unwrap().external(), Some("a%20b%2310000.asdf"));
    assert_eq!(file.array("/table").unwrap().external(), file.array("/column").unwrap().external());
    let sibling = File::open(folder.path().join("a b#10000.asdf")).unwrap();
    assert_eq!(sibling.blocks().unwrap().len(), 1);
    assert!(Validator::standard().validate_file(&sibling).is_valid());

    // Existing files are not replaced by default.
    let error = options.write(&sample(), &path).unwrap_err();
    assert!(error.file().is_some_and(|file| file.ends_with("a b#10000.asdf")), "{error}");
    let count = std::fs::read_dir(folder.path()).unwrap().count();
    options.clone().replace_siblings(true).write(&file, &path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), count);
    check(&File::open(&path).unwrap());

    let whole = folder.path().join("whole.asdf");
    WriteOptions::new().storage(Storage::Internal).write(&File::open(&path).unwrap(), &whole).unwrap();
    check(&File::open(&whole).unwrap());
    let bytes = std::fs::read(&whole).unwrap();
    check(&OpenOptions::new().verify_checksums(true).open_bytes(bytes).unwrap());
}

/// A file with external data that is still in use is not overwritten by new external data.
#[test]
fn external_data_in_use_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    let mut file = File::new();
    file.set("/a", &image(20, 0.0)).unwrap();
    file.set("/b", &image(20, 100.0)).unwrap();
    let options = WriteOptions::new().storage(Storage::External).replace_siblings(true);
    options.clone().write(&file, &path).unwrap();
    let file = File::open(&path).unwrap();
    options.storage_at("/a", Storage::Kept).write(&file, &path).unwrap();
    let file = File::open(&path).unwrap();
    assert_eq!(file.array("/a").unwrap(), image(20, 0.0));
    assert_eq!(file.array("/b").unwrap(), image(20, 100.0));
    assert_eq!(file.array("/a").unwrap().external(), Some("x0000.asdf"));
    // The old file of `/b` is replaced, but not overwritten.
    assert_eq!(file.array("/b").unwrap().external(), Some("x0002.asdf"));
    assert!(!folder.path().join("x0001.asdf").exists());
}

/// Only files that the old main file referred to, and whose names were made for it, are removed.
#[test]
fn an_exploded_file_is_replaced_without_overwriting_or_removing_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let options = WriteOptions::new().storage(Storage::External).replace_siblings(true);
    let mut file = File::new();
    file.set("/a", &image(20, 0.0)).unwrap();
    file.set("/b", &image(20, 100.0)).unwrap();
    std::fs::write(at("x0001.asdf"), "not ours").unwrap();
    options.write(&file, at("x.asdf")).unwrap();
    let names = |file: &File| {
        ["/a", "/b"].map(|array| file.array(array).unwrap().external().map(str::to_owned).unwrap_or_default())
    };
    let mut exploded = File::open(at("x.asdf")).unwrap();
    assert_eq!(names(&exploded), ["x0000.asdf", "x0002.asdf"]);
    // An array in a file with a name of its own.
    std::fs::rename(at("x0000.asdf"), at("other.asdf")).unwrap();
    let (source, array) = (exploded.tree_mut().add_str("other.asdf"), exploded.at("/a").unwrap().id());
    exploded.tree_mut().insert(array, "source", source);
    exploded.write(at("x.asdf")).unwrap();
    options.write(&file, at("x.asdf")).unwrap();
    assert_eq!(names(&File::open(at("x.asdf")).unwrap()), ["x0000.asdf", "x0003.asdf"]);
    let mut found: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    found.sort();
    assert_eq!(found, ["other.asdf", "x.asdf", "x0000.asdf", "x0001.asdf", "x0003.asdf"]);
    assert_eq!(std::fs::read(at("x0001.asdf")).unwrap(), b"not ours");
    // A reference keeps a file, and the free names are used again.
    let reference = std::collections::BTreeMap::from([("$ref", "x0003.asdf#/")]);
    file.set("/reference", &reference).unwrap();
    options.write(&file, at("x.asdf")).unwrap();
    assert!(at("x0003.asdf").exists() && !at("x0000.asdf").exists());
    assert_eq!(names(&File::open(at("x.asdf")).unwrap()), ["x0002.asdf", "x0004.asdf"]);
}

/// External data is found from every folder: it stays in its file, or is copied.
#[test]
fn references_to_external_files_are_rewritten_for_the_new_folder() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("b c");
    let (up, aside) = (folder.path().join("up.asdf"), folder.path().join("aside"));
    std::fs::create_dir(&below).unwrap();
    std::fs::create_dir(&aside).unwrap();
    let path = below.join("x.asdf");
    WriteOptions::new().storage(Storage::External).write(&sample(), &path).unwrap();
    let file = File::open(&path).unwrap();
    file.write(below.join("again.asdf")).unwrap();
    check(&File::open(below.join("again.asdf")).unwrap());
    file.write(&up).unwrap();
    let copy = File::open(&up).unwrap();
    check(&copy);
    assert_eq!(copy.array("/image").unwrap().external(), Some("b%20c/x0000.asdf"));

    // In these folders, the data cannot be referred to. It is copied, once for each block.
    let deeper = below.join("d");
    std::fs::create_dir(&deeper).unwrap();
    for path in [aside.join("y.asdf"), deeper.join("y.asdf")] {
        file.write(&path).unwrap();
        let copy = File::open(&path).unwrap();
        check(&copy);
        let blocks = copy.blocks().unwrap();
        assert_eq!(blocks.len(), 8, "the two arrays of one table share their block");
        let codecs = blocks.iter().filter(|block| !block.header().compression.is_none()).count();
        assert_eq!(codecs, 1, "blocks are copied as they are");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
    // References to other files are rewritten too.
    std::fs::rename(below.join("x0000.asdf"), deeper.join("moved.asdf")).unwrap();
    let mut file = file;
    let source = file.tree_mut().add_str("d/moved.asdf");
    let image = file.at("/image").unwrap().id();
    file.tree_mut().insert(image, "source", source);
    file.write(deeper.join("z.asdf")).unwrap();
    let copy = File::open(deeper.join("z.asdf")).unwrap();
    check(&copy);
    assert_eq!(copy.array("/image").unwrap().external(), Some("moved.asdf"));
    // A reference to a missing file is rewritten to its expected path.
    std::fs::remove_file(deeper.join("moved.asdf")).unwrap();
    file.write(aside.join("gone.asdf")).unwrap();
    let copy = File::open(aside.join("gone.asdf")).unwrap();
    assert_eq!(copy.array("/image").unwrap().external(), Some("../b%20c/d/moved.asdf"));

    // A single array is written with its data.
    let mut one = File::new();
    one.set("/small", &file.array("/small").unwrap()).unwrap();
    one.write(aside.join("z.asdf")).unwrap();
    let one = File::open(aside.join("z.asdf")).unwrap();
    assert_eq!((one.array("/small").unwrap(), one.blocks().unwrap().len()), (self::image(3, 0.5), 1));
}

/// References, and arrays in files of other formats, still lead to the same files from another folder.
#[test]
fn references_lead_to_the_same_files_from_another_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    for below in ["old/sub", "new", "old/deep"] {
        std::fs::create_dir_all(folder.join(below)).unwrap();
    }
    let mut other = File::new();
    other.set("/value", "found").unwrap();
    for path in ["old/other.asdf", "old/sub/b c.asdf", "old/deep/d.asdf"] {
        other.write(folder.join(path)).unwrap();
    }
    let absolute = format!("file://{}/old/other.asdf#/value", folder.display());
    let uris = [
        ("own", "#/value"),
        ("beside", "other.asdf#/value"),
        ("below", "./sub/b%20c.asdf#/value"),
        ("deep", "deep/d.asdf#value"),
        ("whole", "other.asdf"),
        ("absolute", &absolute),
        ("web", "https://example.org/x.asdf#/a"),
    ];
    let mut file = File::new();
    file.set("/value", "here").unwrap();
    for (key, uri) in uris {
        file.set(&format!("/{key}"), &Reference::new(uri)).unwrap();
    }
    let table = "!<tag:stsci.edu:asdf/core/externalarray-1.0.0> {fileuri: n.fits, target: 1, datatype: int16, shape: [2]}";
    let table = asdf_core::yaml::parse(table).unwrap();
    file.set("/table", &Node::from_ref(table.root().unwrap()).unwrap()).unwrap();
    file.write(folder.join("old/a.asdf")).unwrap();
    let file = File::open(folder.join("old/a.asdf")).unwrap();

    // In a parent folder, all references can be followed.
    let expected: [(&str, [&str; 8]); 3] = [
        (
            "a.asdf",
            [
                "#/value",
                "old/other.asdf#/value",
                "old/sub/b%20c.asdf#/value",
                "old/deep/d.asdf#value",
                "old/other.asdf",
                &absolute,
                "https://example.org/x.asdf#/a",
                "old/n.fits",
            ],
        ),
        (
            "new/a.asdf",
            [
                "#/value",
                "../old/other.asdf#/value",
                "../old/sub/b%20c.asdf#/value",
                "../old/deep/d.asdf#value",
                "../old/other.asdf",
                &absolute,
                "https://example.org/x.asdf#/a",
                "../old/n.fits",
            ],
        ),
        (
            "old/deep/a.asdf",
            [
                "#/value",
                "../other.asdf#/value",
                "../sub/b%20c.asdf#/value",
                "d.asdf#value",
                "../other.asdf",
                &absolute,
                "https://example.org/x.asdf#/a",
                "../n.fits",
            ],
        ),
    ];
    for (path, expected) in expected {
        file.write(folder.join(path)).unwrap();
        let copy = File::open(folder.join(path)).unwrap();
        for ((key, _), expected) in uris.iter().zip(expected) {
            assert_eq!(copy.get::<Reference>(&format!("/{key}")).unwrap().uri(), expected, "{path}: {key}");
        }
        assert_eq!(copy.get::<String>("/table/fileuri").unwrap(), expected[7], "{path}");
        for (key, _) in &uris[..4] {
            let found = copy.resolve(copy.at(&format!("/{key}")).unwrap());
            // Files outside the folder are not opened.
            let uri = copy.get::<Reference>(&format!("/{key}")).unwrap();
            assert_eq!(found.is_ok(), !uri.uri().starts_with("../"), "{path}: {key}: {:?}", found.err());
        }
        // Write the file back to the old folder.
        copy.write(folder.join("old/back.asdf")).unwrap();
        let back = File::open(folder.join("old/back.asdf")).unwrap();
        for key in ["own", "beside", "below", "deep"] {
            assert!(back.resolve(back.at(&format!("/{key}")).unwrap()).is_ok(), "{path}: {key}");
        }
    }
}

#[test]
fn a_damaged_block_stays_damaged() {
    for compression in [Compression::NONE, Compression::ZLIB] {
        let mut file = File::new();
        file.set("/a", &image(100, 0.0).with_compression(compression).unwrap()).unwrap();
        file.set("/b", &image(5, 0.0)).unwrap();
        let mut bytes = file.to_bytes().unwrap();
        let file = File::from_bytes(bytes.clone()).unwrap();
        let block = file.blocks().unwrap()[0].clone();
        let at = usize::try_from(block.header().data_offset(block.offset()).unwrap()).unwrap();
        bytes[at + 30] ^= 1;
        let back = reopened(&WriteOptions::new(), &File::from_bytes(bytes).unwrap());
        let error = back.array("/a").unwrap().read::<f32>().unwrap_err().to_string();
        assert!(error.contains("block 0"), "{error}");
        assert!(!back.blocks().unwrap()[0].checksum().unwrap().is_ok());
        assert_eq!(back.array("/b").unwrap(), image(5, 0.0));
    }
}

#[test]
fn new_values_have_the_tags_of_their_standard() {
    for (minor, root, array) in [
        (0, "asdf-1.0.0", "ndarray-1.0.0"),
        (1, "asdf-1.0.0", "ndarray-1.0.0"),
        (2, "asdf-1.1.0", "ndarray-1.0.0"),
        (5, "asdf-1.1.0", "ndarray-1.0.0"),
        (6, "asdf-1.1.0", "ndarray-1.1.0"),
        (7, "asdf-1.1.0", "ndarray-1.2.0"),
    ] {
        let mut file = File::new();
        // Change the version and change it back.
        file.set_standard(Version::new(1, 0, 0));
        file.set_standard(Version::new(1, minor, 0));
        file.set("/data", &image(3, 0.0)).unwrap();
        file.add_history("made", Some(Timestamp::new("2026-11-20 12:00:00").unwrap()), None).unwrap();
        let bytes = file.to_bytes().unwrap();
        let back = File::from_bytes(bytes).unwrap();
        let tag =
            |pointer: &str| back.at(pointer).unwrap().tag().unwrap().rsplit('/').next().unwrap().to_owned();
        assert_eq!((tag(""), tag("/data")), (root.to_owned(), array.to_owned()), "1.{minor}.0");
        let entry = if minor < 2 { "/history/0" } else { "/history/entries/0" };
        assert_eq!(tag(entry), "history_entry-1.0.0");
        assert_eq!(tag("/asdf_library"), "software-1.0.0");
        let report = Validator::standard().validate_file(&back);
        assert!(report.is_valid() && report.warnings().is_empty(), "1.{minor}.0: {:?}", report.violations());
    }
}

fn rows(path: &Path) -> Vec<u16> {
    File::open(path).unwrap().array("/rows").unwrap().read().unwrap()
}

#[test]
fn rows_are_streamed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stream.asdf");
    std::fs::write(&path, "what was there").unwrap();
    let options = StreamOptions::new().write_options(WriteOptions::new().alignment(512));
    let mut stream = options.create(&path, &sample(), "/rows", Datatype::Uint16, &[2]).unwrap();
    stream.push(&[1_u16, 2, 3, 4]).unwrap();
    assert_eq!(stream.push(&[1_u16, 2, 3]).unwrap_err().kind(), error::Kind::Mismatch);
    assert_eq!(stream.push(&[1_i16, 2]).unwrap_err().kind(), error::Kind::Mismatch);
    assert_eq!(stream.extend([5_u16, 6, 7]).unwrap_err().kind(), error::Kind::Mismatch);
    stream.flush().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"what was there", "not before it is finished");
    assert_eq!(stream.rows(), 3);
    stream.finish().unwrap();
    assert_eq!(rows(&path), [1, 2, 3, 4, 5, 6]);
    let file = File::open(&path).unwrap();
    check(&file);
    assert_eq!(file.array("/rows").unwrap().source(), Some(-1));
    let last = file.blocks().unwrap().last().unwrap().clone();
    assert!(last.header().is_streamed() && last.header().data_offset(last.offset()).unwrap() % 512 == 0);

    // An incomplete row is ignored, and is overwritten.
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, [&whole[..], b"abc"].concat()).unwrap();
    assert_eq!(rows(&path).len(), 6);
    StreamWriter::append(&path).unwrap().finish().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    std::fs::write(&path, [&whole[..], b"abc"].concat()).unwrap();
    let mut stream = StreamWriter::append(&path).unwrap();
    assert!(StreamWriter::append(&path).is_err() || cfg!(not(unix)), "two writers");
    stream.extend([7_u16, 8]).unwrap();
    stream.flush().unwrap();
    assert_eq!(rows(&path), [1, 2, 3, 4, 5, 6, 7, 8]);
    stream.push(&[9_u16, 10]).unwrap();
    drop(stream);
    assert_eq!(rows(&path), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

    File::new().write(&path).unwrap();
    assert_eq!(StreamWriter::append(&path).unwrap_err().kind(), error::Kind::Usage);
}

#[test]
fn rows_of_a_live_stream_are_read_while_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.asdf");
    let live = StreamOptions::new().live(true);
    let mut stream = live.create(&path, &File::new(), "/rows", Datatype::Uint16, &[3]).unwrap();
    assert_eq!(rows(&path), [0_u16; 0]);
    for row in 0..5_u16 {
        stream.push(&[row; 3]).unwrap();
        stream.flush().unwrap();
        assert_eq!(rows(&path).len(), usize::from(row + 1) * 3);
    }
    drop(stream);
    assert_eq!(rows(&path).len(), 15);

    let given_up = folder.path().join("given_up.asdf");
    let stream =
        StreamOptions::new().create(&given_up, &File::new(), "/rows", Datatype::Uint16, &[]).unwrap();
    drop(stream);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let nothing = StreamOptions::new().create(&given_up, &File::new(), "/rows", Datatype::Uint16, &[0]);
    assert_eq!(nothing.unwrap_err().kind(), error::Kind::Usage);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn rows_come_back_however_they_were_given(pieces in prop::collection::vec(0_usize..200, 0..12)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let options = StreamOptions::new();
        let mut stream = options.create(&path, &File::new(), "/rows", Datatype::Uint16, &[]).unwrap();
        let mut all = Vec::new();
        for (number, piece) in pieces.into_iter().enumerate() {
            let values: Vec<u16> = (0..piece).map(|n| u16::try_from(n * 7 + number).unwrap()).collect();
            all.extend_from_slice(&values);
            match number % 3 {
                0 => stream.push(&values).unwrap(),
                1 => stream.extend(values).unwrap(),
                _ => {
                    stream.finish().unwrap();
                    stream = StreamWriter::append(&path).unwrap();
                    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
                    stream.push_bytes(&bytes).unwrap();
                }
            }
        }
        prop_assert_eq!(stream.rows(), all.len() as u64);
        stream.finish().unwrap();
        prop_assert_eq!(rows(&path), all);
    }
}
