//! Opens and reads files with valid, unusual and damaged layouts, and checks the warnings.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::error::{Hint, LimitName};
use asdf_core::file::IndexState;
use asdf_core::tree::Block as _;
use asdf_core::{Compression, File, Limits, NdArray, OpenOptions, error};
use asdf_schemas::Validator;

const HEAD: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n";
const TREE: &str = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
    a: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: little, shape: [3]}\n\
    b: !core/ndarray-1.1.0 {source: 1, datatype: uint8, byteorder: little, shape: [2]}\n...\n";
const STREAM: &str = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
    a: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: little, shape: ['*']}\n...\n";
const A: [u8; 3] = [1, 2, 3];
const B: [u8; 2] = [4, 5];

/// Returns a block: the bytes of its header beyond 48, its flags, its data, and the space after it.
fn block(more: u16, flags: u32, data: &[u8], space: &[u8]) -> Vec<u8> {
    let mut bytes = b"\xd3BLK".to_vec();
    bytes.extend((48 + more).to_be_bytes());
    bytes.extend(flags.to_be_bytes());
    bytes.extend([0; 4]);
    for size in [data.len() + space.len(), data.len(), data.len()] {
        bytes.extend((size as u64).to_be_bytes());
    }
    bytes.extend([0; 16]);
    bytes.extend(vec![0xd3; usize::from(more)]);
    bytes.extend(data);
    bytes.extend(space);
    bytes
}

fn plain(data: &[u8]) -> Vec<u8> {
    block(0, 0, data, b"")
}

/// Returns a file with the usual header and tree, followed by these parts.
fn file(parts: &[&[u8]]) -> Vec<u8> {
    [HEAD.as_bytes(), TREE.as_bytes(), &parts.concat()].concat()
}

/// Returns a file with two blocks and a block index whose offsets are wrong by these amounts.
fn indexed(shifts: &[i64], rest: &str) -> Vec<u8> {
    let mut bytes = file(&[&plain(&A), &plain(&B)]);
    let first = i64::try_from(HEAD.len() + TREE.len()).unwrap();
    let real = [first, first + 57, first + 114];
    let lines: String = shifts.iter().zip(real).map(|(shift, at)| format!("- {}\n", at + shift)).collect();
    bytes.extend(format!("#ASDF BLOCK INDEX\n%YAML 1.1\n---\n{lines}...\n{rest}").into_bytes());
    bytes
}

/// The result of opening a file: the number of warnings, and the contents of `/a` and `/b`.
type Found = (usize, Option<Vec<u8>>, Option<Vec<u8>>);

fn found(bytes: &[u8]) -> Found {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    std::fs::write(&path, bytes).unwrap();
    let read = |file: File| {
        let values = |at: &str| file.array(at).and_then(|array| array.read::<u8>()).ok();
        (file.warnings().len(), values("/a"), values("/b"))
    };
    let here = read(File::from_bytes(bytes.to_vec()).unwrap());
    assert_eq!(read(File::open(&path).unwrap()), here, "by position");
    assert_eq!(read(OpenOptions::new().mmap(true).open(&path).unwrap()), here, "mapped");
    here
}

