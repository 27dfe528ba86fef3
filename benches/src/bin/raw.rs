//! Measures reading, writing and checking of uncompressed blocks, compared with the same work in plain Rust.
//!
//! `benches/run` starts this program, requests rounds and compares their times. Each round does both sides in turns, and
//! answers for each with the seconds of CPU time of its thread and of wall time.
#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::error::Error;
use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use asdf_benches::clock::Moment;
use asdf_benches::memory::{self, Peak};
use asdf_benches::{files, rounds};
use asdf_core::array::{ByteOrder, Element, Slice};
use asdf_core::block::md5;
use asdf_core::source::{MapSource, Source};
use asdf_core::value::FromNode;
use asdf_core::{File, NdArray, OpenOptions, WriteOptions};

const USAGE: &str = "\
raw one PATH COUNT little|big     writes a file with one array of COUNT float64
raw many PATH COUNT BYTES         writes a file with COUNT blocks of BYTES bytes, with checksums
raw first PATH                    opens a file and gets the first element: seconds and peak memory in bytes
raw sum PATH                      rounds: sum a view of a memory map; sum the map itself
raw read PATH                     rounds: read by position into a slice; the same in plain Rust; both again into
                                  new memory
raw swap PATH                     rounds: swap from a memory map into a slice; swap by position; memcpy
raw write PATH COUNT              rounds: write without checksum; write in plain Rust; write with MD5; MD5 only
raw write-memory PATH COUNT       peak memory of writing in bytes, without the array
raw write-once PATH COUNT         rounds: write one array with MD5
raw write-many PATH COUNT BYTES   rounds: write COUNT blocks of BYTES bytes with MD5
raw check PATH                    rounds: open a file and verify all blocks
raw arrays PATH                   rounds: open a file, read all arrays and sum them";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["one", path, count, order] => one(Path::new(path), count.parse()?, *order == "big"),
        ["many", path, count, bytes] => Ok(blocks_of(count.parse()?, bytes.parse()?)?.write(path)?),
        ["first", path] => first(Path::new(path)),
        ["sum", path] => sum(Path::new(path)),
        ["read", path] => read(Path::new(path)),
        ["swap", path] => swap(Path::new(path)),
        ["write", path, count] => write(Path::new(path), count.parse()?),
        ["write-memory", path, count] => {
            let file = file_of(count.parse()?)?;
            let (done, peak) = Peak::during(|| file.write(path));
            done?;
            println!("{}", peak.rise());
            Ok(())
        }
        ["write-many", path, count, bytes] => {
            let file = blocks_of(count.parse()?, bytes.parse()?)?;
            in_turns("written", vec![Box::new(|| Ok(file.write(path)?))])
        }
        ["write-once", path, count] => {
            let file = file_of(count.parse()?)?;
            in_turns("written", vec![Box::new(|| Ok(file.write(path)?))])
        }
        ["check", path] => check(Path::new(path)),
        ["arrays", path] => arrays(Path::new(path)),
        _ => Err(USAGE.into()),
    }
}

/// Returns the path of a file that holds only the bytes of the array.
fn plain(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".plain");
    name.into()
}

fn file_of(count: u32) -> Result<File> {
    let mut file = File::new();
    let bytes = files::numbers(count).flat_map(f64::to_ne_bytes).collect::<Vec<u8>>();
    file.set("/data", &NdArray::from_bytes(f64::DATATYPE, ByteOrder::NATIVE, &[count.into()], bytes)?)?;
    Ok(file)
}

fn one(path: &Path, count: u32, is_big: bool) -> Result<()> {
    let order = if is_big { ByteOrder::Big } else { ByteOrder::Little };
    let to_bytes = if is_big { f64::to_be_bytes } else { f64::to_le_bytes };
    let bytes: Vec<u8> = files::numbers(count).flat_map(to_bytes).collect();
    let mut file = File::new();
    file.set("/data", &NdArray::from_bytes(f64::DATATYPE, order, &[count.into()], bytes)?)?;
    // Align the array: loads that cross a cache line cost a third.
    Ok(WriteOptions::new().checksums(false).alignment(64).write(&file, path)?)
}

fn blocks_of(count: u32, bytes: u32) -> Result<File> {
    let mut file = File::new();
    for number in 0..count {
        let data: Vec<u8> = files::numbers(bytes).map(|value| value.to_bits().to_le_bytes()[5]).collect();
        file.set(&format!("/block_{number:06}"), &NdArray::new(&[bytes.into()], &data)?)?;
    }
    Ok(file)
}

fn first(path: &Path) -> Result<()> {
    let begin = Instant::now();
    let file = File::open(path)?;
    let element = file.array("/data")?.slice(&[Slice::Index(0)])?.view::<f64>()?.get(&[]);
    let took = begin.elapsed();
    println!("{:.9} {} {element:?}", took.as_secs_f64(), memory::highest());
    Ok(())
}

