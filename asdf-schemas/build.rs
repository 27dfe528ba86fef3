//! Embeds the schemas of `schemas/` and generates the types of the standard's tags.

mod build {
    pub(crate) mod embed;
}

use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The published package has a copy in `schemas`. The repository has a link there, which some systems check out as a
    // file.
    let root =
        ["schemas", "../schemas"].map(|folder| here.join(folder)).into_iter().find(|folder| folder.is_dir());
    let root = root.ok_or("the folder of schemas is missing")?.canonicalize()?;
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build/embed.rs");
    println!("cargo::rerun-if-changed=generate.yaml");
    println!("cargo::rerun-if-changed={}", root.display());
    build::embed::write(&root, &out)?;
    // A copy for people is in generated/. tests/generated.rs compares the two.
    asdf_codegen::Config::new().config_file("generate.yaml").package(&root).out(&out).run()?;
    println!("cargo::rerun-if-changed=generate-transform.yaml");
    if std::env::var_os("CARGO_FEATURE_TRANSFORM").is_some() {
        let config = asdf_codegen::Config::new().config_file("generate-transform.yaml");
        config.package(&root).out(out.join("transform")).run()?;
    }
    Ok(())
}
