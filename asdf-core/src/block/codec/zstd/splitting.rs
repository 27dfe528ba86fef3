//! Tests of frames in parts.

use proptest::prelude::*;

use super::blocks::{Block, FrameHeader, Kind, MAGIC};
use super::independent::{independent, is_independent};
use super::*;
use crate::block::codec::LARGEST_PART;
use crate::error::Kind as ErrorKind;
use crate::source::{MemorySource, Recording};

/// Bytes that do not compress: xorshift.
fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ seed;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(&mut next).flatten().take(len).collect()
}

/// Data of many kinds, of about `len` bytes.
fn samples(len: usize) -> Vec<(&'static str, Vec<u8>)> {
    let words = |word: fn(u32) -> u32| {
        (0..u32::try_from(len / 4).unwrap()).flat_map(|i| word(i).to_le_bytes()).collect()
    };
    let noise = noise(len, 1);
    let few: Vec<u8> = noise.iter().map(|byte| byte & 3).collect();
    let sparse: Vec<u8> = noise.iter().map(|&byte| if byte < 250 { 0 } else { byte }).collect();
    let mixed = noise
        .chunks(100)
        .enumerate()
        .flat_map(|(i, part)| if i % 2 == 0 { part.to_vec() } else { vec![7; part.len()] });
    let repeated: Vec<u8> = noise.iter().copied().take(1009).cycle().take(len).collect();
    vec![
        ("zeros", vec![0; len]),
        ("one byte", vec![251; len]),
        ("integers", words(|i| i)),
        ("slow integers", words(|i| i / 3)),
        (
            "floats",
            words(|i| {
                (f64::from(i) / 50.0).sin().to_bits().to_le_bytes()[4..]
                    .iter()
                    .rev()
                    .fold(0, |n, &b| n << 8 | u32::from(b))
            }),
        ),
        (
            "rounded floats",
            words(|i| {
                ((f64::from(i) / 9.0).sin() * 8.0).round().to_bits().to_le_bytes()[4..]
                    .iter()
                    .rev()
                    .fold(0, |n, &b| n << 8 | u32::from(b))
            }),
        ),
        ("pairs", words(|i| i % 2 * 1_000_000)),
        ("text", b"the quick brown fox jumps over a lazy dog. ".repeat(len / 43 + 1)[..len].to_vec()),
        ("few", few),
        ("sparse", sparse),
        ("mixed", mixed.collect()),
        ("repeated", repeated),
        ("noise", noise),
    ]
}

fn encode(data: &[u8], chunk: u64, level: u32) -> Vec<u8> {
    Zstd.encode(data, &Encoding::new().with_chunk(chunk).with_level(level)).unwrap()
}

/// Checks that a frame decodes as a whole with the C library, by its parts, and in ranges.
fn check(what: &str, data: &[u8], chunk: usize, stored: &[u8]) {
    let size = data.len() as u64;
    assert_eq!(zstd::zstd_safe::find_frame_compressed_size(stored), Ok(stored.len()), "{what}");
    assert!(zstd::bulk::decompress(stored, data.len()).unwrap() == data, "{what}");
    assert!(zstd::stream::decode_all(stored).unwrap() == data, "{what}");
    assert!(Zstd.decode(stored, size).unwrap() == data, "{what}");
    let source = MemorySource::new(stored.to_vec());
    assert!(parts::decode_all(&source, size, Threads::ALL).unwrap().unwrap() == data, "{what}");
    let middle = data.len() / 2;
    for range in [0..1, middle..middle + 1, data.len() - 1..data.len(), chunk - 1..chunk + 1, 0..data.len()] {
        let wanted = range.start as u64..range.end as u64;
        let piece = Zstd.decode_range(&source, size, wanted).unwrap().unwrap();
        let start = usize::try_from(piece.start).unwrap();
        assert!(start <= range.start && range.end <= start + piece.data.len(), "{what} {range:?}");
        assert!(piece.data == data[start..start + piece.data.len()], "{what} {range:?}");
    }
}

