//! Tests that everything done with a file respects the threads that it was opened with.

use std::path::Path;

use crate::array::{Datatype, NdArray, Slice};
use crate::block::Compression;
use crate::file::{File, OpenOptions, StreamOptions, WriteOptions};
use crate::threads::{Threads, started};
use crate::tree::Block;

/// A size for which every operation uses several threads.
const MUCH: usize = 9 << 20;

fn array(compression: Compression) -> NdArray {
    let array = NdArray::from_vec(&[MUCH as u64], vec![1_u8; MUCH]).unwrap();
    array.with_compression(compression).unwrap()
}

/// Operations on a file, and the number of threads that each starts.
fn started_by(threads: Threads, folder: &Path) -> Vec<(&'static str, usize)> {
    let path = folder.join("x.asdf");
    // An old file of this size is closed by another thread when it is replaced.
    std::fs::File::create(&path).unwrap().set_len(64 << 20).unwrap();
    let mut file = File::new();
    file.set("/plain", &array(Compression::NONE)).unwrap();
    if cfg!(feature = "lz4") {
        file.set("/packed", &array(Compression::LZ4)).unwrap();
    }
    let mut found = Vec::new();
    let mut note = |what, call: &mut dyn FnMut()| found.push((what, started::by(call).1));
    let options = WriteOptions::new().threads(threads);
    note("write", &mut || options.write(&file, &path).unwrap());

    let opened = || OpenOptions::new().threads(threads).open(&path).unwrap();
    let mut file = opened();
    let mut out = vec![0_u8; MUCH];
    for name in ["/plain", "/packed"].iter().take(file.blocks().unwrap().len()) {
        note("read", &mut || file.array(name).unwrap().read_into(&mut out).unwrap());
        note("view", &mut || file.array(name).unwrap().view::<u8>().unwrap().copy_to(&mut out).unwrap());
    }
    note("verify", &mut || assert!(opened().verify().unwrap().iter().all(Result::is_ok)));
    note("write again", &mut || file.write(folder.join("y.asdf")).unwrap());
    note("to bytes", &mut || drop(file.to_bytes().unwrap()));
    note("write to a stream", &mut || options.write_to(&file, std::io::sink()).unwrap());
    note("stream", &mut || {
        let rows = StreamOptions::new().create(folder.join("z.asdf"), &file, "/rows", Datatype::Uint8, &[]);
        rows.unwrap().finish().unwrap();
    });
    file.set("/more", &NdArray::new(&[5000], &[0_u8; 5000]).unwrap()).unwrap();
    note("update", &mut || file.update().unwrap());
    note("read after an update", &mut || file.array("/plain").unwrap().read_into(&mut out).unwrap());
    found
}

#[test]
fn one_thread_means_only_the_calling_one() {
    let folder = tempfile::tempdir().unwrap();
    let found = started_by(Threads::ONE, folder.path());
    assert!(found.iter().all(|&(_, count)| count == 0), "{found:?}");
}

#[test]
fn more_threads_are_used_up_to_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    for (what, count) in started_by(Threads::new(3), folder.path()) {
        let used = match what {
            // Three threads decode, and two besides the calling one copy.
            "read" | "view" | "read after an update" => 2..=5,
            _ => 0..=8,
        };
        assert!(used.contains(&count), "{what}: {count}");
    }
}

#[test]
fn a_file_and_its_blocks_know_the_threads() {
    let mut file = File::new();
    assert_eq!(file.threads(), Threads::ALL);
    file.set("/a", &NdArray::new(&[2], &[1_u8, 2]).unwrap()).unwrap();
    let file = OpenOptions::new().threads(Threads::ONE).open_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(file.threads(), Threads::ONE);
    assert_eq!(file.tree().blocks().threads(), Threads::ONE);
    assert_eq!(Block::threads(file.blocks().unwrap()[0].as_ref()), Threads::ONE);
    assert_eq!(WriteOptions::new().threads_for(&file), Threads::ONE);
    assert_eq!(WriteOptions::new().threads(Threads::new(2)).threads_for(&file), Threads::new(2));
}

/// The encodings of this build.
fn compressions() -> impl Iterator<Item = Compression> {
    let all = [
        (Compression::NONE, true),
        (Compression::ZLIB, cfg!(feature = "zlib")),
        (Compression::BZP2, cfg!(feature = "bzp2")),
        (Compression::LZ4, cfg!(feature = "lz4")),
        (Compression::LZ4F, cfg!(feature = "lz4f")),
        (Compression::ZSTD, cfg!(feature = "zstd")),
        (Compression::XZ, cfg!(feature = "xz")),
        (Compression::BLSC, cfg!(feature = "blsc")),
        (Compression::BLS2, cfg!(feature = "bls2")),
    ];
    all.into_iter().filter_map(|(compression, is_here)| is_here.then_some(compression))
}

/// All threads need the headers, the decoded blocks and the checksums of one file at the same time.
#[test]
fn threads_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    let elements: Vec<u16> = (0..20_000).map(|number| number % 251).collect();
    let mut file = File::new();
    let mut names = Vec::new();
    for (number, compression) in compressions().enumerate() {
        let array = NdArray::new(&[20_000], &elements).unwrap().with_compression(compression).unwrap();
        names.push(format!("/array{number}"));
        file.set(&names[number], &array).unwrap();
    }
    file.write(&path).unwrap();
    let read = |file: &File, first: usize| {
        for step in 0..names.len() {
            let array = file.array(&names[(first + step) % names.len()]).unwrap();
            let part = array.slice(&[Slice::from(300..310)]).unwrap();
            assert_eq!(part.read::<u16>().unwrap(), elements[300..310]);
            assert_eq!(array.read::<u16>().unwrap(), elements);
        }
        assert!(file.verify().unwrap().iter().all(Result::is_ok));
    };
    for (is_mapped, is_checked) in [(false, false), (false, true), (cfg!(feature = "mmap"), true)] {
        let options =
            OpenOptions::new().mmap(is_mapped).verify_checksums(is_checked).threads(Threads::new(2));
        let file = options.open(&path).unwrap();
        Threads::new(4).map(&[0, 1, 2, 3], |&first| read(&file, first));
    }
}