#[test]
fn layouts_are_read_according_to_the_standard() {
    let (a, b) = (plain(&A), plain(&B));
    let both = (0, Some(A.to_vec()), Some(B.to_vec()));
    let warned = |count: usize| (count, both.1.clone(), both.2.clone());
    let usual = file(&[&a, &b]);
    let swapped = |from: &str, to: &str| {
        let text = format!("{HEAD}{TREE}");
        assert!(text.contains(from));
        [text.replace(from, to).into_bytes(), a.clone(), b.clone()].concat()
    };
    let first_only = (0, Some(A.to_vec()), None);
    for (name, bytes, expected) in [
        ("usual", usual.clone(), both.clone()),
        ("a development version", swapped("STANDARD 1.6.0", "STANDARD 1.7.0-dev"), both.clone()),
        ("a newer standard", swapped("STANDARD 1.6.0", "STANDARD 1.23.0"), warned(1)),
        ("a standard of another age", swapped("STANDARD 1.6.0", "STANDARD 2.0.0"), warned(1)),
        ("a newer layout", swapped("#ASDF 1.0.0", "#ASDF 1.1.0"), warned(1)),
        ("both newer", swapped(HEAD, "#ASDF 1.1.0\n#ASDF_STANDARD 1.8.0\n"), warned(2)),
        ("no standard", swapped("#ASDF_STANDARD 1.6.0\n", ""), both.clone()),
        ("comments", swapped("%YAML", "# one\n#two\n#\n%YAML"), both.clone()),
        ("CRLF", swapped("\n", "\r\n"), both.clone()),
        ("spaces after the tree", file(&[&[b' '; 3000], &a, &b]), both.clone()),
        ("anything after the tree", file(&[b"\0junk \xd3BL \xff\n%YAML\n...\n", &a, &b]), both.clone()),
        ("large headers", file(&[&block(16, 0, &A, b""), &block(60_000, 0, &B, b"")]), both.clone()),
        ("unknown flags", file(&[&block(0, 0x8000_0010, &A, b""), &block(0, 2, &B, b"")]), both.clone()),
        (
            "space behind blocks",
            file(&[&block(0, 0, &A, b"\xd3BLK."), &block(0, 0, &B, b"...")]),
            both.clone(),
        ),
        (
            "space of the last block that is not there, as Python pads without an index",
            file(&[&a, &block(0, 0, &B, &[0; 100])[..56]]),
            both.clone(),
        ),
        ("zeros at the end", file(&[&a, &b, &[0; 500]]), both.clone()),
        ("something at the end", file(&[&a, &b, b"junk"]), both.clone()),
        ("nothing between is skipped", file(&[&a, b"\0\0\0", &b]), first_only.clone()),
        ("one block too few", file(&[&a]), first_only.clone()),
        ("a header that is cut", file(&[&a, &b[..50]]), first_only.clone()),
        ("data that are cut", usual[..usual.len() - 1].to_vec(), first_only),
        ("no blocks", file(&[]), (0, None, None)),
        ("no tree", [HEAD.as_bytes(), &a].concat(), (0, None, None)),
        ("a header alone", HEAD.as_bytes().to_vec(), (0, None, None)),
        ("no end of line", HEAD.trim_end().as_bytes().to_vec(), (0, None, None)),
        (
            "a streamed block takes what follows",
            [HEAD.as_bytes(), STREAM.as_bytes(), &block(0, 1, &A, b""), &b].concat(),
            (0, Some([&A[..], &b].concat()), None),
        ),
    ] {
        assert_eq!(found(&bytes), expected, "{name}");
    }
}

/// A shape whose rows have no bytes fits any block, and has no rows.
#[test]
fn streamed_rows_without_bytes_do_not_count() {
    let tree = STREAM.replace("['*']", "['*', 0]");
    for data in [&A[..], &[]] {
        let bytes = [HEAD.as_bytes(), tree.as_bytes(), &block(0, 1, data, b"")].concat();
        let file = File::from_bytes(bytes).unwrap();
        let array = file.array("/a").unwrap();
        assert_eq!(array.shape(), [0, 0]);
        assert_eq!(array.read::<u8>().unwrap(), [0_u8; 0]);
        assert!(Validator::standard().validate_file(&file).is_valid());
    }
}

