//! Codecs in files: chunks and parts of blocks, unknown labels, and codecs that a program adds.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use asdf_core::block::codec::{Encoding, find};
use asdf_core::block::{Codec, Compression, Label};
use asdf_core::error::Hint;
use asdf_core::file::Extension;
use asdf_core::{Error, File, NdArray, OpenOptions, Result, WriteOptions, error};

/// A codec under another label, which counts how often it decodes.
#[derive(Debug)]
struct Renamed {
    label: Label,
    of: Label,
    decoded: AtomicUsize,
}

impl Renamed {
    fn new(label: Label, of: Label) -> Arc<Self> {
        Arc::new(Self { label, of, decoded: AtomicUsize::new(0) })
    }
}

impl Codec for Renamed {
    fn label(&self) -> Label {
        self.label
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        find(self.of)?.encode(data, how)
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        self.decoded.fetch_add(1, Ordering::Relaxed);
        find(self.of)?.decode(stored, data_size)
    }

    fn max_expansion(&self) -> u64 {
        u64::MAX
    }
}

const OWN: Label = Label::new(*b"own\0");

/// Returns an image of 100 rows of 30 numbers, with enough noise for a realistic compressed size.
fn image() -> NdArray {
    let pixels: Vec<u32> = (0..3000_u32).map(|i| i.wrapping_mul(2_654_435_761) >> (i % 20)).collect();
    NdArray::new(&[100, 30], &pixels).unwrap()
}

/// Returns a file with the image.
fn file(compression: Compression) -> File {
    let mut file = File::new();
    file.set("/image", &image().with_compression(compression).unwrap()).unwrap();
    file
}

/// Returns the sizes of the chunks of an lz4 block.
fn chunks(mut stored: &[u8]) -> Vec<u32> {
    let mut sizes = Vec::new();
    while !stored.is_empty() {
        let n = u32::from_be_bytes(stored[..4].try_into().unwrap());
        sizes.push(u32::from_le_bytes(stored[4..8].try_into().unwrap()));
        stored = &stored[4 + n as usize..];
    }
    sizes
}

#[test]
fn chunks_are_whole_rows_of_the_array() {
    let stored = |file: &File, options: WriteOptions| {
        let file = File::from_bytes(options.to_bytes(file).unwrap()).unwrap();
        assert_eq!(file.array("/image").unwrap(), image());
        file.blocks().unwrap()[0].stored_bytes().unwrap()
    };
    let small = Compression::LZ4.with_chunk(1000);
    // Eight rows of 120 bytes fit into 1000.
    let sizes = chunks(&stored(&file(small), WriteOptions::new()));
    assert!(
        sizes.len() == 13 && sizes[..12].iter().all(|&size| size == 960) && sizes[12] == 480,
        "{sizes:?}"
    );
    // The same if all blocks are written in this way, and from another codec.
    for compression in [Compression::NONE, Compression::ZLIB] {
        let before = File::from_bytes(file(compression).to_bytes().unwrap()).unwrap();
        let sizes = chunks(&stored(&before, WriteOptions::new().compression(small)));
        assert_eq!((sizes.len(), sizes[0]), (13, 960));
    }
    // A row that does not fit is cut between elements.
    assert_eq!(chunks(&stored(&file(Compression::LZ4.with_chunk(103)), WriteOptions::new()))[0], 100);
    assert_eq!(chunks(&stored(&file(Compression::LZ4), WriteOptions::new())), [12_000]);
    let error = file(Compression::ZLIB.with_chunk(1000)).to_bytes().unwrap_err();
    assert!(error.kind() == error::Kind::Usage && error.message().contains("zlib has no chunks"), "{error}");
}

/// Returns the bytes of a file whose image has chunks of eight rows. The last chunk is damaged.
fn damaged_at_the_end(compression: Compression) -> Vec<u8> {
    let bytes = file(compression).to_bytes().unwrap();
    let opened = File::from_bytes(bytes.clone()).unwrap();
    let block = &opened.blocks().unwrap()[0];
    let header = block.header();
    let end = header.data_offset(block.offset()).unwrap() + header.used_size;
    let mut bytes = bytes;
    let damage = usize::try_from(end).unwrap() - 400;
    bytes[damage..damage + 60].fill(0xff);
    bytes
}

