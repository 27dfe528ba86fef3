//! The messages about texts that are not YAML: `errors.txt` has a line for each `tests/yaml/bad-NAME.yaml`.
//!
//! `UPDATE_EXPECTED=1` writes them again. Read them then: a user has to understand each message.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::path::Path;

use asdf_core::yaml::parse;

#[test]
fn each_error_has_a_place_and_a_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/yaml");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("bad-"))
        .collect();
    names.sort();
    assert!(names.len() >= 60, "only {} cases", names.len());
    let mut messages = String::new();
    for name in names {
        let error = parse(&std::fs::read_to_string(folder.join(&name)).unwrap()).unwrap_err();
        assert!(error.line().is_some() && error.column().is_some(), "{name}: {error}");
        let text = error.to_string().replace('\n', "\n    ");
        writeln!(messages, "{}: {text}", name.trim_start_matches("bad-").trim_end_matches(".yaml")).unwrap();
    }
    let list = folder.join("errors.txt");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&list, &messages).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&list).unwrap_or_default(), messages);
}
