//! The output and the exit codes of the program.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use asdf_core::file::Padding;
use asdf_core::{Compression, File, NdArray, WriteOptions};

fn asdf(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_asdf")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Creates a folder with a valid file and one with two invalid values.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut file = File::new();
    let image = NdArray::new(&[2, 2], &[1.0_f32, 2.5, f32::NAN, 4.0]).unwrap();
    file.set("/data", &image.with_compression(Compression::ZLIB).unwrap()).unwrap();
    file.set("/name", "M31\u{1b}[2J").unwrap();
    file.write(folder.path().join("good.asdf")).unwrap();
    let mut file = File::open(folder.path().join("good.asdf")).unwrap();
    file.set("/made_by", &asdf_core::file::Software::asdf_core()).unwrap();
    file.set("/made_by/version", &1.5).unwrap();
    file.set("/made_by/name", &true).unwrap();
    file.write(folder.path().join("bad.asdf")).unwrap();
    std::fs::write(folder.path().join("not.asdf"), "SIMPLE  =").unwrap();
    folder
}

#[test]
fn validate_reports_file_line_column_path_and_reason() {
    let folder = folder();
    let good = asdf(&["validate", "good.asdf"], folder.path());
    assert_eq!(good.status.code(), Some(0));
    assert_eq!(text(&good.stdout), "good.asdf: valid, 5 tagged nodes checked\n");

    let both = asdf(&["validate", "--quiet", "--format", "concise", "good.asdf", "bad.asdf"], folder.path());
    assert_eq!(both.status.code(), Some(1));
    let lines: Vec<&str> = text(&both.stdout).lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("bad.asdf:"), "{lines:?}");
    assert!(
        lines[0].ends_with(": error ASDF-S001 /made_by/name: found the boolean true, expected a string"),
        "{lines:?}"
    );
    assert!(
        lines[1].ends_with(": error ASDF-S001 /made_by/version: found the float 1.5, expected a string"),
        "{lines:?}"
    );
    let column = lines[0].split(':').nth(2).unwrap();
    assert!(column.parse::<u32>().is_ok(), "{lines:?}");

    let json = asdf(&["validate", "--json", "bad.asdf"], folder.path());
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["valid"], false);
    assert_eq!(json["violations"][1]["path"], "/made_by/version");
    assert_eq!(json["violations"][1]["rule"], "type");
}

#[test]
fn hostile_files_neither_stop_nor_slow_the_others() {
    let folder = folder();
    let tree = |name: &str, tree: &str| {
        let text = format!(
            "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n{tree}\n...\n"
        );
        std::fs::write(folder.path().join(name), text).unwrap();
    };
    let nested =
        |levels: usize| format!("a: !core/ndarray-1.1.0 {}1{}", "[".repeat(levels), "]".repeat(levels));
    tree("deep.asdf", &nested(500));
    tree("deeper.asdf", &nested(600));
    let mut bomb = "a: !core/ndarray-1.1.0\n- &l0 [1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned();
    for level in 1..30 {
        let items = vec![format!("*l{}", level - 1); 8].join(", ");
        bomb.push_str(&format!("- &l{level} [{items}]\n"));
    }
    tree("bomb.asdf", &bomb);
    tree("circle.asdf", "a: &a !core/ndarray-1.1.0 [1, *a]");
    tree("circles.asdf", "a: &a {history: &b [*a, *b, !core/ndarray-1.1.0 {data: *b}]}");
    let begin = std::time::Instant::now();
    let done = asdf(&["validate", "--json", "--timeout", "60", "."], folder.path());
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    let found: Vec<(String, String)> = text(&done.stdout)
        .lines()
        .map(|line| {
            let judged: serde_json::Value = serde_json::from_str(line).unwrap();
            let code = judged["violations"].get(0).map_or("", |one| one["code"].as_str().unwrap());
            (judged["file"].as_str().unwrap().trim_start_matches("./").to_owned(), code.to_owned())
        })
        .collect();
    let expected = [
        ("bad.asdf", "ASDF-S001"),
        ("bomb.asdf", "ASDF-S027"),
        ("circle.asdf", "ASDF-A001"),
        ("circles.asdf", "ASDF-S019"),
        ("deep.asdf", "ASDF-A001"),
        ("deeper.asdf", "ASDF-F001"),
        ("good.asdf", ""),
        ("not.asdf", "ASDF-F001"),
    ];
    assert_eq!(found, expected.map(|(file, code)| (file.to_owned(), code.to_owned())));

    // The timeout is per file.
    let late =
        asdf(&["validate", "--format", "concise", "--timeout", "0", "good.asdf", "not.asdf"], folder.path());
    assert_eq!(late.status.code(), Some(1));
    let late = text(&late.stdout);
    assert!(late.contains("good.asdf: error ASDF-F003 /: timed out after 0 s\n"), "{late}");
    assert!(late.contains("good.asdf: 1 violation, the rest was not checked\n"), "{late}");
    assert!(
        late.contains("not.asdf: error ASDF-F001 at byte 0: the FITS file ends inside a header"),
        "{late}"
    );
}

