//! Servers with faults: the right bytes or an error, in bounded time.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "the files are small")]

use std::time::{Duration, Instant};

use asdf_core::array::{ChunkedArray, Slice};
use asdf_core::error::Kind;
use asdf_core::{Datatype, File, NdArray, Result};
use asdf_remote::Remote;

mod server;
use server::Server;

/// The time for a request in these tests.
const TIMEOUT: Duration = Duration::from_secs(2);

const ROWS: u64 = 1000;
const COLUMNS: u64 = 1000;

/// A file with an image that is far larger than the first request.
fn file() -> Vec<u8> {
    let values: Vec<u32> = (0..(ROWS * COLUMNS) as u32).collect();
    let mut file = File::new();
    for name in ["a", "b", "c"] {
        file.set(&format!("/{name}"), &NdArray::new(&[ROWS, COLUMNS], &values).unwrap()).unwrap();
    }
    file.to_bytes().unwrap()
}

fn remote() -> Remote {
    Remote::new().anonymous(true).timeout(TIMEOUT)
}

/// Reads some rows of an image.
fn read(remote: &Remote, url: &str) -> Result<Vec<u32>> {
    let file = remote.open(url)?;
    file.array("/b")?.slice(&[Slice::from(500..502), Slice::from(10..12)])?.read::<u32>()
}

const RIGHT: [u32; 4] = [500_010, 500_011, 501_010, 501_011];

#[test]
fn faults_that_pass_are_repeated_and_others_are_errors() {
    let server = Server::start(file());
    type Expected = std::result::Result<(), (Kind, &'static str)>;
    let cases: &[(&str, Expected)] = &[
        ("none", Ok(())),
        ("busy429", Ok(())),
        ("busy503", Ok(())),
        ("cut", Ok(())),
        ("whole", Ok(())),
        ("whole-for-several", Ok(())),
        ("always503", Err((Kind::Io, "503"))),
        ("always404", Err((Kind::Io, "no such file"))),
        ("always403", Err((Kind::Io, "permission"))),
        ("cut-always", Err((Kind::Io, ""))),
        ("slow", Err((Kind::Io, "time"))),
        ("silent", Err((Kind::Io, "time"))),
        ("new-etag", Err((Kind::Malformed, "changed while it was open"))),
        ("new-etag-ignored", Err((Kind::Malformed, "changed while it was open"))),
        ("shorter", Err((Kind::Malformed, "changed while it was open"))),
        ("other-range", Err((Kind::Malformed, "the server returned"))),
        ("short-range", Err((Kind::Malformed, "the server returned"))),
        ("bad-range", Err((Kind::Malformed, "the server returned"))),
        ("gzip", Err((Kind::Unsupported, "compresses"))),
    ];
    std::thread::scope(|scope| {
        for (fault, expected) in cases {
            for store in ["web", "s3"] {
                // Object stores always return ranges.
                if store == "s3" && fault.starts_with("whole") {
                    continue;
                }
                let server = &server.url;
                scope.spawn(move || {
                    let begin = Instant::now();
                    let found = match store {
                        "web" => read(&remote(), &format!("{server}/{fault}/x.asdf")),
                        _ => read(&remote().endpoint_url(server), &format!("s3://{fault}/x.asdf")),
                    };
                    let time = begin.elapsed();
                    assert!(time < TIMEOUT * 8, "{store} {fault}: {time:?}");
                    match (found, expected) {
                        (Ok(found), Ok(())) => assert_eq!(found, RIGHT, "{store} {fault}"),
                        (Err(error), Err((kind, words))) => {
                            let text = error.to_string();
                            assert!(error.kind() == *kind && text.contains(words), "{store} {fault}: {text}");
                            assert!(text.contains("x.asdf"), "{store} {fault}: {text}");
                        }
                        (found, _) => panic!("{store} {fault}: {found:?}"),
                    }
                });
            }
        }
    });
}

#[test]
fn only_the_needed_bytes_are_requested_and_none_twice() {
    let server = Server::start(file());
    let remote = remote();
    let url = format!("{}/none/x.asdf", server.url);
    let opened = remote.open(&url).unwrap();
    assert_eq!(server.take_requests(), ["bytes=0-65535"]);
    assert_eq!(remote.stats().to_string(), "1 request, 65536 bytes");
    let slice = |opened: &File| {
        let cutout = [Slice::from(500..564), Slice::from(10..74)];
        opened.array("/a").unwrap().slice(&cutout).unwrap().read::<u32>().unwrap()
    };
    assert_eq!(slice(&opened)[64], 501_010);
    // The rows with the bytes between them.
    let requests = server.take_requests();
    let length = 63 * COLUMNS * 4 + 64 * 4;
    let block = &opened.blocks().unwrap()[0];
    let start = block.header().data_offset(block.offset()).unwrap() + 500 * COLUMNS * 4 + 40;
    assert_eq!(requests, [format!("bytes={start}-{}", start + length - 1)]);
    server.take_requests();
    slice(&opened);
    assert_eq!(server.take_requests(), [] as [&str; 0], "the cache has them");
    // Another opening asks whether the file has changed, and uses the cache.
    slice(&remote.open(&url).unwrap());
    assert_eq!(server.take_requests(), ["bytes=0-65535"]);
    // Without a cache.
    let remote = remote.cache_size(0);
    let opened = remote.open(&url).unwrap();
    slice(&opened);
    slice(&opened);
    assert_eq!(server.take_requests().len(), 3);
}

#[test]
fn all_headers_are_one_request() {
    let server = Server::start(file());
    let opened = remote().open(&format!("{}/none/x.asdf", server.url)).unwrap();
    server.take_requests();
    assert_eq!(opened.blocks().unwrap().len(), 3);
    let requests = server.take_requests();
    assert_eq!(requests.len(), 2, "the block index and the headers: {requests:?}");
    assert_eq!(requests[1].split(',').count(), 2, "{requests:?}");
    // A server that returns the whole file instead is asked for each header.
    let opened = remote().open(&format!("{}/whole-for-several/x.asdf", server.url)).unwrap();
    server.take_requests();
    assert_eq!(opened.blocks().unwrap().len(), 3);
    assert_eq!(server.take_requests().len(), 4);
}

#[test]
fn the_bytes_of_all_requests_can_be_limited() {
    let server = Server::start(file());
    let remote = remote().most_bytes(1 << 20);
    let opened = remote.open(&format!("{}/none/x.asdf", server.url)).unwrap();
    let error = opened.array("/a").unwrap().read::<u32>().unwrap_err();
    assert_eq!(error.kind(), Kind::Limit, "{error}");
    assert!(remote.stats().bytes <= 1 << 20);
}

#[test]
fn threads_that_read_the_same_share_a_request() {
    let server = Server::start(file());
    let remote = remote();
    let opened = remote.open(&format!("{}/none/x.asdf", server.url)).unwrap();
    let array = opened.array("/a").unwrap();
    assert_eq!(array.slice(&Slice::parse("0, 0").unwrap()).unwrap().read::<u32>().unwrap(), [0]);
    server.take_requests();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let rows =
                    array.slice(&Slice::parse("700:800, 3:5").unwrap()).unwrap().read::<u32>().unwrap();
                assert_eq!(rows[..2], [700_003, 700_004]);
            });
        }
    });
    let requests = server.take_requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
}

