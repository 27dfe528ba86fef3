//! Updates write only what changed, and readers see either the old file or the new one.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::Path;

use asdf_core::file::{Padding, UpdateOptions};
use asdf_core::{Compression, File, NdArray, OpenOptions, WriteOptions, error};
use asdf_schemas::Validator;
use proptest::prelude::*;

fn array(len: u64, first: i32) -> NdArray {
    let elements: Vec<i32> = (first..).take(usize::try_from(len).unwrap()).collect();
    NdArray::new(&[len], &elements).unwrap()
}

fn three(path: &Path) {
    let mut file = File::new();
    file.set("/title", "three").unwrap();
    for (name, first) in [("/a", 1), ("/b", 2), ("/c", 3)] {
        file.set(name, &array(500, first)).unwrap();
    }
    WriteOptions::new().padding(Padding::Bytes(300)).write(&file, path).unwrap();
}

fn checked(path: &Path) -> File {
    let file = OpenOptions::new().verify_checksums(true).open(path).unwrap();
    let report = Validator::standard().validate_file(&file);
    assert!(report.is_valid() && report.warnings().is_empty(), "{:?}", report.violations());
    assert_ne!(file.index().unwrap(), asdf_core::file::IndexState::Wrong);
    file
}

fn offsets(file: &File) -> Vec<u64> {
    file.blocks().unwrap().iter().map(|block| block.offset()).collect()
}

/// Returns the range from the first to the last byte that differs between two files.
fn changed(a: &[u8], b: &[u8]) -> std::ops::Range<usize> {
    let first = a.iter().zip(b).position(|(a, b)| a != b).unwrap();
    let last = a.iter().zip(b).rposition(|(a, b)| a != b).unwrap();
    first..last + 1
}

#[test]
fn a_change_of_the_tree_writes_only_the_tree() {
    for in_place in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        three(&path);
        let before = std::fs::read(&path).unwrap();
        let mut file = File::open(&path).unwrap();
        let blocks = offsets(&file);
        file.set("/note", "a longer tree").unwrap();
        UpdateOptions::new().in_place(in_place).update(&mut file).unwrap();
        // The open file now represents the written one.
        assert_eq!(file.get::<String>("/note").unwrap(), "a longer tree");
        assert_eq!(offsets(&file), blocks);
        let after = std::fs::read(&path).unwrap();
        assert_eq!(after.len(), before.len());
        assert!(changed(&before, &after).end <= usize::try_from(blocks[0]).unwrap());
        // Make the tree shorter again: nothing of the longer one is left.
        file.tree_mut().edit("/note").remove().unwrap();
        UpdateOptions::new().in_place(in_place).update(&mut file).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn a_draft_becomes_a_file_of_today() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("draft.asdf");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/draft_encodings.asdf");
    let mut bytes = std::fs::read(data).unwrap();
    // The comment is lost when the tree is rewritten, so the new text would fit before the old blocks.
    let end = bytes.windows(5).position(|window| window == b"\n...\n").unwrap();
    bytes.splice(end..end, format!("\n# {}", "x".repeat(9000)).into_bytes());
    std::fs::write(&path, bytes).unwrap();
    let mut file = File::open(&path).unwrap();
    let before = file.tree().clone();
    for in_place in [false, true] {
        let note = if in_place { "again" } else { "once" };
        file.set("/note", note).unwrap();
        UpdateOptions::new().in_place(in_place).update(&mut file).unwrap();
        assert!(file.warnings().is_empty(), "{:?}", file.warnings());
        assert!(std::fs::read(&path).unwrap().starts_with(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n"));
        checked(&path);
        for (key, _) in before.root().unwrap().entries() {
            let at = format!("/{}", key.as_str().unwrap());
            if let Ok(array) = before.get::<NdArray>(&at) {
                assert_eq!(file.array(&at).unwrap(), array, "{at}");
            }
        }
    }
}

#[test]
fn blocks_go_where_others_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    three(&path);
    let mut file = File::open(&path).unwrap();
    let blocks = offsets(&file);
    let len = std::fs::metadata(&path).unwrap().len();
    // Replace the middle block by two smaller ones, which fit in its place.
    file.set("/b", &array(200, 7)).unwrap();
    file.set("/d", &array(100, 8)).unwrap();
    file.update().unwrap();
    let file = checked(&path);
    assert_eq!(offsets(&file).len(), 4);
    assert_eq!([offsets(&file)[0], offsets(&file)[1], offsets(&file)[3]], blocks[..]);
    assert_eq!(file.array("/b").unwrap(), array(200, 7));
    assert_eq!(file.array("/d").unwrap(), array(100, 8));
    assert_eq!(file.array("/c").unwrap(), array(500, 3));
    assert!(std::fs::metadata(&path).unwrap().len() < len + 20);

    // Remove the first block, and later the last: the tree gets more space, and the file becomes shorter.
    let mut file = file;
    file.set("/a", "gone").unwrap();
    file.update().unwrap();
    assert_eq!(offsets(&checked(&path))[0], blocks[1]);
    let len = std::fs::metadata(&path).unwrap().len();
    file.set("/a", &"x".repeat(1500)).unwrap();
    file.update().unwrap();
    assert_eq!(offsets(&checked(&path))[0], blocks[1], "there was room for the tree");
    file.set("/c", "gone").unwrap();
    file.update().unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < len - 1900);
    assert_eq!(checked(&path).array("/d").unwrap(), array(100, 8));

    file.set("/b", "gone").unwrap();
    file.set("/d", "gone").unwrap();
    file.update().unwrap();
    assert!(checked(&path).blocks().unwrap().is_empty());
    file.set("/e", &array(3, 1)).unwrap();
    file.update().unwrap();
    assert_eq!(checked(&path).array("/e").unwrap(), array(3, 1));
    UpdateOptions::new().compact(true).update(&mut file).unwrap();
    assert_eq!(checked(&path).array("/e").unwrap(), array(3, 1));
}

