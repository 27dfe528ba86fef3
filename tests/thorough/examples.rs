//! Reads and validates every example of every schema, and compares it after a round trip.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use asdf_core::File;
use asdf_core::yaml::{EmitOptions, emit, parse};
use asdf_schemas::Validator;

#[test]
fn every_example_is_valid_and_round_trips() {
    let validator = Validator::standard();
    let examples = asdf_tests::examples().unwrap();
    let mut wrong = Vec::new();
    for example in &examples {
        let name = &example.name;
        let file = match File::from_bytes(example.file.clone().into_bytes()) {
            Ok(file) => file,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        // An example only shows the tree. The blocks that it refers to do not exist.
        let report = validator.validate_tree(file.tree());
        wrong.extend(report.violations().iter().map(|violation| format!("{name}: {violation}")));
        let again = parse(&emit(file.tree(), EmitOptions::default()).unwrap()).unwrap();
        if again.root() != file.tree().root() {
            wrong.push(format!("{name}: another tree after a round trip"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} examples:\n{}", wrong.len(), examples.len(), wrong.join("\n"));
    assert!(examples.len() >= 950, "only {} examples", examples.len());
}
