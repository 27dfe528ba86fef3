//! Converts files: from the pre-release formats 0.1.0, and between versions of the standard.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;

use asdf_core::file::Version;
use asdf_core::tree::NodeRef;
use asdf_core::value::Timestamp;
use asdf_core::{Datatype, File, NdArray, OpenOptions, error};
use asdf_schemas::{Registry, Validator, convert};

fn data() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// Returns all arrays that are directly under a key of the root.
fn arrays(file: &File) -> Vec<NdArray> {
    let nodes = file.tree().root().unwrap().entries();
    nodes.filter_map(|(key, _)| file.array(&format!("/{}", key.text()?)).ok()).collect()
}

#[test]
fn drafts_are_written_as_files_of_today() {
    let mut files = 0;
    for entry in std::fs::read_dir(data()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("draft_") || !name.ends_with(".asdf") || name.contains("0000") {
            continue;
        }
        files += 1;
        // External data is only found in the folder of the file, so write the new file there.
        let folder = tempfile::tempdir().unwrap();
        for name in [&name, "draft_exploded0000.asdf"] {
            std::fs::copy(data().join(name), folder.path().join(name)).unwrap();
        }
        let draft = File::open(folder.path().join(&name)).unwrap();
        assert!(draft.is_draft() && draft.warnings()[0].code() == Some(error::Code::Draft), "{name}");
        assert_eq!(draft.standard(), Version::new(1, 6, 0));
        let new = folder.path().join("new.asdf");
        draft.write(&new).unwrap();
        let bytes = std::fs::read(&new).unwrap();
        assert!(bytes.starts_with(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n"), "{name}");
        let file = OpenOptions::new().verify_checksums(true).open(&new).unwrap();
        assert!(!file.is_draft() && file.warnings().is_empty(), "{name}: {:?}", file.warnings());
        let report = Validator::standard().validate_file(&file);
        assert!(report.is_valid() && report.unknown_tags().is_empty(), "{name}: {report:?}");
        for word in ["dtype", "tag:stsci.edu:asdf/0.1.0/"] {
            let old = file.tree().text().replace("subdtype", "");
            assert!(!old.contains(word), "{name} has {word}:\n{old}");
        }
        let (before, after) = (arrays(&draft), arrays(&file));
        assert!(!before.is_empty());
        assert_eq!(before, after, "{name}");
        // A second conversion changes nothing.
        let again = File::from_bytes(bytes.clone()).unwrap().to_bytes().unwrap();
        assert_eq!(again, bytes, "{name}");
    }
    assert!(files >= 8, "only {files} drafts");
}

#[test]
fn quantized_numbers_have_the_order_of_their_array() {
    for (source, order) in [(0, "little"), (-1, "little"), (0, "big"), (-1, "big")] {
        let mut bytes = format!(
            "#ASDF 0.1.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/0.1.0/\n--- !core/asdf\n\
             a: !core/ndarray {{source: {source}, shape: [2], datatype: float32, byteorder: {order}}}\n...\n"
        )
        .into_bytes();
        let mut data = b"[[quantize, {dtype: 32, original_shape: [2]}]]\n...\n\x08".to_vec();
        data.extend([1.0_f64.to_be_bytes(), 0.5_f64.to_be_bytes(), 2_u64.to_be_bytes()].concat());
        data.extend([4, 0xff]);
        let size = (data.len() as u64).to_be_bytes();
        bytes.extend(
            [b"\xd3BLK\0\x24\0\0\0\x02".as_slice(), &size, &size, &8_u64.to_be_bytes(), &[0; 8]].concat(),
        );
        bytes.extend(data);
        let file = File::from_bytes(bytes).unwrap();
        assert_eq!(file.array("/a").unwrap().read::<f32>().unwrap(), [3.0, 0.5], "{source} {order}");
        let new = File::from_bytes(file.to_bytes().unwrap()).unwrap();
        assert_eq!(new.array("/a").unwrap().read::<f32>().unwrap(), [3.0, 0.5], "{source} {order}");
    }
}

/// Reads everything that can be read. Damaged data must only cause errors.
fn read(bytes: Vec<u8>) {
    let Ok(file) = File::from_bytes(bytes) else { return };
    for array in file.tree().root().into_iter().flat_map(|_| arrays(&file)) {
        let _ = array.elements().map(Iterator::count);
    }
    for block in file.blocks().unwrap_or_default() {
        let _ = block.verify();
    }
    let _ = file.to_bytes();
}

#[test]
fn damaged_drafts_do_not_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in [
        "data/draft_stream.asdf",
        "data/draft_exploded0000.asdf",
        "data/draft_late.asdf",
        "validate/draft_tile_cut.asdf",
        "validate/draft_unknown_encoding.asdf",
        "validate/draft_bits.asdf",
    ] {
        let whole = std::fs::read(folder.join(name)).unwrap();
        for at in 0..whole.len() {
            read(whole[..at].to_vec());
            for value in [0, 0xff, whole[at] ^ 0x80, whole[at].wrapping_add(1)] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                read(bytes);
            }
        }
    }
}

