//! `asdf unset`: one value of a file removed.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::{Error, Result};

use crate::commands::{Outcome, output};
use crate::complete_path::PLACE;
use crate::place;
use crate::saving::Saving;

/// Remove a key or an item of a file.
///
/// The rest of the tree stays byte for byte; an array's block that nothing refers to any more becomes
/// free space, which `asdf defragment` removes. Nothing is written when the schemas ask for the value.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf unset image.asdf /roman/meta/comment
  asdf unset image.asdf /filters/0 --output fewer.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    saving: Saving,

    /// Print JSON: {"asdf_unset": 1, "file", "path"}
    #[arg(long)]
    json: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// The place in the tree, as in /roman/meta/0
    #[arg(value_hint = PLACE)]
    path: String,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    if place::pointer(&args.path).is_empty() {
        let error = Error::usage("the root of a file cannot be removed").at_file(&args.file);
        return Err(error.with_hint("name a key of it, as in /name"));
    }
    args.saving.edit(&args.file, |file| {
        let removed = file.tree_mut().remove_at(place::pointer(&args.path));
        removed.map(|_| ()).map_err(|error| place::with_guess(file, &args.path, error))
    })?;
    if args.json {
        let told = serde_json::json!({
            "asdf_unset": 1,
            "file": args.saving.target(&args.file).display().to_string(),
            "path": place::pointer(&args.path),
        });
        args.saving.tell(&args.file, &told, out).map_err(output)?;
    }
    Ok(Outcome::Fine)
}