#[test]
fn a_part_of_an_array_decodes_only_its_chunks() {
    for compression in [Compression::LZ4.with_chunk(1000), Compression::BLS2.with_level(1).with_chunk(1000)] {
        let bytes = damaged_at_the_end(compression);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part.asdf");
        std::fs::write(&path, &bytes).unwrap();
        let expected = image().read::<u32>().unwrap();
        for mmap in [false, true] {
            let mut file = OpenOptions::new().mmap(mmap).open(&path).unwrap();
            // Rows 50 and 51 of the same block, then rows 70 and 71, then again.
            file.set("/image/shape/0", &2).unwrap();
            for row in [50, 70, 50] {
                file.set("/image/offset", &(row * 120)).unwrap();
                let found = file.array("/image").unwrap().read::<u32>().unwrap();
                assert_eq!(found, expected[row * 30..row * 30 + 60], "{compression} {row}");
            }
        }
        // The array as a whole is damaged: reading it is an error, or gives other numbers.
        let whole = File::from_bytes(bytes).unwrap();
        assert!(whole.array("/image").unwrap() != image(), "{compression}");
    }
}

#[test]
fn an_unknown_label_does_not_affect_other_blocks() {
    let own = Renamed::new(OWN, Label::LZ4);
    let mut file = file(Compression::new(OWN));
    file.set("/other", &NdArray::new(&[2], &[1_u8, 2]).unwrap()).unwrap();
    let error = file.to_bytes().unwrap_err();
    assert!(error.message().contains("unknown compression label 'own'"), "{error}");
    assert_eq!(
        error.hint().map(ToString::to_string).as_deref(),
        Some(
            "use one of zlib, bzp2, lz4, lz4f, zstd, xz, blsc, bls2, or add a codec of your own with `WriteOptions::codec`"
        )
    );
    let bytes = WriteOptions::new().codec(own.clone()).to_bytes(&file).unwrap();

    let mut opened = File::from_bytes(bytes.clone()).unwrap();
    assert_eq!(opened.array("/other").unwrap().read::<u8>().unwrap(), [1, 2]);
    let error = opened.array("/image").unwrap().read::<u32>().unwrap_err();
    assert_eq!(error.kind(), error::Kind::Unsupported);
    assert!(error.message().contains("block 0: unknown compression label 'own'"), "{error}");
    assert!(error.hint() == Some(&Hint::AddCodec), "{error}");
    assert!(error.offset().is_some());

    // If only the tree changed, the block is written with the same bytes and label.
    opened.set("/note", "changed").unwrap();
    let again = opened.to_bytes().unwrap();
    let with = OpenOptions::new().codec(own).verify_checksums(true);
    let (before, after) = (with.open_bytes(bytes).unwrap(), with.open_bytes(again).unwrap());
    let block = |file: &File| file.blocks().unwrap()[0].clone();
    // Only the padding of the block header depends on the position of the block.
    let unpadded = |file: &File| asdf_core::block::Header { header_size: 48, ..block(file).header().clone() };
    assert_eq!(unpadded(&after), unpadded(&before));
    assert_eq!(block(&after).stored_bytes().unwrap(), block(&before).stored_bytes().unwrap());
    assert_eq!(after.array("/image").unwrap(), image());
    assert_eq!(after.get::<String>("/note").unwrap(), "changed");

    // Writing with another codec requires reading the block.
    let error = WriteOptions::new().compression(Compression::ZLIB).to_bytes(&opened).unwrap_err();
    assert_eq!(error.kind(), error::Kind::Unsupported);
}

#[test]
fn a_file_is_written_with_the_codecs_that_it_was_opened_with() {
    let own = Renamed::new(OWN, Label::ZLIB);
    let bytes = WriteOptions::new().codec(own.clone()).to_bytes(&file(Compression::new(OWN))).unwrap();
    let mut file = OpenOptions::new().codec(own).open_bytes(bytes).unwrap();
    let second = NdArray::new(&[3], &[1_u8, 2, 3]).unwrap().with_compression(Compression::new(OWN)).unwrap();
    file.set("/second", &second).unwrap();
    let bytes = file.to_bytes().unwrap();
    let labels: Vec<Label> = File::from_bytes(bytes)
        .unwrap()
        .blocks()
        .unwrap()
        .iter()
        .map(|block| block.header().compression)
        .collect();
    assert_eq!(labels, [OWN, OWN]);
}

