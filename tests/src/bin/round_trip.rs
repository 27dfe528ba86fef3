//! Reads, edits and writes the trees of files and checks all levels of round trip: `round_trip FILE-OR-FOLDER..`. In
//! folders, all `.asdf` files are checked, also those in subfolders.

#![allow(clippy::print_stdout, reason = "a program prints its results")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use asdf_core::{Error, File, Result};
use asdf_tests::round_trip::{Tried, check};

/// The number of edits that are tried in a small file. In a large file, the size limits the number.
const EDITS: usize = 100;

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
        // Skip files that are not ASDF files.
        let Ok(file) = File::open(path) else {
            refused += 1;
            continue;
        };
        let text = file.tree().text();
        let edits = (1_000_000 / text.len().max(1)).clamp(4, EDITS);
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
