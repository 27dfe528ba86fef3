//! Generates the types of Roman's products from the schemas of `rad`.
//!
//! The environment variable `RAD` must name the folder of the installed package:
//! `python -c 'import rad; print(rad.__path__[0] + "/resources")'`.
//! Without it no types are generated, and the program only prints how to build it.

fn main() -> asdf_codegen::Result<()> {
    println!("cargo::rerun-if-env-changed=RAD");
    println!("cargo::rustc-check-cfg=cfg(rad)");
    let Some(rad) = std::env::var_os("RAD") else { return Ok(()) };
    asdf_codegen::Config::standard()
        .package(rad)
        .types("asdf://stsci.edu/datamodels/roman/tags/wfi_image-*")
        .types("asdf://stsci.edu/datamodels/roman/tags/wfi_mosaic-*")
        .run()?;
    println!("cargo::rustc-cfg=rad");
    Ok(())
}
