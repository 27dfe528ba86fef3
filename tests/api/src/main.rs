//! Prints the public API of a library, one item a line, from the JSON that rustdoc wrote for it. See `.ci/api`.

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
    // Every type has these implementations: a line for each would hide the lines that differ.
    let api = public_api::Builder::from_rustdoc_json(PathBuf::from(json))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    let mut out = std::io::stdout().lock();
    for item in api.items() {
        writeln!(out, "{item}")?;
    }
    Ok(())
}
