//! `asdf schema list`: lists tags and schemas.

use std::io::Write;

use asdf_core::{Error, Result};
use asdf_tables::json::Printable;
use serde_json::json;

use crate::context::Context;
use crate::outcome::{Outcome, output};
use crate::printable::line;
use crate::sources::Sources;

/// List tags with the ids of their schemas, then schemas without a tag.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf schema list
  asdf schema list --schemas camera/ exposure
  asdf schema list --json core/ | jq .tags")]
pub(super) struct Args {
    /// Print JSON: {"asdf_schema_list": 1, "tags", "schemas"}
    ///
    /// "tags" is an object {TAG: [ID]}, and "schemas" a list of ids.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    sources: Sources,

    /// List only those with this text in their tag or id
    #[arg(value_name = "TEXT")]
    text: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let registry = args.sources.registry(context)?;
    let wanted = |uri: &str| args.text.as_deref().is_none_or(|text| uri.contains(text));
    let tagged: Vec<(&str, Vec<&str>)> =
        registry.tags().into_iter().map(|tag| (tag, registry.schemas_of(tag))).collect();
    let shown = || tagged.iter().filter(|(tag, ids)| wanted(tag) || ids.iter().any(|id| wanted(id)));
    let ids = registry.ids();
    if args.json {
        let tags: serde_json::Map<_, _> = shown().map(|(tag, ids)| ((*tag).to_owned(), json!(ids))).collect();
        let ids: Vec<&str> = ids.into_iter().filter(|id| wanted(id)).collect();
        let report = json!({"asdf_schema_list": 1, "tags": tags, "schemas": ids});
        writeln!(out, "{}", Printable(&report)).map_err(output)?;
        return Ok(Outcome::Fine);
    }
    let with_tag: std::collections::HashSet<&str> =
        tagged.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
    let colours = context.colours;
    let with = shown()
        .map(|(tag, ids)| format!("{}  {}", colours.bold(line(tag)), colours.dim(line(&ids.join(" ")))));
    let without = ids.into_iter().filter(|id| wanted(id) && !with_tag.contains(id)).map(line);
    let mut lines = with.chain(without).peekable();
    if let (None, Some(text)) = (lines.peek(), &args.text) {
        return Err(Error::usage(format!("no tag and no id contains '{}'", text.escape_debug()))
            .with_hint("run `asdf schema list` to see all, or add schemas with --schemas or --package"));
    }
    for line in lines {
        writeln!(out, "{line}").map_err(output)?;
    }
    Ok(Outcome::Fine)
}