#[test]
fn parts_of_all_kinds_of_data_decode_alone() {
    const CHUNK: usize = 150_004;
    for (name, data) in samples(400_000) {
        for level in [1, 3, 6, 9, 13, 19] {
            let what = format!("{name}, level {level}");
            let stored = encode(&data, CHUNK as u64, level);
            check(&what, &data, CHUNK, &stored);
            // Not much larger than frames of their own.
            let level = i32::try_from(level).unwrap();
            let frame = |part| zstd::bulk::compress(part, level).unwrap().len();
            let apart: usize = data.chunks(CHUNK).map(frame).sum();
            let table = 62 + data.len().div_ceil(CHUNK) * 32;
            assert!(stored.len() <= apart + apart / 20 + table, "{what}: {} of {apart}", stored.len());
        }
    }
}

#[test]
fn small_parts_decode_alone() {
    for (name, data) in samples(5000) {
        for level in [1, 3, 19] {
            for chunk in [1_u64, 4, 100, 1023, 4999] {
                let stored =
                    encode(&data[..data.len().min(usize::try_from(chunk * 50).unwrap())], chunk, level);
                let data = &data[..data.len().min(usize::try_from(chunk * 50).unwrap())];
                check(
                    &format!("{name}, level {level}, chunks of {chunk}"),
                    data,
                    usize::try_from(chunk).unwrap(),
                    &stored,
                );
            }
        }
    }
}

#[test]
fn data_of_one_part_are_a_usual_frame() {
    let data = b"abcabcabcd".repeat(100);
    let usual = Zstd.encode(&data, &Encoding::new()).unwrap();
    for chunk in [1000, 1001, 1 << 30] {
        assert!(encode(&data, chunk, 3) == usual);
    }
    assert!(encode(&data, 999, 3) != usual);
    assert!(Zstd.decode_range(&MemorySource::new(usual), 1000, 0..1).unwrap().is_none());
    assert!(Zstd.decode(&encode(b"", 5, 3), 0).unwrap().is_empty());
}

#[test]
fn threads_do_not_change_the_bytes() {
    for (name, data) in samples(3 << 20) {
        let how = Encoding::new().with_chunk(300_000);
        let one = Zstd.encode(&data, &how.with_threads(Threads::ONE)).unwrap();
        assert!(Zstd.encode(&data, &how.with_threads(Threads::ALL)).unwrap() == one, "{name}");
    }
}

/// The first sequences of a frame can repeat the offsets 1, 4 and 8. After another part they would be others.
#[test]
fn frames_that_repeat_the_first_offsets_are_changed() {
    let mut changed = 0;
    for (name, data) in samples(300_000) {
        for level in [1, 3, 6, 12, 19] {
            let frame = zstd::bulk::compress(&data, level).unwrap();
            let blocks = &frame[FrameHeader::parse(&frame).unwrap().length..];
            let part = independent(blocks, data.len()).unwrap();
            assert!(is_independent(&part), "{name} {level}");
            assert_eq!(part == blocks, is_independent(blocks), "{name} {level}");
            changed += usize::from(part != blocks);
        }
    }
    assert!(changed > 10, "{changed}");
}

#[test]
fn a_range_reads_the_table_and_its_parts() {
    let data = noise(3_000_000, 2);
    for (chunk, reads) in [(100_000, 2), (10_000, 3)] {
        let stored = encode(&data, chunk, 3);
        let source = Recording::new(stored);
        let piece = Zstd.decode_range(&source, 3_000_000, 1_500_001..1_500_002).unwrap().unwrap();
        assert_eq!((piece.start, piece.data.len() as u64), (1_500_000, chunk));
        let ranges = source.take();
        let bytes: u64 = ranges.iter().map(|range| range.end - range.start).sum();
        assert_eq!(ranges.len(), reads, "{ranges:?}");
        assert!(bytes < 4096 + 2 * 32 + chunk + 100, "{ranges:?}");
    }
}

