//! `asdf to_yaml`: a file as text.

use std::io::Write;

use asdf_core::file::Storage;
use asdf_core::{Error, Result, WriteOptions};

use crate::commands::Outcome;
use crate::target::{Replacement, Source, Target};

/// Write a file as YAML text, with all arrays in the tree.
///
/// The new file is that of --output, or FILE with the ending `.yaml`. It still is an ASDF file, which every
/// command reads. Arrays of more than 1048576 elements are too large for a tree.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf to_yaml image.asdf                               writes image.yaml
  asdf to_yaml -f -o text.yaml image.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    source: Source,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let path = args.target.path(&args.source.file, ".yaml")?;
    let options = WriteOptions::new().storage(Storage::Inline).index(false).sign(false);
    let bytes = options.to_bytes(&args.source.open()?).map_err(|error| match error.file() {
        None => error.at_file(&args.source.file),
        Some(_) => error,
    })?;
    if std::str::from_utf8(&bytes).is_err() {
        return Err(Error::unsupported("some of its arrays cannot be in a tree")
            .at_file(&args.source.file)
            .with_hint("they have no axes, or integers beyond 64 bits, or no array refers to their block"));
    }
    let mut new = Replacement::of(&path)?;
    new.file().write_all(&bytes).map_err(|error| Error::io("writing", error).at_file(&path))?;
    new.put()?;
    Ok(Outcome::Fine)
}