/// If the block index points to bytes that are not a block, that is reported, since arrays then use other blocks.
#[test]
fn missing_blocks_of_the_index_are_reported() {
    let missed = |bytes: Vec<u8>| {
        let file = File::from_bytes(bytes).unwrap();
        let missed = file.missed_blocks().unwrap();
        let report = Validator::standard().validate_file(&file);
        for error in &missed {
            assert!(report.warnings().iter().any(|warning| warning.message() == error.message()), "{error}");
        }
        missed.iter().map(|error| error.message().to_owned()).collect::<Vec<String>>()
    };
    let first = HEAD.len() + TREE.len();
    let whole = indexed(&[0, 0], "");
    assert!(missed(whole.clone()).is_empty());
    assert!(missed(indexed(&[10, 10], "")).is_empty(), "an index that is only wrong");
    let damaged = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let message = format!(
        "the 57 bytes between the tree and the first block are not a block; the block index expects a block at byte \
         {first}"
    );
    assert_eq!(missed(damaged(first, 0)), [message]);
    let message = format!(
        "the 56 bytes after block 0 do not begin with a block; the block index expects a block at byte {}",
        first + 57
    );
    assert_eq!(missed(damaged(first + 57, 0)), [message]);
    let message = format!(
        "block 0 ends at byte {}, after the end of the file; the block index expects a block at byte {}",
        first + 57 + (1 << 40),
        first + 57
    );
    assert_eq!(missed(damaged(first + 16, 1)), [message]);
}

#[test]
fn a_wrong_block_index_is_ignored() {
    use IndexState::{Absent, Right, Wrong};
    let huge = "9".repeat(200_000);
    for (name, bytes, expected) in [
        ("none", file(&[&plain(&A), &plain(&B)]), Absent),
        ("right", indexed(&[0, 0], ""), Right),
        ("zeros behind it", indexed(&[0, 0], &"\0".repeat(300)), Right),
        ("moved", indexed(&[10, 10], ""), Wrong),
        ("only the first is right", indexed(&[0, 1], ""), Wrong),
        ("only the last is right", indexed(&[-1, 0], ""), Wrong),
        ("one too few", indexed(&[0], ""), Wrong),
        ("one too many", indexed(&[0, 0, 0], ""), Wrong),
        ("beyond the file", indexed(&[0, i64::MAX / 2], ""), Wrong),
        (
            "of no numbers",
            file(&[&plain(&A), &plain(&B), b"#ASDF BLOCK INDEX\n%YAML 1.1\n---\n- a\n...\n"]),
            Wrong,
        ),
        (
            "of numbers without end",
            file(&[&plain(&A), &plain(&B), b"#ASDF BLOCK INDEX\n%YAML 1.1\n---\n- ", huge.as_bytes()]),
            Wrong,
        ),
        ("cut", file(&[&plain(&A), &plain(&B), b"#ASDF BLOCK INDEX\n%YAML"]), Wrong),
    ] {
        assert_eq!(found(&bytes), (0, Some(A.to_vec()), Some(B.to_vec())), "{name}");
        let file = File::from_bytes(bytes).unwrap();
        assert_eq!(file.index().unwrap(), expected, "{name}");
        // The block index is optional, so the file is valid even if it is damaged.
        let report = Validator::standard().validate_file(&file);
        assert!(report.is_valid(), "{name}: {:?}", report.violations());
    }
}

/// Validation reports the warnings of `File::warnings`.
#[test]
fn a_newer_file_is_valid_with_a_warning() {
    let text = format!("{HEAD}{TREE}").replace("STANDARD 1.6.0", "STANDARD 1.23.0").into_bytes();
    let file = File::from_bytes([text, plain(&A), plain(&B)].concat()).unwrap();
    let report = Validator::standard().validate_file(&file);
    assert!(report.is_valid(), "{:?}", report.violations());
    let texts: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
    assert!(texts.iter().any(|text| text.contains("the ASDF Standard 1.23.0 is newer than")), "{texts:?}");
    // The file keeps its version when it is written again.
    let back = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(back.standard(), file.standard());
}

#[test]
fn unknown_versions_of_the_layout_are_refused() {
    for (first, expected) in [("#ASDF 2.0.0", error::Kind::Unsupported), ("#ASDF x", error::Kind::Malformed)]
    {
        let error = File::from_bytes(format!("{first}\n{TREE}").into_bytes()).unwrap_err();
        assert_eq!((error.kind(), error.line()), (expected, Some(1)), "{error}");
    }
}

