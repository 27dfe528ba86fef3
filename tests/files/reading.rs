//! Reads the files of `tests/data` by position, through a memory map and from memory, and checks every array.
//!
//! Python's asdf 6.0 wrote the files (`tests/interop/make_data.py`). Files in the pre-release formats were made from the
//! description of these formats (`tests/interop/make_drafts.py`).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use asdf_core::array::{ByteOrder, Value};
use asdf_core::source::{Bytes, FileSource, Source};
use asdf_core::{File, NdArray, OpenOptions, error};
use asdf_schemas::Validator;
use serde_json::{Value as Json, json};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// The text of a tree does not depend on the number of reads that it takes.
#[test]
fn trees_are_read_in_windows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.asdf");
    for length in [10, 65_000, 65_500, 65_536, 131_072, 400_000, 3_000_000] {
        let mut file = File::new();
        file.set("/text", &"word ".repeat(length / 5)).unwrap();
        file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3]).unwrap()).unwrap();
        file.write(&path).unwrap();
        let (read, whole) =
            (File::open(&path).unwrap(), File::from_bytes(std::fs::read(&path).unwrap()).unwrap());
        assert_eq!(read.tree().text(), whole.tree().text(), "{length}");
        assert_eq!(read.get::<String>("/text").unwrap().len(), length / 5 * 5);
        assert_eq!(read.array("/data").unwrap().read::<u8>().unwrap(), [1, 2, 3]);
    }
}

fn json_of(value: &Value) -> Json {
    let float = |number: f64| match number {
        n if n.is_nan() => json!("NaN"),
        n if n.is_infinite() => json!(if n > 0.0 { "Infinity" } else { "-Infinity" }),
        n => json!(n),
    };
    match value {
        Value::Missing => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => {
            i64::try_from(*number).map_or_else(|_| json!(u64::try_from(*number).unwrap()), Json::from)
        }
        Value::Uint(number) => json!(number.to_string()),
        Value::Float(number) => float(*number),
        Value::Complex(number) => json!({"re": float(number.re), "im": float(number.im)}),
        Value::Text(text) => json!(text),
        Value::Record(values) | Value::List(values) => values.iter().map(json_of).collect(),
        other => panic!("{other:?} is not expected anywhere"),
    }
}

/// Returns all elements in one list, in C order.
fn flat(array: &NdArray) -> Vec<Json> {
    array.elements().unwrap().map(|value| json_of(&value)).collect()
}

fn flatten(json: &Json, axes: usize) -> Vec<Json> {
    match (json, axes) {
        (Json::Array(items), 1..) => items.iter().flat_map(|item| flatten(item, axes - 1)).collect(),
        _ => vec![json.clone()],
    }
}

#[test]
fn arrays_have_the_expected_values() {
    let mut arrays = 0;
    for entry in std::fs::read_dir(data()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let expected: Json = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let path = path.with_extension("asdf");
        let checked = OpenOptions::new().verify_checksums(true);
        let mut files = vec![checked.open(&path).unwrap(), checked.clone().mmap(true).open(&path).unwrap()];
        if !path.to_str().unwrap().ends_with("exploded.asdf") {
            files.push(File::from_bytes(std::fs::read(&path).unwrap()).unwrap());
        }
        for file in files {
            let report = Validator::standard().validate_file(&file);
            assert!(report.is_valid(), "{}: {:?}", path.display(), report.violations());
            for (pointer, expected) in expected.as_object().unwrap() {
                let array = file.array(pointer).unwrap();
                let at = format!("{} {pointer}", path.display());
                assert_eq!(json!(array.shape()), expected["shape"], "{at}");
                let axes = array.shape().len();
                assert_eq!(Json::Array(flat(&array)), Json::Array(flatten(&expected["data"], axes)), "{at}");
                arrays += 1;
            }
        }
    }
    assert!(arrays > 300, "only {arrays} arrays were read");
}

#[test]
fn views_share_their_block() {
    let file = OpenOptions::new().mmap(true).open(data().join("views.asdf")).unwrap();
    let (base, slice) = (file.array("/base").unwrap(), file.array("/slice").unwrap());
    let base = base.view::<i32>().unwrap();
    assert_eq!(base.iter().collect::<Vec<_>>(), (0..24).collect::<Vec<i32>>());
    assert_eq!(slice.view::<i32>().unwrap().strides(), [24, 8]);
    assert_eq!(slice.read::<i32>().unwrap(), [6, 8, 10, 12, 14, 16]);
    assert_eq!(file.array("/neg").unwrap().view::<i32>().unwrap().get(&[0, 0]), Some(23));
    assert_eq!(file.blocks().unwrap().len(), 2, "all but the Fortran-ordered copy are of one block");
    // If the block happens to be aligned, elements are borrowed from it.
    if let Some(lent) = base.as_slice() {
        assert_eq!(lent[23], 23);
    }
}

