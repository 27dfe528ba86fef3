//! Produces every error code with a faulty file or value.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use asdf_core::array::{Array, Complex, ReadBudget};
use asdf_core::file::Extension;
use asdf_core::{
    Compression, Error, File, Limits, NdArray, Node, OpenOptions, Result, WriteOptions, error, yaml,
};

/// Returns the error of a call that must fail.
fn error<T>(result: Result<T>) -> Error {
    result.err().unwrap()
}

/// Returns a file with two blocks, and the offset of the first.
fn bytes(compression: Compression) -> (Vec<u8>, usize) {
    let mut file = File::new();
    for name in ["/a", "/b"] {
        file.set(name, &NdArray::new(&[200], &[7_u16; 200]).unwrap()).unwrap();
    }
    let bytes = WriteOptions::new().compression(compression).to_bytes(&file).unwrap();
    let block = bytes.windows(4).position(|four| four == b"\xd3BLK").unwrap();
    (bytes, block)
}

fn open(bytes: Vec<u8>) -> File {
    File::from_bytes(bytes).unwrap()
}

fn tree(text: &str) -> Result<File> {
    File::from_bytes(format!("#ASDF 1.0.0\n%YAML 1.1\n--- {text}\n...\n").into_bytes())
}

fn limited(compression: Compression, set: impl FnOnce(&mut Limits)) -> Result<File> {
    let mut limits = Limits::default();
    set(&mut limits);
    OpenOptions::new().limits(limits).open_bytes(bytes(compression).0)
}

/// Returns a warning about a file as an error. Each warning has a code.
fn warning(text: &str, index: usize) -> Error {
    let extension = Extension::new("asdf://example.org/extensions/camera-1.0.0").unwrap();
    let extension = extension.package("camera", "1.2.0");
    let file = OpenOptions::new().extension(extension).open_bytes(text.as_bytes().to_vec()).unwrap();
    assert!(file.warnings().iter().all(|warning| warning.code().is_some()), "{:?}", file.warnings());
    assert_eq!(file.is_draft(), text.contains("ASDF 0.1.0"));
    let warning = &file.warnings()[index];
    Error::new(warning.kind(), warning.message()).with_code(warning.code().unwrap())
}