/// The stored bytes of three parts, with another table.
fn with_table(data: &[u8], change: impl FnOnce(&mut [u64])) -> Vec<u8> {
    let mut stored = encode(data, 1000, 3);
    let mut numbers: Vec<u64> = stored[14 + 4 * 4..14 + 4 * 4 + 4 * 32]
        .chunks_exact(32)
        .map(|number| number.iter().skip(3).step_by(4).rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
        .collect();
    assert_eq!((numbers[0], numbers[3]), (1000, stored.len() as u64));
    change(&mut numbers);
    for (number, bytes) in numbers.into_iter().zip(stored[14 + 4 * 4..].chunks_exact_mut(32)) {
        bytes.iter_mut().skip(3).step_by(4).zip(number.to_le_bytes()).for_each(|(to, from)| *to = from);
    }
    stored
}

/// Decodes all ranges of a frame whose table may be wrong. None has other bytes than the whole frame. Returns the number of
/// those that were decoded alone.
fn ranges(stored: &[u8], data: &[u8]) -> usize {
    let source = MemorySource::new(stored.to_vec());
    let size = data.len() as u64;
    assert!(Zstd.decode(stored, size).unwrap() == data, "the table does not matter to the whole");
    assert!(Zstd.decode_from(&source, size, Threads::ALL).unwrap() == data);
    let mut alone = 0;
    for start in (0..data.len()).step_by(250) {
        let range = start as u64..(start as u64 + 300).min(size);
        if let Some(piece) = Zstd.decode_range(&source, size, range).unwrap() {
            let start = usize::try_from(piece.start).unwrap();
            assert!(piece.data == data[start..start + piece.data.len()]);
            alone += 1;
        }
    }
    alone
}

#[test]
fn tables_that_lie_are_not_used() {
    let data: Vec<u8> =
        samples(3000).into_iter().find(|(name, _)| *name == "few").unwrap().1[..2900].to_vec();
    assert_eq!(ranges(&with_table(&data, |_| ()), &data), 12);
    let part = |number: usize| move |numbers: &mut [u64]| numbers[number] += 1;
    type Change = Box<dyn FnOnce(&mut [u64])>;
    let changes: Vec<(&str, Change)> = vec![
        ("the end of the first part", Box::new(part(1))),
        ("the end of the second part", Box::new(part(2))),
        ("the end of the last part", Box::new(part(3))),
        ("no first part", Box::new(|numbers| numbers[1] = 14 + 16 * 3 + 3 * 32)),
        ("the first part is two", Box::new(|numbers| numbers[1] = numbers[2])),
        ("beyond the end", Box::new(|numbers| numbers[2] = u64::MAX)),
        ("before the start", Box::new(|numbers| numbers[1] = 0)),
        ("larger parts", Box::new(|numbers| numbers[0] = 1001)),
        ("smaller parts", Box::new(|numbers| numbers[0] = 999)),
        ("many parts", Box::new(|numbers| numbers[0] = 1)),
        ("parts of nothing", Box::new(|numbers| numbers[0] = 0)),
        ("one part", Box::new(|numbers| numbers[0] = 2900)),
        ("endless parts", Box::new(|numbers| numbers[0] = u64::MAX)),
        ("swapped", Box::new(|numbers| numbers.swap(1, 2))),
    ];
    for (what, change) in changes {
        let alone = ranges(&with_table(&data, change), &data);
        assert!(alone < 12, "{what}: {alone}");
    }
}

#[test]
fn damaged_parts_decode_alike_alone_and_as_a_whole() {
    let data: Vec<u8> =
        samples(3000).into_iter().find(|(name, _)| *name == "few").unwrap().1[..2900].to_vec();
    let stored = encode(&data, 1000, 3);
    for at in 0..stored.len() {
        for flip in [1, 0x10, 0xff] {
            let mut damaged = stored.clone();
            damaged[at] ^= flip;
            let source = MemorySource::new(damaged.clone());
            let whole = Zstd.decode(&damaged, 2900);
            if let Ok(Some(data)) = parts::decode_all(&source, 2900, Threads::ALL) {
                assert!(whole.is_ok_and(|whole| whole == data), "byte {at}");
            }
            assert_eq!(
                Zstd.decode_from(&source, 2900, Threads::ALL).ok(),
                Zstd.decode(&damaged, 2900).ok().map(Bytes::from)
            );
        }
    }
    for len in 0..stored.len() {
        let source = MemorySource::new(stored[..len].to_vec());
        assert!(parts::decode_all(&source, 2900, Threads::ALL).unwrap().is_none(), "{len}");
        let error = Zstd.decode_from(&source, 2900, Threads::ALL).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
    }
}

/// A part that repeats an offset of the part before it is not decoded alone: its data would be others.
#[test]
fn parts_that_depend_on_others_are_not_decoded_alone() {
    // Each part was compressed as a frame, and begins with the repeated offset 1.
    let data = [noise(900, 3), vec![0; 100], vec![0; 900]].concat();
    let frames: Vec<Vec<u8>> = data.chunks(1000).map(|part| zstd::bulk::compress(part, 3).unwrap()).collect();
    let blocks = |frame: &[u8]| frame[FrameHeader::parse(frame).unwrap().length..].to_vec();
    let second = blocks(&frames[1]);
    assert!(!is_independent(&second));
    let first = Block::first(&second).unwrap();
    assert_eq!((first.kind, first.is_last), (Kind::Compressed, true));
    let stored = encode(&data, 1000, 3);
    let mut first = blocks(&frames[0]);
    blocks::mark_last(&mut first, false).unwrap();
    let start = 14 + 16 * 3 + 2 * 32;
    let end = start + first.len() as u64;
    let mut other = stored[..30].to_vec();
    for byte in [1000, end, end + second.len() as u64].into_iter().flat_map(u64::to_le_bytes) {
        other.extend([2, 0, 0, byte]);
    }
    other.extend(first);
    other.extend(second);
    assert!(other.starts_with(&MAGIC));
    let source = MemorySource::new(other);
    assert!(parts::decode_range(&source, 1900, &(0..10)).unwrap().is_some());
    assert!(parts::decode_range(&source, 1900, &(1800..1810)).unwrap().is_none());
    assert!(parts::decode_all(&source, 1900, Threads::ALL).unwrap().is_none());
}

#[test]
fn parts_beyond_the_limit_are_not_decoded_alone() {
    let data = vec![7; 3 * LARGEST_PART];
    for (chunk, is_alone) in [(LARGEST_PART, true), (LARGEST_PART + 1, false)] {
        let stored = encode(&data, chunk as u64, 1);
        let piece = Zstd.decode_range(&MemorySource::new(stored), data.len() as u64, 5..6).unwrap();
        assert_eq!(piece.is_some(), is_alone, "{chunk}");
    }
}

proptest! {
    #[test]
    fn any_data_in_any_parts(
        pieces in proptest::collection::vec((any::<u64>(), 0_usize..6, 1_usize..4000), 1..30),
        chunk in 1_usize..5000,
        level in 1_u32..20,
    ) {
        let mut data = Vec::new();
        for (seed, kind, len) in pieces {
            match kind {
                0 => data.extend(noise(len, seed)),
                1 => data.extend(vec![seed.to_le_bytes()[0]; len]),
                2 => data.extend(noise(len, seed).iter().map(|byte| byte & 1)),
                3 => data.extend(noise(8, seed).repeat(len / 8 + 1)),
                4 => data.extend(noise(4, seed).repeat(len / 4 + 1)),
                _ => {
                    let from = usize::try_from(seed).unwrap_or(0) % (data.len() + 1);
                    let copy = data[from..].iter().copied().take(len).collect::<Vec<u8>>();
                    data.extend(copy);
                }
            }
        }
        prop_assume!(data.len() > chunk && data.len() / chunk < 60);
        check("any", &data, chunk, &encode(&data, chunk as u64, level));
    }

    #[test]
    fn any_blocks_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), kind in 0_u8..4) {
        let mut part = bytes.clone();
        let _ = blocks::mark_last(&mut part, true);
        is_independent(&bytes);
        independent(&bytes, 1000);
        // A block that has a header at least.
        let head = blocks::head(Kind::Compressed, bytes.len()).unwrap();
        let mut block = [&head[..], &bytes].concat();
        if let Some(first) = block.get_mut(3) {
            *first = *first & !3 | kind;
        }
        is_independent(&block);
        independent(&block, 1000);
    }

    #[test]
    fn damaged_blocks_do_not_panic(place in any::<prop::sample::Index>(), flip in 1_u8.., kind in 0_usize..13) {
        let data = samples(4000).swap_remove(kind).1;
        let frame = zstd::bulk::compress(&data, 3).unwrap();
        let mut part = frame[FrameHeader::parse(&frame).unwrap().length..].to_vec();
        let place = place.index(part.len());
        part[place] ^= flip;
        is_independent(&part);
        independent(&part, data.len());
    }
}