#[test]
fn a_call_inside_of_another_runtime_works() {
    let server = Server::start(file());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let found = runtime.block_on(async { read(&remote(), &format!("{}/none/x.asdf", server.url)) });
    assert_eq!(found.unwrap(), RIGHT);
}

#[test]
fn nothing_listens() {
    let begin = Instant::now();
    let error = remote().open("http://127.0.0.1:9/x.asdf").unwrap_err();
    assert!(error.kind() == Kind::Io && begin.elapsed() < TIMEOUT * 4, "{error}");
    let error = remote().endpoint_url("http://127.0.0.1:9").open("s3://bucket/x.asdf").unwrap_err();
    assert!(error.kind() == Kind::Io && begin.elapsed() < TIMEOUT * 8, "{error}");
}

#[test]
fn the_chunks_of_an_array_are_requested_together() {
    let mut sky = ChunkedArray::new(Datatype::Uint32, &[1000, 1000]);
    let values: Vec<u32> = (0..40_000).collect();
    for number in 0..25 {
        let start = [number / 5 * 200, number % 5 * 200];
        sky.push(&start, NdArray::new(&[200, 200], &values).unwrap()).unwrap();
    }
    let mut file = File::new();
    file.set("/sky", &sky).unwrap();
    let server = Server::start(file.to_bytes().unwrap());
    let read = |remote: Remote| {
        let file = remote.open(&format!("{}/none/x.asdf", server.url)).unwrap();
        let sky: ChunkedArray = file.get("/sky").unwrap();
        let part = sky.slice(&[Slice::from(390..610), Slice::from(390..610)]).unwrap();
        let found = part.read::<u32>().unwrap();
        assert_eq!((found.len(), found[0], found[219]), (220 * 220, 190 * 200 + 190, 190 * 200 + 9));
        server.take_requests().len()
    };
    // The tree, the block index, the headers, the bytes of nine chunks.
    assert_eq!(read(remote()), 4);
    assert!(read(remote().cache_size(0)) > 4, "nothing can be kept");
}

#[test]
fn listings_are_repeated() {
    let server = Server::start(b"<title>Index of /</title><a href=\"x.asdf\">x.asdf</a>".to_vec());
    let names = |folder: &str| -> Result<Vec<String>> {
        remote().list(&format!("{}/{folder}/", server.url))?.map(|found| Ok(found?.url)).collect()
    };
    for folder in ["none", "busy503", "busy429", "cut"] {
        assert_eq!(names(folder).unwrap(), [format!("{}/{folder}/x.asdf", server.url)], "{folder}");
    }
    for folder in ["always503", "always404", "cut-always"] {
        assert_eq!(names(folder).unwrap_err().kind(), Kind::Io, "{folder}");
    }
    assert_eq!(names("always403").unwrap_err().kind(), Kind::Unsupported);
}
