//! Reads the arrays in the cases of `tests/arrays`: by position, through a memory map, from memory, in parts, and after
//! writing them again.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::Path;

use asdf_core::array::{ByteOrder, ChunkedArray, Value};
use asdf_core::yaml::parse;
use asdf_core::{Datatype, File, NdArray, OpenOptions, error};
use serde_json::{Value as Json, json};

/// Returns the bytes of a file with this tree and these blocks.
fn file(tree: &str, blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes =
        b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n".to_vec();
    bytes.extend(tree.as_bytes());
    bytes.extend(b"...\n");
    for block in blocks {
        add_block(&mut bytes, *b"\0\0\0\0", block, block.len());
    }
    bytes
}

fn add_block(bytes: &mut Vec<u8>, label: [u8; 4], stored: &[u8], size: usize) {
    bytes.extend(b"\xd3BLK\0\x30\0\0\0\0");
    bytes.extend(label);
    for size in [stored.len(), stored.len(), size] {
        bytes.extend((size as u64).to_be_bytes());
    }
    bytes.extend([0; 16]);
    bytes.extend(stored);
}

fn of_hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Missing => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => match (i64::try_from(*number), u64::try_from(*number)) {
            (Ok(number), _) => json!(number),
            (_, Ok(number)) => json!(number),
            _ => json!(number.to_string()),
        },
        Value::Uint(number) => json!(number.to_string()),
        Value::Float(number) => json!(number),
        Value::Complex(number) => json!({"re": number.re, "im": number.im}),
        Value::Text(text) => json!(text),
        Value::Record(values) | Value::List(values) => values.iter().map(json_of).collect(),
        other => panic!("{other:?} is not expected anywhere"),
    }
}

fn elements(array: &NdArray) -> Result<Json, asdf_core::Error> {
    Ok(array.elements()?.map(|value| json_of(&value)).collect())
}

fn check(at: &str, array: Result<NdArray, asdf_core::Error>, expected: &Json) {
    let found = array.and_then(|array| elements(&array).map(|found| (array, found)));
    if let Some(error) = expected.get("error") {
        let found = found.map(|(_, found)| found).unwrap_err();
        assert!(found.message().contains(error.as_str().unwrap()), "{at}: {found}");
        assert_ne!(found.kind(), error::Kind::Io, "{at}: {found}");
        return;
    }
    let (array, found) = found.unwrap_or_else(|error| panic!("{at}: {error}"));
    assert_eq!((json!(array.shape()), &found), (expected["shape"].clone(), &expected["data"]), "{at}");
    if let Some(datatype) = expected.get("datatype") {
        assert_eq!(json!(array.datatype().to_string()), *datatype, "{at}");
    }
    let data = &expected["data"];
    assert_eq!(elements(&array.slice(&[]).unwrap()).unwrap(), *data, "{at}: a slice of everything");
    assert_eq!(elements(&array.packed().unwrap()).unwrap(), *data, "{at}: packed");
    let big = array.clone().with_byteorder(ByteOrder::Big).unwrap();
    assert_eq!(elements(&big).unwrap(), *data, "{at}: big-endian");
    if !array.shape().is_empty() {
        let rows = array.rows(2).unwrap().flat_map(|rows| rows.unwrap().elements().unwrap());
        assert_eq!(rows.map(|value| json_of(&value)).collect::<Json>(), *data, "{at}: by rows");
    }
}

