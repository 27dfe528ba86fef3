//! Modules only import modules of lower layers: checks every `crate::` path against the table of ARCHITECTURE.md.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules of the same layer do not import each other.
const LAYERS: &[(&str, u8)] = &[
    // Names for derived code.
    ("__private", 7),
    ("file", 6),
    ("array", 5),
    ("dialect", 5),
    ("yaml", 4),
    ("value", 4),
    ("tree", 3),
    ("block", 2),
    ("threads", 1),
    ("source", 1),
    ("error", 0),
    ("printable", 0),
];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The lines of a source file without its comments and tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("\n#[cfg(test)]\n").next().unwrap_or(text);
    code.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// The modules after `crate::` in a source file without its comments and tests.
///
/// Exported macros are skipped, because all of them are in the crate root. So are paths that a macro expands to.
fn named(text: &str) -> Vec<&str> {
    code(text)
        .flat_map(|line| line.split("crate::").zip(line.split("crate::").skip(1)))
        .filter(|(before, after)| !(before.ends_with('$') && after.starts_with("__private")))
        .map(|(_, rest)| rest)
        .map(|rest| {
            rest.split_at(rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len()))
        })
        .filter(|(_, after)| !after.starts_with('!'))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn imports_go_down() {
    let layers: BTreeMap<&str, u8> = LAYERS.iter().copied().collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut checked = 0;
    for path in rust_files(&source) {
        let inner = path.strip_prefix(&source).unwrap();
        let module = inner.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        let own = layers.get(module).unwrap_or_else(|| panic!("{module} has no layer: add it to LAYERS"));
        let text = std::fs::read_to_string(&path).unwrap();
        for name in named(&text) {
            let Some(layer) = layers.get(name) else {
                panic!("{}: `crate::{name}` is not a module: import from the module", inner.display());
            };
            checked += 1;
            assert!(
                name == module || layer < own,
                "{}: `{module}` (layer {own}) uses `{name}` (layer {layer}), which is not below it",
                inner.display()
            );
        }
    }
    assert!(checked > 50, "found only {checked} imports: check how the test finds them");
}

/// Ensures that `Threads::ONE` applies everywhere.
#[test]
fn one_module_starts_threads() {
    // Files that contain only tests.
    const TESTS: &[&str] = &["file/crashes.rs", "yaml/emitted.rs"];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in rust_files(&source) {
        let inner = path.strip_prefix(&source).unwrap();
        if inner.starts_with("threads") || TESTS.iter().any(|test| inner == Path::new(test)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let found = code(&text).find(|line| line.contains("std::thread") || line.contains("thread::"));
        assert_eq!(found, None, "{}: only `crate::threads` may start threads", inner.display());
    }
}
