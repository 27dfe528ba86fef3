//! Writes, reads and validates files of the camera.

use std::process::ExitCode;
use std::sync::Arc;

use asdf_core::{Error, OpenOptions, Result};
use asdf_examples::exposure::Exposure;
use asdf_schemas::Validator;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{error}\n").as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        // The schema package.
        ["export", folder] => asdf_examples::package()?.write(folder).map(|_| ()),
        ["write", path] => asdf_examples::file()?.write(path),
        // Checks that a file is valid and holds the same exposure as `write` writes.
        ["check", path] => check(path),
        _ => Err(Error::usage("expected `export FOLDER`, `write FILE` or `check FILE`")),
    }
}

fn check(path: &str) -> Result<()> {
    let file = OpenOptions::new().extension(asdf_examples::extension()?).open(path)?;
    let report = Validator::new(Arc::new(asdf_examples::registry()?)).validate_file(&file);
    if let Some(violation) = report.violations().first() {
        return Err(Error::mismatch(violation.to_string()).at_file(path));
    }
    let (mut found, expected) = (file.get::<Exposure>("/exposure")?, asdf_examples::exposure()?);
    // If astropy is installed, Python adds the datatype of the number of a quantity, which we leave out.
    found.duration.datatype = None;
    if let Some(filter) = &mut found.filter {
        filter.wavelength.datatype = None;
    }
    let image = |exposure: &Exposure| exposure.image.read::<u16>();
    let same = image(&found)? == image(&expected)?
        && Exposure { image: expected.image.clone(), ..found } == expected;
    if same { Ok(()) } else { Err(Error::mismatch("the file holds another exposure").at_file(path)) }
}
