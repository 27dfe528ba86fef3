//! `asdf unset`: removes one value of a file.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::{Error, Result};

use crate::complete_path::PLACE;
use crate::context::Context;
use crate::outcome::{Outcome, output};
use crate::place;
use crate::saving::Saving;

/// Remove a key or an item of a file.
///
/// The rest of the tree is kept byte for byte. The block of a removed array becomes free space, which `asdf
/// defragment` removes. Nothing is written if a schema requires the value.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf unset image.asdf /roman/meta/comment
  asdf unset image.asdf roman.meta.comment         the same
  asdf unset image.asdf /filters/0 --output fewer.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    saving: Saving,

    /// Print JSON: {"asdf_unset": 1, "file", "path"}
    #[arg(long)]
    json: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// The path in the tree, as in /roman/meta/0 or roman.meta[0]
    ///
    /// /filters/-1 is the last item.
    #[arg(value_hint = PLACE)]
    path: String,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    if place::pointer(&args.path).is_empty() {
        let error = Error::usage("cannot remove the root of a file").at_file(&args.file);
        return Err(error.with_hint("name one of its keys, as in /name"));
    }
    let mut path = asdf_core::tree::Path::root();
    args.saving.edit(&args.file, context, |file, _| {
        path = file.tree().resolve_path(&args.path);
        let removed = file.tree_mut().edit(path.as_str()).remove();
        removed.map(|_| path.clone()).map_err(|error| place::with_guess(file, path.as_str(), error))
    })?;
    if args.json {
        let report = serde_json::json!({
            "asdf_unset": 1,
            "file": args.saving.target(&args.file).display().to_string(),
            "path": path.as_str(),
        });
        args.saving.tell(&args.file, &report, out).map_err(output)?;
    }
    Ok(Outcome::Fine)
}
