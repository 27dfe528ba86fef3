//! Generates code for every folder of `cases` and compares it with the expected output.
//!
//! Each folder is a package: schemas, an optional `generate.yaml`, and the expected output in `expected.rs` and
//! `expected.md`, or `expected_error.txt`. `UPDATE_EXPECTED=1 cargo test -p asdf-codegen` updates the files; review the
//! differences.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails here has failed")]

use std::path::{Path, PathBuf};

use asdf_codegen::Config;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn config(case: &Path) -> Config {
    let file = case.join("generate.yaml");
    let config = Config::new().package(case);
    if file.exists() { config.config_file(file) } else { config }
}

/// Compares or updates a file. Returns a message if it differs.
fn compare(file: &Path, found: Option<&str>) -> Option<String> {
    let expected = std::fs::read_to_string(file).ok();
    if expected.as_deref() == found {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        match found {
            Some(text) => std::fs::write(file, text).unwrap(),
            None => std::fs::remove_file(file).unwrap(),
        }
        return None;
    }
    let shown = found.unwrap_or("nothing");
    Some(format!("{} differs from the output:\n{shown}", file.display()))
}

#[test]
fn output_is_as_expected() {
    let mut wrong = Vec::new();
    for name in names() {
        let case = folder().join(&name);
        let generated = config(&case).generate();
        let error = generated
            .as_ref()
            .err()
            .map(|error| error.to_string().replace(&format!("{}/", case.display()), "") + "\n");
        assert_eq!(error.is_some(), name.starts_with("error_"), "{name}: {error:?}");
        let generated = generated.ok();
        let text = generated.as_ref().map(|generated| generated.types());
        let report = generated.as_ref().map(|generated| generated.report().to_string());
        wrong.extend(compare(&case.join("expected.rs"), text));
        wrong.extend(compare(&case.join("expected.md"), report.as_deref()));
        wrong.extend(compare(&case.join("expected_error.txt"), error.as_deref()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn output_is_reproducible() {
    for name in names().into_iter().filter(|name| !name.starts_with("error_")) {
        let config = config(&folder().join(&name));
        let first = config.generate().unwrap();
        for _ in 0..3 {
            let again = config.generate().unwrap();
            assert_eq!(first.types(), again.types(), "{name}");
            assert_eq!(first.report().to_string(), again.report().to_string(), "{name}");
        }
    }
}
