use crate::cases::{check, check_errors};

#[test]
fn optics_are_those_of_stdatamodels() {
    check("jwst/optics.asdf", 1e-14);
}

#[test]
fn slits_and_orders_are_those_of_stdatamodels() {
    check("jwst/slits.asdf", 1e-13);
}

#[test]
fn grisms_are_those_of_stdatamodels() {
    check("jwst/grisms.asdf", 1e-12);
}

#[test]
fn errors_have_a_path() {
    check_errors(include_str!("errors.yaml"));
}
