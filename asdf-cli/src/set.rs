//! `asdf set`: one value of a file changed.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::{Error, File, Kind, Result, Tree};

use crate::commands::{Outcome, output};
use crate::complete_path::PLACE;
use crate::saving::Saving;
use crate::{place, value};

/// Set one value of a file: a new key, or another value for one that is there.
///
/// The rest of the tree stays byte for byte: comments, order, spacing. Blocks stay too, and move only where the
/// tree needs their place. Nothing is written when the schemas do not allow the new value.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf set image.asdf /roman/meta/exposure/type WFI_IMAGE
  asdf set image.asdf /filters '[F062, F087]'
  asdf set image.asdf /filters/- F106                   one more item
  asdf set image.asdf /width '!unit/quantity-1.1.0 {unit: m, value: 2.4}'
  asdf set --string image.asdf /serial 0042             a text, whatever it looks like")]
pub(crate) struct Args {
    #[command(flatten)]
    saving: Saving,

    /// Print JSON: {"asdf_set": 1, "file", "path", "added"}
    #[arg(long)]
    json: bool,

    /// Take VALUE for a text, and not for YAML
    #[arg(short, long)]
    string: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// The place in the tree, as in /roman/meta/0; - as the last step for a new item
    #[arg(value_hint = PLACE)]
    path: String,

    /// The value as YAML; in it !core/... is a tag of the standard
    #[arg(allow_negative_numbers = true)]
    value: String,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let mut added = false;
    args.saving.edit(&args.file, |file| {
        added = file.tree().find(place::pointer(&args.path)).is_none();
        let value = match args.string {
            true => value::text(&args.value),
            false => value::parse(&args.value, file.tree())?,
        };
        put(file, &args.path, &value)
    })?;
    if args.json {
        let told = serde_json::json!({
            "asdf_set": 1,
            "file": args.saving.target(&args.file).display().to_string(),
            "path": place::pointer(&args.path),
            "added": added,
        });
        args.saving.tell(&args.file, &told, out).map_err(output)?;
    }
    Ok(Outcome::Fine)
}

/// Puts a value at a place.
pub(crate) fn put(file: &mut File, path: &str, value: &Tree) -> Result<()> {
    let pointer = place::pointer(path);
    let root = value.at("")?;
    if pointer.is_empty() && root.kind() != Kind::Mapping {
        return Err(
            Error::usage("the root of a file is a mapping").with_hint("name a key of it, as in /name")
        );
    }
    let id = file.tree_mut().graft(root)?;
    let result = file.tree_mut().put(pointer, id);
    result.map_err(|error| place::with_guess(file, path, error))
}
