//! `asdf implode`: all arrays in one file.

use std::path::PathBuf;

use asdf_core::file::Storage;
use asdf_core::{File, Result, WriteOptions};

use crate::commands::Outcome;
use crate::target::Target;

/// Write a file that holds all of its arrays in its own blocks.
///
/// The new file is FILE with `_all` added to its name, or that of --output. References to other files
/// (`$ref`) stay references.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,

    /// The file
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let path = args.target.path(&args.file, "_all")?;
    WriteOptions::new().storage(Storage::Internal).write(&File::open(&args.file)?, path)?;
    Ok(Outcome::Fine)
}