#[test]
fn the_compression_of_drafts_is_kept() {
    let file = File::open(data().join("draft_encodings.asdf")).unwrap();
    let new = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    let labels = |file: &File, pointer: &str| {
        let source = file.array(pointer).unwrap().source().unwrap();
        file.blocks().unwrap()[usize::try_from(source).unwrap()].header().compression.to_string()
    };
    for (pointer, label) in
        [("/zlib", "zlib"), ("/tile_4", "none"), ("/tile_4_zlib", "zlib"), ("/all", "zlib")]
    {
        assert_eq!(labels(&new, pointer), label, "{pointer}");
    }
}

#[test]
fn a_draft_without_tags_is_written_anew_too() {
    let file =
        File::from_bytes(&b"#ASDF 0.1.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/0.1.0/\n---\na: 1\n...\n"[..]);
    let bytes = asdf_core::WriteOptions::new().sign(false).to_bytes(&file.unwrap()).unwrap();
    assert!(!String::from_utf8(bytes).unwrap().contains("0.1.0"));
    let none = File::from_bytes(&b"%ASDF 0.1.0\n"[..]).unwrap();
    assert_eq!(none.to_bytes().unwrap(), b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n");
}

fn of(standard: &str, tree: &str) -> File {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---{tree}\n...\n"
    );
    File::from_bytes(text.into_bytes()).unwrap()
}

/// Returns the tags of a file in the order of the tree, without their common prefix.
fn tags(file: &File) -> Vec<String> {
    let nodes = file.tree().root().into_iter().flat_map(NodeRef::walk);
    nodes.filter_map(|node| Some(node.own_tag()?.replace("tag:stsci.edu:asdf/", ""))).collect()
}

