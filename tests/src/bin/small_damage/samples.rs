//! The files that are damaged: some that Python's asdf wrote, and some that this library writes.

use std::path::{Path, PathBuf};

use asdf_core::array::ChunkedArray;
use asdf_core::file::Padding;
use asdf_core::{Compression, Datatype, File, NdArray, Result, WriteOptions};

/// Files in `tests/data`, with the name of the file that is opened if that is another one.
const STORED: &[(&str, &str)] = &[
    ("codec_bls2.asdf", ""),
    ("codec_blsc.asdf", ""),
    ("codec_lz4f.asdf", ""),
    ("codec_xz.asdf", ""),
    ("codec_zstd.asdf", ""),
    ("draft_late.asdf", ""),
    ("draft_memory.asdf", ""),
    ("draft_stream.asdf", ""),
    ("exploded.asdf", "exploded.asdf"),
    ("exploded0000.asdf", "exploded.asdf"),
    ("inline.asdf", ""),
    ("masked.asdf", ""),
    ("shapes.asdf", ""),
    ("stream.asdf", ""),
    ("strings.asdf", ""),
    ("structured.asdf", ""),
    ("views.asdf", ""),
];

/// A tree without blocks, with most of what YAML can say.
const TREE: &str = "#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
history:
  entries:
  - !core/history_entry-1.0.0 {description: made, time: 2026-01-02 03:04:05}
text: |
  two
  lines
quoted: \"a \\u00e9 \\x41\"
numbers: [1, -2, 0x1f, 1.5e3, .inf, .nan, 0b11, 1_000]
complex: !core/complex-1.0.0 1.5-2j
big: 123456789012345678
deep: [[[[[[[[{a: {b: {c: {d: [~, true]}}}}]]]]]]]]
anchor: &one {x: 1, y: [1, 2]}
alias: *one
others: [*one, {<<: *one, z: 2}]
quantity: !unit/quantity-1.2.0 {value: 5.0, unit: !unit/unit-1.0.0 m s-1}
5: key
reference: {$ref: '#/anchor/y'}
folded: >-
  some words
  in lines
...
";

/// A valid file.
#[derive(Debug)]
pub(crate) struct Sample {
    /// The name in the output.
    pub(crate) name: String,
    /// The bytes, which are damaged.
    pub(crate) bytes: Vec<u8>,
    /// The place of the damaged file and the file to open, for files that refer to others.
    pub(crate) paths: Option<(PathBuf, PathBuf)>,
}

impl Sample {
    fn new(name: &str, bytes: Vec<u8>) -> Self {
        Self { name: name.to_owned(), bytes, paths: None }
    }
}

/// Returns all samples. The folder is for those that consist of two files.
pub(crate) fn samples(folder: &Path) -> Result<Vec<Sample>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut samples = Vec::new();
    for (name, opened) in STORED {
        let path = data.join(name);
        let bytes =
            std::fs::read(&path).map_err(|error| asdf_core::Error::io("reading", error).at_file(&path))?;
        let mut sample = Sample::new(name, bytes);
        if !opened.is_empty() {
            sample.paths = Some((folder.join(name), folder.join(opened)));
        }
        samples.push(sample);
    }
    samples.push(Sample::new("tree", TREE.as_bytes().to_vec()));
    samples.push(Sample::new("codecs, padded", codecs()?));
    samples.push(Sample::new("many blocks", many_blocks()?));
    samples.push(Sample::new("no index", no_index()?));
    samples.push(Sample::new("chunked, aligned", chunked()?));
    Ok(samples)
}

fn codecs() -> Result<Vec<u8>> {
    let mut file = File::new();
    let data: Vec<i32> = (0..40).map(|i| i * i).collect();
    let codecs = [
        ("zlib", Compression::ZLIB),
        ("bzp2", Compression::BZP2),
        ("lz4", Compression::LZ4.with_chunk(64)),
        ("plain", Compression::NONE),
    ];
    for (name, compression) in codecs {
        file.set(&format!("/{name}"), &NdArray::new(&[8, 5], &data)?.with_compression(compression)?)?;
    }
    WriteOptions::new().padding(Padding::Bytes(30)).to_bytes(&file)
}

/// Blocks of the same size, so that a wrong size can lead to another block.
fn many_blocks() -> Result<Vec<u8>> {
    let mut file = File::new();
    for (number, first) in (0_u16..12).zip((1_u16..).step_by(7)) {
        let elements: Vec<u16> = (first..).take(4).collect();
        file.set(&format!("/a{number}"), &NdArray::new(&[4], &elements)?)?;
    }
    WriteOptions::new().sign(false).to_bytes(&file)
}

/// Blocks whose headers are 64 bytes apart, without an index.
fn no_index() -> Result<Vec<u8>> {
    let mut file = File::new();
    for (key, first) in [("/a", 1_u8), ("/b", 50), ("/c", 90), ("/d", 130)] {
        let elements: Vec<u8> = (first..).take(10).collect();
        file.set(key, &NdArray::new(&[10], &elements)?)?;
    }
    WriteOptions::new().sign(false).index(false).alignment(1).to_bytes(&file)
}

fn chunked() -> Result<Vec<u8>> {
    let mut whole = ChunkedArray::new(Datatype::Float32, &[4, 4]);
    whole.push(&[0, 0], NdArray::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?)?;
    whole.push(&[2, 0], NdArray::new(&[2, 4], &[5.0_f32; 8])?.with_compression(Compression::ZLIB)?)?;
    let mut file = File::new();
    file.set("/sky", &whole)?;
    WriteOptions::new().alignment(64).to_bytes(&file)
}