/// A block can claim to decode to more bytes than allowed or possible. The other blocks are still read.
#[test]
fn a_block_with_an_excessive_size_does_not_affect_others() {
    for size in [100_u64, 1 << 20, 1 << 50, 1 << 62] {
        let mut claim = plain(b"x\x9c\x03\0\0\0\0\x01");
        claim[10..14].copy_from_slice(b"zlib");
        claim[30..38].copy_from_slice(&size.to_be_bytes());
        let text = format!("{HEAD}{TREE}").replace("shape: [3]", &format!("shape: [{size}]"));
        let bytes = [text.into_bytes(), claim, plain(&B)].concat();
        let mut limits = Limits::default();
        limits.decoded_size = 1000;
        for (limits, kind) in [(limits, size > 1000), (Limits::default(), size > 16 << 30)] {
            let file = OpenOptions::new().limits(limits).open_bytes(bytes.clone()).unwrap();
            assert_eq!(file.array("/b").unwrap().read::<u8>().unwrap(), B);
            let error = file.array("/a").unwrap().read::<u8>().unwrap_err();
            let expected = if kind { error::Kind::Limit } else { error::Kind::Malformed };
            assert_eq!(error.kind(), expected, "{size}: {error}");
            assert!(error.to_string().contains("block 0") && error.offset().is_some(), "{size}: {error}");
        }
    }
}

/// Each decoded block can be within the limit while all together exceed it. Decoded blocks stay readable.
#[test]
fn decoded_blocks_are_limited_together() {
    let mut file = File::new();
    for (name, compression) in
        [("/a", Compression::ZLIB), ("/b", Compression::BZP2), ("/c", Compression::LZ4)]
    {
        let array = NdArray::new(&[1000], &[7_u8; 1000]).unwrap();
        file.set(name, &array.with_compression(compression).unwrap()).unwrap();
    }
    file.set("/plain", &NdArray::new(&[5000], &[7_u8; 5000]).unwrap()).unwrap();
    let bytes = file.to_bytes().unwrap();
    let opened = |total: u64| {
        let mut limits = Limits::default();
        limits.decoded_total = Some(total);
        OpenOptions::new().limits(limits).open_bytes(bytes.clone()).unwrap()
    };
    let file = opened(2999);
    let read = |file: &File, name: &str| file.array(name).unwrap().read::<u8>();
    for name in ["/plain", "/a", "/c", "/a", "/plain"] {
        assert!(read(&file, name).is_ok(), "{name}");
    }
    let error = read(&file, "/b").unwrap_err();
    assert_eq!(error.kind(), error::Kind::Limit);
    assert_eq!(
        error.message(),
        "block 1 decodes to 1000 bytes: the total of 3000 decoded bytes is larger than the limit of 2999 bytes"
    );
    assert_eq!(error.offset(), Some(file.blocks().unwrap()[1].offset()));
    let hint = Hint::Raise { limit: LimitName::DecodedTotal, from: 2999, to: Some(3000) };
    assert_eq!(error.hint(), Some(&hint));
    assert!(read(&file, "/c").is_ok() && read(&file, "/b").is_err());
    // Reading a part counts like reading the whole block, and so does verifying.
    let file = opened(2000);
    assert!(file.blocks().unwrap()[2].read(3..5).is_ok());
    let verdicts = file.verify().unwrap();
    let limited: Vec<bool> = verdicts
        .iter()
        .map(|verdict| verdict.as_ref().is_err_and(|error| error.kind() == error::Kind::Limit))
        .collect();
    assert_eq!(limited, [false, true, false, false]);
    let file = opened(3000);
    assert!(file.verify().unwrap().iter().all(Result::is_ok));
    assert!(["/a", "/b", "/c"].iter().all(|name| read(&file, name).is_ok()));
}