/// Does each of several tasks once per round, and prints its CPU time and wall time. The order changes with each round,
/// so that no task always follows the same other.
fn in_turns(ready: &str, mut works: Vec<Box<dyn FnMut() -> Result<()> + '_>>) -> Result<()> {
    let mut round = 0;
    rounds::serve(ready, || {
        let count = works.len();
        let mut times = vec![Duration::ZERO; 2 * count];
        let mut turns: Vec<_> = works.iter_mut().zip(times.chunks_exact_mut(2)).collect();
        round += 1;
        turns.rotate_left(round % count.max(1));
        for (work, times) in turns {
            let begin = Moment::now();
            work()?;
            let cost = begin.cost();
            times.copy_from_slice(&[cost.processor, cost.wall]);
        }
        Ok(times)
    })
}

fn sum(path: &Path) -> Result<()> {
    let file = OpenOptions::new().mmap(true).open(path)?;
    let view = file.array("/data")?.view::<f64>()?;
    // Use the same bytes of the same file: the speed of mapped memory differs by a quarter from file to file.
    let block = file.blocks()?.first().ok_or("no block")?.clone();
    let map = MapSource::open(path)?;
    let at = block.header().data_offset(block.offset())?;
    let bytes = map.read(at..at + block.header().used_size)?;
    let elements = <f64 as Element>::cast(&bytes).ok_or("the map is not aligned")?;
    let expected: f64 = elements.iter().sum();
    in_turns(
        "sums",
        vec![
            Box::new(|| same(view.iter().sum(), expected)),
            Box::new(|| same(elements.iter().sum(), expected)),
        ],
    )
}

fn same(found: f64, expected: f64) -> Result<()> {
    if found == expected { Ok(()) } else { Err(format!("the sum is {found}, expected {expected}").into()) }
}

fn read(path: &Path) -> Result<()> {
    let file = File::open(path)?;
    let array = file.array("/data")?;
    let block = file.blocks()?.first().ok_or("no block")?.clone();
    let at = block.header().data_offset(block.offset())?;
    let plain = std::fs::File::open(path)?;
    let count = usize::try_from(array.len())?;
    let mut ours = vec![0.0_f64; count];
    let mut theirs = vec![0_u8; count * 8];
    in_turns(
        "reads",
        vec![
            Box::new(|| Ok(array.read_into(&mut ours)?)),
            Box::new(|| Ok(plain.read_exact_at(&mut theirs, at)?)),
            Box::new(|| {
                black_box(array.read::<f64>()?);
                Ok(())
            }),
            Box::new(|| {
                let mut new = Vec::with_capacity(count * 8);
                (&plain).seek(SeekFrom::Start(at))?;
                (&plain).take(count as u64 * 8).read_to_end(&mut new)?;
                black_box(new);
                Ok(())
            }),
        ],
    )
}

fn swap(path: &Path) -> Result<()> {
    let mapped = OpenOptions::new().mmap(true).open(path)?.array("/data")?;
    let array = File::open(path)?.array("/data")?;
    let count = usize::try_from(array.len())?;
    let mut out = vec![0.0_f64; count];
    let mut by_position = vec![0.0_f64; count];
    let from = array.read::<f64>()?;
    let mut to = vec![0.0_f64; count];
    in_turns(
        "copies",
        vec![
            Box::new(|| Ok(mapped.read_into(&mut out)?)),
            Box::new(|| Ok(array.read_into(&mut by_position)?)),
            Box::new(|| {
                to.copy_from_slice(black_box(&from));
                Ok(())
            }),
        ],
    )
}

fn write(path: &Path, count: u32) -> Result<()> {
    let file = file_of(count)?;
    let bytes = file.array("/data")?.packed_bytes(ByteOrder::NATIVE)?;
    let plain = plain(path);
    in_turns(
        "written",
        vec![
            Box::new(|| Ok(WriteOptions::new().checksums(false).write(&file, path)?)),
            Box::new(|| write_plainly(&plain, &bytes)),
            Box::new(|| Ok(file.write(path)?)),
            Box::new(|| {
                black_box(md5(&bytes));
                Ok(())
            }),
        ],
    )
}

/// Writes as carefully as asdf-core: syncs a new file to disk, then renames it over the old one.
fn write_plainly(path: &Path, bytes: &[u8]) -> Result<()> {
    let new = path.with_extension("new");
    let mut out = std::fs::File::create(&new)?;
    for piece in bytes.chunks(1 << 20) {
        out.write_all(piece)?;
    }
    out.sync_all()?;
    std::fs::rename(&new, path)?;
    std::fs::File::open(path.parent().ok_or("a path without a folder")?)?.sync_all()?;
    Ok(())
}

fn check(path: &Path) -> Result<()> {
    let check = || -> Result<()> {
        File::open(path)?.verify()?.into_iter().try_for_each(|verdict| verdict.map(|_| ()))?;
        Ok(())
    };
    in_turns("checks", vec![Box::new(check)])
}

fn arrays(path: &Path) -> Result<()> {
    let sum = || -> Result<f64> {
        let file = File::open(path)?;
        let root = file.tree().root().ok_or("the file has no tree")?;
        let mut sum = 0.0;
        for (_, node) in root.entries() {
            if let Ok(array) = NdArray::from_node(node) {
                sum += array.view::<f64>()?.iter().sum::<f64>();
            }
        }
        Ok(sum)
    };
    let expected = sum()?;
    rounds::serve(&format!("{expected:.0}"), || {
        let begin = Moment::now();
        same(sum()?, expected)?;
        let cost = begin.cost();
        Ok(vec![cost.processor, cost.wall])
    })
}
