//! `asdf dump`: a file as canonical JSON.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use asdf_core::value::FromNode;
use asdf_core::{File, NdArray, Result};
use serde_json::Value as Json;

use crate::canonical::{self, Arrays};
use crate::commands::{Outcome, output};
use crate::{elements, opening};

/// Print a file as canonical JSON.
///
/// A tagged node is {"$tag": URI, "$value": node}; a mapping with keys that are not strings is
/// {"$map": [[key, value], ...]}; a float that JSON lacks is {"$float": "nan"}; an alias is its target
/// again, and {"$cycle": true} inside it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf dump image.asdf | jq keys
  asdf dump --digest image.asdf > digests.json
  asdf dump --values catalog.asdf")]
pub(crate) struct Args {
    /// Print arrays as datatype, shape and the SHA-256 of their elements (C order, little-endian)
    #[arg(long, conflicts_with = "values")]
    digest: bool,

    /// Print {"tree", "arrays", "errors"}: the tree without tags and with merge keys applied, every
    /// array's shape and elements by its path, and why an array could not be read
    #[arg(long)]
    values: bool,

    /// The file
    file: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let file = opening::open(&args.file)?;
    if args.values {
        values(&file, out)?;
    } else {
        let arrays = if args.digest { Arrays::Digest } else { Arrays::AsNodes };
        match file.tree().root() {
            Some(root) => canonical::write(root, arrays, out).map_err(|error| error.at_file(&args.file))?,
            None => out.write_all(b"null").map_err(output)?,
        }
    }
    out.write_all(b"\n").map_err(output)?;
    Ok(Outcome::Fine)
}

/// Prints the tree without tags, and the elements of every array.
fn values(file: &File, out: &mut dyn Write) -> Result<()> {
    let mut arrays: BTreeMap<String, Json> = BTreeMap::new();
    let mut errors: BTreeMap<String, Json> = BTreeMap::new();
    if let Some(root) = file.tree().root() {
        let mut walk = root.walk();
        while let Some(node) = walk.next() {
            if !node.tag().is_some_and(NdArray::accepts_tag) {
                continue;
            }
            let path = walk.path();
            match NdArray::from_node(node).and_then(|array| elements::json(&array)) {
                Ok(value) => {
                    arrays.insert(path.to_string(), value);
                }
                Err(error) => {
                    errors.insert(path.to_string(), error.map_hint(opening::hint).to_string().into());
                }
            }
        }
    }
    out.write_all(b"{\"tree\": ").map_err(output)?;
    match file.tree().root() {
        Some(root) => canonical::write(root, Arrays::Untagged, out)?,
        None => out.write_all(b"null").map_err(output)?,
    }
    for (name, members) in [("arrays", arrays), ("errors", errors)] {
        write!(out, ", \"{name}\": ").map_err(output)?;
        serde_json::to_writer(&mut *out, &members).map_err(|error| output(error.into()))?;
    }
    out.write_all(b"}").map_err(output)
}
