//! The generated types are checked in, so that people can read them and see what a change of a
//! schema or of the generator does. `UPDATE_GENERATED=1` writes them anew.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;

#[test]
fn the_checked_in_text_is_what_the_build_generates() {
    compare("generate.yaml", "generated");
}

#[test]
fn so_is_that_of_transforms() {
    compare("generate-transform.yaml", "generated/transform");
}

fn compare(config: &str, generated: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = tempfile::tempdir().unwrap();
    asdf_codegen::Config::new()
        .config_file(folder.join(config))
        .package(folder.join("../schemas"))
        .out(out.path())
        .run()
        .unwrap();
    let mut files = 0;
    for entry in std::fs::read_dir(out.path()).unwrap() {
        let new = entry.unwrap().path();
        let old = folder.join(generated).join(new.file_name().unwrap());
        let text = std::fs::read_to_string(&new).unwrap();
        if std::env::var_os("UPDATE_GENERATED").is_some() {
            std::fs::write(&old, &text).unwrap();
        }
        let checked_in = std::fs::read_to_string(&old).unwrap_or_default();
        assert!(
            checked_in == text,
            "{} is not what the schemas give: run `UPDATE_GENERATED=1 cargo test -p asdf-schemas --test generated`",
            old.display()
        );
        files += 1;
    }
    assert_eq!(files, 2, "the types and the report");
}
