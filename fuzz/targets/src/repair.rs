//! Repairs any file: a plan or an error, and the repaired file opens, has nothing more to mend, and keeps its arrays.

use std::collections::BTreeMap;

use asdf_core::array::ByteOrder;
use asdf_core::file::repair::{Mended, RepairOptions};
use asdf_core::source::Bytes;
use asdf_core::threads::Threads;
use asdf_core::value::FromNode;
use asdf_core::{File, Limits, NdArray, OpenOptions};

pub fn run(data: &[u8]) {
    let Some((&how, data)) = data.split_first() else { return };
    let Some(file) = open(Bytes::copy_from_slice(data)) else { return };
    let options = RepairOptions::new().accept_checksums(how % 2 == 1);
    let Ok(repair) = options.plan(&file) else { return };
    let shown: Vec<String> = repair.mended().iter().map(ToString::to_string).collect();
    let Ok(bytes) = repair.to_bytes() else { return };
    if repair.mended().is_empty() {
        assert!(bytes == data, "nothing was mended, but bytes changed");
    }
    let mended = open(bytes.into()).unwrap_or_else(|| panic!("cannot open the repaired file: {shown:?}"));
    // A rebuilt header can show more damage. A repair of a repair of a repair finds nothing but missing checksums.
    let mut again = options.plan(&mended).unwrap_or_else(|error| panic!("{shown:?}: {error}"));
    for _ in 0..2 {
        let bytes = again.to_bytes().expect("a repaired file is repaired again");
        let file = open(bytes.into()).expect("it opens again");
        again = options.plan(&file).expect("it is examined again");
    }
    let is_left = |mended: &Mended| !matches!(mended, Mended::Checksum { .. });
    assert!(!again.mended().iter().any(is_left), "{shown:?}, then {:?}", again.mended());
    // Other changes move the bytes of blocks or their numbers, so arrays can have other elements.
    let keeps = |mended: &Mended| {
        matches!(mended, Mended::Index { .. } | Mended::Space { .. } | Mended::Checksum { .. })
    };
    if repair.mended().iter().all(keeps) {
        let after = arrays(&mended);
        for (path, before) in arrays(&file) {
            assert_eq!(after.get(&path), Some(&before), "{path}: {shown:?}");
        }
    }
}

fn open(bytes: Bytes) -> Option<File> {
    let mut limits = Limits::default();
    limits.tree_size = 1 << 16;
    limits.tree_depth = 64;
    limits.blocks = 100;
    limits.decoded_size = 1 << 16;
    limits.decoded_total = Some(1 << 20);
    OpenOptions::new().limits(limits).threads(Threads::ONE).open_bytes(bytes).ok()
}

/// Returns the arrays in blocks that can be read, by their paths.
fn arrays(file: &File) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let Some(root) = file.tree().root() else { return all };
    let mut walk = root.walk();
    while let Some(node) = walk.next() {
        if all.len() < 20 && node.tag().is_some_and(NdArray::accepts_tag) && node.get("source").is_some() {
            let array = NdArray::from_node(node).ok().filter(|array| array.len() < 10_000);
            if let Some(bytes) = array.and_then(|array| array.packed_bytes(ByteOrder::Little).ok()) {
                all.insert(walk.path().to_string(), bytes);
            }
        }
    }
    all
}
