//! Checks that invalid schemas give errors of the generator and no panic. They are changed copies of its test cases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails here has failed")]

use std::path::{Path, PathBuf};

use asdf_codegen::Config;
use asdf_core::Threads;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../asdf-schemas/codegen/tests/cases")
}

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Replaces each node of every test case's schema in turn by something else. The result must be code or an error with a
/// position, and never a panic.
#[test]
fn invalid_schemas_do_not_panic() {
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