#[test]
fn exit_codes() {
    let folder = folder();
    let code = |arguments: &[&str]| asdf(arguments, folder.path()).status.code();
    assert_eq!(code(&["info", "good.asdf"]), Some(0));
    assert_eq!(code(&["info", "not.asdf"]), Some(1));
    assert_eq!(code(&["validate", "not.asdf"]), Some(1));
    assert_eq!(code(&["validate", "missing.asdf"]), Some(2));
    assert_eq!(code(&["validate", "."]), Some(1));
    assert_eq!(code(&["info"]), Some(2));
    assert_eq!(code(&["nonsense"]), Some(2));
    let missing = asdf(&["validate", "missing.asdf", "good.asdf"], folder.path());
    assert!(text(&missing.stdout).contains("good.asdf: valid"), "one missing file hides the others");
    assert!(text(&missing.stderr).starts_with("missing.asdf: "), "{}", text(&missing.stderr));
    let cards = [
        "SIMPLE  =                    T",
        "BITPIX  =                    8",
        "NAXIS   =                    0",
        "END",
    ];
    let header: String = cards.iter().map(|card| format!("{card:80}")).collect();
    std::fs::write(folder.path().join("plain.fits"), format!("{header:2880}")).unwrap();
    let fits = asdf(&["info", "plain.fits"], folder.path());
    assert_eq!(fits.status.code(), Some(1));
    assert!(
        text(&fits.stderr).contains("convert its HDUs to an ASDF file with `asdf import`"),
        "{}",
        text(&fits.stderr)
    );
}

#[test]
fn info_draws_the_tree_without_controlling_the_terminal() {
    let folder = folder();
    let info = asdf(&["info", "--blocks", "good.asdf"], folder.path());
    let info = text(&info.stdout);
    assert!(info.starts_with("good.asdf: ASDF 1.0.0, standard 1.6.0, 1 block\n"), "{info}");
    assert!(info.contains("├─ data: float32 [2, 2], 16 B, block 0\n"), "{info}");
    assert!(info.contains("├─ name: 'M31\\u{1b}[2J'\n"), "{info}");
    assert!(info.contains("16 bytes in ") && info.contains(" of zlib"), "{info}");
    assert!(info.ends_with("block index: ok\n"), "{info}");

    let shallow = asdf(&["info", "--depth", "1", "good.asdf"], folder.path());
    assert!(!text(&shallow.stdout).contains("extension_class"));

    let json = asdf(&["info", "--json", "good.asdf"], folder.path());
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json["asdf_info"], &json["index"]), (&1.into(), &"right".into()));
    let data =
        json["tree"]["entries"].as_array().unwrap().iter().find(|entry| entry["key"] == "data").unwrap();
    assert_eq!(data["node"]["array"]["shape"], serde_json::json!([2, 2]));
}

#[test]
fn dump_is_canonical() {
    let folder = folder();
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_slice(&asdf(arguments, folder.path()).stdout).unwrap()
    };
    let dump = json(&["dump", "good.asdf"]);
    assert_eq!(dump["$tag"], "tag:stsci.edu:asdf/core/asdf-1.1.0");
    assert_eq!(dump["$value"]["data"]["$value"]["source"], 0);
    let digest = json(&["dump", "--digest", "good.asdf"]);
    // SHA-256 of the four little-endian float32 elements.
    assert_eq!(digest["$value"]["data"]["$array"]["datatype"], "float32");
    assert_eq!(digest["$value"]["data"]["$array"]["sha256"].as_str().unwrap().len(), 64);
    let values = json(&["dump", "--values", "good.asdf"]);
    assert_eq!(
        values["arrays"]["/data"],
        serde_json::json!({"shape": [2, 2], "data": [[1.0, 2.5], ["NaN", 4.0]]})
    );
    assert_eq!(values["errors"], serde_json::json!({}));
    assert_eq!(values["tree"]["name"], "M31\u{1b}[2J");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = folder();
    let mut child = Command::new(env!("CARGO_BIN_EXE_asdf"))
        .args(["info", "--json", "good.asdf"])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert_ne!(output.status.code(), Some(101));
}

