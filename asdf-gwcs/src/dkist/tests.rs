use crate::cases::{check, check_errors};

#[test]
fn pointings_are_those_of_dkist() {
    check("dkist/pointings.asdf", 1e-9);
}

#[test]
fn errors_have_a_path() {
    check_errors(include_str!("errors.yaml"));
}
