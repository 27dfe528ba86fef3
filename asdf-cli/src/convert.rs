//! `asdf convert`: a file written for another version of the standard, or with another compression.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::block::codec;
use asdf_core::file::Version;
use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_core::{Compression, Error, File, NdArray, Result, WriteOptions};
use asdf_schemas::Validator;

use crate::commands::{Outcome, output};
use crate::printable;

/// Write a file for a version of the ASDF Standard, whatever it was written for; drafts 0.1.0 are read
/// too.
///
/// Prints what does not fit that version, and is kept as it is, as IN:LINE:COLUMN: /path: why. Writes
/// nothing when a block of IN is damaged or cannot be decoded.
///
/// References to other files lead to the same files when OUT is in another folder. Data of arrays in other
/// files stay there if they are in OUT's folder or below it; else they come along in OUT.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to read
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// The file to write; may be IN with --force
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// The version of the ASDF Standard
    #[arg(long, value_name = "VERSION", default_value = "1.6.0", value_parser = version)]
    standard: Version,

    /// How to compress all blocks: none, or a codec and its level as in zlib:9. Without it each block
    /// keeps its own
    #[arg(long, value_name = "CODEC[:LEVEL]")]
    compression: Option<Compression>,

    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

fn version(text: &str) -> std::result::Result<Version, String> {
    Version::parse(text).ok_or_else(|| "expected three numbers, as in 1.6.0".to_owned())
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    if !args.force && args.output.symlink_metadata().is_ok() {
        return Err(Error::usage("there is such a file already, which is not written over")
            .at_file(&args.output)
            .with_hint("--force writes over it"));
    }
    let mut options = WriteOptions::new();
    if let Some(compression) = args.compression {
        // Told before anything is read; what this build cannot write is not the file's fault.
        if !compression.label().is_none() {
            codec::find(compression.label()).map_err(|error| usage(&error))?;
        }
        options = options.compression(compression);
    }
    let mut file = File::open(&args.input)?;
    checksums(&file).map_err(|error| error.at_file(&args.input))?;
    let found = asdf_schemas::convert(&mut file, args.standard, &Validator::standard())?;
    options.write(&file, &args.output)?;
    let input = printable::line(&args.input.display().to_string());
    for warning in file.warnings().iter().chain(&found) {
        tell(&input, warning, out).map_err(output)?;
    }
    let target = printable::line(&args.output.display().to_string());
    let written = File::open(&args.output)?;
    for warning in elsewhere(&written) {
        tell(&target, &warning, out).map_err(output)?;
    }
    let count = written.blocks()?.len();
    let blocks = if count == 1 { "1 block".to_owned() } else { format!("{count} blocks") };
    writeln!(out, "{target}: ASDF Standard {}, {blocks}", args.standard).map_err(output)?;
    Ok(Outcome::Fine)
}

/// Damaged data must not get a checksum that says it is whole.
fn checksums(file: &File) -> Result<()> {
    for block in file.blocks()? {
        let found = block.checksum()?;
        if !found.is_ok() {
            let error = Error::malformed(format!("block {}: {found}", block.number()));
            return Err(error.at_offset(block.offset()));
        }
    }
    Ok(())
}

fn usage(error: &Error) -> Error {
    let told = Error::usage(error.message());
    match error.hint() {
        Some(hint) => told.with_hint(hint),
        None => told,
    }
}

/// The files that arrays' data is in: they are not converted with the one that names them.
fn elsewhere(file: &File) -> Vec<Error> {
    let mut warnings = Vec::new();
    for node in file.tree().root().into_iter().flat_map(NodeRef::walk) {
        if !node.tag().is_some_and(NdArray::accepts_tag) {
            continue;
        }
        if let Some(uri) = node.get("source").and_then(NodeRef::as_str) {
            let uri = uri.escape_debug();
            let message = format!("the array's data stays in '{uri}', which is not converted");
            warnings.push(node.error(message).with_hint("`asdf implode` brings it into the file"));
        }
    }
    warnings
}

fn tell(file: &str, warning: &Error, out: &mut dyn Write) -> std::io::Result<()> {
    let place = match (warning.line(), warning.column()) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
        _ => format!("{file}: "),
    };
    let path = match warning.path() {
        Some("") => "/: ".to_owned(),
        Some(path) => format!("{path}: "),
        None => String::new(),
    };
    writeln!(out, "{place}warning: {}", printable::line(&format!("{path}{}", warning.message())))?;
    match warning.hint() {
        Some(hint) => writeln!(out, "  hint: {}", printable::line(hint)),
        None => Ok(()),
    }
}
