//! The reads of a source whose reads take long: how many round trips each step takes, and how many bytes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "the test files are small")]

use std::ops::Range;
use std::sync::Arc;

use asdf_core::array::{ChunkedArray, Slice};
use asdf_core::source::{PartialSource, Progress};
use asdf_core::{Compression, Datatype, File, NdArray, OpenOptions, Result, WriteOptions};

/// A file of which only the needed bytes are given to the reader.
struct Remote {
    stored: Vec<u8>,
    source: Arc<PartialSource>,
}

/// The round trips of some work: the ranges of each.
type Trips = Vec<Vec<Range<u64>>>;

fn bytes(trips: &Trips) -> u64 {
    trips.iter().flatten().map(|range| range.end - range.start).sum()
}

impl Remote {
    fn new(file: &File) -> Self {
        let stored = file.to_bytes().unwrap();
        let source = Arc::new(PartialSource::new(stored.len() as u64));
        Self { stored, source }
    }

    fn run<T>(&self, work: impl Fn() -> Result<T>) -> (T, Trips) {
        let mut trips = Trips::new();
        loop {
            match self.source.attempt(&work).unwrap() {
                Progress::Done(result) => return (result, trips),
                Progress::Needs(ranges) => {
                    assert!(trips.len() < 100 && !trips.contains(&ranges), "{trips:?}");
                    for range in &ranges {
                        let bytes = &self.stored[range.start as usize..range.end as usize];
                        self.source.give(range.start, bytes.to_vec()).unwrap();
                    }
                    trips.push(ranges);
                }
            }
        }
    }

    fn open(&self) -> (File, Trips) {
        self.run(|| OpenOptions::new().open_from(self.source.clone()))
    }
}

/// Values that do not compress, from a fixed sequence.
fn noise(count: usize) -> Vec<u32> {
    let mut state = 1_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..count).map(|_| next()).collect()
}

fn image(rows: u64, columns: u64) -> NdArray {
    NdArray::new(&[rows, columns], &noise((rows * columns) as usize)).unwrap()
}

#[test]
fn a_small_tree_takes_one_trip_and_its_first_blocks_none() {
    let mut file = File::new();
    file.set("/small", &NdArray::new(&[10], &noise(10)).unwrap()).unwrap();
    file.set("/image", &image(1024, 1024)).unwrap();
    let remote = Remote::new(&file);
    let (opened, trips) = remote.open();
    assert_eq!((trips.len(), bytes(&trips)), (1, 64 << 10));
    let (small, trips) = remote.run(|| opened.array("/small")?.read::<u32>());
    assert_eq!((small, trips.len()), (noise(10), 0));
}

#[test]
fn the_rows_of_a_slice_are_one_trip() {
    let mut file = File::new();
    file.set("/image", &image(1024, 2048)).unwrap();
    let remote = Remote::new(&file);
    let (opened, _) = remote.open();
    let cutout = [Slice::from(500..564), Slice::from(1000..1064)];
    let (found, trips) = remote.run(|| opened.array("/image")?.slice(&cutout)?.read::<u32>());
    assert_eq!(found, file.array("/image").unwrap().slice(&cutout).unwrap().read::<u32>().unwrap());
    assert_eq!((trips.len(), trips[0].len(), bytes(&trips)), (1, 64, 64 * 64 * 4));
}

#[test]
#[cfg(feature = "lz4")]
fn the_chunks_of_a_slice_are_found_in_one_trip() {
    let mut file = File::new();
    let compression = Compression::LZ4.with_chunk(1 << 20);
    // The first chunks are of the same size, because noise does not compress. Others differ.
    let mut values = noise(4096 * 1024);
    values[3000 * 1024..].iter_mut().step_by(3).for_each(|value| *value = 7);
    let image = NdArray::new(&[4096, 1024], &values).unwrap();
    file.set("/image", &image.with_compression(compression).unwrap()).unwrap();
    let remote = Remote::new(&file);
    let rows = |first: u64| [Slice::from(first as i64..first as i64 + 64), Slice::from(100..164)];
    for (first, most, chunks) in [(0, 1, 1), (1400, 2, 1), (2000, 2, 2), (2900, 2, 1), (3900, 8, 2)] {
        remote.source.clear();
        let (opened, _) = remote.open();
        let cutout = rows(first);
        let (found, trips) = remote.run(|| opened.array("/image")?.slice(&cutout)?.read::<u32>());
        assert_eq!(found, file.array("/image").unwrap().slice(&cutout).unwrap().read::<u32>().unwrap());
        assert!(trips.len() <= most, "row {first}: {trips:?}");
        let most = (chunks + 1) * (1 << 20) + (3 << 20) / 2;
        assert!(bytes(&trips) < most, "row {first}: {} bytes in {trips:?}", bytes(&trips));
    }
    // All of a block is one trip.
    remote.source.clear();
    let (opened, _) = remote.open();
    let (found, trips) = remote.run(|| opened.array("/image")?.read::<u32>());
    assert!(found == values && trips.len() == 1, "{trips:?}");
}

