//! `asdf dump`: prints a file as canonical JSON.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::PathBuf;

use asdf_core::tree::NodeId;
use asdf_core::value::FromNode;
use asdf_core::{Error, File, NdArray, Result};
use asdf_tables::json::{self, Form};
use serde_json::Value as Json;

use crate::context::Context;
use crate::hint::Words;
use crate::outcome::{Outcome, output};

/// Print a file as canonical JSON.
///
/// A tagged node is {"$tag": URI, "$value": node}. A mapping with keys that are not strings is
/// {"$map": [[key, value], ...]}. NaN and infinities are {"$float": "nan"} and the like. An alias is its target again,
/// or {"$cycle": true} inside that target.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf dump image.asdf | jq keys
  asdf dump --digest image.asdf > digests.json
  asdf dump --values catalog.asdf")]
pub(crate) struct Args {
    /// Print arrays as datatype, shape and SHA-256 of the elements
    ///
    /// The SHA-256 is that of the elements in C order, little-endian.
    #[arg(long, conflicts_with = "values")]
    digest: bool,

    /// Print the tree without tags, and the elements of arrays
    ///
    /// Prints {"tree", "arrays", "errors"}. Merge keys are applied in the tree. "arrays" has the shape and elements of
    /// every array under each of its paths, and "errors" says why an array could not be read. Complex numbers are
    /// {"re", "im"}.
    #[arg(long)]
    values: bool,

    /// The file
    file: PathBuf,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let file = context.open(&args.file)?;
    if args.values {
        values(&file, out)?;
    } else {
        let form = if args.digest { Form::Digests } else { Form::Tagged };
        match file.tree().root() {
            Some(root) => json::write_node(root, form, out).map_err(|error| error.at_file(&args.file))?,
            None => out.write_all(b"null").map_err(output)?,
        }
    }
    out.write_all(b"\n").map_err(output)?;
    Ok(Outcome::Fine)
}

/// Prints the tree without tags, and the elements of every array under each of its paths.
fn values(file: &File, out: &mut dyn Write) -> Result<()> {
    /// The most elements that are printed again for further aliases of an array.
    const AGAIN: u64 = 1 << 26;
    out.write_all(b"{\"tree\": ").map_err(output)?;
    let arrays = match file.tree().root() {
        Some(root) => json::write_with_arrays(root, out)?,
        None => {
            out.write_all(b"null").map_err(output)?;
            Vec::new()
        }
    };
    let mut read: HashMap<NodeId, std::result::Result<Json, String>> = HashMap::new();
    let mut paths: BTreeMap<String, NodeId> = BTreeMap::new();
    let mut again = 0_u64;
    for (path, node) in arrays {
        paths.insert(path.to_string(), node.id());
        let array = NdArray::from_node(node);
        if read.contains_key(&node.id()) {
            again = again.saturating_add(array.map_or(0, |array| array.len()));
            if again > AGAIN {
                return Err(Error::limit(format!("aliases of arrays expand to more than {AGAIN} elements")));
            }
            continue;
        }
        let found = array.and_then(|array| json::array(&array));
        read.insert(node.id(), found.map_err(|error| error.display_with(Words).to_string()));
    }
    for (name, is_fine) in [("arrays", true), ("errors", false)] {
        write!(out, ", \"{name}\": {{").map_err(output)?;
        let mut between = "";
        for (path, id) in &paths {
            let text = match read.get(id) {
                Some(Ok(value)) if is_fine => value.to_string(),
                Some(Err(error)) if !is_fine => Json::from(error.as_str()).to_string(),
                _ => continue,
            };
            write!(out, "{between}{}:{text}", Json::from(path.as_str())).map_err(output)?;
            between = ",";
        }
        out.write_all(b"}").map_err(output)?;
    }
    out.write_all(b"}").map_err(output)
}
