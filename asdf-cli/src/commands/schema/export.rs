//! `asdf schema export`: prints schemas for editors.

use std::io::Write;

use asdf_core::Result;
use asdf_schemas::package::bundle;
use asdf_tables::json::Printable;

use crate::context::Context;
use crate::outcome::{Outcome, output};
use crate::sources::Sources;

/// Print schemas as one JSON Schema document (draft 7) for editors.
///
/// Editors with a YAML language server use it for completion and checks. The document includes all schemas that are
/// referred to. Without a name, it describes whole trees: the newest version of core/asdf. With several names, a value
/// must match any of the schemas.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf schema export > asdf.json
  asdf schema export --schemas camera/ exposure > exposure.json
  # in the YAML file, or in the settings of the editor:
  # yaml-language-server: $schema=exposure.json")]
pub(super) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Tags or ids, or their last parts, with or without the version
    #[arg(value_name = "TAG|ID")]
    names: Vec<String>,
}

pub(super) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let registry = args.sources.registry(context)?;
    let mut ids = Vec::new();
    for name in &args.names {
        ids.extend(registry.find(name)?);
    }
    if ids.is_empty() {
        ids = registry.find("stsci.edu:asdf/core/asdf")?;
    }
    ids.sort_unstable();
    ids.dedup();
    let document = bundle(&registry, &ids)?;
    writeln!(out, "{:#}", Printable(&document)).map_err(output)?;
    Ok(Outcome::Fine)
}
