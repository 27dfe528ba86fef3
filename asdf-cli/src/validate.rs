//! `asdf validate`: whether files are what the standard and their schemas ask for.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::{File, Result};

use crate::commands::{Outcome, is_about_content, output};
use crate::printable;

/// Check files: layout, blocks, checksums, and every tagged node against its schema.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let mut outcome = Outcome::Fine;
    for path in &args.files {
        if let Err(error) = File::open(path).and_then(|file| check(&file)) {
            if !is_about_content(&error) {
                return Err(error);
            }
            outcome = Outcome::NotFine;
            writeln!(out, "{}", printable::lines(&error.to_string())).map_err(output)?;
        }
    }
    Ok(outcome)
}

fn check(file: &File) -> Result<()> {
    for block in file.blocks()? {
        block.verify()?;
    }
    Ok(())
}
