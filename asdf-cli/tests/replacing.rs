//! Outputs that replace something: special files, files that this user must not write, private files, exploded files.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs::Permissions;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use asdf_core::{File, NdArray};

fn asdf(arguments: &[&str], folder: &Path) -> Command {
    let mut asdf = Command::new(env!("CARGO_BIN_EXE_asdf"));
    asdf.args(arguments).current_dir(folder);
    asdf
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut file = File::new();
    file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3]).unwrap()).unwrap();
    file.set("/more", &NdArray::new(&[2], &[4_u8, 5]).unwrap()).unwrap();
    file.write(folder.path().join("x.asdf")).unwrap();
    folder
}

/// The commands that write files, with the options to replace `OUT`.
const WRITERS: &[&[&str]] = &[
    &["convert", "-f", "x.asdf", "OUT"],
    &["to_yaml", "-f", "x.asdf", "-o", "OUT"],
    &["defragment", "-f", "x.asdf", "-o", "OUT"],
    &["implode", "-f", "x.asdf", "-o", "OUT"],
    &["explode", "-f", "x.asdf", "-o", "OUT"],
    &["set", "-f", "x.asdf", "/new", "1", "-o", "OUT"],
    &["export", "-f", "--to", "npy", "x.asdf", "/data", "-o", "OUT"],
    &["repair", "-f", "cut.asdf", "-o", "OUT"],
];

fn writers(out: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    WRITERS
        .iter()
        .map(move |words| words.iter().map(|word| if *word == "OUT" { out } else { word }).collect())
}

fn with_cut(folder: &Path) {
    let bytes = std::fs::read(folder.join("x.asdf")).unwrap();
    std::fs::write(folder.join("cut.asdf"), &bytes[..bytes.len() - 10]).unwrap();
}

#[test]
fn pipes_are_not_replaced() {
    let folder = folder();
    with_cut(folder.path());
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for words in writers("pipe") {
        let output = asdf(&words, folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", message(&output));
        assert!(message(&output).contains("not a regular file"), "{words:?}: {}", message(&output));
        assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo(), "{words:?}");
    }
}

#[test]
fn private_files_stay_private_and_links_stay_links() {
    let folder = folder();
    with_cut(folder.path());
    let (out, link) = (folder.path().join("out.asdf"), folder.path().join("link"));
    std::os::unix::fs::symlink("out.asdf", &link).unwrap();
    for words in writers("link") {
        std::fs::write(&out, "old").unwrap();
        std::fs::set_permissions(&out, Permissions::from_mode(0o600)).unwrap();
        let output = asdf(&words, folder.path()).output().unwrap();
        assert!(output.status.code() < Some(2), "{words:?}: {}", message(&output));
        assert!(link.is_symlink(), "{words:?}");
        assert_ne!(std::fs::read(&out).unwrap(), b"old", "{words:?}");
        assert_eq!(std::fs::metadata(&out).unwrap().mode() & 0o777, 0o600, "{words:?}");
    }
}

/// In a folder that all users can write, only the permissions of the file protect it.
#[test]
fn read_only_files_are_not_replaced() {
    let folder = folder();
    with_cut(folder.path());
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
    let out = folder.path().join("out.asdf");
    std::fs::copy(folder.path().join("x.asdf"), &out).unwrap();
    std::fs::set_permissions(&out, Permissions::from_mode(0o444)).unwrap();
    let is_root = std::fs::metadata(folder.path()).unwrap().uid() == 0;
    let changed = ["set", "out.asdf", "/new", "1"].to_vec();
    for words in writers("out.asdf").chain([changed]) {
        let mut asdf = asdf(&words, folder.path());
        if is_root {
            // Permissions do not hold for the superuser.
            asdf.uid(65534).gid(65534);
        }
        let output = asdf.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", message(&output));
        assert_eq!(
            message(&output),
            "out.asdf: opening for writing: permission denied\n  \
             hint: make the file writable, or write to another file\n",
            "{words:?}"
        );
    }
}

#[test]
fn an_exploded_file_is_replaced_by_one_with_free_names() {
    let folder = folder();
    let explode = |words: &[&str]| {
        let output = asdf(&[&["explode", "x.asdf"], words].concat(), folder.path()).output().unwrap();
        (output.status.code(), message(&output))
    };
    let names = || {
        let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    std::fs::write(folder.path().join("y0001.asdf"), "another file").unwrap();
    let (code, message) = explode(&["-o", "y.asdf"]);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.starts_with("./y0001.asdf: the file already exists"), "{message}");
    assert_eq!(names(), ["x.asdf", "y0001.asdf"]);
    let rounds = [["y0000.asdf", "y0002.asdf"], ["y0003.asdf", "y0004.asdf"], ["y0000.asdf", "y0002.asdf"]];
    for round in rounds {
        assert_eq!(explode(&["-f", "-o", "y.asdf"]), (Some(0), String::new()));
        let mut expected = [&["x.asdf", "y.asdf", "y0001.asdf"], &round[..]].concat();
        expected.sort_unstable();
        assert_eq!(names(), expected);
    }
    assert_eq!(std::fs::read(folder.path().join("y0001.asdf")).unwrap(), b"another file");
}