/// Frames of rows let a slice read no more than its rows.
#[test]
#[cfg(all(feature = "lz4", feature = "zstd"))]
fn the_frames_of_a_slice_are_found_in_two_trips() {
    let mut file = File::new();
    file.set("/image", &image(4096, 1024)).unwrap();
    for (compression, most) in [(Compression::LZ4, 3), (Compression::ZSTD, 3)] {
        let options = WriteOptions::new().compression(compression).frame_rows(64);
        let written = File::from_bytes(options.to_bytes(&file).unwrap()).unwrap();
        let remote = Remote::new(&written);
        let (opened, _) = remote.open();
        let rows = [Slice::from(3000..3064), Slice::from(100..164)];
        let (found, trips) = remote.run(|| opened.array("/image")?.slice(&rows)?.read::<u32>());
        assert_eq!(found, file.array("/image").unwrap().slice(&rows).unwrap().read::<u32>().unwrap());
        // Two frames of 256 KiB, because the slice does not begin at a frame.
        assert!(trips.len() <= most && bytes(&trips) < 1100 << 10, "{compression}: {trips:?}");
    }
}

#[test]
fn all_headers_are_read_in_two_trips() {
    let mut file = File::new();
    for number in 0..20 {
        file.set(&format!("/a{number}"), &image(300, 300)).unwrap();
    }
    let remote = Remote::new(&file);
    let (opened, _) = remote.open();
    let (blocks, trips) = remote.run(|| opened.blocks());
    assert_eq!((blocks.len(), trips.len()), (20, 2), "{trips:?}");
    assert!(bytes(&trips) < 300 << 10, "{trips:?}");
}

#[test]
fn the_last_array_of_many_takes_four_trips() {
    let mut file = File::new();
    for number in 0..10_000_u32 {
        file.set(&format!("/a{number}"), &NdArray::new(&[20], &[number; 20]).unwrap()).unwrap();
    }
    let remote = Remote::new(&file);
    let (opened, first) = remote.open();
    let (found, trips) = remote.run(|| opened.array("/a9999")?.read::<u32>());
    assert_eq!(found, [9999; 20]);
    assert!(first.len() + trips.len() <= 4, "{first:?} {trips:?}");
}

/// An array of 1000 x 1000 elements in 25 chunks, in this order in the file.
fn chunked(compression: Compression) -> File {
    let mut array = ChunkedArray::new(Datatype::Uint32, &[1000, 1000]);
    for number in 0..25 {
        let chunk = image(200, 200).with_compression(compression).unwrap();
        array.push(&[number / 5 * 200, number % 5 * 200], chunk).unwrap();
    }
    let mut file = File::new();
    file.set("/sky", &array).unwrap();
    file
}

#[test]
fn the_chunks_of_an_array_are_read_in_one_trip() {
    for compression in [Compression::NONE, Compression::ZLIB, Compression::LZ4] {
        let remote = Remote::new(&chunked(compression));
        let (opened, _) = remote.open();
        remote.run(|| opened.blocks().map(|_| ()));
        let sky: ChunkedArray = opened.get("/sky").unwrap();
        let read = |text: &str| {
            let slices = Slice::parse(text).unwrap();
            remote.run(|| sky.slice(&slices)?.read::<u32>())
        };
        // The middle of a cross of four chunks.
        let (values, trips) = read("390:410, 390:410");
        assert_eq!((values.len(), values[0]), (400, noise(40_000)[190 * 200 + 190]), "{compression}");
        assert_eq!(trips.len(), 1, "{compression}: {trips:?}");
        let most = if compression == Compression::NONE { 4 * 10 * 200 * 4 } else { 4 * 170_000 };
        assert!(bytes(&trips) < most, "{compression}: {} bytes", bytes(&trips));
        let (values, trips) = read(":");
        assert_eq!((values.len(), trips.len()), (1_000_000, 1), "{compression}: {trips:?}");
        assert_eq!(read("..., ::-3").1.len(), 0, "{compression}: every byte is there");
    }
}

#[test]
fn the_blocks_of_chunks_are_found_in_two_trips() {
    let remote = Remote::new(&chunked(Compression::NONE));
    let (opened, _) = remote.open();
    let sky: ChunkedArray = opened.get("/sky").unwrap();
    let slices = Slice::parse("390:610, 390:610").unwrap();
    let (values, trips) = remote.run(|| sky.slice(&slices)?.read::<u32>());
    assert_eq!(values.len(), 220 * 220);
    // The block index, the headers, the bytes.
    assert_eq!(trips.len(), 3, "{trips:?}");
}
