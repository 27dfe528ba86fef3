//! Repairs damaged files. Arrays that could be read before can still be read, arrays that are reported as lost are really
//! lost, and every array that changed is reported.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use asdf_core::array::ByteOrder;
use asdf_core::file::repair::{LossKind, Repair, RepairOptions};
use asdf_core::file::{IndexState, Padding};
use asdf_core::value::FromNode;
use asdf_core::{Compression, File, NdArray, WriteOptions};

/// A generator of pseudorandom numbers, the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap()
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| u8::try_from(self.next() >> 56).unwrap()).collect()
    }
}

/// Makes a file of some arrays: columns of one size, images, views, strings, compressed or not, with and without space
/// between blocks and a block index.
fn made(seed: u64) -> Vec<u8> {
    let mut random = Random(seed * 7919 + 1);
    let mut file = File::new();
    let count = 1 + random.below(9);
    let same = random.below(3) == 0;
    for number in 0..count {
        let len = if same { 50 } else { 1 + random.below(200) };
        // Avoid zeros, so that padding cannot be right by chance.
        let data: Vec<u16> = (0..len).map(|_| u16::try_from(random.next() >> 48).unwrap() | 0x0101).collect();
        let array = NdArray::new(&[len as u64], &data).unwrap();
        let codec =
            [Compression::NONE, Compression::NONE, Compression::ZLIB, Compression::LZ4][random.below(4)];
        let array = array.with_compression(codec).unwrap();
        file.set(&format!("/a{number}"), &array).unwrap();
    }
    let padding = [Padding::None, Padding::None, Padding::Bytes(100), Padding::Percent(10)][random.below(4)];
    let options = WriteOptions::new().padding(padding);
    let bytes = options.to_bytes(&file).unwrap();
    if random.below(5) == 0 { without_index(&bytes) } else { bytes }
}

fn index_of(bytes: &[u8]) -> usize {
    bytes.windows(17).rposition(|part| part == b"#ASDF BLOCK INDEX").unwrap_or(bytes.len())
}

fn without_index(bytes: &[u8]) -> Vec<u8> {
    bytes[..index_of(bytes)].to_vec()
}

/// Returns the files of the repository that are not in pre-release formats and do not refer to other files.
fn kept() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".asdf") && !name.starts_with("draft") && !name.starts_with("exploded") {
            all.push((name, std::fs::read(path).unwrap()));
        }
    }
    all.sort();
    all
}

/// Returns the contents of the arrays in blocks by path; `None` for arrays that cannot be read.
fn read(file: &File) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut all = BTreeMap::new();
    let Some(root) = file.tree().root() else { return all };
    let mut walk = root.walk();
    while let Some(node) = walk.next() {
        if node.tag().is_some_and(NdArray::accepts_tag) && node.get("source").is_some() {
            let array = NdArray::from_node(node);
            let bytes = array.and_then(|array| array.packed_bytes(ByteOrder::Little)).ok();
            all.insert(walk.path().to_string(), bytes);
        }
    }
    all
}

