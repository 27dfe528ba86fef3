//! Properties that every codec must have.

use proptest::prelude::*;

use super::declared_size::AT_ONCE;
use super::*;
use crate::error::Kind;
use crate::source::MemorySource;

/// Returns the codecs of this build with all their levels.
fn codecs() -> Vec<(&'static dyn Codec, Vec<Option<u32>>)> {
    let levels = |label| match label {
        Label::ZLIB | Label::XZ | Label::BLSC | Label::BLS2 => 0..10,
        Label::BZP2 => 1..10,
        Label::ZSTD => 1..23,
        _ => 0..0,
    };
    CODECS.iter().map(|&c| (c, std::iter::once(None).chain(levels(c.label()).map(Some)).collect())).collect()
}

/// Returns an encoding with a level.
fn at(level: Option<u32>) -> Encoding {
    Encoding { level, ..Encoding::new() }
}

/// Returns whether a codec has chunks.
fn has_chunks(codec: &dyn Codec) -> bool {
    [Label::LZ4, Label::ZSTD, Label::BLS2].contains(&codec.label())
}

/// Returns bytes that do not compress: xorshift.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(&mut next).flatten().take(len).collect()
}

fn malformed(result: Result<Vec<u8>>, what: &str) -> String {
    let error = result.expect_err(what);
    assert_eq!(error.kind(), Kind::Malformed, "{what}: {error}");
    error.to_string()
}

#[test]
fn round_trips_at_all_levels() {
    let all = [0, 255, AT_ONCE + 1, 300_001, 1, 2, AT_ONCE - 1, AT_ONCE, 3 * AT_ONCE];
    let sevens: Vec<u8> = (0..=255).flat_map(|b| [b; 7]).collect();
    for (index, len) in all.into_iter().enumerate() {
        let repeated = sevens.repeat(len / sevens.len() + 1)[..len].to_vec();
        let data = [noise(len), vec![0; len], vec![251; len], repeated];
        for (codec, levels) in codecs() {
            for level in levels.into_iter().filter(|level| level.is_none() || index < 4) {
                for data in &data {
                    let stored = codec.encode(data, &at(level)).unwrap();
                    let back = codec.decode(&stored, len as u64).unwrap();
                    assert!(back == *data && back.capacity() == len, "{} {level:?} {len}", codec.label());
                }
            }
        }
    }
}

#[test]
fn pieces_are_the_stored_bytes_until_one_is_refused() {
    let data = [noise(300_000), vec![7; 300_000]].concat();
    for (codec, _) in codecs() {
        for how in [at(None), at(None).with_chunk(50_000)] {
            let Ok(stored) = codec.encode(&data, &how) else { continue };
            let (mut found, mut calls) = (Vec::new(), 0);
            let mut keep = |piece: Bytes| {
                found.extend_from_slice(&piece);
                calls += 1;
                Ok(())
            };
            codec.encode_pieces(&data, &how, &mut keep).unwrap();
            assert!(found == stored, "{} {how:?}", codec.label());
            for allowed in [0, calls - 1] {
                let mut left = allowed;
                let mut refuse = |_: Bytes| match left {
                    0 => Err(Error::usage("enough")),
                    _ => {
                        left -= 1;
                        Ok(())
                    }
                };
                let error = codec.encode_pieces(&data, &how, &mut refuse).unwrap_err();
                assert_eq!(error.message(), "enough", "{} {how:?}", codec.label());
            }
        }
    }
}

/// Bytes that are copied when they are read, as from a file.
#[derive(Debug)]
struct ByPosition(Vec<u8>);

impl Source for ByPosition {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        Ok(Bytes::copy_from_slice(&MemorySource::new(self.0.clone()).read(range)?))
    }
}

