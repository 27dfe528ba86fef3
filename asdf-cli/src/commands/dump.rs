//! `asdf dump`: prints a file as canonical JSON.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::PathBuf;

use asdf_core::array::ReadBudget;
use asdf_core::tree::{NodeId, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::{Error, File, NdArray, Result};
use asdf_tables::json::{self, Form, Printable};
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
    /// The SHA-256 is that of the elements in C order, little-endian. The .nan of a list is a NaN without a sign; Python's
    /// asdf reads one with a sign, so its bytes differ.
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
        values(&file, out).map_err(|error| error.at_file(&args.file))?;
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
///
/// An array is read twice: once to know whether it can be read, and once to be printed.
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
    let arrays: BTreeMap<String, NodeRef<'_>> =
        arrays.into_iter().map(|(path, node)| (path.to_string(), node)).collect();
    let mut budget = ReadBudget::of(file.tree());
    let mut faults: HashMap<NodeId, Option<String>> = HashMap::new();
    let mut again = 0_u64;
    let mut between = "";
    out.write_all(b", \"arrays\": {").map_err(output)?;
    for (path, &node) in &arrays {
        let known = faults.get(&node.id());
        if known.is_some_and(Option::is_some) {
            continue;
        }
        let is_known = known.is_some();
        let array = NdArray::from_node(node);
        if is_known {
            again = again.saturating_add(array.as_ref().map_or(0, NdArray::len));
            if again > AGAIN {
                return Err(Error::limit(format!("aliases of arrays expand to more than {AGAIN} elements")));
            }
        }
        let checked = array.and_then(|array| {
            if !is_known {
                budget.take(&array)?;
                for piece in array.pieces(1 << 20)? {
                    piece?.elements()?;
                }
            }
            Ok(array)
        });
        match checked {
            Ok(array) => {
                faults.insert(node.id(), None);
                write!(out, "{between}{}:", Printable(&Json::from(path.as_str()))).map_err(output)?;
                json::write_array(&array, out).map_err(|error| error.at_path(path))?;
                between = ",";
            }
            Err(error) => {
                faults.insert(node.id(), Some(error.display_with(Words).to_string()));
            }
        }
    }
    out.write_all(b"}, \"errors\": {").map_err(output)?;
    let mut between = "";
    for (path, node) in &arrays {
        if let Some(Some(error)) = faults.get(&node.id()) {
            let (path, error) = (Json::from(path.as_str()), Json::from(error.as_str()));
            write!(out, "{between}{}:{}", Printable(&path), Printable(&error)).map_err(output)?;
            between = ",";
        }
    }
    out.write_all(b"}}").map_err(output)
}