#[test]
fn blocks_are_counted() {
    let bytes = file(&[&plain(&A), &plain(&B), &plain(&A)]);
    let opened = |blocks: u64| {
        let mut limits = Limits::default();
        limits.blocks = blocks;
        OpenOptions::new().limits(limits).open_bytes(bytes.clone()).unwrap()
    };
    assert_eq!(opened(3).blocks().unwrap().len(), 3);
    let file = opened(2);
    assert_eq!(file.array("/b").unwrap().read::<u8>().unwrap(), B);
    let error = file.blocks().unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (error::Kind::Limit, Some(HEAD.len() as u64 + TREE.len() as u64 + 113))
    );
}

/// If a mapped file is truncated later, reading is an error, as far as that can be detected.
#[cfg(unix)]
#[test]
fn a_truncated_mapped_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    let large = vec![7; 1 << 20];
    let tree = TREE.replace("shape: [3]", "shape: [1048576]");
    std::fs::write(&path, [HEAD.as_bytes(), tree.as_bytes(), &plain(&large), &plain(&B)].concat()).unwrap();
    let file = OpenOptions::new().mmap(true).open(&path).unwrap();
    assert_eq!(file.array("/b").unwrap().read::<u8>().unwrap(), B);
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(5000).unwrap();
    for at in ["/a", "/b"] {
        let error = file.array(at).and_then(|array| array.read::<u8>()).unwrap_err();
        assert!(error.to_string().contains("the file ends at byte"), "{error}");
        assert_eq!(error.file(), Some(path.as_path()));
    }
}

/// External data is only read below the folder of the file, however the path is written, and never from the network.
#[cfg(unix)]
#[test]
fn data_outside_the_folder_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
    for folder in [&inside, &outside] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("data.asdf"), [HEAD.as_bytes(), &plain(&A)].concat()).unwrap();
    }
    std::os::unix::fs::symlink(outside.join("data.asdf"), inside.join("link.asdf")).unwrap();
    std::os::unix::fs::symlink(&outside, inside.join("folder")).unwrap();
    std::os::unix::fs::symlink("data.asdf", inside.join("beside.asdf")).unwrap();
    let here = inside.canonicalize().unwrap().join("data.asdf").display().to_string();
    let absolute = outside.join("data.asdf").display().to_string();
    for (uri, read) in [
        ("data.asdf", true),
        ("./data.asdf", true),
        ("beside.asdf", true),
        (&format!("file://{here}"), true),
        (&format!("FILE://localhost{here}"), true),
        (&format!("file:{here}"), true),
        (&format!("file://elsewhere{here}"), false),
        (here.as_str(), false),
        ("../out/data.asdf", false),
        ("%2e%2e/out/data.asdf", false),
        ("link.asdf", false),
        ("folder/data.asdf", false),
        (absolute.as_str(), false),
        (&format!("file://{absolute}"), false),
        ("http://127.0.0.1:9/data.asdf", false),
        ("//127.0.0.1/data.asdf", false),
        ("none.asdf", false),
    ] {
        let path = inside.join("x.asdf");
        let tree = TREE.replace("source: 0", &format!("source: '{uri}'")).replace("source: 1", "source: 0");
        std::fs::write(&path, [HEAD.as_bytes(), tree.as_bytes(), &plain(&B)].concat()).unwrap();
        let file = File::open(&path).unwrap();
        let values = file.array("/a").and_then(|array| array.read::<u8>());
        assert_eq!(values.is_ok(), read, "{uri}: {values:?}");
        if let Err(error) = values {
            let kind = if uri == "none.asdf" { error::Kind::Io } else { error::Kind::Unsupported };
            assert_eq!(error.kind(), kind, "{uri}: {error}");
        }
        assert_eq!(file.array("/b").unwrap().read::<u8>().unwrap(), B, "{uri}");
    }
}
