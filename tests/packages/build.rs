//! Generates types from the folders of `ASDF_PACKAGES`, like the build script of any crate. Without this variable no types
//! are generated, and the program only prints how to build it.

use std::fmt::Write as _;
use std::path::PathBuf;

use asdf_codegen::{Config, Report};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ASDF_PACKAGES");
    println!("cargo::rustc-check-cfg=cfg(packages)");
    let Some(folders) = std::env::var_os("ASDF_PACKAGES") else { return Ok(()) };
    let config = Config::new().config_file("generate.yaml");
    let started = std::time::Instant::now();
    let report = std::env::split_paths(&folders).fold(config, Config::package).run()?;
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    std::fs::write(out.join("took"), started.elapsed().as_millis().to_string())?;
    std::fs::write(out.join("readers.rs"), readers(&report)?)?;
    // Generate one package only, as in the guide: the types of the standard exist already.
    let rad = std::env::split_paths(&folders).find(|folder| folder.ends_with("rad/resources"));
    let rad = rad.ok_or("ASDF_PACKAGES names no rad/resources")?;
    Config::standard().package(rad).out(out.join("roman")).run()?;
    println!("cargo::rustc-cfg=packages");
    Ok(())
}

/// Returns the table of the types that represent whole schemas.
fn readers(report: &Report) -> Result<String, std::fmt::Error> {
    let mut text = String::from("pub(super) static READERS: &[Reader] = &[\n");
    for type_ in report.types().iter().filter(|type_| type_.whole) {
        let path = type_.path.replace("::r#", "::");
        let (schemas, tags, versions) = (&type_.schemas, &type_.tags, &type_.versions);
        let versions: Vec<String> = versions.iter().map(|path| path.replace("::r#", "::")).collect();
        writeln!(
            text,
            "    Reader {{ name: {path:?}, schemas: &{schemas:?}, tags: &{tags:?}, versions: &{versions:?}, \
             through: through::<types::{path}> }},"
        )?;
    }
    text.push_str("];\n");
    Ok(text)
}
