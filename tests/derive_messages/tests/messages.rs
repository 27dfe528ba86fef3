//! Tests the messages of the derive for mistakes, and code that must compile without a warning.

use std::path::Path;

/// Copies the schemas to the package in which the cases are compiled.
fn schemas() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the folder has one above it");
    let there = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("schemas");
    std::fs::create_dir_all(&there).expect("the folder of the cases can be written");
    for file in std::fs::read_dir("schemas").expect("there are schemas") {
        let file = file.expect("the folder can be read").path();
        let name = file.file_name().expect("a file has a name");
        std::fs::copy(&file, there.join(name)).expect("a schema can be copied");
    }
}

/// One test, since `trybuild` compiles the dependencies again for each.
#[test]
fn mistakes_are_explained_and_generated_code_has_no_warnings() {
    schemas();
    let cases = trybuild::TestCases::new();
    cases.compile_fail("compile_fail/*.rs");
    cases.pass("pass/*.rs");
}
