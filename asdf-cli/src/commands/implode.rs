//! `asdf implode`: collects all arrays in one file.

use asdf_core::Result;
use asdf_core::file::Storage;

use crate::accept_damage::hinted;
use crate::context::Context;
use crate::new_file::{self, NewFile};
use crate::outcome::Outcome;
use crate::source_file::SourceFile;

/// Write a copy of a file with all arrays in its own blocks.
///
/// The new file is that of --output, or FILE with `_all` added to its name. References to other files (`$ref`) are
/// kept unless --resolve-references is given.
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
    let path = args.target.path(&args.source.file, "_all", &context.remote)?;
    let options = context.write_options().storage(Storage::Internal).accept_damage(args.source.accept.yes);
    new_file::write(&options, &args.source.open(context)?, &path, &context.remote).map_err(hinted)?;
    Ok(Outcome::Fine)
}
