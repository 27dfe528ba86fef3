//! The generated types are under version control, so that people can read them and see the effect of changes of schemas and
//! of the generator. `UPDATE_GENERATED=1` updates them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use asdf_core::NodeRef;

#[test]
fn the_checked_in_text_is_what_the_build_generates() {
    compare("generate.yaml", "generated");
}

#[test]
fn the_checked_in_text_of_transforms_is_what_the_build_generates() {
    compare("generate-transform.yaml", "generated/transform");
}

/// `asdf_codegen::Config::standard` maps the schemas of the standard to the generated and the hand-written types of this crate.
#[test]
fn the_standard_types_of_codegen_are_those_of_this_crate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = folder.join("generate.yaml");
    let generated = asdf_codegen::Config::new()
        .config_file(&config)
        .package(folder.join("../schemas"))
        .generate()
        .unwrap();
    let text = standard(&std::fs::read_to_string(config).unwrap(), generated.report());
    let file = folder.join("codegen/src/config/standard.yaml");
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&file).unwrap() == text,
        "{} is not up to date: run `UPDATE_GENERATED=1 cargo test -p asdf-schemas --test generated`",
        file.display()
    );
}

/// `tests/packages/run` compiles and runs the program.
#[test]
fn the_chapter_about_packages_has_the_tested_program() {
    let program = include_str!("../../tests/packages/src/guide.rs");
    let (_, program) = program.split_once("// chapter\n").unwrap();
    let (program, _) = program.split_once("// end").unwrap();
    assert!(include_str!("../src/packages.md").contains(program.trim()));
}

fn standard(config: &str, report: &asdf_codegen::Report) -> String {
    let mut text = String::from(
        "# The types of asdf-core and asdf-schemas for the schemas of the ASDF Standard, for `Config::standard`.\n\
         # Written by asdf-schemas/tests/generated.rs with UPDATE_GENERATED=1; do not edit.\nextern:\n",
    );
    let mut entry = |schema: &str, path: &str, tags: &[&str], kinds: &[&str]| {
        let quoted: Vec<String> = tags.iter().map(|tag| format!("{tag:?}")).collect();
        writeln!(text, "  {schema:?}:\n    type: {path:?}").unwrap();
        writeln!(text, "    tags: [{}]\n    kinds: [{}]", quoted.join(", "), kinds.join(", ")).unwrap();
    };
    // The hand-written types, which the configuration of this crate names.
    let tree = asdf_core::yaml::parse(config).unwrap();
    let externs = tree.at("/extern").unwrap();
    for (schema, known) in externs.entries() {
        let list = |key: &str| -> Vec<&str> {
            known.get(key).into_iter().flat_map(|list| list.items()).filter_map(NodeRef::text).collect()
        };
        let path = known.get("type").and_then(NodeRef::as_str).unwrap();
        let path = path.replacen("crate::", "::asdf_schemas::", 1);
        entry(schema.as_str().unwrap(), &path, &list("tags"), &list("kinds"));
    }
    entry("http://json-schema.org/draft-04/schema", "::asdf_core::value::Extra", &[], &["mapping"]);
    // The type of the newest version of a tag reads all versions, so it is used for all of them together. A single version has
    // the type with that tag.
    let mut families: BTreeMap<&str, Vec<&asdf_codegen::TypeReport>> = BTreeMap::new();
    for found in report.types().iter().filter(|found| found.whole && !found.tags.is_empty()) {
        families.entry(found.tags[0].rsplit_once('-').unwrap().0).or_default().push(found);
    }
    for (family, types) in families {
        let newest = types.iter().find(|one| one.versions.len() + 1 == types.len()).unwrap();
        let stem = newest.schemas[0].rsplit_once('-').unwrap().0;
        let path = |one: &asdf_codegen::TypeReport| format!("::asdf_schemas::{}", one.path);
        entry(&format!("{stem}-*"), &path(newest), &[&format!("{family}-1.*")], &newest.kinds);
        for older in types.iter().filter(|one| one.path != newest.path) {
            for tag in &older.tags {
                entry(tag, &path(older), &[tag], &older.kinds);
            }
        }
    }
    text
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