#[test]
fn memory_and_files_decode_alike() {
    for (codec, _) in codecs() {
        for data in [Vec::new(), noise(5), noise(300_000), b"abcabcabcd".repeat(30_000)] {
            let whole = codec.encode(&data, &at(None)).unwrap();
            let mut spoilt = whole.clone();
            let middle = spoilt.len() / 2;
            if let Some(byte) = spoilt.get_mut(middle) {
                *byte ^= 0xff;
            }
            let cut = whole[..whole.len() * 2 / 3].to_vec();
            let long = [whole.clone(), vec![0; 3]].concat();
            let twice = whole.repeat(2);
            for (what, stored) in
                [("whole", whole), ("spoilt", spoilt), ("cut", cut), ("long", long), ("twice", twice)]
            {
                for size in [data.len() as u64, data.len() as u64 + 1, data.len() as u64 / 2] {
                    let expected = codec.decode(&stored, size);
                    for threads in [Threads::ONE, Threads::ALL] {
                        let found = codec.decode_from(&ByPosition(stored.clone()), size, threads);
                        let said = format!("{} {what} {} {size}", codec.label(), data.len());
                        match (&found, &expected) {
                            (Ok(found), Ok(expected)) => assert!(found == expected, "{said}"),
                            (Err(found), Err(expected)) => {
                                assert_eq!(found.kind(), expected.kind(), "{said}")
                            }
                            _ => panic!("{said}: {found:?} from a file, in memory {expected:?}"),
                        }
                        let mut into = vec![1; usize::try_from(size).unwrap()];
                        match (codec.decode_into(&ByPosition(stored.clone()), &mut into, threads), &expected)
                        {
                            (Ok(()), Ok(expected)) => assert!(into == *expected, "{said}"),
                            (Err(found), Err(expected)) => {
                                assert_eq!(found.kind(), expected.kind(), "{said}")
                            }
                            (found, _) => panic!("{said}: {found:?} into memory, otherwise {expected:?}"),
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_truncation_is_refused() {
    for (codec, _) in codecs() {
        for data in [noise(300), vec![7; 300], b"abcabcabcd".repeat(20)] {
            let stored = codec.encode(&data, &at(None)).unwrap();
            for len in 0..stored.len() {
                malformed(codec.decode(&stored[..len], data.len() as u64), "cut");
            }
        }
    }
}

#[test]
fn wrong_sizes_are_refused_and_named() {
    for (codec, _) in codecs() {
        let data = b"0123456789".repeat(10);
        let stored = codec.encode(&data, &at(None)).unwrap();
        for size in [0, 1, 99, 101, 1000] {
            let message = malformed(codec.decode(&stored, size), "size");
            assert!(message.contains(&size.to_string()), "{message}");
        }
        let most = (stored.len() as u64).saturating_mul(codec.max_expansion());
        for size in [most.saturating_add(1), u64::MAX] {
            if codec.max_expansion() == u64::MAX && usize::try_from(size).is_err() {
                // The size could be true, but not on a machine of 32 bits.
                assert_eq!(codec.decode(&stored, size).unwrap_err().kind(), Kind::Limit);
                continue;
            }
            let message = malformed(codec.decode(&stored, size), "lie");
            assert!(message.contains("cannot hold") || codec.max_expansion() == u64::MAX, "{message}");
        }
    }
}

#[test]
fn bytes_after_the_stream_and_second_streams_are_refused() {
    for (codec, _) in codecs() {
        let data = noise(100);
        let stored = codec.encode(&data, &at(None)).unwrap();
        for after in [b"\0".as_slice(), b"\0\0\0\0\0\0\0\0", b"garbage"] {
            malformed(codec.decode(&[&stored, after].concat(), 100), "garbage");
        }
        let twice = [stored.clone(), stored].concat();
        malformed(codec.decode(&twice, 100), "twice");
        // Only chunks of lz4 can follow each other; streams cannot.
        assert_eq!(codec.decode(&twice, 200).is_ok(), codec.label() == Label::LZ4);
    }
}

#[test]
fn missing_levels_are_refused() {
    for (codec, levels) in codecs() {
        let beyond = levels.last().unwrap().map_or(1, |last| last + 1);
        for level in [beyond, 99, u32::MAX] {
            assert_eq!(codec.encode(b"x", &at(Some(level))).unwrap_err().kind(), Kind::Usage);
        }
    }
}

#[test]
fn chunks_and_ranges_of_them() {
    let data: Vec<u8> = (0..30_000_u32).map(|i| (i / 3 % 251) as u8).collect();
    for (codec, _) in codecs() {
        let how = Encoding::new().with_chunk(1000).with_rows(4, 96);
        if !has_chunks(codec) {
            assert_eq!(codec.encode(&data, &how).unwrap_err().kind(), Kind::Usage);
        }
        let how = if has_chunks(codec) { how } else { Encoding::new().with_rows(4, 96) };
        let stored = codec.encode(&data, &how).unwrap();
        assert!(codec.decode(&stored, 30_000).unwrap() == data);
        let source = MemorySource::new(stored);
        for range in [0..1, 0..30_000, 29_999..30_000, 950..970, 960..1920, 5000..20_000, 7..7] {
            let Some(piece) = codec.decode_range(&source, 30_000, range.clone()).unwrap() else {
                assert!(!has_chunks(codec));
                continue;
            };
            let end = piece.start + piece.data.len() as u64;
            let bytes = usize::try_from(piece.start).unwrap()..usize::try_from(end).unwrap();
            assert!(range.is_empty() || (piece.start <= range.start && range.end <= end), "{range:?}");
            assert!(piece.data.len() as u64 <= range.end - range.start + 2 * 960, "more than was needed");
            assert!(piece.data == data[bytes], "{} {range:?}", codec.label());
        }
    }
}

/// Such a block is decoded as a whole, so that the limit on its size holds and no chunk is decoded for each range.
#[test]
#[cfg(feature = "lz4")]
fn large_chunks_are_not_decoded_alone() {
    use super::declared_size::LARGEST_PART;
    let data = vec![7; 2 * LARGEST_PART];
    for (codec, _) in codecs().into_iter().filter(|(codec, _)| has_chunks(*codec)) {
        for (chunk, alone) in [(LARGEST_PART, true), (LARGEST_PART + 4, false)] {
            let stored = codec.encode(&data, &Encoding::new().with_chunk(chunk as u64)).unwrap();
            let found = codec.decode_range(&MemorySource::new(stored), data.len() as u64, 5..6).unwrap();
            assert_eq!(found.is_some(), alone, "{} {chunk}", codec.label());
        }
    }
}

#[test]
fn elements_of_any_size() {
    let rows: Vec<u8> = (0..=250).flat_map(|b: u8| [b, 0, b / 7, 1]).collect();
    let all = rows.repeat(300);
    for (codec, _) in codecs() {
        for item in [0, 1, 2, 3, 4, 7, 8, 12, 16, 255, 256, 100_000] {
            for len in [0, 1, 127, 128, 1000, 300_007] {
                let data = &all[..len];
                let stored = codec.encode(data, &Encoding::new().with_rows(item, 0)).unwrap();
                assert!(codec.decode(&stored, len as u64).unwrap() == data, "{} {item} {len}", codec.label());
            }
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_round_trip(data in proptest::collection::vec(0_u8..4, 0..5000)) {
        for (codec, _) in codecs() {
            let stored = codec.encode(&data, &at(None)).unwrap();
            prop_assert_eq!(&codec.decode(&stored, data.len() as u64).unwrap(), &data);
        }
    }

    #[test]
    fn any_bytes_do_not_panic(stored in proptest::collection::vec(any::<u8>(), 0..200), size in 0_u64..5000) {
        for (codec, _) in codecs() {
            if let Ok(data) = codec.decode(&stored, size) {
                prop_assert_eq!(data.len() as u64, size);
            }
            let _ = codec.decode_range(&MemorySource::new(stored.clone()), size, size / 3..size / 2);
            if let Ok(Some(frames)) = codec.frames(&MemorySource::new(stored.clone()), size) {
                let ends = frames.iter().map(|frame| frame.data.end);
                prop_assert!(frames.iter().map(|frame| frame.data.start).eq(std::iter::once(0).chain(ends).take(frames.len())));
                prop_assert_eq!(frames.last().map_or(0, |frame| frame.data.end), size);
            }
        }
    }

    #[test]
    fn damaged_bytes_do_not_panic(place in any::<prop::sample::Index>(), flip in 1_u8.., size in 0_u64..1000) {
        let data = [noise(100), vec![1; 300]].concat();
        for (codec, _) in codecs() {
            let mut stored = codec.encode(&data, &at(None)).unwrap();
            let place = place.index(stored.len());
            stored[place] ^= flip;
            for size in [size, data.len() as u64] {
                if let Ok(found) = codec.decode(&stored, size) {
                    prop_assert_eq!(found.len() as u64, size);
                }
                let range = size / 3..size / 2;
                if let Ok(Some(piece)) = codec.decode_range(&MemorySource::new(stored.clone()), size, range) {
                    prop_assert!(piece.start + piece.data.len() as u64 <= size);
                }
            }
        }
    }
}