/// Makes a damaged copy of a file, and describes the damage.
fn mutant(bytes: &[u8], random: &mut Random) -> (String, Vec<u8>) {
    let file = File::from_bytes(bytes.to_vec()).unwrap();
    let offsets: Vec<usize> =
        file.blocks().unwrap().iter().map(|block| usize::try_from(block.offset()).unwrap()).collect();
    let number = random.below(offsets.len());
    let begin = offsets[number];
    let end = offsets.get(number + 1).copied().unwrap_or_else(|| index_of(bytes));
    let mut new = bytes.to_vec();
    let at = random.below(bytes.len());
    let what = match random.below(11) {
        0 => {
            new[at] ^= u8::try_from(1 + random.below(255)).unwrap();
            format!("byte {at} changed")
        }
        1 => {
            let at = begin + random.below(54);
            new[at] ^= 1 << random.below(8);
            format!("bit in byte {} of the header of block {number}", at - begin)
        }
        2 => {
            new.truncate(at);
            format!("cut at {at}")
        }
        3 => {
            let at = offsets[0] + random.below(bytes.len() - offsets[0]);
            new.truncate(at);
            format!("cut at {at} of the blocks")
        }
        4 => {
            new = without_index(&new);
            "no index".to_owned()
        }
        5 => {
            let field = [14, 22, 30][random.below(3)];
            let lie = [0, 1, 17, 5000, u64::from(u32::MAX), u64::MAX - 60, u64::MAX][random.below(7)];
            new[begin + field..begin + field + 8].copy_from_slice(&lie.to_be_bytes());
            format!("field at {field} of block {number} set to {lie}")
        }
        6 => {
            let count = 1 + random.below(100);
            let more = random.bytes(count);
            new.splice(at..at, more);
            format!("{count} bytes inserted at {at}")
        }
        7 => {
            let count = 1 + random.below(40);
            let more = if random.below(2) == 0 { vec![0; count] } else { random.bytes(count) };
            new.splice(begin..begin, more);
            format!("{count} bytes inserted before block {number}")
        }
        8 => {
            let end = (at + 1 + random.below(100)).min(bytes.len());
            new.drain(at..end);
            format!("the bytes {at} to {end} taken out")
        }
        9 => {
            let count = 1 + random.below(4);
            let other = random.bytes(count);
            new[begin..begin + count].copy_from_slice(&other);
            format!("{count} bytes of the magic of block {number}")
        }
        _ => {
            new.drain(begin..end);
            format!("block {number} taken out")
        }
    };
    (what, new)
}

fn plan(file: &File) -> Repair {
    RepairOptions::new().plan(file).unwrap()
}

