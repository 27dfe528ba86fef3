//! Checks that invalid values cannot be made or written, and that valid ones pass the validator.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use asdf_core::File;
use asdf_examples::refused;
use asdf_schemas::Validator;

#[test]
fn every_invalid_value_is_refused() {
    let attempts = refused::attempts().unwrap();
    assert!(attempts.len() >= 10);
    let accepted: Vec<&str> =
        attempts.iter().filter(|attempt| attempt.error.is_none()).map(|attempt| attempt.what).collect();
    assert!(accepted.is_empty(), "{accepted:?}");
}

#[test]
fn valid_values_are_written() {
    let file = File::from_bytes(refused::valid().unwrap().to_bytes().unwrap()).unwrap();
    let report = Validator::standard().validate_file(&file);
    assert!(
        report.is_valid() && report.warnings().is_empty(),
        "{:?} {:?}",
        report.violations(),
        report.warnings()
    );
}
