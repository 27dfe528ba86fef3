//! Any text as a schema: types are generated that parse as Rust, the same each time, or there is an error.

use asdf_codegen::Config;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let folder = crate::folder();
    let package = folder.path().join("schemas");
    std::fs::create_dir(&package).expect("a folder for the schema");
    // A schema without an id of its own is not one.
    let schema = format!("%YAML 1.1\n---\nid: asdf://fuzz.org/schemas/fuzz-1.0.0\n{text}");
    std::fs::write(package.join("fuzz-1.0.0.yaml"), schema).expect("the schema is written");
    match Config::standard().package(&package).generate() {
        Ok(generated) => {
            let types = generated.types();
            syn::parse_file(types).unwrap_or_else(|error| panic!("{error}\n{types}"));
            assert!(generated.report().properties_kept() <= generated.report().properties());
            let _ = generated.report().to_string();
        }
        Err(error) => assert!(error.to_string().len() < 4000 + 2 * text.len(), "{error}"),
    }
}