/// Returns a file in the pre-release format 0.1.0 with an array in the default byte order.
fn pre_release() -> Vec<u8> {
    let mut bytes = b"%ASDF 0.1.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/0.1.0/\n--- !core/asdf\n\
        a: !core/ndarray {source: 0, shape: [2], dtype: int16} # counts\n...\n"
        .to_vec();
    bytes.extend(b"\x89BLK\0\x2c\0\0\0\0");
    bytes.extend([0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4]);
    bytes.extend([0; 24]);
    bytes.extend([0, 1, 1, 0]);
    bytes
}

#[test]
fn convert_writes_another_file() {
    let folder = folder();
    std::fs::write(folder.path().join("old_format.asdf"), pre_release()).unwrap();
    let run = |arguments: &[&str]| asdf(arguments, folder.path());
    let done = run(&["convert", "old_format.asdf", "new.asdf"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert_eq!(
        text(&done.stdout),
        "old_format.asdf: warning: the file has the pre-release format 0.1.0 and is read as a file of the ASDF Standard \
         1.6.0\n  hint: write the file to convert it to that version\nnew.asdf: ASDF Standard 1.6.0, 1 block\n"
    );
    let bytes = std::fs::read(folder.path().join("new.asdf")).unwrap();
    assert!(bytes.starts_with(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n"), "{}", bytes.escape_ascii());
    assert!(
        !bytes.windows(8).any(|window| window == b"f/0.1.0/" || window == b", dtype:"),
        "{}",
        bytes.escape_ascii()
    );
    let validated = run(&["validate", "new.asdf"]);
    assert_eq!(text(&validated.stdout), "new.asdf: valid, 5 tagged nodes checked\n");
    let file = File::open(folder.path().join("new.asdf")).unwrap();
    assert_eq!(file.array("/a").unwrap().read::<i16>().unwrap(), [1, 256]);

    let code = |arguments: &[&str]| run(arguments).status.code();
    assert_eq!(code(&["convert", "good.asdf", "new.asdf"]), Some(2), "it was written over");
    assert_eq!(std::fs::read(folder.path().join("new.asdf")).unwrap(), bytes);
    assert_eq!(code(&["convert", "missing.asdf", "x.asdf"]), Some(2));
    assert_eq!(code(&["convert", "not.asdf", "x.asdf"]), Some(1));
    assert_eq!(code(&["convert", "good.asdf", "x.asdf", "--standard", "1.6"]), Some(2));
    assert_eq!(code(&["convert", "good.asdf", "x.asdf", "--standard", "9.9.9"]), Some(2));
    assert_eq!(code(&["convert", "good.asdf", "x.asdf", "--compression", "rar5"]), Some(2));
    assert_eq!(code(&["convert", "good.asdf", "no/such/folder.asdf"]), Some(2));
    assert!(!folder.path().join("x.asdf").exists());

    // A file can replace itself, with another compression and standard.
    assert_eq!(
        code(&[
            "convert",
            "good.asdf",
            "good.asdf",
            "--force",
            "--compression",
            "none",
            "--standard",
            "1.5.0"
        ]),
        Some(0)
    );
    let file = File::open(folder.path().join("good.asdf")).unwrap();
    assert_eq!(file.standard().to_string(), "1.5.0");
    assert_eq!(file.at("/data").unwrap().tag(), Some("tag:stsci.edu:asdf/core/ndarray-1.0.0"));
    assert!(file.blocks().unwrap()[0].header().compression.is_none());
    assert_eq!(code(&["validate", "good.asdf"]), Some(0));
}

#[test]
fn convert_refuses_damaged_data() {
    let folder = folder();
    let mut bytes = std::fs::read(folder.path().join("good.asdf")).unwrap();
    let block = bytes.windows(4).position(|window| window == b"\xd3BLK").unwrap();
    bytes[block + 60] ^= 1;
    std::fs::write(folder.path().join("good.asdf"), bytes).unwrap();
    let done = asdf(&["convert", "good.asdf", "x.asdf"], folder.path());
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("block 0: "), "{}", text(&done.stderr));
    assert!(!folder.path().join("x.asdf").exists());
}

#[test]
fn files_are_exploded_imploded_and_defragmented_without_replacing_others() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let code = |arguments: &[&str]| asdf(arguments, folder.path()).status.code();
    let image = |name: &str| File::open(at(name)).unwrap().array("/data").unwrap();
    let original = image("good.asdf");

    assert_eq!(code(&["explode", "good.asdf"]), Some(0));
    assert_eq!(image("good_exploded.asdf").external(), Some("good_exploded0000.asdf"));
    assert_eq!(image("good_exploded.asdf"), original);
    assert_eq!(File::open(at("good_exploded.asdf")).unwrap().blocks().unwrap().len(), 0);
    assert_eq!(code(&["explode", "good.asdf"]), Some(2));
    std::fs::remove_file(at("good_exploded.asdf")).unwrap();
    let refused = asdf(&["explode", "good.asdf"], folder.path());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("good_exploded0000.asdf"), "{}", text(&refused.stderr));
    assert!(!at("good_exploded.asdf").exists());
    assert_eq!(code(&["explode", "--force", "good.asdf"]), Some(0));

    assert_eq!(code(&["implode", "good_exploded.asdf"]), Some(0));
    assert_eq!(image("good_exploded_all.asdf"), original);
    assert_eq!(image("good_exploded_all.asdf").source(), Some(0));
    // The data stays compressed in every step.
    let blocks = File::open(at("good_exploded_all.asdf")).unwrap().blocks().unwrap();
    assert_eq!(blocks[0].header().compression, asdf_core::block::Label::ZLIB);
    assert_eq!(code(&["implode", "good_exploded.asdf", "-o", "good.asdf"]), Some(2));
    assert_eq!(image("good.asdf"), original);

    // The data stays in its file if the new file is in the same folder; otherwise it is copied.
    std::fs::create_dir(at("other")).unwrap();
    let beside = asdf(&["convert", "good_exploded.asdf", "beside.asdf"], folder.path());
    let expected = "beside.asdf:14:3: warning: the array's data stays in 'good_exploded0001.asdf', which is not converted";
    assert!(text(&beside.stdout).contains(expected), "{}", text(&beside.stdout));
    let elsewhere = asdf(&["convert", "good_exploded.asdf", "other/new.asdf"], folder.path());
    assert_eq!(text(&elsewhere.stdout), "other/new.asdf: ASDF Standard 1.6.0, 1 block\n");
    assert_eq!(image("other/new.asdf"), original);
    assert_eq!(image("other/new.asdf").source(), Some(0));

    let padded = WriteOptions::new().padding(Padding::Bytes(5000));
    padded.write(&File::open(at("good.asdf")).unwrap(), at("padded.asdf")).unwrap();
    assert_eq!(code(&["defragment", "padded.asdf"]), Some(0));
    let size = |name: &str| std::fs::metadata(at(name)).unwrap().len();
    assert!(size("padded.asdf") > 10_000 && size("padded_defragmented.asdf") < 1000);
    assert_eq!(code(&["defragment", "-c", "lz4", "-f", "-o", "padded.asdf", "padded.asdf"]), Some(0));
    assert!(size("padded.asdf") < 1000);
    assert_eq!(image("padded.asdf"), original);
    assert_eq!(code(&["defragment", "not.asdf"]), Some(1));
    let names = std::fs::read_dir(folder.path()).unwrap();
    assert!(
        names.map(|entry| entry.unwrap().file_name()).all(|name| !name.to_str().unwrap().starts_with('.'))
    );
}

/// The crates that read Arrow and Parquet panic for a damaged file, but only the error is printed.
#[test]
#[cfg(feature = "tables")]
fn a_damaged_arrow_file_is_an_error_without_the_message_of_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.csv"), "a\n1\n2\n").unwrap();
    assert!(asdf(&["import", "a.csv", "a.asdf"], folder.path()).status.success());
    assert!(asdf(&["export", "a.asdf", "/data", "-o", "a.arrow"], folder.path()).status.success());
    let path = folder.path().join("a.arrow");
    let mut bytes = std::fs::read(&path).unwrap();
    // Integers of 64 bits become integers of 65 bits.
    for at in 0..bytes.len() - 4 {
        if bytes[at..at + 4] == [64, 0, 0, 0] {
            bytes[at] = 65;
        }
    }
    std::fs::write(&path, bytes).unwrap();
    let read = asdf(&["import", "a.arrow", "b.asdf"], folder.path());
    assert_eq!(read.status.code(), Some(1));
    let expected =
        "a.arrow: cannot read the file as Arrow: found lengths or offsets that do not fit together\n";
    assert_eq!(text(&read.stderr), expected);
}

/// `asdf sql` becomes the program beside it.
#[test]
#[cfg(unix)]
fn sql_is_a_program_of_its_own() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("asdf");
    std::fs::copy(env!("CARGO_BIN_EXE_asdf"), &program).unwrap();
    let run = || {
        let words = ["sql", "select 1", "--format", "csv", "-"];
        Command::new(&program).args(words).env("PATH", "").output().unwrap()
    };
    let missing = run();
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).starts_with("the program `asdf-sql` was not found\n  hint: install it"));
    let other = folder.path().join("asdf-sql");
    std::fs::write(&other, "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 3\n").unwrap();
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
    let done = run();
    assert_eq!((done.status.code(), text(&done.stdout)), (Some(3), "select 1|--format|csv|-|"));
}
