//! Any text as a schema: types are generated that parse as Rust, the same each time, or there is an error.

#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

use asdf_codegen::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let folder = folder();
    // A schema without an id of its own is not one.
    let schema = format!("%YAML 1.1\n---\nid: asdf://fuzz.org/schemas/fuzz-1.0.0\n{text}");
    std::fs::write(folder.join("fuzz-1.0.0.yaml"), schema).expect("the schema is written");
    match Config::standard().package(folder).generate() {
        Ok(generated) => {
            let types = generated.types();
            syn::parse_file(types).unwrap_or_else(|error| panic!("{error}\n{types}"));
            assert!(generated.report().properties_kept() <= generated.report().properties());
            let _ = generated.report().to_string();
        }
        Err(error) => assert!(error.to_string().len() < 4000 + 2 * text.len(), "{error}"),
    }
});

/// Returns a package in a folder of this process in memory.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = asdf_fuzz::folder("codegen").join("schemas");
        std::fs::create_dir_all(&folder).expect("a folder for the schema");
        folder
    })
}