fn to(file: &mut File, version: &str) -> Vec<String> {
    let found = convert(file, Version::parse(version).unwrap(), &Validator::standard()).unwrap();
    assert_eq!(file.standard().to_string(), version);
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn tags_get_the_versions_of_the_standard() {
    let tree = " !core/asdf-1.1.0\n\
        a: !core/ndarray-1.0.0 {data: [1, 2], datatype: int8, mask: !core/ndarray-1.0.0 [true, false]}\n\
        t: !time/time-1.1.0 '2000-12-31T13:05:27.737'\n\
        x: !<asdf://x.org/t-1.0.0> [!core/complex-1.0.0 1+1j]\n\
        c: !core/table-1.0.0\n  columns: [!core/column-1.0.0 {name: a, data: !core/ndarray-1.0.0 [1]}]";
    let mut file = of("1.5.0", tree);
    let found = to(&mut file, "1.6.0");
    let newest = tags(&file);
    assert_eq!(newest[..3], ["core/asdf-1.1.0", "core/ndarray-1.1.0", "core/ndarray-1.1.0"]);
    assert!(newest[3].starts_with("time/time-1.") && newest[3] != "time/time-1.1.0", "{newest:?}");
    assert_eq!(newest[4..6], ["asdf://x.org/t-1.0.0", "core/complex-1.0.0"]);
    assert_eq!(found.len(), 2, "{found:?}");
    let kept = "line 10, column 3: /c: tag:stsci.edu:asdf/core/table-1.0.0 is not in standard 1.6.0: the tag is kept";
    assert_eq!(found[0], kept);
    assert!(Validator::standard().validate_file(&file).is_valid());
    // Converting back restores everything that the standard did not change.
    let back = to(&mut file, "1.5.0");
    assert_eq!(tags(&file), tags(&of("1.5.0", tree)), "{back:?}");
    assert_eq!(back.len(), 1, "{back:?}");
    let unknown = "/x: no manifest for the tag asdf://x.org/t-1.0.0: it may require standard 1.6.0";
    assert!(back[0].contains(unknown), "{back:?}");
}

/// The schema of version 1.0.0 has keys of the root that later versions do not have.
#[test]
fn roots_have_the_tag_of_the_new_version_whatever_their_keys() {
    let mut file = of("1.0.0", " !core/asdf-1.0.0\ndata: !core/ndarray-1.0.0 [1]\nextra: 5");
    assert_eq!(to(&mut file, "1.6.0"), Vec::<String>::new());
    assert_eq!(tags(&file)[0], "core/asdf-1.1.0");
    assert_eq!(to(&mut file, "1.0.0"), Vec::<String>::new());
    assert_eq!(tags(&file)[0], "core/asdf-1.0.0");
}

#[test]
fn values_that_do_not_fit_are_kept_and_reported() {
    let mut file = of(
        "1.6.0",
        " !core/asdf-1.1.0\nhalf: &h !core/ndarray-1.1.0 {data: [1.5, ~, 0.1], datatype: float16}\nagain: *h\n\
         big: !core/integer-1.1.0 {words: !core/ndarray-1.1.0 {data: [1], datatype: uint32}, sign: +}",
    );
    let found = to(&mut file, "1.0.0");
    assert_eq!(
        tags(&file),
        [
            "core/asdf-1.0.0",
            "core/ndarray-1.0.0",
            "core/ndarray-1.0.0",
            "core/integer-1.1.0",
            "core/ndarray-1.0.0"
        ]
    );
    assert_eq!(found.len(), 2, "{found:?}");
    let half = "/half: standard 1.0.0 has no float16: the array is written as float32";
    assert!(found[0].contains(half), "{found:?}");
    for path in ["/half", "/again"] {
        let array = file.array(path).unwrap();
        assert_eq!((array.datatype(), array.is_inline()), (&Datatype::Float32, true), "{path}");
        assert_eq!(array.missing().unwrap(), Some(vec![false, true, false]), "{path}");
        assert_eq!(array.read::<f32>().unwrap()[2], 0.099975586, "as float16 has it");
    }
    assert!(
        found[1].contains("/big: tag:stsci.edu:asdf/core/integer-1.1.0 is not in standard 1.0.0"),
        "{found:?}"
    );
}

/// A rotation and a table of values without the properties that older writers left out, twice.
const WITHOUT_DEFAULTS: &str = " !core/asdf-1.1.0\nr:\n\
    - &r !transform/rotate3d-1.2.0 {phi: 1.0, psi: 2.0, theta: 3.0}  # a comment\n- *r\n\
    t: !transform/tabular-1.2.0 {points: [[1, 2]], lookup_table: [3, 4]}";

#[test]
fn defaults_of_old_files_are_written_out_for_standards_that_do_not_have_them() {
    let mut file = of("1.5.0", WITHOUT_DEFAULTS);
    assert!(Validator::standard().validate_file(&file).is_valid());
    assert!(to(&mut file, "1.6.0").is_empty());
    let new = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(new.get::<String>("/r/0/direction").unwrap(), "native2celestial");
    assert_eq!(new.get::<String>("/r/1/direction").unwrap(), "native2celestial");
    assert_eq!(new.get::<String>("/t/method").unwrap(), "linear");
    assert!(Validator::standard().validate_file(&new).is_valid());
}

#[test]
fn defaults_stay_out_of_files_of_older_standards() {
    let mut file = of("1.5.0", WITHOUT_DEFAULTS);
    let text = file.tree().text().to_owned();
    assert!(to(&mut file, "1.4.0").is_empty());
    assert!(tags(&file).contains(&"transform/rotate3d-1.2.0".to_owned()));
    let old = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert!(old.tree().find("/r/0/direction").is_none() && old.tree().find("/t/method").is_none());
    assert!(text.contains("# a comment") && old.tree().text().contains("# a comment"));
    assert!(Validator::standard().validate_file(&old).is_valid());
}

#[test]
fn history_takes_the_form_of_the_standard() {
    let mut file = File::new();
    file.add_history("made", Some(Timestamp::new("2026-11-20 12:00:00").unwrap()), None).unwrap();
    let mut file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert!(to(&mut file, "1.4.0").is_empty());
    let mut newer = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    let uris: Vec<String> = newer
        .at("/history/extensions")
        .unwrap()
        .items()
        .map(|e| e.tree().node(e.id()).get("extension_uri").unwrap().as_str().unwrap().to_owned())
        .collect();
    assert_eq!(uris, ["asdf://asdf-format.org/core/extensions/core-1.4.0"]);
    assert!(to(&mut newer, "1.0.0").is_empty());
    let old = File::from_bytes(newer.to_bytes().unwrap()).unwrap();
    assert_eq!(old.at("/history/0/description").unwrap().as_str(), Some("made"));
    assert!(Validator::standard().validate_file(&old).is_valid());
}

#[test]
fn every_file_goes_to_every_version_and_stays_valid() {
    let versions = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0"];
    let examples = asdf_tests::examples().unwrap();
    let mut wrong = Vec::new();
    for version in versions {
        for example in &examples {
            let mut file = File::from_bytes(example.file.clone().into_bytes()).unwrap();
            to(&mut file, version);
            let report = Validator::standard().validate_tree(file.tree());
            wrong.extend(report.violations().iter().map(|v| format!("{} as {version}: {v}", example.name)));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    let none = convert(&mut File::new(), Version::new(1, 9, 0), &Validator::standard()).unwrap_err();
    assert!(none.hint().unwrap().to_string().contains("1.0.0, 1.1.0"), "{none}");
    let empty = Validator::new(std::sync::Arc::new(Registry::empty()));
    assert!(convert(&mut File::new(), Version::new(1, 6, 0), &empty).is_err());
}
