//! Generates the types of `standard/`, a schema package that builds on the ASDF Standard.

fn main() -> asdf_codegen::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    asdf_codegen::Config::standard().package("standard").run()?;
    Ok(())
}
