//! Reads, edits and writes the trees of files and checks all levels of round trip:
//! `round_trip FILE-OR-FOLDER..`. A folder stands for the `.asdf` files in it and below.

#![allow(clippy::print_stdout, reason = "a program says what it found")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use asdf_core::{Error, File, Result};
use asdf_tests::round_trip::{Tried, check};

/// How many edits are tried in a small file; in a large one, as many as its size allows.
const EDITS: usize = 200;

fn main() -> Result<ExitCode> {
    let mut paths = Vec::new();
    for argument in std::env::args_os().skip(1) {
        let argument = PathBuf::from(argument);
        if argument.is_dir() { files(&argument, &mut paths)? } else { paths.push(argument) }
    }
    if paths.is_empty() {
        return Err(Error::usage("round_trip FILE-OR-FOLDER.."));
    }
    paths.sort();
    let (mut right, mut refused, mut all) = (0, 0, Tried::default());
    for path in &paths {
        // What is no file of this format has no tree to write.
        let Ok(file) = File::open(path) else {
            refused += 1;
            continue;
        };
        let text = file.tree().text();
        let edits = (10_000_000 / text.len().max(1)).clamp(5, EDITS);
        match check(text, u64::try_from(edits).unwrap_or(u64::MAX)) {
            Ok(tried) => {
                right += 1;
                all.edits += tried.edits;
                all.exact += tried.exact;
            }
            Err(why) => println!("{}: {}", path.display(), why.chars().take(2000).collect::<String>()),
        }
    }
    let count = paths.len() - refused;
    println!(
        "round trip: {right} of {count} files as expected, {refused} refused; {} of {} edits changed only their own bytes",
        all.exact, all.edits
    );
    Ok(if right == count { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn files(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).map_err(|error| Error::io("reading", error).at_file(folder))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "asdf") {
            paths.push(path);
        }
    }
    Ok(())
}
