//! The program built without its feature `tables`. It shows, reads and writes tables in formats that need no large
//! crates, and names the feature for the others.

#![cfg(not(feature = "tables"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::Command;

/// Runs the program and returns its exit code, standard output and standard error.
fn asdf(arguments: &[&str], folder: &Path) -> (Option<i32>, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_asdf")).args(arguments).current_dir(folder).output().unwrap();
    let [out, messages] = [done.stdout, done.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (done.status.code(), out, messages)
}

#[test]
fn formats_that_the_build_lacks_name_the_feature() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("t.csv"), "id,flux\n1,0.5\n").unwrap();
    assert_eq!(asdf(&["import", "t.csv", "t.asdf"], folder).0, Some(0));
    let shown = asdf(&["head", "t.asdf", "/data"], folder);
    assert_eq!(shown.1, "/data: 1 row, 2 columns\nid  flux\n 1   0.5\n");
    assert_eq!(asdf(&["export", "t.asdf", "/data", "--to", "csv"], folder).1, "id,flux\n1,0.5\n");
    for (ending, name) in [("arrow", "Arrow"), ("parquet", "Parquet"), ("h5", "HDF5")] {
        let (code, _, messages) = asdf(&["export", "t.asdf", "/data", "-o", &format!("t.{ending}")], folder);
        assert_eq!(code, Some(1));
        let expected = format!(
            "t.asdf: /data: this build does not write {name}\n  hint: enable the feature `tables` of asdf-cli\n"
        );
        assert_eq!(messages, expected);
    }
    let (code, _, messages) = asdf(&["catalog", "t.asdf", "--columns"], folder);
    assert_eq!(code, Some(2));
    let expected = "this build lacks the feature `tables`, needed for the command `catalog`\n  hint: enable the feature `tables` of asdf-cli\n";
    assert_eq!(messages, expected);
    std::fs::write(folder.join("t.vot"), "<VOTABLE/>").unwrap();
    let (_, _, messages) = asdf(&["import", "t.vot", "v.asdf"], folder);
    assert_eq!(
        messages,
        "t.vot: this build does not read VOTables\n  hint: enable the feature `tables` of asdf-cli\n"
    );
}
