//! The files of the tests: exposures like those of Roman, some of other kinds, and some that are broken.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use asdf_core::{File, NdArray};
use asdf_schemas::table::{Column, Table};

/// The number of exposures.
pub(crate) const EXPOSURES: usize = 36;

/// The number of broken files.
pub(crate) const BROKEN: usize = 3;

/// The number of files of other kinds.
pub(crate) const OTHERS: usize = 3;

/// The number of all files.
pub(crate) const ALL: usize = EXPOSURES + BROKEN + OTHERS;

/// A folder with files.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
}

/// The detector of an exposure.
pub(crate) fn detector(number: usize) -> String {
    format!("WFI{:02}", number % 18 + 1)
}

/// The exposure time of an exposure.
pub(crate) fn exposure_time(number: usize) -> f64 {
    50.5 + (number % 7) as f64 * 25.0
}

/// The pixels of an exposure, with NaN for the first.
pub(crate) fn pixels(number: usize, side: u64) -> Vec<f32> {
    let value = |at: u64| if at == 0 { f32::NAN } else { number as f32 + (at % 10) as f32 };
    (0..side * side).map(value).collect()
}

/// An exposure.
pub(crate) fn exposure(number: usize, side: u64) -> File {
    let mut file = File::new();
    file.set_with_parents("/roman/meta/instrument/detector", detector(number).as_str()).unwrap();
    file.set_with_parents("/roman/meta/instrument/name", "WFI").unwrap();
    file.set_with_parents("/roman/meta/exposure/exposure_time", &exposure_time(number)).unwrap();
    file.set_with_parents("/roman/meta/exposure/number", &(number as i64)).unwrap();
    file.set_with_parents("/roman/meta/target/name", format!("T{}", number % 3).as_str()).unwrap();
    let data = NdArray::new(&[side, side], &pixels(number, side)).unwrap();
    file.set_with_parents("/roman/data", &data).unwrap();
    let label = NdArray::new(&[2], &[number as i32, -1]).unwrap();
    let flux = NdArray::new(&[2], &[number as f64 / 2.0, 0.25]).unwrap();
    let columns = [Column::from_array("label", label).unwrap(), Column::from_array("flux", flux).unwrap()];
    file.set_with_parents("/roman/catalog", &Table::from_columns(columns).unwrap()).unwrap();
    file
}

impl Folder {
    /// Makes all kinds of files.
    pub(crate) fn new() -> Self {
        Self::with(EXPOSURES, 8)
    }

    /// Makes a number of exposures, and all other files.
    pub(crate) fn with(exposures: usize, side: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("night")).unwrap();
        for number in 0..exposures {
            let part = if number % 2 == 0 { "night/" } else { "" };
            exposure(number, side).write(folder.path().join(format!("{part}r{number:04}.asdf"))).unwrap();
        }
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("broken1.asdf"), "{}").unwrap();
        std::fs::write(path("broken2.asdf"), "").unwrap();
        std::fs::write(path("broken3.asdf"), "#ASDF 1.0.0\n%YAML 1.1\n--- {a: [1, 2\n...\n").unwrap();
        let mut other = File::new();
        other.set_with_parents("/meta/target", "M31").unwrap();
        other.write(path("other1.asdf")).unwrap();
        other.set_with_parents("/roman/meta/exposure/exposure_time", &1.5).unwrap();
        other.write(path("other2.asdf")).unwrap();
        std::fs::write(path("other3.asdf"), "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n").unwrap();
        Self { folder }
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The path in a query.
    pub(crate) fn text(&self) -> String {
        self.folder.path().to_str().unwrap().to_owned()
    }
}

/// Runs the program.
pub(crate) fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_asdf-sql")).args(arguments).output().unwrap()
}

/// The table that the program prints in a folder.
pub(crate) fn run_in(folder: &Path, options: &[&str], query: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asdf-sql"));
    let output = command.args(options).arg(query).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{query}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The lines of a query as CSV in a folder, without the header.
pub(crate) fn rows_in(folder: &Path, options: &[&str], query: &str) -> Vec<String> {
    let options: Vec<&str> = options.iter().copied().chain(["--format", "csv"]).collect();
    run_in(folder, &options, query).lines().skip(1).map(str::to_owned).collect()
}

/// The lines of a query as CSV, without the header.
pub(crate) fn rows(query: &str) -> Vec<String> {
    rows_with(&[], query)
}

/// The lines of a query with options as CSV, without the header.
pub(crate) fn rows_with(options: &[&str], query: &str) -> Vec<String> {
    let arguments: Vec<&str> = options.iter().copied().chain(["--format", "csv", query]).collect();
    let output = run(&arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{query}\n{}", String::from_utf8_lossy(&output.stderr));
    text.lines().skip(1).map(str::to_owned).collect()
}

/// The message and the exit code of a query that fails.
pub(crate) fn failure(options: &[&str], query: &str) -> (String, i32) {
    let arguments: Vec<&str> = options.iter().copied().chain([query]).collect();
    let output = run(&arguments);
    assert!(!output.status.success(), "{query}");
    (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
}
