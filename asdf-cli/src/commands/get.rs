//! `asdf get`: prints one value of a file.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use asdf_core::array::{ByteOrder, ReadBudget};
use asdf_core::tree::{Node, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::yaml::{EmitOptions, emit};
use asdf_core::{Error, NdArray, Result};

use asdf_tables::json::{Form, Printable, write_node};

use crate::complete_path::PLACE;
use crate::context::Context;
use crate::input::Input;
use crate::outcome::{Outcome, output};
use crate::{place, printable};

/// Print one value of a file, as YAML.
///
/// Reads only the tree and, with --raw, the array at PATH.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf get image.asdf /roman/meta/exposure/type
  asdf get --raw image.asdf /target                     the text without YAML's quotes
  asdf get --raw image.asdf /data > data.bin            little-endian, in C order
  asdf get --json image.asdf /wcs | jq .value
  if asdf get -e image.asdf /calibrated; then ...       it exists, and is neither null nor false")]
pub(crate) struct Args {
    /// Print JSON: {"asdf_get": 1, "path", "value"}
    ///
    /// Tags are omitted. NaN and infinities are strings.
    #[arg(long, conflicts_with = "raw")]
    json: bool,

    /// Print a scalar as plain text, or an array as bytes
    ///
    /// The elements are little-endian, in C order.
    #[arg(long)]
    raw: bool,

    /// Exit with 1 if the value is null or false
    #[arg(short = 'e', long)]
    exit_status: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// The path in the tree, as in /roman/meta/0; / for the whole tree
    #[arg(default_value = "/", value_hint = PLACE)]
    path: String,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let input = Input::named(args.file.clone());
    let file = context.open(&input.path)?;
    let node = place::at(&file, &args.path).map_err(|error| error.at_file(input.name()))?;
    if args.json {
        let path = serde_json::Value::from(file.tree().resolve_path(&args.path).as_str());
        let path = Printable(&path);
        write!(out, "{{\"asdf_get\": 1, \"path\": {path}, \"value\": ").map_err(output)?;
        write_node(node, Form::Untagged, out).map_err(|error| error.at_file(input.name()))?;
        out.write_all(b"}\n").map_err(output)?;
    } else if args.raw {
        raw(node, out).map_err(|error| error.at_file(input.name()))?;
    } else {
        let copy = Node::from_ref(node)?;
        let text = emit(copy.tree(), EmitOptions::new().directives(false))?;
        out.write_all(context.colours.yaml(&printable::document(&text)).as_bytes()).map_err(output)?;
    }
    let yes = !node.is_null() && node.as_bool() != Some(false);
    Ok(if yes || !args.exit_status { Outcome::Fine } else { Outcome::NotFine })
}

/// Writes a scalar as plain text, or an array as bytes.
fn raw(node: NodeRef<'_>, out: &mut dyn Write) -> Result<()> {
    if node.tag().is_some_and(NdArray::accepts_tag) {
        return elements(&NdArray::from_node(node)?, out);
    }
    match (node.as_bytes(), node.text()) {
        (Some(bytes), _) => binary(&bytes, out),
        (None, Some(text)) => writeln!(out, "{}", printable::document(text)).map_err(output),
        (None, None) => {
            Err(Error::usage(format!("found {}, expected a scalar or an array for --raw", node.describe()))
                .with_hint("leave out --raw to print YAML, or pass --json"))
        }
    }
}

/// Writes all elements of an array, a piece at a time.
fn elements(array: &NdArray, out: &mut dyn Write) -> Result<()> {
    const PIECE: u64 = 8 << 20;
    ReadBudget::new().take(array)?;
    for piece in array.pieces(PIECE / array.datatype().size()?.max(1))? {
        binary(&piece?.packed_bytes(ByteOrder::Little)?, out)?;
    }
    Ok(())
}

fn binary(bytes: &[u8], out: &mut dyn Write) -> Result<()> {
    if std::io::stdout().is_terminal() {
        return Err(
            Error::usage("cannot write binary data to a terminal").with_hint("redirect the output: > FILE")
        );
    }
    out.write_all(bytes).map_err(output)
}
