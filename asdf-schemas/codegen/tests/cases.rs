//! Every folder of `cases` is a package: its schemas, perhaps a `generate.yaml`, and what has to come
//! out, `expected.rs` and `expected.md` or `expected_error.txt`.
//!
//! `UPDATE_EXPECTED=1 cargo test -p asdf-codegen` writes what comes out now; read the difference.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails here has failed")]

use std::path::{Path, PathBuf};

use asdf_codegen::Config;
use asdf_core::Threads;

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

/// Compares, or writes; the name of the file if it differs.
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
    Some(format!("{} is not what comes out:\n{shown}", file.display()))
}

#[test]
fn what_comes_out_is_expected() {
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
fn the_same_comes_out_every_time() {
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

/// Whatever stands where, there is text or an error with a place, and no panic: each schema of the
/// cases, with every one of its nodes in turn replaced by something else.
#[test]
fn no_schema_makes_it_panic() {
    let names: Vec<String> = names().into_iter().filter(|name| !name.starts_with("error_")).collect();
    Threads::ALL.map(&names, |name| spoil(name));
}

fn spoil(name: &str) {
    let folder = std::env::temp_dir().join(format!("asdf-codegen-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(self::folder().join(name)).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let skipped = ["generate.yaml", "values.yaml"].contains(&file.as_str());
        if skipped || path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let lines: Vec<String> = std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
        let copy = folder.join(&file);
        for (index, line) in lines.iter().enumerate().skip(4) {
            let Some((key, _)) = line.split_once(": ") else { continue };
            for other in ["", "5", "[]", "{}", "null", "x", "{$ref: '#'}", "[{$ref: '#'}, 'x']", "true"] {
                let mut text = lines.clone();
                text[index] = format!("{key}: {other}");
                std::fs::write(&copy, text.join("\n")).unwrap();
                let config = Config::new().package(&folder).types("asdf://example.org/schemas/**");
                if let Err(error) = config.generate() {
                    assert!(error.file().is_some() || error.hint().is_some(), "{error}");
                }
            }
        }
        std::fs::remove_file(&copy).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
