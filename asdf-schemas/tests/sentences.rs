//! What the validator says about values that break a schema: the cases of `sentences.txt`.
//!
//! `UPDATE_EXPECTED=1 cargo test -p asdf-schemas --test sentences` writes what it says now.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use asdf_core::yaml;
use asdf_schemas::{Registry, Validator};

/// Each line of the file is a comment, a schema, a value under the last schema, or, indented, a finding.
#[test]
fn violations_are_said_as_expected() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sentences.txt");
    let expected = std::fs::read_to_string(&path).unwrap();
    let (mut schema, mut said) = ("", String::new());
    for line in expected.lines().filter(|line| !line.starts_with("  ")) {
        writeln!(said, "{line}").unwrap();
        if let Some(text) = line.strip_prefix("schema ") {
            schema = text;
        } else if let Some(value) = line.strip_prefix("value ") {
            said += &findings(schema, value);
        }
    }
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        return std::fs::write(&path, &said).unwrap();
    }
    for (number, (said, expected)) in said.lines().zip(expected.lines()).enumerate() {
        assert_eq!(said, expected, "line {} of {}", number + 1, path.display());
    }
    assert_eq!(said.lines().count(), expected.lines().count());
}

fn findings(schema: &str, value: &str) -> String {
    let mut registry = Registry::new();
    let id = "asdf://x.org/schemas/s-1.0.0";
    registry.add_schema_as(id, schema).unwrap();
    let validator = Validator::new(Arc::new(registry)).with_schema(id).unwrap();
    let tree = yaml::parse(&format!("%TAG ! tag:stsci.edu:asdf/\n--- {value}\n")).unwrap();
    let report = validator.validate_tree(&tree);
    let mut said = String::new();
    for finding in report.violations().iter().chain(report.warnings()) {
        let place = finding.place().map(|place| format!(" ({place})")).unwrap_or_default();
        writeln!(said, "  {} {finding}{place}", finding.code().id()).unwrap();
        if let Some(hint) = finding.hint() {
            writeln!(said, "    hint: {hint}").unwrap();
        }
    }
    said
}