/// Repairs a damaged file and compares. Returns the number of arrays that were saved.
fn check(what: &str, whole: &[u8], damaged: &[u8]) -> usize {
    let Ok(file) = File::from_bytes(damaged.to_vec()) else { return 0 };
    let original = File::from_bytes(whole.to_vec()).unwrap();
    let tree_end = |bytes: &[u8]| bytes.windows(5).position(|part| part == b"\n...\n").unwrap_or(0);
    let same_tree =
        tree_end(whole) == tree_end(damaged) && whole[..tree_end(whole)] == damaged[..tree_end(whole)];
    let before = read(&file);
    // The right contents are known if the tree is unchanged. If the tree was changed, the blocks are unchanged.
    let right = if same_tree { read(&original) } else { before.clone() };
    let repair = plan(&file);
    let bytes = if repair.mended().is_empty() { damaged.to_vec() } else { repair.to_bytes().unwrap() };
    let mended = File::from_bytes(bytes.clone()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let after = read(&mended);
    // The size of a streamed block is not stored, and it has no checksum.
    let unchecked = original.blocks().unwrap().iter().any(|block| block.header().is_streamed());
    let mut saved = 0;
    let description = || {
        format!(
            "{what}\nmended: {:?}\nlost: {:?}\ndamaged: {:?}",
            repair.mended(),
            repair.losses(),
            repair.damages()
        )
    };
    for (path, right) in right.iter().filter(|(_, right)| right.is_some()) {
        let (was, is) = (before[path] == *right, after[path] == *right);
        assert!(is || !was, "{path} cannot be read any more: {}", description());
        saved += usize::from(is && !was);
        let lost = repair.losses().iter().find(|loss| loss.path.as_deref() == Some(path));
        if let Some(loss) = lost {
            assert!(!was, "{path} is not lost: {}", description());
            let zeros = matches!(loss.kind, LossKind::End { .. } | LossKind::Middle { .. });
            assert!(!is || zeros, "{path} is not lost: {}", description());
        }
        let damaged = repair.damages().iter().any(|damage| damage.arrays.contains(path));
        // Missing blocks of the same size cannot be distinguished.
        let is_ambiguous = !repair.losses().is_empty()
            && (what.contains("taken out") || original.index().unwrap() == IndexState::Absent);
        if same_tree && !is && !unchecked {
            assert!(
                lost.is_some() || damaged || is_ambiguous,
                "the loss of {path} is not reported: {}",
                description()
            );
        }
    }
    if !repair.mended().is_empty() {
        let again = plan(&mended);
        assert!(again.mended().is_empty(), "not mended at once: {:?} {}", again.mended(), description());
        assert_ne!(mended.index().unwrap(), IndexState::Wrong, "{}", description());
    }
    saved
}

#[test]
fn readable_arrays_stay_readable() {
    const EACH: usize = 60;
    let mut files: Vec<(String, Vec<u8>)> =
        (0..40).map(|seed| (format!("made {seed}"), made(seed))).collect();
    files.extend(kept());
    assert!(files.len() >= 50, "only {} files", files.len());
    let mut saved = 0;
    for (number, (name, bytes)) in files.iter().enumerate() {
        if File::from_bytes(bytes.clone()).unwrap().blocks().unwrap().is_empty() {
            continue;
        }
        assert!(plan(&File::from_bytes(bytes.clone()).unwrap()).losses().is_empty(), "{name}");
        let mut random = Random(number as u64 + 1);
        for turn in 0..EACH {
            let (what, damaged) = mutant(bytes, &mut random);
            let name = format!("{name}, mutant {turn}, {what}");
            saved += check(&name, bytes, &damaged);
        }
    }
    assert!(saved > 1500, "only {saved} arrays were saved");
}

/// A wrong tree that refers to blocks that never existed does not count as a loss of the file.
#[test]
fn wrong_trees_are_distinguished_from_lost_blocks() {
    let mut file = File::new();
    file.set("/a", &NdArray::new(&[3], &[1_u8, 2, 3]).unwrap()).unwrap();
    let bytes = file.to_bytes().unwrap();
    let with = |from: &str, to: &str| {
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        let changed = [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat();
        RepairOptions::new().plan(&File::from_bytes(changed).unwrap()).unwrap()
    };
    let repair = with("source: 0", "source: 1");
    assert_eq!(repair.losses()[0].kind, LossKind::NoBlock { source: 1, blocks: 1 });
    assert!(repair.mended().is_empty() && repair.faults().is_empty());
    let repair = with("uint8", "uint9");
    assert_eq!(repair.faults()[0].path(), Some("/a/datatype"));
    assert!(repair.mended().is_empty() && repair.losses().is_empty());
    // This file needs repair, so the block can be lost.
    let cut = RepairOptions::new().plan(&File::from_bytes(without_block(&bytes)).unwrap()).unwrap();
    assert_eq!(cut.losses()[0].kind, LossKind::Gone);
}

/// Returns the file with its block index, but without the header of its only block.
fn without_block(bytes: &[u8]) -> Vec<u8> {
    let at = bytes.windows(4).position(|part| part == b"\xd3BLK").unwrap();
    [&bytes[..at], &bytes[index_of(bytes)..]].concat()
}

#[test]
fn a_block_that_overlaps_the_index_is_reported() {
    let mut file = File::new();
    file.set("/a", &NdArray::new(&[100], &[7_u8; 100]).unwrap()).unwrap();
    let mut bytes = file.to_bytes().unwrap();
    // The last byte of the block is lost, so that the index begins in its place.
    bytes.remove(index_of(&bytes) - 1);
    let damaged = File::from_bytes(bytes.clone()).unwrap();
    let repair = plan(&damaged);
    assert!(!repair.mended().is_empty() || repair.to_bytes().unwrap() == bytes);
}

#[test]
fn no_damage_takes_long_to_examine() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds/repair");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        // The first byte of a seed chooses the options.
        let Ok(file) = File::from_bytes(bytes[1..].to_vec()) else { continue };
        let start = std::time::Instant::now();
        let _ = RepairOptions::new().accept_checksums(bytes[0] % 2 == 1).plan(&file);
        assert!(start.elapsed().as_secs() < 5, "{} bytes", bytes.len());
        count += 1;
    }
    assert!(count > 20, "only {count} seeds");
}
