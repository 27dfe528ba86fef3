//! Reads damaged files: the error has a position, nothing panics, and wrong data is never returned silently.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::array::Value;
use asdf_core::error::Hint;
use asdf_core::value::FromNode;
use asdf_core::{Compression, File, Limits, NdArray, OpenOptions};
use asdf_schemas::Validator;

/// Returns a small file with blocks of every codec.
fn sample() -> Vec<u8> {
    let mut file = File::new();
    let data: Vec<i32> = (0..20).collect();
    for (name, compression) in [
        ("plain", Compression::NONE),
        ("zlib", Compression::ZLIB),
        ("bzp2", Compression::BZP2),
        ("lz4", Compression::LZ4),
    ] {
        let array = NdArray::new(&[4, 5], &data).unwrap().with_compression(compression).unwrap();
        file.set(&format!("/{name}"), &array).unwrap();
    }
    file.to_bytes().unwrap()
}

/// Opens a file and reads everything. Returns the values that could be read, or `None` if the file was refused.
fn read_all(bytes: &[u8]) -> Option<Vec<Vec<Value>>> {
    let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes.to_vec()).ok()?;
    let _ = Validator::standard().validate_file(&file);
    let root = file.tree().root()?;
    let arrays = root.walk().filter(|node| node.tag().is_some_and(NdArray::accepts_tag));
    Some(
        arrays
            .filter_map(|node| NdArray::from_node(node).ok()?.elements().ok().map(Iterator::collect))
            .collect(),
    )
}

#[test]
fn cut_at_every_byte() {
    let bytes = sample();
    let whole = read_all(&bytes).unwrap();
    assert_eq!(whole.len(), 4);
    let tree_end = bytes.windows(5).position(|window| window == b"\n...\n").unwrap() + 4;
    let index = bytes.windows(17).position(|window| window == b"#ASDF BLOCK INDEX").unwrap();
    for cut in 0..bytes.len() {
        let part = &bytes[..cut];
        let opened = File::from_bytes(part.to_vec());
        if cut < tree_end && cut > 12 + 22 {
            let error = opened.as_ref().err().unwrap_or_else(|| panic!("cut at {cut} of a tree is read"));
            assert!(error.offset().is_some() || error.line().is_some(), "cut at {cut}: {error}");
        }
        let Ok(file) = opened else { continue };
        let report = Validator::standard().validate_file(&file);
        if (tree_end..index).contains(&cut) {
            assert!(!report.is_valid(), "cut at {cut} of the blocks is valid");
        }
        for values in read_all(part).unwrap_or_default() {
            assert!(whole.contains(&values), "cut at {cut}: wrong data without an error");
        }
    }
}

#[test]
fn every_byte_set_to_other_values() {
    let bytes = sample();
    let whole = read_all(&bytes).unwrap();
    let blocks = bytes.windows(5).position(|window| window == b"\n...\n").unwrap() + 5;
    for at in 0..bytes.len() {
        for value in [0, 1, 0x20, 0x2d, 0x7f, 0x80, 0xff, bytes[at] ^ 1] {
            if value == bytes[at] {
                continue;
            }
            let mut damaged = bytes.clone();
            damaged[at] = value;
            let values = read_all(&damaged).unwrap_or_default();
            // A changed byte in the tree can make another valid array. In a block it is an error, since the checksum no
            // longer matches.
            if at >= blocks {
                for values in values {
                    assert!(whole.contains(&values), "byte {at} set to {value}: wrong data without an error");
                }
            }
        }
    }
}

#[test]
fn wrong_header_fields() {
    let bytes = sample();
    let block = bytes.windows(4).position(|window| window == b"\xd3BLK").unwrap();
    let lies = [
        0,
        1,
        47,
        48,
        79,
        81,
        1 << 16,
        u64::from(u32::MAX),
        i64::MAX as u64,
        u64::MAX - 54,
        u64::MAX - 1,
        u64::MAX,
    ];
    // The allocated, used and data size, which follow the magic, the header size, the flags and the label.
    for field in [14, 22, 30] {
        for lie in lies {
            let mut damaged = bytes.clone();
            damaged[block + field..block + field + 8].copy_from_slice(&lie.to_be_bytes());
            let file = File::from_bytes(damaged).unwrap();
            let report = Validator::standard().validate_file(&file);
            assert!(!report.is_valid(), "field {field} set to {lie} is valid");
            let violation = &report.violations()[0];
            assert!(violation.offset().is_some() || violation.position().is_some(), "{violation}");
            // A wrong allocated size affects the blocks after it. The block itself can be read.
            let values = file.array("/plain").unwrap().read::<i32>();
            let right = field == 14 && values.as_ref().is_ok_and(|values| values.iter().copied().eq(0..20));
            assert!(right || values.is_err(), "field {field} set to {lie} is read");
        }
    }
}

#[test]
fn a_wrong_checksum_says_which_block() {
    let mut bytes = sample();
    let block = bytes.windows(4).position(|window| window == b"\xd3BLK").unwrap();
    let header = u16::from_be_bytes([bytes[block + 4], bytes[block + 5]]);
    bytes[block + 6 + usize::from(header)] ^= 1;
    let file = File::from_bytes(bytes).unwrap();
    let report = Validator::standard().validate_file(&file);
    assert_eq!(report.violations().len(), 1);
    let text = report.violations()[0].to_string();
    assert!(text.starts_with(&format!("at byte {block}: block 0: checksum mismatch: expected")), "{text}");
}

#[test]
fn trees_that_are_not_yaml_say_line_and_column() {
    let text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n# a comment\n%YAML 1.1\n---\na: 1\nb: ]\n...\n";
    let error = File::from_bytes(text.as_bytes().to_vec()).unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(7), Some(4)), "{error}");
    let mut bytes = text.as_bytes().to_vec();
    bytes[60] = 0xff;
    let error = File::from_bytes(bytes).unwrap_err();
    assert_eq!((error.offset(), error.line(), error.column()), (Some(60), Some(6), Some(2)), "{error}");
}

#[test]
fn limits_of_a_file_are_those_of_its_tree() {
    let text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\na: [[1, 2, 3]]\n...\n";
    let opened = |change: fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        OpenOptions::new().limits(limits).open_bytes(text.as_bytes().to_vec())
    };
    assert!(opened(|_| {}).is_ok());
    type Change = fn(&mut Limits);
    let changes: [(&str, Change); 4] = [
        ("tree_size", |limits| limits.tree_size = 20),
        ("tree_depth", |limits| limits.tree_depth = 2),
        ("tree_nodes", |limits| limits.tree_nodes = 5),
        ("tree_tag_bytes", |limits| limits.tree_tag_bytes = Some(10)),
    ];
    for (name, change) in changes {
        let error = opened(change).unwrap_err();
        assert_eq!(error.kind(), asdf_core::error::Kind::Limit, "{error}");
        assert!(error.line().is_some() || error.offset().is_some(), "{error}");
        // A limit has the same name in errors of the parser and of the file.
        assert!(matches!(error.hint(), Some(Hint::Raise { limit, .. }) if limit.name() == name), "{error}");
        assert!(error.hint().unwrap().to_string().contains(&format!("`Limits::{name}`")), "{error}");
    }
}