#[test]
fn arrays_match_the_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("arrays");
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let case = parse(&text).unwrap();
        let blocks: Vec<String> = case.get("/blocks").unwrap();
        let blocks: Vec<Vec<u8>> = blocks.iter().map(|block| of_hex(block)).collect();
        let expected: BTreeMap<String, Json> = case.deserialize("/expected").unwrap();
        let bytes = file(&case.get::<String>("/tree").unwrap(), &blocks);

        let mut on_disk = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut on_disk, &bytes).unwrap();
        let opened = [
            ("by position", File::open(on_disk.path()).unwrap()),
            ("mapped", OpenOptions::new().mmap(true).open(on_disk.path()).unwrap()),
            ("in memory", File::from_bytes(bytes.clone()).unwrap()),
        ];
        for (how, file) in opened {
            for (pointer, expected) in &expected {
                check(&format!("{} {pointer}, {how}", path.display()), file.array(pointer), expected);
                checked += 1;
            }
        }
        // Write each array again, into its own file.
        let file = File::from_bytes(bytes).unwrap();
        for (pointer, expected) in expected.iter().filter(|(_, expected)| expected.get("error").is_none()) {
            let array = file.array(pointer).unwrap();
            let mut forms = vec![("written", array.clone()), ("packed and written", array.packed().unwrap())];
            // A tree cannot hold bytes that are not text, and integers beyond 64 bits.
            let inlined = array.inlined();
            assert_eq!(inlined.is_err(), expected.get("no_list").is_some(), "{} {pointer}", path.display());
            forms.extend(inlined.map(|array| ("written inline", array)));
            for (how, array) in forms {
                let mut other = File::new();
                other.set("/array", &array).unwrap();
                let other = File::from_bytes(other.to_bytes().unwrap()).unwrap();
                let at = format!("{} {pointer}, {how}", path.display());
                let back = other.array("/array").unwrap_or_else(|error| panic!("{at}: {error}"));
                assert_eq!(array.is_inline(), back.is_inline(), "{at}");
                check(&at, Ok(back), expected);
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "only {checked} arrays were checked");
}

/// 79 bytes of bzip2 can validly decode to 64 MiB of zeros.
#[test]
fn blocks_can_expand_a_millionfold() {
    let stored = of_hex(concat!(
        "425a68393141592653590e09e2df015f8e4000c0000008200030804d4642a025a90a8097314159265359bc04b5c300a275c0",
        "00c0000008200020a40836328a884d2a2a2138bb9229c2848500bb83e8",
    ));
    let tree = "a: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: little, shape: [67108864]}\n";
    let mut bytes = file(tree, &[]);
    add_block(&mut bytes, *b"bzp2", &stored, 1 << 26);
    let array = File::from_bytes(bytes).unwrap().array("/a").unwrap();
    assert!(array.read::<u8>().unwrap() == vec![0; 1 << 26]);
}

/// numpy refuses an offset in a block for arrays without elements.
#[test]
fn arrays_without_elements_have_no_offset_and_no_strides() {
    let cube = NdArray::new(&[4, 5], &(0..20).collect::<Vec<i32>>()).unwrap();
    for (slice, shape) in [("3:3", [0, 5]), ("1:, 2:2", [3, 0]), ("::-2, 4:1", [2, 0])] {
        let part = cube.slice(&asdf_core::array::Slice::parse(slice).unwrap()).unwrap();
        let mut file = File::new();
        file.set("/part", &part).unwrap();
        let again = OpenOptions::new().open_bytes(file.to_bytes().unwrap()).unwrap();
        let node = again.tree().find("/part").unwrap();
        let keys: Vec<_> = node.entries().filter_map(|(key, _)| key.text()).collect();
        assert_eq!(keys, ["source", "datatype", "byteorder", "shape"], "{slice}");
        assert_eq!(again.array("/part").unwrap().shape(), shape, "{slice}");
    }
}

#[test]
fn numbers_are_not_narrowed_silently() {
    let array = NdArray::new(&[2], &[0.5_f64, 0.1]).unwrap();
    assert!(array.view::<f32>().is_err());
    let error = array.read::<f32>().unwrap_err();
    assert_eq!(error.message(), "the element at [1] is 0.1, which does not fit float32 (`f32`)");
    assert_eq!(array.read_lossy::<f32>().unwrap(), [0.5, 0.1]);
}

#[test]
fn chunked_arrays_round_trip_through_files() {
    let mut array = ChunkedArray::new(Datatype::Int16, &[3, 4]);
    array.push(&[0, 0], NdArray::new(&[2, 2], &[1_i16, 2, 3, 4]).unwrap()).unwrap();
    let big = NdArray::new(&[2, 2], &[5_i16, 6, 7, 8]).unwrap().with_byteorder(ByteOrder::Big).unwrap();
    array.push(&[1, 2], big).unwrap();
    let mut file = File::new();
    file.set("/chunks", &array).unwrap();
    file.set("/dense", &array.array().unwrap()).unwrap();
    let file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(file.blocks().unwrap().len(), 3);
    let back: ChunkedArray = file.get("/chunks").unwrap();
    let dense = [1, 2, 0, 0, 3, 4, 5, 6, 0, 0, 7, 8];
    assert_eq!((&back, back.read::<i32>().unwrap()), (&array, dense.to_vec()));
    assert_eq!(file.array("/dense").unwrap().read::<i32>().unwrap(), dense);
}