/// Free space before the first block is wiped, unless that takes longer than to write the file again.
#[test]
fn a_large_first_block_leaves_no_free_space() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    for (mib, moves) in [(1, false), (65, true)] {
        let mut file = File::new();
        file.set(
            "/large",
            &NdArray::new(&[mib << 20], &vec![7_u8; usize::try_from(mib << 20).unwrap()]).unwrap(),
        )
        .unwrap();
        file.set("/small", &array(5, 1)).unwrap();
        WriteOptions::new().checksums(false).write(&file, &path).unwrap();
        let mut file = File::open(&path).unwrap();
        let small = offsets(&file)[1];
        file.tree_mut().edit("/large").remove().unwrap();
        UpdateOptions::new().in_place(true).update(&mut file).unwrap();
        let updated = checked(&path);
        assert_eq!(updated.array("/small").unwrap().read::<i32>().unwrap(), [1, 2, 3, 4, 5]);
        assert_eq!(offsets(&updated) != [small], moves, "{mib} MiB");
    }
}

#[test]
fn impossible_updates_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    three(&path);
    assert_eq!(File::new().update().unwrap_err().kind(), error::Kind::Usage);
    let mut bytes = File::from_bytes(std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(bytes.update().unwrap_err().kind(), error::Kind::Usage);

    let mut mine = File::open(&path).unwrap();
    let mut other = File::open(&path).unwrap();
    other.set("/title", "by another").unwrap();
    other.update().unwrap();
    mine.set("/title", "by me").unwrap();
    for in_place in [false, true] {
        let error = UpdateOptions::new().in_place(in_place).update(&mut mine).unwrap_err();
        assert!(error.to_string().contains("changed by another program"), "{error}");
    }
    assert_eq!(checked(&path).get::<String>("/title").unwrap(), "by another");
    other.set("/title", "and again").unwrap();
    other.update().unwrap();
}

#[test]
fn an_open_file_still_shows_the_old_contents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    three(&path);
    let reader = File::open(&path).unwrap();
    let mut writer = File::open(&path).unwrap();
    writer.set("/a", &array(400, 40)).unwrap();
    writer.set("/title", "new").unwrap();
    writer.update().unwrap();
    assert_eq!(reader.array("/a").unwrap(), array(500, 1));
    assert_eq!(reader.array("/c").unwrap(), array(500, 3));
    assert_eq!(checked(&path).array("/a").unwrap(), array(400, 40));
}