#[test]
fn codecs_of_extensions_that_are_added_later_are_used() {
    let extension =
        |codec: Arc<Renamed>| Extension::new("asdf://example.org/x/extensions/x-1.0.0").unwrap().codec(codec);
    let own = Renamed::new(OWN, Label::ZLIB);
    let bytes = WriteOptions::new().codec(own.clone()).to_bytes(&file(Compression::new(OWN))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.asdf");
    std::fs::write(&path, bytes).unwrap();

    let mut opened = File::open(&path).unwrap();
    // An array that was taken from the file before can be read afterwards.
    let array = opened.array("/image").unwrap();
    assert_eq!(array.read::<u32>().unwrap_err().kind(), error::Kind::Unsupported);
    opened.add_extension(extension(own.clone()));
    assert_eq!(array, image());
    assert_eq!(own.decoded.load(Ordering::Relaxed), 1);

    // A later extension with the same label takes precedence, and a codec that was passed directly before both.
    let again = Renamed::new(OWN, Label::ZLIB);
    let mut opened = File::open(&path).unwrap();
    opened.add_extension(extension(own.clone()));
    opened.add_extension(extension(again.clone()));
    assert_eq!(opened.array("/image").unwrap(), image());
    assert_eq!((own.decoded.load(Ordering::Relaxed), again.decoded.load(Ordering::Relaxed)), (1, 1));
    let given = Renamed::new(OWN, Label::ZLIB);
    let mut opened = OpenOptions::new().codec(given.clone()).open(&path).unwrap();
    opened.add_extension(extension(own.clone()));
    assert_eq!(opened.array("/image").unwrap(), image());
    assert_eq!((own.decoded.load(Ordering::Relaxed), given.decoded.load(Ordering::Relaxed)), (1, 1));

    // The codec is kept when the file is written back, and writes new blocks.
    let mut opened = File::open(&path).unwrap();
    opened.add_extension(extension(own.clone()));
    let second = NdArray::new(&[3], &[1_u8, 2, 3]).unwrap().with_compression(Compression::new(OWN)).unwrap();
    opened.set("/second", &second).unwrap();
    opened.update().unwrap();
    assert_eq!(opened.array("/second").unwrap().read::<u8>().unwrap(), [1, 2, 3]);
    let uri = opened.get::<String>("/history/extensions/1/extension_uri").unwrap();
    assert!(uri.ends_with("x-1.0.0"), "{uri}");
}

#[test]
fn own_codecs_take_precedence_over_built_in_ones() {
    let mine = Renamed::new(Label::ZLIB, Label::ZLIB);
    let bytes = file(Compression::ZLIB).to_bytes().unwrap();
    let file = OpenOptions::new().codec(mine.clone()).open_bytes(bytes).unwrap();
    assert_eq!(file.array("/image").unwrap(), image());
    // It decodes only once, because the decoded block is kept.
    assert_eq!(file.array("/image").unwrap(), image());
    assert_eq!(mine.decoded.load(Ordering::Relaxed), 1);
}

/// A codec that does not keep what it promises.
#[derive(Debug)]
struct Liar;

impl Codec for Liar {
    fn label(&self) -> Label {
        OWN
    }

    fn encode(&self, data: &[u8], _: &Encoding) -> Result<Vec<u8>> {
        Ok(data.to_vec())
    }

    fn decode(&self, stored: &[u8], _: u64) -> Result<Vec<u8>> {
        stored.split_last().map(|(_, rest)| rest.to_vec()).ok_or_else(|| Error::malformed("nothing"))
    }

    fn max_expansion(&self) -> u64 {
        1
    }
}

#[test]
fn a_codec_that_decodes_to_a_wrong_size_is_an_error() {
    let bytes = WriteOptions::new().codec(Arc::new(Liar)).to_bytes(&file(Compression::new(OWN))).unwrap();
    let file = OpenOptions::new().codec(Arc::new(Liar)).open_bytes(bytes).unwrap();
    let error = file.array("/image").unwrap().read::<u32>().unwrap_err();
    assert!(error.message().contains("decoded 11999 bytes, expected 12000"), "{error}");
}
