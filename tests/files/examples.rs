//! Every example of every schema: read, validated, and the same after a round trip.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::File;
use asdf_core::yaml::{EmitOptions, emit, parse};
use asdf_schemas::{Registry, Validator};

/// The example as a whole file; its value is the root.
fn file(standard: &str, text: &str) -> String {
    format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n{}\n...\n",
        text.trim()
    )
}

#[test]
fn every_example_is_valid_and_round_trips() {
    let (registry, validator) = (Registry::standard(), Validator::standard());
    let mut examples = 0;
    let mut wrong = Vec::new();
    for id in registry.ids() {
        let schema = registry.schema(id).unwrap();
        for example in schema.find("/examples").into_iter().flat_map(|list| list.items()) {
            let parts: Vec<&str> = example.items().filter_map(|part| part.as_str()).collect();
            let (title, text) = (parts[0], parts[parts.len() - 1]);
            let standard =
                parts[1].strip_prefix("asdf-standard-").filter(|_| parts.len() > 2).unwrap_or("1.6.0");
            examples += 1;
            let file = match File::from_bytes(file(standard, text).into_bytes()) {
                Ok(file) => file,
                Err(error) => {
                    wrong.push(format!("{id}: {title}: {error}"));
                    continue;
                }
            };
            // Blocks that an example refers to are not there; its tree is what is shown.
            let report = validator.validate_tree(file.tree());
            wrong.extend(report.violations().iter().map(|violation| format!("{id}: {title}: {violation}")));
            let again = parse(&emit(file.tree(), EmitOptions::default()).unwrap()).unwrap();
            if again.root() != file.tree().root() {
                wrong.push(format!("{id}: {title}: another tree after a round trip"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {examples} examples:\n{}", wrong.len(), wrong.join("\n"));
    assert!(examples >= 150, "only {examples} examples");
}
