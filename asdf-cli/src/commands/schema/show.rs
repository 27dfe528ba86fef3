//! `asdf schema show`: prints a schema.

use std::io::Write;

use asdf_core::Result;
use asdf_tables::json::Printable;
use serde_json::json;

use crate::context::Context;
use crate::outcome::{Outcome, output};
use crate::printable;
use crate::sources::Sources;

/// Print a schema by its tag or id.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf schema show core/ndarray                       the newest version
  asdf schema show tag:stsci.edu:asdf/core/ndarray-1.0.0
  asdf schema show --package rad wfi_image-1.0.0")]
pub(super) struct Args {
    /// Print JSON: {"asdf_schema_show": 1, "schemas"}
    ///
    /// The keys of each schema are "id", "tags" and "text".
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    sources: Sources,

    /// The tag or id, or its last parts, with or without the version
    #[arg(value_name = "TAG|ID")]
    name: String,
}

pub(super) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let registry = args.sources.registry(context)?;
    let ids = registry.find(&args.name)?;
    if args.json {
        let schemas: Vec<_> = ids
            .iter()
            .map(|id| json!({"id": id, "tags": registry.tags_of(id), "text": registry.text(id)}))
            .collect();
        let report = json!({"asdf_schema_show": 1, "schemas": schemas});
        writeln!(out, "{}", Printable(&report)).map_err(output)?;
        return Ok(Outcome::Fine);
    }
    for id in ids {
        // Fails with the reason if the schema cannot be read.
        let tree = registry.schema(id)?;
        let text = printable::lines(tree.text().trim_end());
        writeln!(out, "{}", context.colours.yaml(&text)).map_err(output)?;
    }
    Ok(Outcome::Fine)
}
