//! `asdf explode`: writes each array into its own file.

use std::path::PathBuf;

use asdf_core::file::Storage;
use asdf_core::{Error, Result};

use crate::accept_damage::{AcceptDamage, hinted};
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

    #[command(flatten)]
    accept: AcceptDamage,

    /// The file, or - for standard input
    file: PathBuf,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Outcome> {
    if args.target.is_remote() {
        return Err(Error::usage("cannot write several files to a URL")
            .with_hint("name a file on this machine with --output"));
    }
    let path = args.target.path(&args.file, "_exploded", &context.remote)?;
    if is_std(&path) {
        return Err(Error::usage(
            "cannot write to standard output: the arrays need a folder for their files",
        )
        .with_hint("name the new file with --output"));
    }
    let options = context.write_options().storage(Storage::External).replace_siblings(args.target.force);
    let file = context.open_to_rewrite(&args.file, args.accept)?;
    if !args.accept.yes {
        // Before the files of the arrays are written.
        file.refuse_damage().map_err(hinted)?;
    }
    options.accept_damage(args.accept.yes).write(&file, path).map_err(hinted)?;
    Ok(Outcome::Fine)
}