#[test]
fn readers_never_see_a_mixture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    three(&path);
    let rounds = 60;
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut last = 0;
            let mut reads = 0;
            while last < rounds {
                let file = OpenOptions::new().verify_checksums(true).open(&path).unwrap();
                let round = file.get::<i32>("/round").unwrap_or(0);
                for name in ["/a", "/b", "/c"] {
                    let values = file.array(name).unwrap().read::<i32>().unwrap();
                    assert!(round == 0 || values.iter().all(|&value| value == round), "{name} {round}");
                }
                assert!(round >= last);
                (last, reads) = (round, reads + 1);
            }
            reads
        });
        for round in 1..=rounds {
            let mut file = File::open(&path).unwrap();
            file.set("/round", &round).unwrap();
            let len = 400 + u64::from(round.unsigned_abs() % 7) * 30;
            for name in ["/a", "/b", "/c"] {
                let values = vec![round; usize::try_from(len).unwrap()];
                file.set(name, &NdArray::new(&[len], &values).unwrap()).unwrap();
            }
            if round % 3 == 0 { file.write(&path).unwrap() } else { file.update().unwrap() }
        }
        assert!(reader.join().unwrap() > 0);
    });
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("x.asdf"), folder.path().join("link.asdf"));
    three(&path);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("x.asdf", &link).unwrap();
    for in_place in [false, true] {
        let mut file = File::open(&link).unwrap();
        file.set("/in_place", &in_place).unwrap();
        UpdateOptions::new().in_place(in_place).update(&mut file).unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(checked(&path).get::<bool>("/in_place").unwrap(), in_place);
    }
}

#[test]
fn a_streamed_block_is_kept_if_no_block_follows_it() {
    use asdf_core::Datatype;
    use asdf_core::file::{StreamOptions, StreamWriter};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    let options = StreamOptions::new().write_options(WriteOptions::new().padding(Padding::Bytes(500)));
    let mut stream = options.create(&path, &File::new(), "/rows", Datatype::Int32, &[2]).unwrap();
    stream.push(&[1, 2, 3, 4]).unwrap();
    stream.finish().unwrap();
    let mut file = File::open(&path).unwrap();
    file.set("/note", "more").unwrap();
    file.update().unwrap();
    let mut stream = StreamWriter::append(&path).unwrap();
    stream.push(&[5, 6]).unwrap();
    stream.finish().unwrap();
    let mut file = checked(&path);
    assert_eq!(file.array("/rows").unwrap().read::<i32>().unwrap(), [1, 2, 3, 4, 5, 6]);
    file.set("/a", &array(10, 1)).unwrap();
    file.update().unwrap();
    assert_eq!(checked(&path).array("/rows").unwrap().read::<i32>().unwrap(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(checked(&path).array("/a").unwrap(), array(10, 1));
}

/// One change of a file as numbers: the array, its new length (0 removes it), and its storage.
fn change() -> impl Strategy<Value = (usize, u64, u8, bool)> {
    (0_usize..6, prop_oneof![Just(0), 1_u64..1200], 0_u8..3, any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn after_any_updates_the_file_is_what_was_asked_for(
        padding in 0_u64..400,
        steps in prop::collection::vec(prop::collection::vec(change(), 1..4), 1..10),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let options = WriteOptions::new().padding(Padding::Bytes(padding)).alignment(8);
        options.write(&File::new(), &path).unwrap();
        let mut expected: BTreeMap<String, (u64, i32)> = BTreeMap::new();
        let mut file = File::open(&path).unwrap();
        for (step, changes) in steps.into_iter().enumerate() {
            let mut in_place = false;
            for (name, len, codec, place) in changes {
                let name = format!("/array_{name}");
                let first = i32::try_from(step).unwrap() * 1000;
                in_place = place;
                if len == 0 {
                    file.set(&name, &"-".repeat(step * 40)).unwrap();
                    expected.remove(&name);
                    continue;
                }
                let codec = [Compression::NONE, Compression::ZLIB, Compression::LZ4][usize::from(codec)];
                file.set(&name, &array(len, first).with_compression(codec).unwrap()).unwrap();
                expected.insert(name, (len, first));
            }
            let update = UpdateOptions::new().in_place(in_place).write_options(options.clone());
            update.update(&mut file).unwrap();
            let found = checked(&path);
            for (name, &(len, first)) in &expected {
                prop_assert_eq!(found.array(name).unwrap(), array(len, first));
            }
            prop_assert_eq!(found.blocks().unwrap().len(), expected.len());
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }
}
