//! `asdf implode`: all arrays in one file.

use asdf_core::Result;
use asdf_core::file::Storage;

use crate::context::Context;
use crate::new_file::{self, NewFile};
use crate::outcome::Outcome;
use crate::source_file::SourceFile;

/// Write a file that holds all of its arrays in its own blocks.
///
/// The new file is FILE with `_all` added to its name, or that of --output. References to other files
/// (`$ref`) stay references without --resolve-references.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf implode m31_exploded.asdf                        writes m31_exploded_all.asdf
  asdf implode --resolve-references -o whole.asdf parts.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    target: NewFile,

    #[command(flatten)]
    source: SourceFile,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Outcome> {
    let path = args.target.path(&args.source.file, "_all")?;
    let options = context.write_options().storage(Storage::Internal);
    new_file::write(&options, &args.source.open(context)?, &path)?;
    Ok(Outcome::Fine)
}
