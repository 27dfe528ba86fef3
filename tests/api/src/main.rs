//! Prints the public API of a library, one item per line, from the JSON of rustdoc. See `.ci/api`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args_os().nth(1).ok_or("usage: asdf-api RUSTDOC-JSON".into()).and_then(print) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn print(json: std::ffi::OsString) -> Result<(), Box<dyn std::error::Error>> {
    // Leave out implementations that every type has: they would hide the lines that differ.
    let api = public_api::Builder::from_rustdoc_json(PathBuf::from(json))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    let mut out = std::io::stdout().lock();
    // Print only the header of a trait implementation, since its items are those of the trait.
    let mut by_trait: Option<String> = None;
    for item in api.items() {
        let line = item.to_string();
        if line.starts_with("impl") {
            let of_trait = line.split_once(" for ").map(|(_, ty)| ty.split(" where ").next().unwrap_or(ty));
            by_trait = of_trait.map(|ty| format!(" {ty}::"));
        } else if by_trait.as_ref().is_some_and(|ty| line.contains(ty.as_str())) {
            continue;
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}
