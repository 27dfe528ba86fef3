//! Conversions do not change the content of files. Converts every file of `tests/data`, and of the folders in
//! `ASDF_CONVERTED_FILES` (separated as in PATH), with every compression and layout of `asdf convert`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use asdf_core::Threads;

const CONVERSIONS: &[&[&str]] = &[
    &[],
    &["-c", "none", "--no-checksums", "--no-index"],
    &["-c", "zlib", "--padding", "10%"],
    &["-c", "bzp2", "--alignment", "4096"],
    &["-c", "lz4", "--chunk", "64"],
    &["-c", "zstd"],
    &["-c", "lz4", "--frame-rows", "3"],
    &["-c", "zstd", "--frame-rows", "1"],
    &["-c", "bls2", "--frame-rows", "2"],
    &["-c", "xz"],
    &["-c", "lz4f"],
    &["-c", "blsc"],
    &["-c", "bls2"],
    &["--inline-below", "30"],
];

fn asdf(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_asdf")).args(arguments).output().unwrap()
}

fn files() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data");
    let more = std::env::var_os("ASDF_CONVERTED_FILES").unwrap_or_default();
    let folders = std::iter::once(data).chain(std::env::split_paths(&more).filter(|path| path.is_dir()));
    let entries = folders.flat_map(walkdir::WalkDir::new).map(|entry| entry.unwrap().into_path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "asdf")).collect();
    files.sort();
    files
}

/// Returns the version of the standard that a file was written for.
fn standard(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).unwrap();
    let start = String::from_utf8_lossy(bytes.get(..200).unwrap_or(&bytes)).into_owned();
    let line = start.lines().find_map(|line| line.strip_prefix("#ASDF_STANDARD "))?;
    Some(line.trim().to_owned()).filter(|version| version.starts_with("1."))
}

#[test]
fn conversions_make_no_difference() {
    let converted = Threads::ALL.map(&files(), |path| conversions(path));
    let count: usize = converted.iter().map(|(count, _)| count).sum();
    let wrong: Vec<String> = converted.into_iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{} of {count} conversions differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 100, "only {count} conversions were compared");
}

/// Returns the number of conversions of a file, and descriptions of those that differ.
fn conversions(path: &Path) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    // The pre-release format becomes another version of the standard.
    let Some(standard) = standard(path) else { return (0, wrong) };
    let name = path.to_str().unwrap();
    let (new, again) = (folder.path().join("new.asdf"), folder.path().join("again.asdf"));
    let (new, again) = (new.to_str().unwrap(), again.to_str().unwrap());
    for options in CONVERSIONS {
        let mut arguments = vec!["convert", "--force", "--standard", &standard];
        arguments.extend(*options);
        arguments.extend([name, new]);
        // A file that cannot be read, or has no such form, is not converted.
        if asdf(&arguments).status.code() != Some(0) {
            continue;
        }
        count += 1;
        wrong.extend(difference(name, new).map(|lines| format!("{name} {options:?}: {lines}")));
    }
    // Run in the folder of the file, which also has the files of its external arrays.
    for command in ["defragment", "implode", "explode"] {
        if !asdf(&[command, "--force", "-o", again, name]).status.success() {
            continue;
        }
        count += 1;
        wrong.extend(difference(name, again).map(|lines| format!("{name} {command}: {lines}")));
    }
    (count, wrong)
}

/// Returns the first lines of the difference.
fn difference(name: &str, other: &str) -> Option<String> {
    let found = asdf(&["diff", name, other]);
    let text = String::from_utf8_lossy(&found.stdout);
    (!found.status.success()).then(|| text.lines().take(5).collect::<Vec<_>>().join("\n"))
}
