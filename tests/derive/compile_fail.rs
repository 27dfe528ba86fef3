//! What the derive says to mistakes, and code that has to compile without a warning.

#[test]
fn mistakes_are_explained() {
    trybuild::TestCases::new().compile_fail("derive/compile_fail/*.rs");
}

#[test]
fn generated_code_has_no_warnings() {
    trybuild::TestCases::new().pass("derive/pass/*.rs");
}