#[test]
fn both_byte_orders_give_the_same_numbers() {
    let file = File::open(data().join("datatypes.asdf")).unwrap();
    let (little, big) = (file.array("/<f4").unwrap(), file.array("/>f4").unwrap());
    assert_eq!((little.byteorder(), big.byteorder()), (ByteOrder::Little, ByteOrder::Big));
    assert_eq!(little, big);
    assert_eq!(big.view::<f32>().unwrap().get(&[3]), Some(100.0));
    assert_eq!(little.view::<f32>().unwrap().get(&[4]), None);
}

#[test]
fn blocks_are_not_read_before_they_are_needed() {
    let bytes = std::fs::read(data().join("datatypes_zlib.asdf")).unwrap();
    let mut damaged = bytes.clone();
    let block = bytes.windows(4).position(|window| window == b"\xd3BLK").unwrap();
    damaged[block + 54..block + 64].fill(0xff);
    let file = File::from_bytes(damaged).unwrap();
    let nodes = file.tree().root().unwrap().entries().filter(|(_, node)| node.block_reference().is_some());
    let arrays: Vec<NdArray> =
        nodes.map(|(key, _)| file.array(&format!("/{}", key.text().unwrap())).unwrap()).collect();
    assert!(arrays.len() > 20, "only {} arrays", arrays.len());
    let broken = arrays.iter().filter(|array| array.elements().is_err()).count();
    assert_eq!(broken, 1, "one damaged block takes {broken} of {} arrays away", arrays.len());
}

/// A source like an object store, which counts the bytes that it returns.
#[derive(Debug, Clone)]
struct Store {
    object: Arc<FileSource>,
    read: Arc<AtomicU64>,
}

impl Source for Store {
    fn len(&self) -> u64 {
        self.object.len()
    }

    fn read(&self, range: Range<u64>) -> asdf_core::Result<Bytes> {
        self.read.fetch_add(range.end - range.start, Ordering::Relaxed);
        self.object.read(range)
    }
}

#[test]
fn any_source_is_read_like_a_path_and_only_the_needed_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.asdf");
    let mut file = File::new();
    for name in ["/first", "/second"] {
        file.set(name, &NdArray::new(&[1000, 1000], &vec![1.5_f32; 1_000_000]).unwrap()).unwrap();
    }
    file.write(&path).unwrap();

    let read = Arc::new(AtomicU64::new(0));
    let store = Store { object: Arc::new(FileSource::open(&path).unwrap()), read: read.clone() };
    let watched = Arc::new(AtomicU64::new(0));
    let sum = watched.clone();
    let options = OpenOptions::new().watch(move |bytes| _ = sum.fetch_add(bytes, Ordering::Relaxed));
    let opened = options.open_from(store.clone()).unwrap();
    let after_tree = read.load(Ordering::Relaxed);
    assert!(after_tree < 100_000, "{after_tree} bytes were read for the tree");
    assert_eq!(opened.array("/second").unwrap().read::<f32>().unwrap(), vec![1.5; 1_000_000]);
    let both = read.load(Ordering::Relaxed);
    assert!((4_000_000..4_200_000).contains(&both), "{both} bytes were read for one of two arrays");
    assert_eq!(watched.load(Ordering::Relaxed), both);
    assert_eq!((opened.path(), opened.tree().text()), (None, File::open(&path).unwrap().tree().text()));

    // The file can be changed and written like one that was opened by its path.
    let mut changed = opened;
    changed.set("/target", "M31").unwrap();
    let again = File::from_bytes(changed.to_bytes().unwrap()).unwrap();
    assert_eq!(again.array("/first").unwrap().read::<f32>().unwrap(), vec![1.5; 1_000_000]);
}

#[test]
fn readers_are_read_to_their_end() {
    let path = data().join("datatypes_zlib.asdf");
    let read = OpenOptions::new().open_reader(std::fs::File::open(&path).unwrap()).unwrap();
    assert_eq!(read.tree().text(), File::open(&path).unwrap().tree().text());

    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset))
        }
    }
    let error = OpenOptions::new().open_reader(Broken).unwrap_err();
    assert_eq!(error.kind(), error::Kind::Io);
}
