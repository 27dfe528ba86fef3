//! `asdf explode`: writes each array into its own file.

use std::path::PathBuf;

use asdf_core::file::Storage;
use asdf_core::{Error, Result};

use crate::context::Context;
use crate::new_file::NewFile;
use crate::outcome::Outcome;
use crate::standard_streams::is_std;

/// Write a copy of a file with each array in its own file.
///
/// The new file is that of --output, or FILE with `_exploded` added to its name. The arrays of `name.asdf` are written
/// to `name0000.asdf`, `name0001.asdf` and so on, in the same folder.
///
/// With --force, names that are taken are skipped. Once the new file is complete, the files of the arrays of the
/// replaced file are removed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf explode m31.asdf                                 writes m31_exploded.asdf and its arrays
  asdf explode -o parts/m31.asdf m31.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    target: NewFile,

    /// The file, or - for standard input
    file: PathBuf,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Outcome> {
    let path = args.target.path(&args.file, "_exploded")?;
    if is_std(&path) {
        return Err(Error::usage(
            "cannot write to standard output: the arrays need a folder for their files",
        )
        .with_hint("name the new file with --output"));
    }
    let options = context.write_options().storage(Storage::External).replace_siblings(args.target.force);
    options.write(&context.open_to_write(&args.file)?, path)?;
    Ok(Outcome::Fine)
}
