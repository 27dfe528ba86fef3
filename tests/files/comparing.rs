//! Compares files of `tests/data` with themselves and each other. Differences are reported, and nothing else.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use asdf_core::tree::{Change, DifferenceOptions, Kind, Tolerance};
use asdf_core::{Compression, File, NdArray};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(data("")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "asdf")).collect()
}

fn options() -> DifferenceOptions {
    DifferenceOptions::new().writer(false)
}

#[test]
fn every_file_is_the_same_as_itself_read_again_and_written() {
    let files = files();
    for path in &files {
        let file = File::open(path).unwrap();
        // One pre-release file has a block but no tree to compare.
        if file.tree().root().is_none() {
            continue;
        }
        let again = File::open(path).unwrap();
        let found = file.difference(&again, &DifferenceOptions::new().key_order(true)).unwrap();
        assert!(found.is_same(), "{}:\n{found}", path.display());
        // A file in memory cannot find external data.
        if !path.to_str().unwrap().ends_with("exploded.asdf") {
            let written = File::from_bytes(file.to_bytes().unwrap()).unwrap();
            let found = file.difference(&written, &options()).unwrap();
            assert!(found.is_same(), "{}:\n{found}", path.display());
        }
    }
    assert!(files.len() >= 10, "only {} files were compared", files.len());
}

#[test]
fn compression_is_no_difference() {
    let plain = File::open(data("datatypes.asdf")).unwrap();
    for name in ["datatypes_zlib.asdf", "datatypes_bzp2.asdf", "datatypes_lz4.asdf"] {
        let found = plain.difference(&File::open(data(name)).unwrap(), &options()).unwrap().to_string();
        assert_eq!(found, "", "{name}");
    }
}

#[test]
fn one_changed_element_is_found() {
    let mut file = File::new();
    let numbers: Vec<f64> = (0..600).map(f64::from).collect();
    let empty = std::collections::BTreeMap::<String, i32>::new();
    file.set("/a", &empty).unwrap();
    file.set("/a/data", &NdArray::new(&[20, 30], &numbers).unwrap()).unwrap();
    let mut other = File::new();
    let mut changed = numbers.clone();
    changed[31] += 1e-9;
    changed[599] += 2.0;
    let array = NdArray::new(&[20, 30], &changed).unwrap().with_compression(Compression::ZLIB).unwrap();
    // The block has another number at this index.
    other.set("/first", &NdArray::new(&[1], &[0_u8]).unwrap()).unwrap();
    other.set("/a", &empty).unwrap();
    other.set("/a/data", &array).unwrap();
    let file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    let other = File::from_bytes(other.to_bytes().unwrap()).unwrap();
    let report = |options: &DifferenceOptions| file.difference(&other, options).unwrap().to_string();
    let strict = options().ignore("/first");
    assert_eq!(
        report(&strict),
        "/a/data: 2 of 600 elements differ, the first at [1, 1]: 31.0 -> 31.000000001, by at most 2.0 at [19, 29]\n"
    );
    let loose = strict.clone().tolerance(Tolerance { relative: 0.0, absolute: 1e-6 });
    assert!(report(&loose).starts_with("/a/data: 1 of 600 elements differ, the first at [19, 29]"));
    assert_eq!(report(&loose.tolerance(Tolerance { relative: 0.0, absolute: 3.0 })), "");
}

#[test]
fn a_truncated_block_is_an_error_with_its_path() {
    let mut file = File::new();
    file.set("/data", &NdArray::new(&[100], &[7_u8; 100]).unwrap()).unwrap();
    let mut bytes = file.to_bytes().unwrap();
    let whole = File::from_bytes(bytes.clone()).unwrap();
    let at = bytes.windows(4).position(|window| window == b"\xd3BLK").unwrap();
    bytes.truncate(at + 54 + 50);
    let cut = File::from_bytes(bytes).unwrap();
    let error = whole.difference(&cut, &options()).unwrap_err();
    assert!(error.path().is_some_and(|path| path.starts_with("/data")), "{error}");
}