#[test]
fn every_code_has_a_fault() {
    use error::Code;
    let none = Compression::NONE;
    let zlib: Compression = "zlib".parse().unwrap();
    let damaged = |compression, change: &dyn Fn(&mut [u8])| {
        let (mut bytes, block) = bytes(compression);
        change(&mut bytes[block..]);
        open(bytes)
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("outside.asdf");
    let array = "!<tag:stsci.edu:asdf/core/ndarray-1.1.0>";
    let outside = format!(
        "#ASDF 1.0.0\n%YAML 1.1\n--- {{a: {array} {{source: ../b.asdf, datatype: int8, byteorder: little, shape: [1]}}}}\n...\n"
    );
    std::fs::write(&path, outside).unwrap();
    let no_block =
        tree(&format!("{{a: {array} {{source: 3, datatype: int8, byteorder: little, shape: [1]}}}}"));
    let two_axes = NdArray::new(&[1, 1], &[1.0_f32]).unwrap();

    let draft =
        "#ASDF 0.1.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/0.1.0/\n--- !core/asdf\na: !wcs/axis {}\n...\n";
    let newer_package = "#ASDF 1.0.0\n%YAML 1.1\n---\nhistory: {extensions: [\n\
        {extension_uri: asdf://example.org/extensions/camera-1.0.0, software: {name: camera, version: 1.3.0}}]}\n...\n";

    let cases = [
        (Code::NotAsdf, error::Kind::Malformed, error(File::from_bytes(&b"SIMPLE  = T"[..]))),
        (Code::Layout, error::Kind::Unsupported, error(File::from_bytes(&b"#ASDF 2.0.0\n"[..]))),
        (Code::CutShort, error::Kind::Malformed, {
            let (mut bytes, block) = bytes(none);
            bytes.truncate(block + 100);
            error(open(bytes).array("/a").unwrap().read::<u16>())
        }),
        (Code::Outside, error::Kind::Unsupported, {
            error(File::open(&path).unwrap().array("/a").and_then(|array| array.read::<i8>()))
        }),
        (Code::Yaml, error::Kind::Malformed, error(tree("{a: [}"))),
        (Code::Integers, error::Kind::Usage, error(Node::new(&u128::MAX))),
        // The same for the elements of an array, which become the numbers of a list.
        (Code::Integers, error::Kind::Usage, {
            error(NdArray::new(&[2], &[1, i128::MAX]).unwrap().inlined())
        }),
        (Code::Block, error::Kind::Malformed, error(damaged(none, &|block| block[5] = 1).blocks())),
        (Code::NoBlock, error::Kind::Malformed, {
            error(no_block.unwrap().array("/a").and_then(|array| array.read::<i8>()))
        }),
        (Code::Index, error::Kind::Malformed, {
            damaged(none, &|block| block[1] = b'X').missed_blocks().unwrap().remove(0)
        }),
        (Code::Checksum, error::Kind::Malformed, {
            error(damaged(none, &|block| block[70] ^= 1).blocks().unwrap()[0].verify())
        }),
        (Code::Codec, error::Kind::Unsupported, {
            error(
                damaged(zlib, &|block| block[10..14].copy_from_slice(b"nope"))
                    .array("/a")
                    .unwrap()
                    .read::<u16>(),
            )
        }),
        (Code::Undecodable, error::Kind::Malformed, {
            error(damaged(zlib, &|block| block[54..60].fill(0xff)).array("/a").unwrap().read::<u16>())
        }),
        (Code::Tag, error::Kind::Mismatch, {
            error(yaml::parse("!<tag:stsci.edu:asdf/core/software-1.0.0> 1+1j").unwrap().get::<Complex>(""))
        }),
        (Code::Datatype, error::Kind::Mismatch, error(Array::<f64, 2>::new(two_axes.clone()))),
        (Code::Shape, error::Kind::Mismatch, error(Array::<f32, 1>::new(two_axes))),
        (Code::Depth, error::Kind::Limit, error(tree(&"[".repeat(10_000)))),
        (Code::TreeSize, error::Kind::Limit, error(limited(none, |limits| limits.tree_size = 20))),
        (Code::Blocks, error::Kind::Limit, {
            error(limited(none, |limits| limits.blocks = 1).unwrap().blocks())
        }),
        (Code::DecodedSize, error::Kind::Limit, {
            let file = limited(zlib, |limits| limits.decoded_size = 20).unwrap();
            error(file.array("/a").unwrap().read::<u16>())
        }),
        (Code::RepeatedElements, error::Kind::Limit, {
            let file = limited(none, |limits| limits.repeated_elements = 20).unwrap();
            let (array, mut budget) = (file.array("/a").unwrap(), ReadBudget::new());
            error((0..5).try_for_each(|_| budget.take(&array)))
        }),
        (Code::Draft, error::Kind::Unsupported, warning(draft, 0)),
        (Code::DraftTag, error::Kind::Unsupported, warning(draft, 1)),
        (Code::NewerFormat, error::Kind::Unsupported, warning("#ASDF 1.9.0\n", 0)),
        (Code::NewerStandard, error::Kind::Unsupported, warning("#ASDF 1.0.0\n#ASDF_STANDARD 1.99.0\n", 0)),
        (Code::NewerPackage, error::Kind::Unsupported, warning(newer_package, 0)),
    ];
    let mut found = BTreeMap::new();
    for (code, kind, error) in cases {
        assert_eq!((error.code(), error.kind()), (Some(code), kind), "{error}");
        found.insert(code, ());
    }
    // A test cannot exhaust the memory of every machine.
    let missing: Vec<_> = Code::ALL.iter().filter(|code| !found.contains_key(code)).collect();
    assert_eq!(missing, [&Code::Memory]);
}