#[test]
fn search_finds_every_array() {
    for path in files() {
        let file = File::open(&path).unwrap();
        for found in file.tree().search().tag("tag:stsci.edu:asdf/core/ndarray-*") {
            assert_eq!(file.at(found.path.as_str()).unwrap().id(), found.node.id());
            file.array(found.path.as_str()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        let all = file.tree().search().count();
        assert_eq!(
            all,
            file.tree().search().filter_node(|node| node.kind() != Kind::Null).count()
                + file.tree().search().value(()).count()
        );
    }
}

#[test]
fn differences_that_python_misses_are_reported() {
    let list = |items: &[i64]| {
        let mut file = File::new();
        file.set("/list", items).unwrap();
        file
    };
    let (short, long) = (list(&[1, 2, 3]), list(&[1, 2, 3, 4, 5]));
    let found: Vec<_> = short
        .difference(&long, &options())
        .unwrap()
        .into_iter()
        .map(|d| (d.path.to_string(), d.change))
        .collect();
    assert_eq!(found, [("/list/3".to_owned(), Change::Added), ("/list/4".to_owned(), Change::Added)]);
}

#[test]
fn columns_are_compared_by_their_names() {
    let table = |columns: &[(&str, &[f64])]| {
        let mut file = File::new();
        file.set("/cat", &std::collections::BTreeMap::<String, i32>::new()).unwrap();
        file.set("/cat/columns", &Vec::<i32>::new()).unwrap();
        for (index, (name, values)) in columns.iter().enumerate() {
            let path = format!("/cat/columns/{index}");
            file.tree_mut().edit("/cat/columns").push(0).unwrap();
            file.set(&path, &std::collections::BTreeMap::from([("name", *name)])).unwrap();
            let array = NdArray::new(&[values.len() as u64], values).unwrap();
            file.set(&format!("{path}/data"), &array).unwrap();
        }
        File::from_bytes(file.to_bytes().unwrap()).unwrap()
    };
    let one = table(&[("a", &[1.0, 2.0]), ("b", &[3.0, 4.0]), ("c", &[5.0, 6.0])]);
    let other = table(&[("new", &[0.0, 0.0, 0.0]), ("c", &[5.0, 6.5, 1.0]), ("a", &[1.0, 2.0, 3.0])]);
    let report = |options: &DifferenceOptions| one.difference(&other, options).unwrap().to_string();
    assert_eq!(
        report(&options()),
        "/cat: rows: 2 -> 3\n\
         /cat: the same columns in another order\n\
         /cat/columns/1 (column b): missing: a mapping of 2 entries\n\
         /cat/columns/2/data (column c): 1 of 2 rows differ, the first in row 1: 6.0 -> 6.5, by at most 0.5 in row 1\n\
         /cat/columns/0 (column new): added: a mapping of 2 entries\n"
    );
    let loose = options().tolerance(Tolerance { relative: 0.1, absolute: 0.0 }).ignore("/cat/columns/0");
    assert_eq!(
        report(&loose.datatypes(false)),
        "/cat: rows: 2 -> 3\n/cat/columns/1 (column b): missing: a mapping of 2 entries\n"
    );
}

/// The elements of two arrays are compared, and how they are stored is not. Other entries of their nodes are.
#[test]
fn other_entries_of_an_array_are_compared() {
    let of = |more: &str| {
        let node =
            format!("!<tag:stsci.edu:asdf/core/ndarray-1.1.0> {{data: [1, 2], datatype: int64{more}}}");
        File::from_bytes(
            format!("#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\na: {node}\n...\n").into_bytes(),
        )
        .unwrap()
    };
    let report = |one: &str, other: &str| of(one).difference(&of(other), &options()).unwrap().to_string();
    assert_eq!(report("", ", shape: [2]"), "");
    assert_eq!(
        report(", note: old", ", note: new"),
        "/a/note: changed: the string 'old' -> the string 'new'\n"
    );
}
